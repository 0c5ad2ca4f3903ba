import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isCalendarDate } from '../contract/calendar-date.ts'
import { AREAS, normalisePostcode } from '../contract/postcode.ts'
import { datePattern, postcodePattern } from './request-words.ts'

test('the pattern for dates is the calendar, on every day that could be written', () => {
  const pattern = new RegExp(datePattern(1896, 2009))
  for (let year = 1890; year <= 2015; year += 1) {
    for (let month = 0; month <= 13; month += 1) {
      for (let day = 0; day <= 32; day += 1) {
        const date = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
        expect(pattern.test(date), date).toBe(year >= 1896 && year <= 2009 && isCalendarDate(date))
      }
    }
  }
})

test('the pattern for postcodes knows every area, in either case', () => {
  const pattern = new RegExp(postcodePattern())
  for (const area of AREAS.split('|')) {
    expect(pattern.test(`${area}1 1AA`)).toBe(true)
    expect(pattern.test(`${area.toLowerCase()}1a1aa`)).toBe(true)
  }
  expect(pattern.test('GIR 0AA')).toBe(true)
})

test('what the pattern for postcodes lets by, the contract takes; what is written plainly and taken, it lets by', () => {
  const pattern = new RegExp(postcodePattern())
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z]{1,2}[0-9][0-9A-Za-z]? ?[0-9][A-Za-z]{2}$/), (written) => {
      expect(pattern.test(written)).toBe(normalisePostcode(written) !== null)
    }),
    { numRuns: 3_000 },
  )
})
