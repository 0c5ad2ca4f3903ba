import { expect, test } from 'vitest'
import { UMA } from '../../testing/callers.ts'
import type { Caller } from './caller.ts'
import { type Allowance, createRequestLimit, type RateLimiter } from './rate-limit.ts'

const client = (clientId: string, tenantId: string): Caller => ({
  kind: 'client',
  clientId,
  tenantIds: [tenantId],
  scopes: [],
})
const REPORTS = '/acme/v1/credit-reports'

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
  const apart = { allowed: true, limit: 1_000, remaining: 999, resetSeconds: 60 }
  const count = async ({ tenantId, path }: { tenantId: string; path: string }) =>
    tenantId === 'acme' && path === '/apart' ? apart : null
  const { take } = createRequestLimit({ limiter, limitOf, personLimit: 2, count })
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
  expect(await take(9, UMA, '/apart')).toBe(0)
  expect(await take(9, client('one', 'acme'), REPORTS)).toBe(3)
})

test('what a plugin counts apart does not count towards the lender', async () => {
  const take = limited()
  expect(await take(9, client('one', 'acme'), '/apart')).toBe(9)
  expect(await take(9, client('one', 'acme'), REPORTS)).toBe(3)
})
