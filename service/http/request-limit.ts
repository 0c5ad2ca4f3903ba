// Which allowance a request counts towards. A lender has one for all its credentials, a person one of their own. Typed codes and further
// texts have theirs: a busy checkout must not refuse a consumer whose timer runs, nor may tries at finished challenges use up the checkout's.
import { type Clock, MINUTE_MS } from '../../kit/clock.ts'
import { createCounter } from '../../kit/limits.ts'
import type { Caller } from './caller.ts'
import type { Allowance, RateLimiter } from './rate-limit.ts'

/** Codes and resends allowed = 10 × the request limit. */
const CODES_TIMES = 10
/** Three attempts, two further texts, replays and lost answers: no honest consumer sends more of either for one report. */
const CODES_PER_REPORT_MIN = 20
/** Of the lender's other requests, where that is more. */
const CODES_PER_REPORT_SHARE = 1 / 30

/** What a consumer does whose challenge is open. */
const OPEN_CHALLENGE = /\/(?:otp-challenge|resend-sms)$/

export type RequestLimit = { take(caller: Caller, path: string): Promise<Allowance> }

type RequestLimitOptions = {
  limiter: RateLimiter
  clock: Clock
  /** Requests a minute of a tenant. */
  limitOf: (tenantId: string) => Promise<number>
  /** Requests a minute of a person. */
  personLimit: number
}

export function createRequestLimit({ limiter, clock, limitOf, personLimit }: RequestLimitOptions): RequestLimit {
  const codesOfReport = createCounter({ windowMs: MINUTE_MS, clock })

  return {
    async take(caller, path) {
      if (caller.kind === 'user') return limiter.take(`user:${caller.userId}`, personLimit)
      const [tenantId] = caller.tenantIds
      const limit = await limitOf(tenantId)
      if (!OPEN_CHALLENGE.test(path)) return limiter.take(`tenant:${tenantId}`, limit)
      const codesMax = Math.max(CODES_PER_REPORT_MIN, Math.floor(limit * CODES_PER_REPORT_SHARE))
      const resetSeconds = codesOfReport.take(path, codesMax)
      if (resetSeconds > 0) return { allowed: false, limit: codesMax, remaining: 0, resetSeconds }
      return limiter.take(`codes:${tenantId}`, limit * CODES_TIMES)
    },
  }
}
