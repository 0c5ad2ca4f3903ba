import { expect, test } from 'vitest'
import { run } from './bad-requests.ts'

test('two thousand bad requests are refused in words', async () => {
  const { ok, counts } = await run({ scale: 0.002, seed: 1 })
  expect(ok).toBe(true)
  // A search that finds no refusal of a kind is not looking.
  for (const status of [200, 400, 401, 403, 404, 405, 410, 413, 415]) {
    expect(counts[`answered ${status}`], `answered ${status}`).toBeGreaterThan(0)
  }
})
