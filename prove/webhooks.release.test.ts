import { expect, test } from 'vitest'
import { run } from './webhooks.ts'

test('two hundred webhooks arrive or are parked, and nothing forged is believed', async () => {
  const { ok, counts } = await run({ scale: 0.02 })
  expect(counts).toMatchObject({ events: 200, lost: 0, 'forged believed': 0, 'redirects followed': 0 })
  expect(counts.arrived).toBeGreaterThan(170)
  expect(counts.parked).toBeGreaterThanOrEqual(20)
  expect(counts.forged).toBe(400)
  expect(ok).toBe(true)
})
