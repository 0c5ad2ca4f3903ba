// Which allowance a request counts towards. A lender has one for all its credentials, a person one of their own. Typed codes and further
// texts have theirs: a busy checkout must not refuse a consumer whose timer runs, nor may tries at finished challenges use up the checkout's.
import { createBoundedMap } from '../../kit/bounded-map.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Caller } from './caller.ts'
import { type Allowance, type RateLimiter, WINDOW_MS } from './rate-limit.ts'

/** A lender may have so many times as many codes judged and texts sent again as it may send other requests. */
const CODES_TIMES = 10
/** Three attempts, two further texts, replays and lost answers: no honest consumer sends more of either for one report. */
const CODES_PER_REPORT_MIN = 20
/** Of the lender's other requests, where that is more. */
const CODES_PER_REPORT_SHARE = 1 / 30
const REPORTS_MAX = 10_000

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
  const ofReport = createBoundedMap<{ minute: number; count: number }>(REPORTS_MAX)

  const leftSeconds = () => Math.ceil((WINDOW_MS - (clock() % WINDOW_MS)) / 1_000)

  function countOf(path: string): number {
    const minute = Math.floor(clock() / WINDOW_MS)
    const before = ofReport.get(path)
    const count = (before?.minute === minute ? before.count : 0) + 1
    ofReport.set(path, { minute, count })
    return count
  }

  return {
    async take(caller, path) {
      if (caller.kind === 'user') return limiter.take(`user:${caller.userId}`, personLimit)
      const [tenantId] = caller.tenantIds
      const limit = await limitOf(tenantId)
      if (!OPEN_CHALLENGE.test(path)) return limiter.take(`tenant:${tenantId}`, limit)
      const codesMax = Math.max(CODES_PER_REPORT_MIN, Math.floor(limit * CODES_PER_REPORT_SHARE))
      if (countOf(path) > codesMax)
        return { allowed: false, limit: codesMax, remaining: 0, resetSeconds: leftSeconds() }
      return limiter.take(`codes:${tenantId}`, limit * CODES_TIMES)
    },
  }
}
