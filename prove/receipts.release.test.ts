import { expect, test } from 'vitest'
import { run } from './receipts.ts'

test('a hundred shuffled schedules charge exactly the delivered texts', async () => {
  const { ok, counts } = await run({ scale: 0.01 })
  expect(counts).toMatchObject({ schedules: 100, wrong: 0, forgedAccepted: 0, charged: counts.delivered })
  expect(counts.delivered).toBeGreaterThan(10)
  expect(counts.forgedRefused).toBeGreaterThan(10)
  expect(ok).toBe(true)
})
