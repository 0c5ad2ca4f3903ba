import { expect, test } from 'vitest'
import { digestSecret, findDigest, newClientSecret } from './client-secret.ts'

test('a secret is 256 random bits in letters that need no escaping', () => {
  const secrets = Array.from({ length: 100 }, newClientSecret)
  for (const secret of secrets) expect(secret).toMatch(/^[\w-]{43}$/)
  expect(new Set(secrets).size).toBe(100)
})

test('a digest stays what it is: those that are stored are compared with it', () => {
  expect(digestSecret('wörd')).toBe('4fd6266fbbeca97d3e531639d8430bdcfbcad4365de1be914c78cbefeeadc545')
})

test('a secret is found among the digests of a client, wherever it stands', () => {
  const digests = ['one', 'two', 'three'].map(digestSecret)
  for (const secret of ['one', 'two', 'three']) expect(findDigest(secret, digests)).toBe(digestSecret(secret))
  expect(findDigest('four', digests)).toBeNull()
  expect(findDigest('one', [])).toBeNull()
})
