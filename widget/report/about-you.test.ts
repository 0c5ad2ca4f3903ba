import { expect, test } from 'vitest'
import { monthsOfStay } from './about-you.tsx'

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
