import { expect, test } from 'vitest'
import { deriveDeviceKeys, isSessionId, keyedHash, mintSessionId } from './session-id.ts'

const keys = deriveDeviceKeys(new Uint8Array(32).fill(1))
const otherKeys = deriveDeviceKeys(new Uint8Array(32).fill(2))

test('a minted id is recognised, and is 32 characters that need no escaping anywhere', () => {
  const sessionId = mintSessionId(keys)
  expect(sessionId).toMatch(/^[\w-]{32}$/)
  expect(isSessionId(keys, sessionId)).toBe(true)
})

test('two ids are never the same', () => {
  const ids = Array.from({ length: 1000 }, () => mintSessionId(keys))
  expect(new Set(ids).size).toBe(ids.length)
})

const minted = mintSessionId(keys)

test.each([
  ['nothing', ''],
  ['a word', 'session'],
  ['the right length of anything', 'x'.repeat(32)],
  ['an id made with another secret', mintSessionId(otherKeys)],
  ['an id with its first character changed', (minted[0] === 'A' ? 'B' : 'A') + minted.slice(1)],
  ['an id with its last character changed', minted.slice(0, -1) + (minted.endsWith('A') ? 'B' : 'A')],
  ['an id with something after it', `${minted}A`],
  ['an id with a line break after it', `${minted}\n`],
  ['an id in other base64', minted.slice(0, -1).concat('=')],
])('%s is not an id of ours', (_what, sessionId) => {
  expect(isSessionId(keys, sessionId)).toBe(false)
})

test('a hash depends on the value, its purpose and the secret', () => {
  const hashes = [
    keyedHash(keys, 'network', '203.0.113.0/24'),
    keyedHash(keys, 'agent', '203.0.113.0/24'),
    keyedHash(keys, 'network', '203.0.114.0/24'),
    keyedHash(otherKeys, 'network', '203.0.113.0/24'),
  ]
  expect(new Set(hashes).size).toBe(hashes.length)
  expect(keyedHash(keys, 'network', '203.0.113.0/24')).toBe(hashes[0])
})
