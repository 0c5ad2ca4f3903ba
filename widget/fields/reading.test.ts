// Text that people type, and its reading.
import { describe, expect, test } from 'vitest'
import { correctPostcode } from './address.ts'
import { findCodeProblem, readCode } from './code.ts'
import { readMonth, readNumber } from './date.ts'
import { suggestEmail } from './suggest-email.ts'

describe('a postcode with O and 0, I and 1 swapped', () => {
  test.each([
    ['SWIA 1AA', 'SW1A 1AA'],
    ['ls1 4ap', 'LS1 4AP'],
    ['LSI 4AP', 'LS1 4AP'],
    ['W1A OAX', 'W1A 0AX'],
    ['0X1 2JD', 'OX1 2JD'],
    ['IP1 IAA', 'IP1 1AA'],
    ['ＬＳ１　４ＡＰ', 'LS1 4AP'],
    ['QQI 1AA', null],
    ['LS1', null],
  ])('%s', (text, expected) => expect(correctPostcode(text)).toBe(expected))
})

describe('an email that looks mistyped', () => {
  test.each([
    ['sam@gmial.com', 'sam@gmail.com'],
    ['sam@gmal.com', 'sam@gmail.com'],
    ['sam@gmaill.com', 'sam@gmail.com'],
    ['Sam.P@hotmial.co.uk', 'Sam.P@hotmail.co.uk'],
    ['sam@outlok.com', 'sam@outlook.com'],
    ['sam@gmail.com', null],
    ['sam@example.com', null],
    ['sam@mail.com', null],
    ['sam@sky.co', 'sam@sky.com'],
    ['sam', null],
    ['@gmial.com', null],
  ])('%s', (email, expected) => expect(suggestEmail(email)).toBe(expected))
})

describe('a code as it arrives', () => {
  test.each([
    ['123456', '123456'],
    ['123 456', '123456'],
    ['12-34-56', '123456'],
    ['１２３４５６', '123456'],
    ['012345 is your Acme security code. Do not share it.\n\n@shop.example #012345', '012345'],
    ['Your code is 123456. Call 0113 496 0000 for help', '123456'],
    ['#654321 not 123456', '654321'],
    ['Your code: 123456. Ref 654321', '123456'],
    ['Ref 654321. Eich cod yw 123456', '123456'],
    ['١٢٣٤٥٦', '123456'],
    ['१२३४५६', '123456'],
    ['1234567', '1234567'],
    ['', ''],
  ])('%j', (text, code) => expect(readCode(text)).toBe(code))

  test.each([
    ['', 'codeMissing'],
    ['  ', 'codeMissing'],
    ['abc', 'codeLetters'],
    ['12345', 'codeLength'],
    ['1234567', 'codeLength'],
  ])('%j costs no attempt', (text, words) => expect(findCodeProblem(text)?.words).toBe(words))

  test('six digits are worth an attempt', () => expect(findCodeProblem(' 123 456 ')).toBeNull())
})

describe('parts of a date', () => {
  test.each([
    ['3', 3],
    ['03.', 3],
    ['March', 3],
    ['SEPT', 9],
    ['Ionawr', 1],
    ['Mai', 5],
    ['Rhagfyr', 12],
    ['', 0],
    ['soon', Number.NaN],
  ])('month %j', (text, month) => expect(readMonth(text)).toBe(month))

  test.each([
    ['27', 27],
    [' 1st ', 1],
    ['2,', 2],
    ['two', Number.NaN],
  ])('number %j', (text, number) => expect(readNumber(text)).toBe(number))
})
