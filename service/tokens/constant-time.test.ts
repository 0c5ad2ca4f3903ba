// Whether a guess was close, or the one it was about exists, must not show in the time it takes. Time itself is a poor
// witness on a busy machine, so this counts the work instead.
import { beforeEach, expect, test, vi } from 'vitest'

const work = vi.hoisted(() => ({ derivations: [] as object[], comparisons: 0 }))
vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof import('node:crypto')>()
  return {
    ...crypto,
    scrypt(...given: Parameters<typeof crypto.scrypt>) {
      work.derivations.push(given[3])
      return crypto.scrypt(...given)
    },
    timingSafeEqual(...given: Parameters<typeof crypto.timingSafeEqual>) {
      work.comparisons += 1
      return crypto.timingSafeEqual(...given)
    },
  }
})

const { digestSecret, matchesAny } = await import('./client-secret.ts')
const { hashPassword, matchesPassword } = await import('../../portal/password.ts')

beforeEach(() => {
  work.derivations = []
  work.comparisons = 0
})

test('a password costs the same whether it is right, wrong, or nobody’s', async () => {
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
    matchesAny(guess, digests)
    expect(work.comparisons).toBe(3)
  }
  work.comparisons = 0
  expect(matchesAny('any', [])).toBe(false)
  expect(work.comparisons).toBe(1)
})
