// Limits the sessions that one address and one network may open. Kept in memory, per process, and bounded: this only has to make
// flooding the table expensive. What a session is worth is decided when it is used, and that is limited by the lender's credentials.
import type { Clock } from '../../kit/clock.ts'
import { createBuckets } from '../../kit/limits.ts'
import { householdOf, networkOf } from '../../kit/network.ts'

/** Generous, because a whole mobile operator's customers can share a handful of addresses. */
const SESSIONS_PER_MINUTE = 600
/** So that one address cannot use up what its neighbours need. */
const NETWORK_TIMES = 10

/** Whole seconds to wait, or null when the session may be opened, which then counts. */
export type MintLimit = (address: string | null) => number | null

export function createMintLimit(clock: Clock, perMinute = SESSIONS_PER_MINUTE): MintLimit {
  const households = createBuckets(perMinute, clock)
  const networks = createBuckets(perMinute * NETWORK_TIMES, clock)

  return (address) => {
    const network = address === null ? null : networkOf(address)
    if (address === null || network === null) return households('unknown')
    return households(householdOf(address)) ?? networks(network)
  }
}
