// Limits in memory: each process counts for itself and forgets the keys it has not seen for longest.
import { createBoundedMap } from './bounded-map.ts'
import { type Clock, MINUTE_MS } from './clock.ts'
import { ownersOf } from './network.ts'

const KEYS_MAX = 10_000

export type Counter = {
  /** Counts one use of the key. 0, or when `usesMax` are in the window already: the seconds until the next is free. */
  take(key: string, usesMax: number): number
  /** The same without counting. */
  waitSeconds(key: string, usesMax: number): number
  forget(key: string): void
}

/** Uses per key in a sliding window: at most `usesMax` in any stretch of `windowMs`. A refused use does not count. */
export function createCounter(rule: { windowMs: number; clock: Clock; keysMax?: number }): Counter {
  const { windowMs, clock, keysMax = KEYS_MAX } = rule
  const usesMs = createBoundedMap<number[]>(keysMax)

  function recentUses(key: string, nowMs: number): number[] {
    const recent = usesMs.get(key) ?? []
    while (recent[0] !== undefined && recent[0] <= nowMs - windowMs) recent.shift()
    // A use from the future means that the clock was set back: it counts against no one.
    while ((recent.at(-1) ?? nowMs) > nowMs) recent.pop()
    return recent
  }

  function waitOf(recent: number[], usesMax: number, nowMs: number): number {
    if (recent.length < usesMax) return 0
    const [firstMs = nowMs] = recent
    return Math.max(1, Math.ceil((firstMs + windowMs - nowMs) / 1_000))
  }

  return {
    take(key, usesMax) {
      const nowMs = clock()
      const recent = recentUses(key, nowMs)
      const waitSeconds = waitOf(recent, usesMax, nowMs)
      if (waitSeconds === 0) recent.push(nowMs)
      usesMs.set(key, recent)
      return waitSeconds
    },
    waitSeconds(key, usesMax) {
      const nowMs = clock()
      return waitOf(recentUses(key, nowMs), usesMax, nowMs)
    },
    forget: usesMs.delete,
  }
}

/**
 * Counts one use for the consumer's home and, because IPv6 gives one line thousands of networks, for the wider ones
 * around it:
 *
 *   usesMax[0]  IPv4 address or /64        usesMax[1]  /56        usesMax[2]  /48
 *
 * 0, or the seconds until the next use is free.
 */
export function takeForAddress(counter: Counter, ipAddress: string, usesMax: readonly number[], scope = ''): number {
  // The narrowest first, so that a home over its limit uses up nothing of its neighbours'.
  for (const [index, owner] of [...new Set(ownersOf(ipAddress))].entries()) {
    const waitSeconds = counter.take(`${scope} ${owner}`, usesMax[index] ?? 0)
    if (waitSeconds > 0) return waitSeconds
  }
  return 0
}

/** Token buckets: `perMinute` at once, then as many a minute. Null, or the seconds to wait. */
export function createBuckets(perMinute: number, clock: Clock): (key: string) => number | null {
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
