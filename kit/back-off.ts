import { createBoundedMap } from './bounded-map.ts'
import type { Clock } from './clock.ts'

const FAILURES_MAX = 10
const WINDOW_MS = 60_000
/** Far more than honest mistakes need; past it, the ones seen longest ago are forgotten. */
const REMEMBERED_MAX = 10_000

type BackOff = {
  /** Seconds to wait before another try; null when there is no need to. */
  waitSeconds(key: string): number | null
  failed(key: string): void
  succeeded(key: string): void
}

/** Slows guessing down: after ten failures in a minute, no try counts until that minute is over. In memory, per process. */
export function createBackOff(clock: Clock): BackOff {
  const failures = createBoundedMap<{ count: number; endsAtMs: number }>(REMEMBERED_MAX)
  const open = (key: string) => {
    const entry = failures.get(key)
    const leftMs = (entry?.endsAtMs ?? 0) - clock()
    // More than a whole window is left only after the clock was set back, which must not lock anyone out.
    return leftMs > 0 && leftMs <= WINDOW_MS ? entry : undefined
  }
  return {
    waitSeconds(key) {
      const entry = open(key)
      return entry && entry.count >= FAILURES_MAX ? Math.ceil((entry.endsAtMs - clock()) / 1000) : null
    },
    failed(key) {
      const entry = open(key) ?? { count: 0, endsAtMs: clock() + WINDOW_MS }
      failures.set(key, { ...entry, count: entry.count + 1 })
    },
    succeeded: failures.delete,
  }
}
