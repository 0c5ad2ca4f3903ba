import { expect, test } from 'vitest'
import { run } from './flood.ts'

test('a flood of strangers leaves the lender’s requests answered', async () => {
  const { counts } = await run({ scale: 0.05 })
  expect(counts.answeredPercent).toBeGreaterThanOrEqual(99)
  for (const attack of ['slow', 'headers', 'passwords', 'strangers'])
    expect(counts).toHaveProperty(attack, expect.any(Number))
  expect(Object.values(counts).every((count) => count > 0)).toBe(true)
})
