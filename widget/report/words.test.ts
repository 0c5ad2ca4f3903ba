import { describe, expect, test } from 'vitest'
import { LOCALES } from '../strings/locales.ts'
import { createWords as createSharedWords } from '../strings/words.ts'
import { reportStringsCy } from './strings-cy.ts'
import { createWords } from './words.ts'

const english = createWords(createSharedWords('en-GB', await LOCALES['en-GB'].load()))
const welsh = createWords(createSharedWords('cy', await LOCALES.cy.load()))

describe('money', () => {
  const rows: [amount: number, currency: string, text: string][] = [
    [0, 'GBP', '£0.00'],
    [1, 'GBP', '£0.01'],
    [99_999, 'GBP', '£999.99'],
    [100_000, 'GBP', '£1,000.00'],
    [123_456_789_01, 'GBP', '£123,456,789.01'],
    [Number.MAX_SAFE_INTEGER - 1, 'GBP', '£90,071,992,547,409.90'],
    [150_050, 'EUR', '€1,500.50'],
    [5_000, 'JPY', 'JP¥5,000'],
    [99, 'not a currency', '99 not a currency'],
  ]
  test.each(rows)('%i in %s is %s', (amount, currency, text) => {
    expect(english.money({ amount, currency })).toBe(text)
  })

  test('pounds read the same as the formatter of the platform writes them', () => {
    const platform = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' })
    for (let pence = 1; pence < 10_000_000_000; pence = pence * 3 + 7)
      expect(english.money({ amount: pence, currency: 'GBP' })).toBe(platform.format(pence / 100))
  })
})

describe('dates', () => {
  test('a day is written out in either language', () => {
    expect(english.day(Date.UTC(2026, 2, 4))).toBe('4 March 2026')
    expect(welsh.day(Date.UTC(2026, 2, 4))).toBe('4 Mawrth 2026')
  })
})

test('a translation has every phrase under its own name', () => {
  expect(welsh).toMatchObject(reportStringsCy)
})

describe('counts', () => {
  test('a phrase takes the form of its number', () => {
    expect([0, 1, 2].map((n) => english.count(english.onOpenAccounts, n))).toEqual([
      'on 0 open accounts.',
      'on 1 open account.',
      'on 2 open accounts.',
    ])
  })

  test('Welsh has forms of its own', () => {
    expect([1, 2, 3].map((n) => welsh.count(welsh.unreported, n))).toEqual([
      'Nid yw 1 balans wedi’i nodi.',
      'Nid yw 2 falans wedi’u nodi.',
      'Nid yw 3 balans wedi’u nodi.',
    ])
  })

  test('a plain phrase takes the number as it is', () => {
    expect(english.count('{n} left', 3)).toBe('3 left')
  })
})
