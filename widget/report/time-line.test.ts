import { describe, expect, test } from 'vitest'
import type { AccountRecord } from '../../contract/credit-report.ts'
import { accountsOf } from '../../testing/report-samples.ts'
import type { ShownResidency } from './read-report.ts'
import { drawTimeLine, monthsOfStay } from './time-line.ts'

const NOW_MS = Date.UTC(2026, 0, 1)

type Given = { startDates?: string[]; searches?: string[]; stays?: Partial<ShownResidency>[] }

function draw({ startDates = [], searches = [], stays = [] }: Given) {
  return drawTimeLine(
    {
      accounts: accountsOf(startDates.map((startDate): Partial<AccountRecord> => ({ startDate }))),
      searches: [{ company: 'A', datesMs: searches.map((date) => new Date(date).getTime()), undated: 0 }],
      residencies: stays.map((stay) => ({
        lines: [],
        years: undefined,
        months: undefined,
        isCurrent: undefined,
        ...stay,
      })),
    },
    NOW_MS,
  )
}

test('the line begins with the year of the first account or search and ends today', () => {
  const line = draw({ startDates: ['2018-07-02', '2016-03-01'], searches: ['2025-01-01'] })
  expect(line?.at(Date.UTC(2016, 0, 1))).toBe(0)
  expect(line?.at(Date.UTC(2021, 0, 1))).toBeCloseTo(0.5, 2)
  expect(line?.at(NOW_MS)).toBe(1)
  expect(line?.accounts.map(({ record }) => record.startDate)).toEqual(['2016-03-01', '2018-07-02'])
})

test('what lies outside it is drawn at its ends', () => {
  const line = draw({ startDates: ['2020-01-01'], stays: [{ years: 40, isCurrent: true }] })
  expect(line?.stays.map(({ fromMs, untilMs }) => [line.at(fromMs), line.at(untilMs)])).toEqual([[0, 1]])
})

test.each([
  ['2025-06-01', [2025]],
  ['2023-06-01', [2023, 2024, 2025]],
  ['2011-06-01', [2011, 2015, 2019, 2023]],
  ['1986-06-01', [1986, 1995, 2004, 2013, 2022]],
])('from %s the years named are %j', (startDate, years) => {
  // One that would leave the line at its end has no name.
  const line = draw({ startDates: [startDate] })
  expect(line?.years).toEqual(years.filter((year) => (line?.at(Date.UTC(year)) ?? 1) <= 0.88))
  expect(line?.years.length).toBeLessThanOrEqual(5)
})

test('a date that is missing, unreal or to come is not on it', () => {
  expect(draw({ startDates: ['', '2021-02-31', '2027-01-01'] })).toBeUndefined()
  expect(draw({ startDates: ['2027-01-01', '2020-01-01'] })?.accounts).toHaveLength(1)
})

describe('addresses', () => {
  const froms = (stays: Partial<ShownResidency>[]) =>
    draw({ stays })?.stays.map(({ fromMs }) => new Date(fromMs).toISOString().slice(0, 7))

  test('stand one before the other, the current one first', () => {
    const before = { years: 5, isCurrent: false }
    const current = { years: 2, months: 4, isCurrent: true }
    expect(froms([before, current])).toEqual(['2023-09', '2018-09'])
  })

  test('after a stay of unknown length nothing is known', () => {
    expect(froms([{ years: 1, isCurrent: true }, {}, { years: 3 }])).toEqual(['2025-01'])
    expect(froms([{}])).toBeUndefined()
  })

  test('a stay that cannot be is still a date', () => {
    expect(froms([{ years: 2 ** 50, isCurrent: true }])).toEqual(['1926-01'])
  })
})

test.each([
  ['two years and four months', 2, 4, 28],
  ['the same, counted as months of the whole stay', 2, 28, 28],
  ['months alone', 0, 14, 14],
  ['years alone', 5, 0, 60],
  ['not reported', 0, 0, 0],
  ['not there at all', undefined, undefined, 0],
  ['years without months', 3, undefined, 36],
])('%s', (_what, years, months, stay) => {
  expect(monthsOfStay(years, months)).toBe(stay)
})
