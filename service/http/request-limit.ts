// Which allowance a request counts towards. A lender has one for all its credentials, a person one of their own. Typed codes have
// theirs: a busy checkout must not refuse a consumer whose timer runs, nor may tries at finished challenges use up the checkout's.
import type { Clock } from '../../kit/clock.ts'
import { createWindowLimit } from '../../kit/window-limit.ts'
import type { Caller } from './caller.ts'
import { type Allowance, type RateLimiter, WINDOW_MS } from './rate-limit.ts'

/** A lender may have so many times as many codes judged as it may send other requests. */
const CODES_TIMES = 10
/** Three attempts, repeated answers and lost ones: more for one report is nobody's typing. */
const CODES_PER_REPORT = 20

export type RequestLimit = { take(caller: Caller, path: string): Promise<Allowance> }

export type RequestLimitOptions = {
  limiter: RateLimiter
  clock: Clock
  /** Requests a minute of a tenant. */
  limitOf: (tenantId: string) => Promise<number>
  /** Requests a minute of a person. */
  personLimit: number
}

export function createRequestLimit({ limiter, clock, limitOf, personLimit }: RequestLimitOptions): RequestLimit {
  const ofReport = createWindowLimit({ usesMax: CODES_PER_REPORT, windowMs: WINDOW_MS, clock })

  return {
    async take(caller, path) {
      if (caller.kind === 'user') return limiter.take(`user:${caller.userId}`, personLimit)
      const [tenantId] = caller.tenantIds
      const limit = await limitOf(tenantId)
      if (!path.endsWith('/otp-challenge')) return limiter.take(`tenant:${tenantId}`, limit)
      const resetSeconds = ofReport.take(`${tenantId} ${path}`)
      if (resetSeconds > 0) return { allowed: false, limit: CODES_PER_REPORT, remaining: 0, resetSeconds }
      return limiter.take(`codes:${tenantId}`, limit * CODES_TIMES)
    },
  }
}
