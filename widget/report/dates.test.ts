import { expect, test } from 'vitest'
import { readDate, ukDay } from './dates.ts'

const rows: [what: string, value: string, day: string | undefined][] = [
  ['a day is that day', '2024-02-29', '2024-02-29'],
  ['in summer too', '2026-07-01', '2026-07-01'],
  ['late on a winter evening', '2026-03-04T23:30:00.000Z', '2026-03-04'],
  ['late on a summer evening it is the next day in the UK', '2026-07-01T23:30:00Z', '2026-07-02'],
  ['the evening the clocks go forward', '2026-03-29T23:30:00Z', '2026-03-30'],
  ['the evening before', '2026-03-28T23:30:00Z', '2026-03-28'],
  ['the evening the clocks go back', '2026-10-25T23:30:00Z', '2026-10-25'],
  ['the evening before that', '2026-10-24T23:30:00Z', '2026-10-25'],
  ['another time zone', '2026-07-02T01:30:00+02:00', '2026-07-02'],
  ['without a zone it is the day it says', '2026-07-01T23:30:00', '2026-07-01'],
  ['a day that does not exist is no date', '2023-02-29', undefined],
  ['nor is the thirty-first of a short month', '2021-04-31', undefined],
  ['nor month thirteen', '2021-13-01', undefined],
  ['nor a timestamp on such a day', '2023-02-29T10:00:00Z', undefined],
  ['nor a day with a broken time', '2023-02-28T99:00:00Z', undefined],
  ['nor another spelling', '4 March 2026', undefined],
  ['nor the placeholder of an old system', '0001-01-01', undefined],
  ['1900 is the first year believed', '1900-01-01', '1900-01-01'],
  ['nothing is no date', '', undefined],
]
test.each(rows)('%s', (_what, value, day) => {
  const timeMs = readDate(value)
  expect(timeMs === undefined ? undefined : new Date(timeMs).toISOString().slice(0, 10)).toBe(day)
})

test('the rule for summer time agrees with the time zone database, hour by hour, over five years', () => {
  const london = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/London' })
  const [fromMs, hours] = [Date.UTC(2022, 0), 5 * 365 * 24]
  const wrong = Array.from({ length: hours }, (_, hour) => fromMs + hour * 3_600_000).filter(
    (timeMs) => new Date(ukDay(timeMs)).toISOString().slice(0, 10) !== london.format(timeMs),
  )
  expect(wrong).toEqual([])
})
