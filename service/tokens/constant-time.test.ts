// The time of a refusal must not show whether a guess was close, or the account exists. Time itself is a poor
// witness on a busy machine, so this counts the work instead.
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { hashPassword, matchesPassword } from '../../portal/identity/password.ts'
import { digestSecret, findDigest } from './client-secret.ts'

const work = { derivations: [] as unknown[], comparisons: 0 }
const { scrypt, timingSafeEqual } = crypto

beforeEach(() => {
  work.derivations = []
  work.comparisons = 0
  vi.spyOn(crypto, 'scrypt').mockImplementation((...given: unknown[]) => {
    work.derivations.push(given[3])
    return Reflect.apply(scrypt, crypto, given)
  })
  vi.spyOn(crypto, 'timingSafeEqual').mockImplementation((...given) => {
    work.comparisons += 1
    return timingSafeEqual(...given)
  })
  // For those who have imported them by name.
  syncBuiltinESMExports()
})
afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

test('a password costs the same whether it is right, wrong, or of no account', async () => {
  const stored = await hashPassword('right')
  const [cost] = work.derivations
  for (const [password, hash] of [
    ['right', stored],
    ['wrong', stored],
    ['any', null],
  ] as const) {
    work.derivations = []
    work.comparisons = 0
    await matchesPassword(password, hash)
    expect(work).toEqual({ derivations: [cost], comparisons: 1 })
  }
})

test('a secret is compared with every one of the client’s, and once where there is no client', () => {
  const digests = ['one', 'two', 'three'].map(digestSecret)
  for (const guess of ['one', 'three', 'none']) {
    work.comparisons = 0
    findDigest(guess, digests)
    expect(work.comparisons).toBe(3)
  }
  work.comparisons = 0
  expect(findDigest('any', [])).toBeNull()
  expect(work.comparisons).toBe(1)
})
