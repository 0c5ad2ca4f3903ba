import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { deriveKey, deriveKeyList, isSameSecret, keyedIndex } from './keys.ts'

const key = randomBytes(32)

test('a derived key depends on its root and its label', () => {
  expect(deriveKey(key, 'one')).toEqual(deriveKey(key, 'one'))
  expect(deriveKey(key, 'one')).not.toEqual(deriveKey(key, 'two'))
  expect(deriveKey('root', 'one')).not.toEqual(deriveKey('other', 'one'))
  expect(deriveKey(key, 'one')).toHaveLength(32)
})

test('keys for one purpose come in the order of their roots', () => {
  expect(deriveKeyList(['new', 'old', 'older'], 'one')).toEqual(
    ['new', 'old', 'older'].map((root) => deriveKey(root, 'one')),
  )
})

test('an index depends on the key, the purpose and the value', () => {
  const index = keyedIndex(key, 'number', '+447700900123')
  expect(keyedIndex(key, 'number', '+447700900123')).toBe(index)
  expect(keyedIndex(key, 'person', '+447700900123')).not.toBe(index)
  expect(keyedIndex(key, 'number', '+447700900124')).not.toBe(index)
  expect(keyedIndex(randomBytes(32), 'number', '+447700900123')).not.toBe(index)
})

test.each([
  ['the same text', 'secret', 'secret', true],
  ['text and its bytes', 'secret', Buffer.from('secret'), true],
  ['another text', 'secret', 'secreT', false],
  ['a shorter text', 'secret', 'secre', false],
  ['nothing', 'secret', '', false],
  ['nothing and nothing', '', '', true],
])('%s', (_what, one, other, expected) => {
  expect(isSameSecret(one, other)).toBe(expected)
})
