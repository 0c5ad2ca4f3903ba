import { expect, test } from 'vitest'
import type { Caller } from './caller.ts'
import type { Allowance, RateLimiter } from './rate-limit.ts'
import { createRequestLimit } from './request-limit.ts'

const client = (clientId: string, tenantId: string): Caller => ({
  kind: 'client',
  clientId,
  tenantIds: [tenantId],
  scopes: [],
})
const person: Caller = {
  kind: 'user',
  userId: 'u1',
  name: 'Uma One',
  email: 'uma@acme.example',
  isFresh: true,
  sessionId: 's1',
  tenantIds: ['acme'],
  roles: { acme: 'support' },
  selectedTenantId: null,
  scopes: [],
}
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
  const limits: { [tenantId: string]: number } = { acme: 3, big: 100 }
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
  expect(await take(9, person, '/acme/v1/wallet')).toBe(2)
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
