import { expect, test } from 'vitest'
import { isLong } from './sample.ts'

test('says something about a text', () => {
  expect([true, false, undefined]).toContain(isLong('text'))
})
