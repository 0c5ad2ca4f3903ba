import { expect, test } from 'vitest'
import { run } from './pumping.ts'

test('a thousand pumping attempts send no more texts than the limits allow, and stop no honest caller', async () => {
  const { ok, counts } = await run({ scale: 0.01 })
  expect(counts.attempts).toBeGreaterThanOrEqual(900)
  expect(counts.attackTexts).toBeLessThanOrEqual(counts.bound)
  expect(counts.honestRefused).toBe(0)
  expect(counts.honestPeople).toBeGreaterThan(100)
  expect(ok).toBe(true)
})
