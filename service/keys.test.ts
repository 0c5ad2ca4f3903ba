import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { deriveKeys } from './keys.ts'

const key = randomBytes(32)

test('each purpose has its own key, the same for the same secret', () => {
  const keys = Object.values(deriveKeys([key])).map(([each]) => Buffer.from(each).toString('hex'))
  expect(new Set(keys).size).toBe(keys.length)
  expect(Object.values(deriveKeys([key])).map(([each]) => Buffer.from(each).toString('hex'))).toEqual(keys)
})
