// Behind a balancer that `trustedHops` does not know of, every consumer seems to be one machine: they share one limit, and the risk check
// gets the balancer's address. Nothing fails at first, so it is looked for.
import type { ForwardedHeader } from '../kit/client-address.ts'
import type { HeaderReader } from '../kit/headers.ts'
import { isPublicAddress } from '../kit/network.ts'
import type { Emit } from './events.ts'

export type HiddenConsumers = {
  /** A check is begun. */
  see(address: string, headers: HeaderReader): void
  /** An address has begun more checks than one household would. */
  seeLimit(address: string): void
  /** What was found; null while everything looks right. */
  problem(): string | null
}

const FORWARDED: readonly ForwardedHeader[] = ['x-forwarded-for', 'forwarded']

/** Says so once per process. */
export function watchForHiddenConsumers({ trustedHops, emit }: { trustedHops: number; emit: Emit }): HiddenConsumers {
  let problem: string | null = null

  function say(words: string): void {
    if (problem !== null) return
    problem = `${words}: set \`trustedHops\` to how many reverse proxies stand in front, or all consumers share one limit and one address`
    emit({ type: 'misconfigured', problem })
  }

  return {
    see(address, headers) {
      const header = FORWARDED.find((name) => headers.get(name))
      if (trustedHops > 0 || header === undefined || isPublicAddress(address)) return
      say(`requests come from ${address} with the header ${header}, and \`trustedHops\` is 0`)
    },
    seeLimit(address) {
      if (isPublicAddress(address)) return
      say(`too many checks came from the private address ${address}, and \`trustedHops\` is ${trustedHops}`)
    },
    problem: () => problem,
  }
}
