import { expect, test } from 'vitest'
import { run } from './console.ts'

test('every page and file of the console is read beside checks, and a statement adds up', async () => {
  const { ok, counts } = await run({ scale: 0.002 })
  expect({ ok, counts }).toMatchObject({ ok: true, counts: { reports: 2_000 } })
})
