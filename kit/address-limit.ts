// A limit per consumer, as far as an address says who that is. IPv6 gives one line thousands of networks, so wider ones are
// counted too, with more room for the honest neighbours in them:
//
//   /64  usesMax        /56  4 × usesMax        /48  16 × usesMax        IPv4 address  usesMax
import { ownersOf } from './network.ts'
import { createWindowLimit } from './window-limit.ts'

const BLOCK_TIMES = 4
const SITE_TIMES = 16

export type AddressLimit = {
  /** Counts one use; answers 0, or when it would be one too many, in how many seconds to try again. */
  take(ipAddress: string, scope?: string): number
}

/** At most `usesMax` uses per home, and `scope` where one is given, in any stretch of `windowMs`. Each process counts for itself. */
export function createAddressLimit(rule: { usesMax: number; windowMs: number; clock: () => number }): AddressLimit {
  const limits = [1, BLOCK_TIMES, SITE_TIMES].map((times) =>
    createWindowLimit({ ...rule, usesMax: rule.usesMax * times }),
  )
  return {
    take(ipAddress, scope = '') {
      const owners = [...new Set(ownersOf(ipAddress))]
      // The narrowest first: what a home may no longer do is not taken from its neighbours.
      for (const [index, owner] of owners.entries()) {
        const waitSeconds = limits[index]?.take(`${scope} ${owner}`) ?? 0
        if (waitSeconds > 0) return waitSeconds
      }
      return 0
    },
  }
}
