import { describe, expect, test } from 'vitest'
import { accountsOf } from '../../testing/report-samples.ts'
import { drawTimeline } from './timeline.ts'

const NOW_MS = Date.UTC(2026, 10, 15)
const started = (...dates: string[]) => accountsOf(dates.map((startDate) => ({ companyName: startDate, startDate })))

test('lanes run oldest first, and an unknown start comes last without a mark', () => {
  const { lanes } = drawTimeline(started('2024-05-01', 'unknown', '2018-01-01'), [], NOW_MS)
  expect(lanes.map(({ account }) => account.record.companyName)).toEqual(['2018-01-01', '2024-05-01', 'unknown'])
  expect(lanes.map(({ start }) => start?.percent.toFixed(1))).toEqual(['0.0', '71.4', undefined])
})

test('the line begins with the first year anything happened and ends now', () => {
  const { searches } = drawTimeline([], [Date.UTC(2025, 0, 1), NOW_MS, Date.UTC(2025, 11, 10)], NOW_MS)
  expect(searches.map(({ percent }) => Math.round(percent))).toEqual([0, 50, 100])
})

test('nothing is drawn outside the line: a start after today stands at its end', () => {
  const { lanes } = drawTimeline(started('2030-01-01', '2020-01-01'), [], NOW_MS)
  expect(lanes.map(({ start }) => start?.percent)).toEqual([0, 100])
})

test('an empty report on the first moment of a year still has a line', () => {
  const { ticks } = drawTimeline([], [], Date.UTC(2026, 0, 1))
  expect(ticks).toEqual([{ year: 2026, percent: 0 }])
})

describe('year ticks', () => {
  const rows: [first: string, years: number[]][] = [
    ['2026-03-01', [2026]],
    ['2021-03-01', [2021, 2022, 2023, 2024, 2025, 2026]],
    ['2020-03-01', [2020, 2022, 2024, 2026]],
    ['2013-03-01', [2015, 2020, 2025]],
    ['1980-03-01', [1980, 1990, 2000, 2010, 2020]],
    ['1901-03-01', [1950, 2000]],
  ]
  test.each(rows)('from %s they are few and round', (first, years) => {
    expect(drawTimeline(started(first), [], NOW_MS).ticks.map(({ year }) => year)).toEqual(years)
  })
})
