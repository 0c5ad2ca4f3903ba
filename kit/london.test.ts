import { expect, test } from 'vitest'
import { addDays, londonDate, startOfDay } from './london.ts'

test.each([
  ['in winter days are those of UTC', '2026-01-14T23:59:59.999Z', '2026-01-14'],
  ['and begin with them', '2026-01-15T00:00:00.000Z', '2026-01-15'],
  ['in summer a day ends an hour before UTC’s', '2026-06-14T22:59:59.999Z', '2026-06-14'],
  ['and the next one begins', '2026-06-14T23:00:00.000Z', '2026-06-15'],
  ['the day on which clocks go forward begins at midnight UTC', '2026-03-29T00:00:00.000Z', '2026-03-29'],
  ['and has 23 hours', '2026-03-29T23:00:00.000Z', '2026-03-30'],
  ['the day on which they go back begins in summer', '2026-10-24T23:00:00.000Z', '2026-10-25'],
  ['and has 25 hours', '2026-10-25T23:59:59.999Z', '2026-10-25'],
])('%s', (_name, time, day) => {
  const timeMs = Date.parse(time)
  expect(londonDate(timeMs)).toBe(day)
  expect(startOfDay(day)).toBeLessThanOrEqual(timeMs)
  expect(startOfDay(addDays(day, 1))).toBeGreaterThan(timeMs)
})

test('days follow one another without a gap over a whole year', () => {
  for (let day = '2026-01-01'; day < '2027-01-01'; day = addDays(day, 1)) {
    const [fromMs, beforeMs] = [startOfDay(day), startOfDay(addDays(day, 1))]
    expect([londonDate(fromMs), londonDate(beforeMs - 1), londonDate(beforeMs)]).toEqual([day, day, addDays(day, 1)])
  }
})
