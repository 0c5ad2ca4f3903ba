import { expect, test } from 'vitest'
import { UMA } from '../../testing/callers.ts'
import type { Caller } from './caller.ts'
import type { Allowance, RateLimiter } from './rate-limit.ts'
import { createRequestLimit } from './request-limit.ts'

const client = (clientId: string, tenantId: string): Caller => ({
  kind: 'client',
  clientId,
  tenantIds: [tenantId],
  scopes: [],
})
const REPORTS = '/acme/v1/credit-reports'
const codesOf = (report: string) => `${REPORTS}/${report}/otp-challenge`

function limited() {
  const counts = new Map<string, number>()
  const limiter: RateLimiter = {
    async take(credential, limit): Promise<Allowance> {
      const used = (counts.get(credential) ?? 0) + 1
      counts.set(credential, used)
      return { allowed: used <= limit, limit, remaining: Math.max(0, limit - used), resetSeconds: 60 }
    },
  }
  const limits: { [tenantId: string]: number } = { acme: 3, big: 100, biggest: 900 }
  const limitOf = async (tenantId: string) => limits[tenantId] ?? 0
  const { take } = createRequestLimit({ limiter, clock: () => 1_000_000, limitOf, personLimit: 2 })
  return async (times: number, caller: Caller, path: string) => {
    let allowed = 0
    for (let count = 0; count < times; count += 1) if ((await take(caller, path)).allowed) allowed += 1
    return allowed
  }
}

test('all credentials of a lender share its limit, and another lender has its own', async () => {
  const take = limited()
  expect(await take(2, client('one', 'acme'), REPORTS)).toBe(2)
  expect(await take(9, client('two', 'acme'), REPORTS)).toBe(1)
  expect(await take(9, client('three', 'big'), REPORTS)).toBe(9)
})

test('a person has a limit of their own', async () => {
  const take = limited()
  expect(await take(9, UMA, '/acme/v1/wallet')).toBe(2)
  expect(await take(9, client('one', 'acme'), REPORTS)).toBe(3)
})

test('typed codes are counted apart from everything else', async () => {
  const take = limited()
  expect(await take(9, client('one', 'acme'), REPORTS)).toBe(3)
  expect(await take(9, client('one', 'acme'), codesOf('a'))).toBe(9)
})

test('another text for a consumer who waits for one is counted with the codes', async () => {
  const take = limited()
  const textsOf = (report: string) => `${REPORTS}/${report}/resend-sms`
  expect(await take(9, client('one', 'acme'), REPORTS)).toBe(3)
  expect(await take(2, client('one', 'acme'), textsOf('a'))).toBe(2)
  expect(await take(9, client('one', 'acme'), codesOf('a'))).toBe(9)
  expect(await take(1_000, client('one', 'acme'), textsOf('b'))).toBe(19)
})

test('tries at one report do not use up the codes of others', async () => {
  const take = limited()
  expect(await take(1_000, client('one', 'acme'), codesOf('a'))).toBe(20)
  expect(await take(9, client('one', 'acme'), codesOf('b'))).toBe(9)
  expect(await take(9, client('one', 'acme'), codesOf('c'))).toBe(1)
})

test('a lender with many requests may send more codes for one report: one in thirty of them', async () => {
  const take = limited()
  expect(await take(1_000, client('one', 'big'), codesOf('a'))).toBe(20)
  expect(await take(1_000, client('one', 'biggest'), codesOf('b'))).toBe(30)
})

test('codes for one report are free again after a minute, and the answer says when', async () => {
  let nowMs = 1_000_000
  const refuseNone: RateLimiter = {
    take: async (_credential, limit) => ({ allowed: true, limit, remaining: limit, resetSeconds: 60 }),
  }
  const { take } = createRequestLimit({
    limiter: refuseNone,
    clock: () => nowMs,
    limitOf: async () => 3,
    personLimit: 2,
  })
  const caller = client('one', 'acme')
  for (let count = 0; count < 20; count += 1) {
    // Of the lender's own: ten times its requests.
    expect(await take(caller, codesOf('a'))).toEqual({ allowed: true, limit: 30, remaining: 30, resetSeconds: 60 })
  }
  nowMs += 59_000
  expect(await take(caller, codesOf('a'))).toEqual({ allowed: false, limit: 20, remaining: 0, resetSeconds: 1 })
  nowMs += 1_000
  expect(await take(caller, codesOf('a'))).toMatchObject({ allowed: true })
})
