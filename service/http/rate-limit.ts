// So many requests a minute per lender (or person), counted in the database so that every process counts together.
//
// A request must not cost a write, so a process leases several at a time from the credential's row and hands them out
// from memory, fewer and fewer as the minute's allowance runs out: the last ones one by one. What is leased counts as
// used, so the limit always holds; a process that stops forfeits at most its last lease, and only until the next
// minute.
import { createBoundedMap } from '../../kit/bounded-map.ts'
import { type Clock, MINUTE_MS } from '../../kit/clock.ts'
import type { Queries } from '../store/database.ts'
import type { Caller } from './caller.ts'
import type { RateLimitRow } from './tables.ts'

export const WINDOW_MS = MINUTE_MS
const LEASE_MAX = 200
/** A lease takes one in so many of what is left. */
const LEASE_SHARE = 4
/** Credentials remembered at once; one that was forgotten costs a write, no more. */
const CREDENTIALS_MAX = 10_000

export type Allowance = { allowed: boolean; limit: number; remaining: number; resetSeconds: number }

export type RateLimiter = {
  /** Counts one request of the credential, unless it is over its limit already. */
  take(credential: string, limitPerMinute: number): Promise<Allowance>
}

type RateLimiterOptions = { database: Queries; clock: Clock }

type Window = {
  endsAtMs: number
  /** Used by all processes, leases included. */
  used: number
  /** Leased to this process and not handed out yet. */
  inHand: number
}

export function createRateLimiter({ database, clock }: RateLimiterOptions): RateLimiter {
  const windows = createBoundedMap<Window>(CREDENTIALS_MAX)
  const leasing = new Map<string, Promise<void>>()

  async function lease(credential: string, limitPerMinute: number): Promise<void> {
    const left = limitPerMinute - (openWindow(credential)?.used ?? 0)
    const wanted = Math.min(LEASE_MAX, Math.ceil(left / LEASE_SHARE))
    const limits = [limitPerMinute, limitPerMinute, limitPerMinute, limitPerMinute]
    const row = await database.first<RateLimitRow>(LEASE, credential, clock(), wanted, wanted, ...limits)
    if (row === null) throw new Error('the lease returned no row')
    windows.set(credential, {
      endsAtMs: row.window_started_at_ms + WINDOW_MS,
      used: row.used,
      inHand: Math.max(0, row.granted),
    })
  }

  /** However many requests find nothing in hand, one lease serves them all. */
  function leaseOnce(credential: string, limitPerMinute: number): Promise<void> {
    let pending = leasing.get(credential)
    if (pending === undefined) {
      pending = lease(credential, limitPerMinute).finally(() => leasing.delete(credential))
      leasing.set(credential, pending)
    }
    return pending
  }

  function openWindow(credential: string): Window | undefined {
    const window = windows.get(credential)
    const leftMs = (window?.endsAtMs ?? 0) - clock()
    return leftMs > 0 && leftMs <= 2 * WINDOW_MS ? window : undefined
  }

  return {
    async take(credential, limitPerMinute) {
      for (;;) {
        const window = openWindow(credential)
        if (window && window.inHand > 0) {
          window.inHand -= 1
          return allowance(true, window, limitPerMinute)
        }
        if (window && window.used >= limitPerMinute) return allowance(false, window, limitPerMinute)
        await leaseOnce(credential, limitPerMinute)
      }
    },
  }

  function allowance(allowed: boolean, { endsAtMs, used, inHand }: Window, limitPerMinute: number): Allowance {
    return {
      allowed,
      limit: limitPerMinute,
      remaining: Math.max(0, limitPerMinute - used) + inHand,
      resetSeconds: Math.max(1, Math.ceil((endsAtMs - clock()) / 1000)),
    }
  }
}

type RequestLimitOptions = {
  limiter: RateLimiter
  /** Requests a minute of a lender. */
  limitOf: (tenantId: string) => Promise<number>
  /** Requests a minute of a person. */
  personLimit: number
  /** The allowance of a request that a plugin counts apart from the lender's limit. */
  count(request: { tenantId: string; path: string }): Promise<Allowance | null>
}

export type RequestLimit = ReturnType<typeof createRequestLimit>

/**
 * Chooses the limit that a request counts towards: a lender has one for all its credentials, a person one of their own.
 */
export function createRequestLimit({ limiter, limitOf, personLimit, count }: RequestLimitOptions) {
  return {
    async take(caller: Caller, path: string): Promise<Allowance> {
      if (caller.kind === 'user') return limiter.take(`user:${caller.userId}`, personLimit)
      const [tenantId] = caller.tenantIds
      return (await count({ tenantId, path })) ?? limiter.take(`tenant:${tenantId}`, await limitOf(tenantId))
    },
  }
}

export function rateLimitHeaders({
  allowed,
  limit,
  remaining,
  resetSeconds,
}: Allowance): [name: string, value: string][] {
  const headers: [string, string][] = [
    ['RateLimit-Limit', String(limit)],
    ['RateLimit-Remaining', String(remaining)],
    ['RateLimit-Reset', String(resetSeconds)],
    ['RateLimit-Policy', `${limit};w=${WINDOW_MS / 1000}`],
  ]
  if (!allowed) headers.push(['Retry-After', String(resetSeconds)])
  return headers
}

// A window is over after its minute; one that begins in the future was written by a clock that has been put right
// since.
const IS_OVER = `(rate_limit.window_started_at_ms <= excluded.window_started_at_ms - ${WINDOW_MS}
  OR rate_limit.window_started_at_ms > excluded.window_started_at_ms + ${WINDOW_MS})`

const LEASE = `
  INSERT INTO rate_limit (credential, window_started_at_ms, used, granted) VALUES (?, ?, ?, ?)
  ON CONFLICT (credential) DO UPDATE SET
    window_started_at_ms = CASE WHEN ${IS_OVER} THEN excluded.window_started_at_ms
      ELSE rate_limit.window_started_at_ms END,
    granted = CASE WHEN ${IS_OVER} THEN excluded.granted
      WHEN rate_limit.used + excluded.granted > ? THEN ? - rate_limit.used
      ELSE excluded.granted END,
    used = CASE WHEN ${IS_OVER} THEN excluded.used
      WHEN rate_limit.used + excluded.used > ? THEN ?
      ELSE rate_limit.used + excluded.used END
  RETURNING window_started_at_ms, used, granted`
