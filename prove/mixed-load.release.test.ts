import { expect, test } from 'vitest'
import { run } from './mixed-load.ts'

test('consumers of every kind at once end where they must, and are charged to the credit', async () => {
  const { ok, counts } = await run({ scale: 0.005 })
  expect(counts['live reports']).toBeGreaterThan(0)
  expect({ ok, counts }).toMatchObject({ ok: true })
})
