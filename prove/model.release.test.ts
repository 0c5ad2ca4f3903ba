import { expect, test } from 'vitest'
import { run } from './model.ts'

test('two hundred stories go as the model says', async () => {
  expect(await run({ scale: 0.002 })).toMatchObject({ ok: true, counts: { stories: 200 } })
})
