// How many sessions one address and one network may open. Kept in memory, per process, and bounded: this only has to make
// flooding the table expensive. What a session is worth is decided when it is used, and that is limited by the lender's credentials.
import { createBoundedMap } from '../../kit/bounded-map.ts'
import type { Clock } from '../../kit/clock.ts'
import { householdOf, networkOf } from '../../kit/network.ts'

/** Generous, because a whole mobile operator's customers can share a handful of addresses. */
const SESSIONS_PER_MINUTE = 600
/** So that one address cannot use up what its neighbours need. */
const NETWORK_TIMES = 10
const KEYS_MAX = 10_000
const MINUTE_MS = 60_000

/** Whole seconds to wait, or null when the session may be opened, which then counts. */
export type MintLimit = (address: string | null) => number | null

export function createMintLimit(clock: Clock, perMinute = SESSIONS_PER_MINUTE): MintLimit {
  const households = createBuckets(clock, perMinute)
  const networks = createBuckets(clock, perMinute * NETWORK_TIMES)

  return (address) => {
    const network = address === null ? null : networkOf(address)
    if (address === null || network === null) return households('unknown')
    return households(householdOf(address)) ?? networks(network)
  }
}

function createBuckets(clock: Clock, perMinute: number): (key: string) => number | null {
  const buckets = createBoundedMap<{ left: number; filledAtMs: number }>(KEYS_MAX)

  return (key) => {
    const nowMs = clock()
    const bucket = buckets.get(key) ?? { left: perMinute, filledAtMs: nowMs }
    const gained = (Math.max(0, nowMs - bucket.filledAtMs) / MINUTE_MS) * perMinute
    const left = Math.min(perMinute, bucket.left + gained)
    const isAllowed = left >= 1
    buckets.set(key, { left: isAllowed ? left - 1 : left, filledAtMs: nowMs })
    return isAllowed ? null : Math.ceil(((1 - left) / perMinute) * (MINUTE_MS / 1000))
  }
}
