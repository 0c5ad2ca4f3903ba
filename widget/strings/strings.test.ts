import { describe, expect, test } from 'vitest'
import { cy } from './cy.ts'
import { en, type Phrase } from './en.ts'
import { enCheck } from './en-check.ts'
import { enFindAddress } from './en-find-address.ts'
import { welsh as translation } from './welsh.ts'
import { addEnglish, createWords, showDay, showMonths } from './words.ts'

addEnglish('check', enCheck)
addEnglish('findAddress', enFindAddress)
const english: { [key: string]: Phrase } = { ...en, ...enCheck, ...enFindAddress }
const keys = Object.keys(english)

function gapsOf(phrase: Phrase | undefined): string[] {
  const text = typeof phrase === 'string' ? phrase : (phrase?.other ?? '')
  return [...new Set(text.match(/\{\w+\}/g))].sort()
}

test('Welsh has every phrase, and no other', () => {
  expect(Object.keys(cy).sort()).toEqual([...keys].sort())
})

test.each(keys)('%s has the same gaps in both languages', (key) => {
  expect(gapsOf(Object.entries(cy).find(([name]) => name === key)?.[1])).toEqual(gapsOf(english[key]))
})

test('Welsh says each phrase under its own name, whatever order it is written in', () => {
  const say = createWords('cy', translation)
  for (const [key, phrase] of Object.entries(cy))
    if (typeof phrase === 'string') expect(Reflect.apply(say, null, [key])).toBe(phrase)
})

test('nothing a consumer reads mentions the lender’s wallet or blames anyone', () => {
  const forbidden = /wallet|funds|top.?up|quota|unpaid|balance|please|oops|invalid|valid\b/i
  const texts = Object.values(english).flatMap((phrase) =>
    typeof phrase === 'string' ? phrase : Object.values(phrase),
  )
  expect(texts.filter((text) => forbidden.test(text))).toEqual([])
})

describe('choosing words', () => {
  const words = createWords('en-GB')
  const welsh = createWords('cy', translation)

  test.each([
    [words, 1, 'That code does not match. You have 1 try left, then this check will stop'],
    [words, 2, 'That code does not match. You have 2 tries left'],
    [welsh, 2, 'Nid yw’r cod hwnnw’n cyfateb. Mae gennych 2 gynnig ar ôl'],
  ])('the plural follows the number', (say, n, expected) => expect(say('codeWrong', { n })).toBe(expected))

  test.each([
    [1, '1 flwyddyn'],
    [2, '2 flynedd'],
    [3, '3 blynedd'],
    [5, '5 mlynedd'],
    [6, '6 blynedd'],
  ])('Welsh counts %i years in its own way', (n, expected) => expect(welsh('years', { n })).toBe(expected))

  test('the lender’s words come first, in the gaps too', () => {
    const own = createWords('en-GB', {}, { back: 'Return', reference: 'Ref. {id}' })
    expect(own('back')).toBe('Return')
    expect(own('reference', { id: 'A1' })).toBe('Ref. A1')
    expect(own('continue')).toBe('Continue')
  })

  test('a translation with gaps falls back to English', () => {
    expect(createWords('cy', { form: ['Yn ôl'] })('continue')).toBe('Continue')
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
