// Refused calls of a lender's API clients. They gather in the process and are written every few seconds and when it
// stops: no request waits for them, and a crash loses at most one flush.
import { type Clock, DAY_MS, HOUR_MS } from '../../kit/clock.ts'
import { newId } from '../../kit/new-id.ts'
import { flushRegularly } from '../../kit/repeat.ts'
import { describeError } from '../../service/describe-error.ts'
import type { Log } from '../../service/log.ts'
import type { Database, Queries } from '../../service/store/database.ts'
import { DELETE_ROWS_MAX } from '../../service/store/sweep-rows.ts'
import type { RefusalHourRow, RefusalRow } from './tables.ts'

/** Of each lender. */
export const LISTED_MAX = 100
/** Lenders, and their hours and codes, that wait for a flush. More are not counted. */
const WAITING_MAX = 10_000
const KEPT_MS = 30 * DAY_MS
const COUNTED_MS = 7 * DAY_MS

export type Refusal = {
  tenantId: string
  atMs: number
  clientId: string
  method: string
  /** The pattern. */
  route: string
  status: number
  code: string
  requestId: string
}
export type RefusalHour = { hourMs: number; code: string; count: number }

export type Refusals = ReturnType<typeof createRefusals>

export function createRefusals({ database, clock, log }: { database: Database; clock: Clock; log: Log }) {
  let newest = new Map<string, Refusal[]>()
  let counts = new Map<string, RefusalHour & { tenantId: string }>()

  function note(refusal: Refusal): void {
    const { tenantId, atMs, code } = refusal
    const hourMs = atMs - (atMs % HOUR_MS)
    const key = `${tenantId} ${hourMs} ${code}`
    const known = counts.get(key)
    if (known === undefined && counts.size >= WAITING_MAX) return
    counts.set(key, { tenantId, hourMs, code, count: (known?.count ?? 0) + 1 })
    newest.set(tenantId, [...(newest.get(tenantId) ?? []), refusal].slice(-LISTED_MAX))
  }

  /** Writes what was refused since the last time. Never rejects. */
  async function flush(): Promise<void> {
    const [lists, hours] = [[...newest], [...counts].sort(([one], [other]) => (one < other ? -1 : 1))]
    newest = new Map()
    counts = new Map()
    try {
      for (const [, { tenantId, hourMs, code, count }] of hours) {
        await database.run(
          `INSERT INTO refusal_hour (tenant_id, hour_started_at_ms, code, count) VALUES (?, ?, ?, ?)
           ON CONFLICT (tenant_id, hour_started_at_ms, code) DO UPDATE SET count = refusal_hour.count + excluded.count`,
          tenantId,
          hourMs,
          code,
          count,
        )
      }
      for (const [tenantId, refusals] of lists) {
        await insert(database, tenantId, refusals)
        await trim(database, tenantId)
      }
    } catch (error) {
      // Not kept for another try: it may have been written all the same.
      log.warn('refusals lost', describeError(error))
    }
  }

  return {
    note,
    flush,

    /** Newest first, with how many there were in each hour of the last seven days. */
    async list(tenantId: string): Promise<{ refusals: Refusal[]; hours: RefusalHour[] }> {
      await flush()
      const rows = await database.all<RefusalRow>(
        'SELECT * FROM refusal WHERE tenant_id = ? ORDER BY id DESC LIMIT ?',
        tenantId,
        LISTED_MAX,
      )
      const hours = await database.all<RefusalHourRow>(
        'SELECT * FROM refusal_hour WHERE tenant_id = ? AND hour_started_at_ms > ? ORDER BY hour_started_at_ms, code',
        tenantId,
        clock() - COUNTED_MS,
      )
      return {
        refusals: rows.map((row) => ({
          tenantId,
          atMs: row.created_at_ms,
          clientId: row.client_id,
          method: row.method,
          route: row.route,
          status: row.status,
          code: row.code,
          requestId: row.request_id,
        })),
        hours: hours.map(({ hour_started_at_ms: hourMs, code, count }) => ({ hourMs, code, count })),
      }
    },

    async forgetOld(): Promise<number> {
      const beforeMs = clock() - KEPT_MS
      const listed = await database.run(
        `DELETE FROM refusal WHERE (tenant_id, id) IN (SELECT tenant_id, id FROM refusal WHERE created_at_ms < ? LIMIT ?)`,
        beforeMs,
        DELETE_ROWS_MAX,
      )
      const counted = await database.run(
        `DELETE FROM refusal_hour WHERE (tenant_id, hour_started_at_ms, code) IN
           (SELECT tenant_id, hour_started_at_ms, code FROM refusal_hour WHERE hour_started_at_ms < ? LIMIT ?)`,
        beforeMs,
        DELETE_ROWS_MAX,
      )
      return listed + counted
    },

    /** Flushes every few seconds until the returned function is called, which does it a last time. */
    start: () => flushRegularly(flush),
  }
}

async function insert(queries: Queries, tenantId: string, refusals: readonly Refusal[]): Promise<void> {
  await queries.run(
    `INSERT INTO refusal (id, tenant_id, created_at_ms, client_id, method, route, status, code, request_id)
     VALUES ${refusals.map(() => '(?, ?, ?, ?, ?, ?, ?, ?, ?)').join(', ')}`,
    ...refusals.flatMap(({ atMs, clientId, method, route, status, code, requestId }) => [
      newId(atMs),
      tenantId,
      atMs,
      clientId,
      method,
      route,
      status,
      code,
      requestId,
    ]),
  )
}

/**
 * The newest hundred of a lender stay. Outside the transaction of the insert: of two processes that write at the same
 * time, the one that trims last sees the rows of both.
 */
async function trim(queries: Queries, tenantId: string): Promise<void> {
  await queries.run(
    `DELETE FROM refusal WHERE tenant_id = ? AND id <
       (SELECT id FROM refusal WHERE tenant_id = ? ORDER BY id DESC LIMIT 1 OFFSET ${LISTED_MAX - 1})`,
    tenantId,
    tenantId,
  )
}
