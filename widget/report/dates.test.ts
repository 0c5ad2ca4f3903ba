import { expect, test } from 'vitest'
import { readDate } from './dates.ts'

const rows: [what: string, value: string | undefined, time: string | undefined][] = [
  ['a day is midnight in UTC', '2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['a timestamp keeps its time', '2026-03-04T23:30:00.000Z', '2026-03-04T23:30:00.000Z'],
  ['a day that does not exist is no date', '2023-02-29', undefined],
  ['nor is the thirty-first of a short month', '2021-04-31', undefined],
  ['nor month thirteen', '2021-13-01', undefined],
  ['nor a timestamp on such a day', '2023-02-29T10:00:00Z', undefined],
  ['nor a day with a broken time', '2023-02-28T99:00:00Z', undefined],
  ['nor another spelling', '4 March 2026', undefined],
  ['nor the placeholder of an old system', '0001-01-01', undefined],
  ['1900 is the first year believed', '1900-01-01', '1900-01-01T00:00:00.000Z'],
  ['nothing is no date', '', undefined],
  ['a missing date is no date', undefined, undefined],
]
test.each(rows)('%s', (_what, value, time) => {
  const timeMs = readDate(value)
  expect(timeMs === undefined ? undefined : new Date(timeMs).toISOString()).toBe(time)
})
