import { expect, test } from 'vitest'
import { run } from './drain.ts'

test('a /48 of attackers gets one network’s share, and stops no honest caller', async () => {
  const { ok, counts } = await run({ scale: 0.01 })
  expect(counts.attackReports).toBeLessThanOrEqual(counts.bound)
  expect(counts.attempts).toBeGreaterThan(counts.bound)
  expect(counts.honestRefused).toBe(0)
  expect(ok).toBe(true)
})
