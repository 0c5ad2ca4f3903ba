// How many sessions one network may open. Kept in memory, per process, and bounded: this only has to make flooding the table
// expensive. What a session is worth is decided when it is used, and that is limited by the lender's credentials.
import { networkOf } from '../../kit/network.ts'

/** Generous, because a whole mobile operator's customers can share a handful of addresses. */
const SESSIONS_PER_MINUTE = 600
const NETWORKS_MAX = 10_000
const MINUTE_MS = 60_000

/** Whole seconds to wait, or null when the session may be opened, which then counts. */
export type MintLimit = (address: string | null) => number | null

export function createMintLimit(clock: () => number, perMinute = SESSIONS_PER_MINUTE): MintLimit {
  /** The network used least recently comes first. */
  const buckets = new Map<string, { left: number; filledAtMs: number }>()

  return (address) => {
    const nowMs = clock()
    const network = (address !== null && networkOf(address)) || 'unknown'
    const bucket = buckets.get(network) ?? { left: perMinute, filledAtMs: nowMs }
    const gained = (Math.max(0, nowMs - bucket.filledAtMs) / MINUTE_MS) * perMinute
    const left = Math.min(perMinute, bucket.left + gained)
    const isAllowed = left >= 1

    buckets.delete(network)
    buckets.set(network, { left: isAllowed ? left - 1 : left, filledAtMs: nowMs })
    if (buckets.size > NETWORKS_MAX) buckets.delete(buckets.keys().next().value ?? '')
    return isAllowed ? null : Math.ceil(((1 - left) / perMinute) * (MINUTE_MS / 1000))
  }
}
