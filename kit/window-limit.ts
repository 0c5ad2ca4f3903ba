import { createBoundedMap } from './bounded-map.ts'

const KEYS_MAX = 10_000

export type WindowLimit = {
  /** Counts one use for `key`; answers 0, or when it would be one too many, in how many seconds the next one is free. */
  take(key: string): number
}

type LimitRule = { usesMax: number; windowMs: number; clock: () => number }

/** At most `usesMax` uses per key in any stretch of `windowMs`. In memory: each process counts for itself. */
export function createWindowLimit({ usesMax, windowMs, clock }: LimitRule): WindowLimit {
  const usesMs = createBoundedMap<number[]>(KEYS_MAX)

  return {
    take(key) {
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
    },
  }
}
