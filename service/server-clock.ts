// One time for every process on one database: PostgreSQL's. Codes, tokens, leases and sweeps of two machines must agree
// about it.
import type { Clock } from '../kit/clock.ts'
import type { Log } from './log.ts'
import type { Database } from './store/database.ts'

const MEASURE_EVERY_MS = 60_000
/** The time in an answer that took longer is too imprecise to compare. */
const ROUND_TRIP_MAX_MS = 500
/** Below it a difference is as likely the network's as the clock's. */
const NOISE_MS = 50
/** From here on an operator should know. The service goes by the database's time and keeps every limit. */
const WARN_MS = 1_000
/**
 * The difference that receivers of signed webhooks allow: beyond it one of the two clocks breaks a promise, and no
 * process can tell which.
 */
const OFFSET_MAX_MS = 300_000

type ServerClockOptions = {
  database: Pick<Database, 'probe'>
  log: Log
  /** @default Date.now */
  local?: Clock
}

/**
 * Measures before it resolves, and every minute from then on. Without a clock in the database, the machine's is the
 * time.
 */
export async function startServerClock({ database, log, local = Date.now }: ServerClockOptions) {
  /** Time by which the database's clock is ahead of this machine's. */
  let offsetMs = 0
  /** True while the two clocks are too far apart to serve. */
  const isOff = () => Math.abs(offsetMs) > OFFSET_MAX_MS

  async function measure(): Promise<void> {
    const startedMs = performance.now()
    const askedAtMs = local()
    const { clockMs } = await database.probe()
    const tookMs = performance.now() - startedMs
    if (clockMs === null || tookMs > ROUND_TRIP_MAX_MS) return
    const measuredMs = Math.round(clockMs - (askedAtMs + tookMs / 2))
    offsetMs = Math.abs(measuredMs) < NOISE_MS ? 0 : measuredMs
    if (Math.abs(offsetMs) > WARN_MS) log.warn('clock differs from the database', { ms: offsetMs })
  }

  await measure()
  const timer = setInterval(() => void measure(), MEASURE_EVERY_MS).unref()
  return { now: () => local() + offsetMs, offsetMs: () => offsetMs, isOff, stop: () => clearInterval(timer) }
}
