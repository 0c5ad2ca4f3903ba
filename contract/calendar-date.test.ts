import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { calendarDateOf, isCalendarDate } from './calendar-date.ts'

describe('calendar dates', () => {
  test.each(['2024-02-29', '2000-02-29', '1985-03-27', '2023-12-31', '0001-01-01'])('%s exists', (date) => {
    expect(isCalendarDate(date)).toBe(true)
  })

  test.each([
    '2023-02-29',
    '1900-02-29',
    '2023-04-31',
    '2023-13-01',
    '2023-00-10',
    '2023-01-00',
    '0000-00-00',
    '2023-1-1',
    '23-01-01',
    '10000-01-01',
    '2023/01/01',
    '01-01-2023',
    ' 2023-01-01',
    '2023-01-01T00:00:00Z',
    '２０２３-01-01',
    '',
  ])('%j does not', (date) => {
    expect(isCalendarDate(date)).toBe(false)
  })

  test('agrees with the calendar of the language on every day', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }), (day) => {
        expect(isCalendarDate(calendarDateOf(day.getTime()))).toBe(true)
      }),
    )
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9999 }),
        fc.integer({ min: 0, max: 13 }),
        fc.integer({ min: 0, max: 32 }),
        (y, m, d) => {
          const written = `${String(y).padStart(4, '0')}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`
          const parsed = new Date(`${written}T00:00:00Z`)
          const exists = !Number.isNaN(parsed.getTime()) && calendarDateOf(parsed.getTime()) === written
          expect(isCalendarDate(written)).toBe(exists)
        },
      ),
    )
  })
})
