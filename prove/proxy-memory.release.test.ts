import { expect, test } from 'vitest'
import { run } from './proxy-memory.ts'

test('the heap of the proxy is read after every round of checks', async () => {
  const { ok, counts } = await run({ scale: 0.01 })
  expect({ ok, checks: counts.checks }).toEqual({ ok: true, checks: 600 })
  expect(counts['heap in use, MB']).toHaveLength(40)
  for (const megabytes of counts['heap in use, MB']) expect(megabytes).toBeGreaterThan(5)
})
