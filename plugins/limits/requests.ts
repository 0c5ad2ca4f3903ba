// One consumer's share of a lender's requests: a lender that is flooded from one network goes on serving the others.
import { type Clock, MINUTE_MS } from '../../kit/clock.ts'
import { createCounter, takeForAddress } from '../../kit/limits.ts'
import { RateLimited } from '../../service/http/api-error.ts'

/** Of the lender's requests a minute: an IPv4 address or a /64, then the /56 and the /48 around it. */
const SHARES = [0.05, 0.1, 0.2]
const KEYS_MAX = 50_000

/** Counts one live check, or throws `rate-limited`. Each process counts for itself. */
export type ConsumerShare = (consumer: { tenantId: string; ipAddress: string }) => Promise<void>

/** `limitOf`: requests a minute of a tenant. */
type ConsumerShareOptions = { clock: Clock; limitOf: (tenantId: string) => Promise<number> }

export function createConsumerShare({ clock, limitOf }: ConsumerShareOptions): ConsumerShare {
  const counter = createCounter({ windowMs: MINUTE_MS, clock, keysMax: KEYS_MAX })

  return async ({ tenantId, ipAddress }) => {
    const limit = await limitOf(tenantId)
    const usesMax = SHARES.map((share) => Math.max(1, Math.floor(limit * share)))
    const waitSeconds = takeForAddress(counter, ipAddress, usesMax, tenantId)
    if (waitSeconds === 0) return
    throw new RateLimited('network', 'too many checks from this network; try again in a minute', {
      'Retry-After': String(waitSeconds),
    })
  }
}
