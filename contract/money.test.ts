import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maskAccountNumber, trailingDigits } from './account-number.ts'
import { showCredits, showPence } from './money.ts'

describe('money', () => {
  test.each([
    [0, '£0.00'],
    [1, '£0.01'],
    [123456, '£1,234.56'],
    [-1200, '-£12.00'],
    [18_450_000, '£184,500.00'],
  ])('%i pence read %s', (pence, shown) => {
    expect(showPence(pence)).toBe(shown)
  })

  test.each([
    [0, '£0.00'],
    [10, '£0.01'],
    [500, '£0.50'],
    [40, '£0.04'],
    [1, '£0.001'],
    [1_000_000, '£1,000.00'],
  ])('%i credits are %s', (credits, shown) => {
    expect(showCredits(credits)).toBe(shown)
  })

  test('another currency keeps its sign', () => {
    expect(showPence(1050, 'EUR')).toBe('€10.50')
  })
})

describe('account numbers', () => {
  test.each([
    ['12345678', '****5678'],
    ['1234 5678 9012 3456', '************3456'],
    ['12', '*2'],
    ['1', '*'],
    ['', ''],
  ])('%j is masked to %j', (full, masked) => {
    expect(maskAccountNumber(full)).toBe(masked)
  })

  test('never more than four digits or half of them show, and the end is always the end', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{0,30}$/), (full) => {
        const shown = trailingDigits(maskAccountNumber(full))
        expect(shown.length).toBeLessThanOrEqual(Math.min(4, full.length / 2))
        expect(full.endsWith(shown)).toBe(true)
      }),
    )
  })
})
