// A limit per consumer, as far as an address says who that is. IPv6 gives one line thousands of networks, so wider ones are
// counted too, with more room for the honest neighbours in them:
//
//   /64  usesMax        /56  4 × usesMax        /48  16 × usesMax        IPv4 address  usesMax
import { createBoundedMap } from './bounded-map.ts'
import { ownersOf } from './network.ts'

const KEYS_MAX = 10_000
const BLOCK_TIMES = 4
const SITE_TIMES = 16

export type AddressLimit = {
  /** Counts one use; answers 0, or when it would be one too many, in how many seconds to try again. */
  take(ipAddress: string, scope?: string): number
}

/** At most `usesMax` uses per home, and `scope` where one is given, in any stretch of `windowMs`. Each process counts for itself. */
export function createAddressLimit(rule: LimitRule): AddressLimit {
  const limits = [1, BLOCK_TIMES, SITE_TIMES].map((times) =>
    createWindowLimit({ ...rule, usesMax: rule.usesMax * times }),
  )
  return {
    take(ipAddress, scope = '') {
      const owners = [...new Set(ownersOf(ipAddress))]
      // The narrowest first: what a home may no longer do is not taken from its neighbours.
      for (const [index, owner] of owners.entries()) {
        const waitSeconds = limits[index]?.(`${scope} ${owner}`) ?? 0
        if (waitSeconds > 0) return waitSeconds
      }
      return 0
    },
  }
}

type LimitRule = { usesMax: number; windowMs: number; clock: () => number }

/** Counts one use for a key; answers 0, or in how many seconds the next one of `usesMax` in any stretch of `windowMs` is free. */
export function createWindowLimit({ usesMax, windowMs, clock }: LimitRule): (key: string) => number {
  const usesMs = createBoundedMap<number[]>(KEYS_MAX)

  return (key) => {
    const nowMs = clock()
    const recent = usesMs.get(key) ?? []
    while (recent[0] !== undefined && recent[0] <= nowMs - windowMs) recent.shift()
    // A use from the future means that the clock was set back: it cannot be counted against anyone.
    while ((recent.at(-1) ?? nowMs) > nowMs) recent.pop()
    const [firstMs = nowMs] = recent
    const isFree = recent.length < usesMax
    if (isFree) recent.push(nowMs)
    usesMs.set(key, recent)
    return isFree ? 0 : Math.max(1, Math.ceil((firstMs + windowMs - nowMs) / 1_000))
  }
}
