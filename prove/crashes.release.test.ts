import { expect, test } from 'vitest'
import { run } from './crashes.ts'

test('a service and a database killed under load lose nothing and charge nothing twice', async () => {
  expect(await run({ scale: 0.01 })).toMatchObject({ ok: true })
})
