// Requests that count apart from a lender's limit a minute, and the allowance of each.
import { type Clock, MINUTE_MS } from '../../kit/clock.ts'
import { createCounter, takeForAddress } from '../../kit/limits.ts'
import { RateLimited } from '../../service/http/api-error.ts'
import type { Allowance, RateLimiter } from '../../service/http/rate-limit.ts'

/** A minute, of a lender with `limit` requests a minute. */
const MAX = {
  /**
   * An IPv4 address or a /64, then the /56 and the /48 around it: a lender that is flooded from one network goes on
   * serving the others. Each process counts for itself.
   */
  checksOfNetwork: (limit: number) => [0.05, 0.1, 0.2].map((share) => Math.max(1, Math.floor(limit * share))),
  /**
   * Three attempts, two further texts, replays and lost answers: no honest consumer sends more. Each process counts for
   * itself.
   */
  codesOfReport: (limit: number) => Math.max(20, Math.floor(limit / 30)),
  /**
   * A busy checkout must not refuse a consumer whose timer runs, nor may tries at finished challenges use up the
   * checkout's.
   */
  codesOfLender: (limit: number) => limit * 10,
}

const NETWORKS_MAX = 50_000

/** The requests of a consumer whose challenge is open. */
const OPEN_CHALLENGE = /\/(?:otp-challenge|resend-sms)$/

type RequestOptions = {
  clock: Clock
  limiter: RateLimiter
  /** Requests a minute of a lender. */
  limitOf: (tenantId: string) => Promise<number>
}

export function createRequestCounters({ clock, limiter, limitOf }: RequestOptions) {
  const networks = createCounter({ windowMs: MINUTE_MS, clock, keysMax: NETWORKS_MAX })
  const reports = createCounter({ windowMs: MINUTE_MS, clock })

  return {
    /** Counts one live check of a network, or throws `rate-limited`. */
    async admit({ tenantId, ipAddress }: { tenantId: string; ipAddress: string }): Promise<void> {
      const usesMax = MAX.checksOfNetwork(await limitOf(tenantId))
      const waitSeconds = takeForAddress(networks, ipAddress, usesMax, tenantId)
      if (waitSeconds === 0) return
      throw new RateLimited('network', 'too many checks from this network; try again in a minute', {
        'Retry-After': String(waitSeconds),
      })
    },

    /** Counts a typed code or a further text; null for any other request. */
    async count({ tenantId, path }: { tenantId: string; path: string }): Promise<Allowance | null> {
      if (!OPEN_CHALLENGE.test(path)) return null
      const limit = await limitOf(tenantId)
      const codesMax = MAX.codesOfReport(limit)
      const resetSeconds = reports.take(path, codesMax)
      if (resetSeconds > 0) return { allowed: false, limit: codesMax, remaining: 0, resetSeconds }
      return limiter.take(`codes:${tenantId}`, MAX.codesOfLender(limit))
    },
  }
}
