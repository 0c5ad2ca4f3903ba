// Optional, of the address lookup. Each address lookup costs the lender money, and anyone can request one: results are
// kept, and all consumers together have an hourly limit.
import type { FoundAddress } from '../../contract/address.ts'
import { createBoundedMap } from '../../kit/bounded-map.ts'
import { DAY_MS, HOUR_MS } from '../../kit/clock.ts'
import { createCounter } from '../../kit/limits.ts'

/** Lifetime of a postcode's addresses. */
const KEPT_MS = DAY_MS
/** A hundred addresses are some 20 KB. */
const KEPT_MAX = 1_000

export type Found = {
  addresses: FoundAddress[]
  /** False when part of what was found could not be read: that is not kept. */
  isWhole: boolean
}

export type Lookups = {
  /**
   * The addresses of a postcode: those of the last day, else by `find`, one call for however many ask at once. Rejects
   * as `find` and `onCap` do.
   */
  take(postcode: string, find: () => Promise<Found>): Promise<FoundAddress[]>
}

type LookupsOptions = { perHourMax: number; clock: () => number; onCap: (waitSeconds: number) => Error }

export function createLookups({ perHourMax, clock, onCap }: LookupsOptions): Lookups {
  const kept = createBoundedMap<{ found: Promise<Found>; atMs: number }>(KEPT_MAX)
  const calls = createCounter({ windowMs: HOUR_MS, clock })

  async function look(postcode: string, find: () => Promise<Found>): Promise<Found> {
    try {
      const found = await find()
      if (!found.isWhole) kept.delete(postcode)
      return found
    } catch (error) {
      kept.delete(postcode)
      throw error
    }
  }

  return {
    async take(postcode, find) {
      const known = kept.get(postcode)
      if (known && clock() - known.atMs < KEPT_MS) return (await known.found).addresses
      const waitSeconds = calls.take('', perHourMax)
      if (waitSeconds > 0) throw onCap(waitSeconds)
      const found = look(postcode, find)
      kept.set(postcode, { found, atMs: clock() })
      return (await found).addresses
    },
  }
}
