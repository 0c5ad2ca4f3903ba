import { expect, test } from 'vitest'
import { run } from './races.ts'

test('two processes count attempts, texts and reports as one', async () => {
  expect(await run({ scale: 0.01 })).toMatchObject({ ok: true })
})
