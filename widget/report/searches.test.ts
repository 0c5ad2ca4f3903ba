import { expect, test } from 'vitest'
import { countInLastYear, groupSearches } from './searches.ts'

test('companies come together, the latest search first, newest date first', () => {
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
  expect(groups.map(({ undated }) => undated)).toEqual([0, 0, 2])
})

test('the last twelve months begin after the same day a year ago', () => {
  const nowMs = Date.UTC(2026, 10, 15, 12)
  const groups = groupSearches([
    { companyName: 'A', dates: ['2025-11-15T12:00:01Z', '2025-11-16', '2026-11-15T12:00:00Z'] },
  ])
  expect(countInLastYear(groups, nowMs)).toBe(2)
})
