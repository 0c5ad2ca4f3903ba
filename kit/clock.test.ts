import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from './clock.ts'

test.each([
  ['minute', '00:01', MINUTE_MS],
  ['hour', '01:00', HOUR_MS],
  ['day', '24:00', DAY_MS],
])('a %s is as long as a calendar says', (_name, time, ms) => {
  expect(Date.parse(`2026-01-01T${time}:00Z`) - Date.parse('2026-01-01T00:00:00Z')).toBe(ms)
})
