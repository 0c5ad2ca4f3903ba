import { describe, expect, test } from 'vitest'
import { keysOf } from '../fields/typed.ts'
import { reportStrings } from '../report/strings.ts'
import { en, type Phrase, type StringKey } from './en.ts'
import { enCheck } from './en-check.ts'
import { enFindAddress } from './en-find-address.ts'
import { findLocale, LOCALES, type Locale, readLocales } from './locales.ts'
import { addEnglish, createWords, showDay, showMonths } from './words.ts'

addEnglish(enCheck)
addEnglish(enFindAddress)
const translation = await LOCALES.cy.load()
const all: { [key: string]: Phrase } = { ...en, ...enCheck, ...enFindAddress }
const keys = keysOf<StringKey>({ ...en, ...enCheck, ...enFindAddress })
const english = new Map<string, Phrase>(Object.entries(all))
const languages = Object.entries<Locale>(LOCALES)

function gapsOf(phrase: Phrase | undefined): string[] {
  const text = typeof phrase === 'string' ? phrase : (phrase?.other ?? '')
  return [...new Set(text.match(/\{\w+\}/g))].sort()
}

describe.each(languages)('%s', (_tag, { load }) => {
  test('fills the same gaps as English in every phrase', async () => {
    const { say } = await load()
    const wrong = keys.filter((key) => {
      const phrase = english.get(key) ?? ''
      return gapsOf(say(key, phrase)).join() !== gapsOf(phrase).join()
    })
    expect(wrong).toEqual([])
  })

  test('has twelve months to type', async () => {
    const { say } = await load()
    expect(String(say('monthNames', en.monthNames)).split(' ')).toHaveLength(12)
  })
})

describe('the languages', () => {
  test.each([
    ['en', 'en-GB'],
    ['en-US', 'en-GB'],
    ['CY', 'cy'],
    ['cy-GB', 'cy'],
    ['en-xa', 'en-GB'],
    ['cymraeg', 'en-GB'],
    ['xx', 'en-GB'],
    ['', 'en-GB'],
  ])('a page in %j gets %s', (tag, expected) => expect(findLocale(tag)).toBe(expected))

  test.each([
    ['en-GB cy', ['en-GB', 'cy']],
    [' CY,  en-gb cy ', ['cy', 'en-GB']],
    ['xx cy', ['cy']],
    ['', []],
  ])('%j offers %j', (list, expected) => expect(readLocales(list)).toEqual(expected))

  test('each knows twelve months by their beginnings', () => {
    for (const [tag, { months = '' }] of Object.entries<Locale>(LOCALES))
      expect(new Set(months.split(' ')).size, tag).toBe(12)
  })
})

describe('nothing a consumer reads', () => {
  const isText = (value: unknown): value is string => typeof value === 'string'
  const textsIn = (value: unknown): string[] =>
    isText(value) ? [value] : Object.values(value ?? {}).flatMap((each: unknown) => textsIn(each))

  test('mentions the lender’s wallet or blames anyone', () => {
    const forbidden = /wallet|funds|top.?up|quota|unpaid|balance|please|oops|invalid|valid\b/i
    expect(textsIn(all).filter((text) => forbidden.test(text))).toEqual([])
  })

  test('counts numbers for digits, runs out for expires, or has tries for attempts', () => {
    const forbidden = /\d[- ]numbers?\b|\b(?:run|runs|ran|running) out\b|\btries\b|\d try\b|\blast try\b/i
    expect(textsIn([all, reportStrings]).filter((text) => forbidden.test(text))).toEqual([])
  })

  test('says so in Welsh either', () => {
    const welshTexts = textsIn([keys.map((key) => translation.say(key, '')), translation.report])
    expect(welshTexts.filter((text) => /\d rhif\b|\d g?c?ynnig\b|cynnig olaf/i.test(text))).toEqual([])
  })
})

describe('choosing words', () => {
  const words = createWords('en-GB')
  const welsh = createWords('cy', translation)

  test.each([
    [words, 1, 'That code does not match. You have 1 attempt left, then this check will stop'],
    [words, 2, 'That code does not match. You have 2 attempts left'],
    [welsh, 2, 'Nid yw’r cod hwnnw’n cyfateb. Mae gennych 2 ymgais ar ôl'],
  ])('the plural follows the number', (say, n, expected) => expect(say('codeWrong', { n })).toBe(expected))

  test.each([
    [1, '1 flwyddyn'],
    [2, '2 flynedd'],
    [3, '3 blynedd'],
    [4, '4 blynedd'],
    [5, '5 mlynedd'],
    [6, '6 blynedd'],
  ])('Welsh counts %i years in its own way', (n, expected) => expect(welsh('years', { n })).toBe(expected))

  test('the lender’s words come first, in the gaps too', () => {
    const own = createWords('en-GB', null, { back: 'Return', reference: 'Ref. {id}' })
    expect(own('back')).toBe('Return')
    expect(own('reference', { id: 'A1' })).toBe('Ref. A1')
    expect(own('continue')).toBe('Continue')
  })

  test('what fills a gap is not searched for gaps again', () => {
    expect(words('emailSuggestion', { suggestion: '{n}@x.com' })).toBe('Did you mean {n}@x.com?')
  })

  test.each([
    [0, '0 months'],
    [1, '1 month'],
    [12, '1 year'],
    [18, '1 year and 6 months'],
    [36, '3 years'],
  ])('%i months in words', (months, expected) => expect(showMonths(words, months)).toBe(expected))

  test('a day is written out, also in Welsh, which browsers cannot do', () => {
    expect(showDay(words, '1985-03-07')).toBe('7 March 1985')
    expect(showDay(welsh, '1985-03-07')).toBe('7 Mawrth 1985')
  })
})
