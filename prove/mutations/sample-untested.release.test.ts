import { expect, test } from 'vitest'
import { isLong } from './sample-untested.ts'

test('says something about a text', () => {
  expect([true, false, undefined]).toContain(isLong('text'))
})
