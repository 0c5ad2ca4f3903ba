// Counters of what happens to checks. They gather in the process and are written every few seconds and when it stops,
// so that no request waits for them. A crash, or a database that is away, loses at most one flush: money is never read
// from here.
import type { Ending } from '../../contract/report-list.ts'
import type { FormStep, TextRefusal, TurnedAway, Wait } from '../../contract/stats.ts'
import { type Clock, DAY_MS, HOUR_MS } from '../../kit/clock.ts'
import { londonDate } from '../../kit/london.ts'
import { isId, timeOfId } from '../../kit/new-id.ts'
import { flushRegularly } from '../../kit/repeat.ts'
import { describeError } from '../../service/describe-error.ts'
import type { Log } from '../../service/log.ts'
import type { Whose } from '../../service/plugin.ts'
import type { Database, Queries, SqlValue } from '../../service/store/database.ts'
import { DELETE_ROWS_MAX } from '../../service/store/sweep-rows.ts'

/** Rows of one statement: its parameters stay below what SQLite takes. */
const STATEMENT_ROWS_MAX = 500
/** Different counters that wait for a flush: a few dozen for each lender with traffic. More are not counted. */
const WAITING_MAX = 50_000
const KEPT_MS = 400 * DAY_MS

/** Upper ends of the classes in which waiting times are counted; the last class has none. */
export const WAIT_CLASSES_MS = [100, 250, 500, 1_000, 2_000, 3_000, 5_000, 8_000, 12_000, 20_000] as const
type WaitClass = `${Wait}-${(typeof WAIT_CLASSES_MS)[number] | 'over'}`

/** Everything that is counted. A name that has been released keeps its meaning: the rows stay. */
export type StatName =
  | `step-${FormStep}`
  /** A check began; a code was sent for it; the code was right, so long after its text; it was complete without one. */
  | 'asked'
  | 'code-sent'
  | 'code-right'
  | 'without-code'
  | `end-${Ending}`
  | `turned-away-${TurnedAway}`
  | 'text-accepted'
  | 'text-delivered'
  | 'text-undelivered'
  | `text-refused-${TextRefusal}`
  | WaitClass

export type StatCounters = {
  /** `ms`: how long it took. */
  count(whose: Whose, name: StatName, ms?: number): void
  /** Something that a consumer waited for. */
  waited(whose: Whose, what: Wait, ms: number): void
  /** Several at once, as a proxy reports them. */
  add(whose: Whose, name: StatName, count: number, sumMs: number): void
}

export type Stats = StatCounters & {
  /** Writes what has been counted since the last time. Never rejects. */
  flush(): Promise<void>
  /** Flushes every few seconds until the returned function is called, which does it a last time. */
  start(): () => Promise<void>
}

export type Counted = Pick<Whose, 'tenantId' | 'test'> & { day: string; name: StatName; count: number; sumMs: number }

/** Written out once an hour: it is asked for several times a request, and a day begins with an hour. */
function createDays(): (timeMs: number) => string {
  let [number, day] = [Number.NaN, '']
  return (timeMs) => {
    const wanted = Math.floor(timeMs / HOUR_MS)
    if (wanted !== number) [number, day] = [wanted, londonDate(timeMs)]
    return day
  }
}

export function createStats({ database, clock, log }: { database: Database; clock: Clock; log: Log }): Stats {
  let waiting = new Map<string, Counted>()
  const dayOf = createDays()

  // A check counts for the day it was begun on, as in lists: no later step of a day is larger than an earlier one.
  function add({ tenantId, test, creditReportId = '' }: Whose, name: StatName, count: number, sumMs: number): void {
    const day = dayOf(isId(creditReportId) ? timeOfId(creditReportId) : clock())
    // No two share one: the last three hold no space.
    const key = `${tenantId} ${test} ${day} ${name}`
    const known = waiting.get(key)
    if (known) {
      known.count += count
      known.sumMs += sumMs
    } else if (waiting.size < WAITING_MAX) waiting.set(key, { tenantId, test, day, name, count, sumMs })
  }

  async function flush(): Promise<void> {
    // In one order: two processes that write the same rows never wait for each other in a circle.
    const counted = [...waiting].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
    waiting = new Map()
    try {
      for (let from = 0; from < counted.length; from += STATEMENT_ROWS_MAX) {
        await addStats(database, counted.slice(from, from + STATEMENT_ROWS_MAX))
      }
    } catch (error) {
      // Not kept for another try: it may have been written all the same.
      log.warn('counters lost', { count: counted.length, ...describeError(error) })
    }
  }

  return {
    add,
    flush,
    count: (whose, name, ms = 0) => add(whose, name, 1, wholeMs(ms)),
    waited: (whose, what, ms) => add(whose, classOf(what, ms), 1, wholeMs(ms)),
    start: () => flushRegularly(flush),
  }
}

export async function addStats(queries: Queries, counted: readonly Counted[]): Promise<void> {
  const values = counted.flatMap(({ tenantId, test, day, name, count, sumMs }): SqlValue[] => [
    tenantId,
    test ? 1 : 0,
    day,
    name,
    count,
    sumMs,
  ])
  await queries.run(
    `INSERT INTO stat (tenant_id, test, day, name, count, sum_ms) VALUES ${counted.map(() => '(?, ?, ?, ?, ?, ?)').join(', ')}
     ON CONFLICT (tenant_id, test, day, name) DO UPDATE SET
       count = stat.count + excluded.count, sum_ms = stat.sum_ms + excluded.sum_ms`,
    ...values,
  )
}

/** Deletes what is older than anyone looks back. */
export function forgetOldStats(queries: Queries, nowMs: number): Promise<number> {
  return queries.run(
    `DELETE FROM stat WHERE (tenant_id, test, day, name) IN
       (SELECT tenant_id, test, day, name FROM stat WHERE day < ? ORDER BY day LIMIT ?)`,
    londonDate(nowMs - KEPT_MS),
    DELETE_ROWS_MAX,
  )
}

function wholeMs(ms: number): number {
  return Math.max(0, Math.round(ms))
}

function classOf(what: Wait, ms: number): WaitClass {
  return `${what}-${WAIT_CLASSES_MS.find((limit) => ms <= limit) ?? 'over'}`
}
