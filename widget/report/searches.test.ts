import { describe, expect, test } from 'vitest'
import { countInLastYear, countOf, groupSearches, mostWithin } from './searches.ts'

const DAY_MS = 86_400_000

test('companies come together, whoever searched last first, newest date first', () => {
  const groups = groupSearches([
    { companyName: 'Early', dates: ['2024-01-01T00:00:00Z'] },
    { companyName: 'Late', dates: ['2025-01-01T00:00:00Z'] },
    { companyName: 'Early', dates: ['2024-06-01T00:00:00Z', '2023-01-01T00:00:00Z'] },
    { companyName: 'Never', dates: [] },
    { companyName: 'Undated', dates: ['soon', ''] },
  ])
  expect(
    groups.map(({ company, datesMs }) => [company, datesMs.map((ms) => new Date(ms).toISOString().slice(0, 7))]),
  ).toEqual([
    ['Late', ['2025-01']],
    ['Early', ['2024-06', '2024-01', '2023-01']],
    ['Undated', []],
  ])
  expect(groups.map(countOf)).toEqual([1, 3, 2])
})

test('the last twelve months begin after the same day a year ago', () => {
  const nowMs = Date.UTC(2026, 10, 15, 12)
  const groups = groupSearches([
    { companyName: 'A', dates: ['2025-11-15T12:00:01Z', '2025-11-16', '2026-11-15T12:00:00Z'] },
  ])
  expect(countInLastYear(groups, nowMs)).toBe(2)
})

describe('the most searches within thirty days', () => {
  const rows: [what: string, daysAgo: number[], most: number][] = [
    ['none', [], 0],
    ['one', [3], 1],
    ['two exactly thirty days apart', [0, 30], 2],
    ['two a moment further apart', [0, 30.000001], 1],
    ['a cluster in the past counts', [0, 200, 210, 220, 400], 3],
    ['a chain is not one window', [0, 20, 40, 60], 2],
    ['the same moment twice', [5, 5], 2],
  ]
  test.each(rows)('%s', (_what, daysAgo, most) => {
    expect(
      mostWithin(
        daysAgo.map((days) => -days * DAY_MS),
        30 * DAY_MS,
      ),
    ).toHaveLength(most)
  })
})
