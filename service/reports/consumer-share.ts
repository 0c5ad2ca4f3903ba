// One consumer's share of a lender's requests: a lender that is flooded from one network goes on serving the others.
import { createBoundedMap } from '../../kit/bounded-map.ts'
import type { Clock } from '../../kit/clock.ts'
import { ownersOf } from '../../kit/network.ts'
import { type ApiError, RateLimited } from '../http/api-error.ts'

/** Of the lender's requests a minute: an IPv4 address or a /64, then the /56 and the /48 around it. */
const SHARES = [0.05, 0.1, 0.2]
const KEYS_MAX = 50_000
const MINUTE_MS = 60_000

/** Counts one live check, or throws `rate-limited`. Each process counts for itself. */
export type ConsumerShare = (consumer: { tenantId: string; ipAddress: string }) => Promise<void>

/** `limitOf`: requests a minute of a tenant. */
type ConsumerShareOptions = { clock: Clock; limitOf: (tenantId: string) => Promise<number> }

export function createConsumerShare({ clock, limitOf }: ConsumerShareOptions): ConsumerShare {
  const used = createBoundedMap<{ minute: number; count: number }>(KEYS_MAX)

  return async ({ tenantId, ipAddress }) => {
    const limit = await limitOf(tenantId)
    const minute = Math.floor(clock() / MINUTE_MS)
    // The narrowest first: what a home may no longer do is not taken from its neighbours.
    for (const [index, owner] of [...new Set(ownersOf(ipAddress))].entries()) {
      const key = `${tenantId} ${owner}`
      const before = used.get(key)
      const count = (before?.minute === minute ? before.count : 0) + 1
      if (count > Math.max(1, Math.floor(limit * (SHARES[index] ?? 0)))) throw tooMany(clock())
      used.set(key, { minute, count })
    }
  }
}

function tooMany(nowMs: number): ApiError {
  const waitSeconds = Math.ceil((MINUTE_MS - (nowMs % MINUTE_MS)) / 1_000)
  return new RateLimited('network', 'too many checks from this network; try again in a minute', {
    'Retry-After': String(waitSeconds),
  })
}
