// Events on their way. At least once: a lease that ends is taken up by another process, and a receiver tells repeats by the id.
//
//   queued ──▶ delivered                      2xx in time
//      │ ▲
//      │ └── with growing pauses              anything else
//      └──▶ parked                            three days after it was queued; `resend` queues it again
import { DAY_MS, HOUR_MS } from '../../kit/clock.ts'
import type { Queries, Transactions } from '../store/database.ts'
import { DELETE_ROWS_MAX } from '../store/sweep-rows.ts'
import type { DeliveryRow } from './tables.ts'

/** Longer than a receiver may take. */
const LEASE_MS = 30_000
const KEEP_TRYING_MS = 3 * DAY_MS
/** After the first, second, … failure; the last one repeats. */
const PAUSES_MS = [5_000, 30_000, 120_000, 600_000, 1_800_000, HOUR_MS, 10_800_000, 21_600_000]
/** What was delivered is listed for so long. */
const DELIVERED_KEPT_MS = 7 * DAY_MS
const PARKED_KEPT_MS = 30 * DAY_MS

export type Delivery = {
  id: string
  tenantId: string
  type: string
  payload: string
  status: 'queued' | 'delivered' | 'parked'
  attempts: number
  dueAtMs: number
  queuedAtMs: number
  lastOutcome: string | null
  createdAtMs: number
}

/** The endpoints for which something is due. */
export async function listDueEndpoints(queries: Queries, nowMs: number, limit: number): Promise<string[]> {
  const rows = await queries.all<Pick<DeliveryRow, 'endpoint_id'>>(
    `SELECT DISTINCT endpoint_id FROM webhook_delivery WHERE status = 'queued' AND due_at_ms <= ? LIMIT ?`,
    nowMs,
    limit,
  )
  return rows.map((row) => row.endpoint_id)
}

/** Takes what is due for an endpoint, oldest first; no other process gets it until the lease ends. */
export async function leaseDue(
  queries: Queries,
  { endpointId, nowMs, limit }: { endpointId: string; nowMs: number; limit: number },
): Promise<Delivery[]> {
  const due = await queries.all<DeliveryRow>(
    `SELECT * FROM webhook_delivery WHERE endpoint_id = ? AND status = 'queued' AND due_at_ms <= ?
     ORDER BY due_at_ms LIMIT ?`,
    endpointId,
    nowMs,
    limit,
  )
  const leased: Delivery[] = []
  for (const delivery of due.map(toDelivery)) {
    const dueAtMs = nowMs + LEASE_MS
    const taken = await queries.run(
      `UPDATE webhook_delivery SET due_at_ms = ? WHERE id = ? AND status = 'queued' AND due_at_ms = ?`,
      dueAtMs,
      delivery.id,
      delivery.dueAtMs,
    )
    if (taken === 1) leased.push({ ...delivery, dueAtMs })
  }
  return leased
}

/** Writes down how an attempt ended, unless another process took the lease meanwhile; resolves to what it is now. */
export async function recordAttempt(
  queries: Queries,
  delivery: Delivery,
  { outcome, nowMs }: { outcome: string; nowMs: number },
): Promise<Delivery['status']> {
  const attempts = delivery.attempts + 1
  const dueAtMs = nowMs + pauseAfter(attempts)
  const isOver = dueAtMs > delivery.queuedAtMs + KEEP_TRYING_MS
  const status = outcome === 'delivered' ? 'delivered' : isOver ? 'parked' : 'queued'
  await queries.run(
    `UPDATE webhook_delivery SET status = ?, attempts = ?, due_at_ms = ?, last_outcome = ?
     WHERE id = ? AND status = 'queued' AND due_at_ms = ?`,
    status,
    attempts,
    dueAtMs,
    outcome,
    delivery.id,
    delivery.dueAtMs,
  )
  return status
}

function pauseAfter(attempts: number): number {
  return PAUSES_MS[attempts - 1] ?? PAUSES_MS.at(-1) ?? 0
}

export type ReportDelivery = Delivery & {
  url: string
  /** The last try, once there is no other; null before. */
  triedAtMs: number | null
}

/** What was said about one report, to each address, first to last. */
export async function listDeliveriesOf(
  queries: Queries,
  { tenantId, creditReportId, limit }: { tenantId: string; creditReportId: string; limit: number },
): Promise<ReportDelivery[]> {
  const rows = await queries.all<DeliveryRow & { url: string }>(
    `SELECT webhook_delivery.*, url FROM webhook_delivery JOIN webhook_endpoint ON webhook_endpoint.id = endpoint_id
     WHERE report_id = ? AND webhook_delivery.tenant_id = ? ORDER BY webhook_delivery.id LIMIT ?`,
    creditReportId,
    tenantId,
    limit,
  )
  return rows.map((row) => {
    const delivery = toDelivery(row)
    const { status, attempts, dueAtMs } = delivery
    return { ...delivery, url: row.url, triedAtMs: status === 'queued' ? null : dueAtMs - pauseAfter(attempts) }
  })
}

type DeliveriesWanted = { tenantId: string; limit: number; status?: Delivery['status'] }

/** Newest first. */
export async function listDeliveries(queries: Queries, { tenantId, limit, status }: DeliveriesWanted) {
  const rows = await queries.all<DeliveryRow>(
    `SELECT * FROM webhook_delivery WHERE tenant_id = ? ${status === undefined ? '' : 'AND status = ?'}
     ORDER BY id DESC LIMIT ?`,
    tenantId,
    ...(status === undefined ? [] : [status]),
    limit,
  )
  return rows.map(toDelivery)
}

/** Sends one again under the same id, or without `id` all that are parked or wait for another try; resolves to how many. */
export function resend(
  act: Transactions,
  { tenantId, id, nowMs }: { tenantId: string; id: string | null; nowMs: number },
): Promise<number> {
  return act.transaction((queries) =>
    queries.run(
      `UPDATE webhook_delivery SET status = 'queued', attempts = 0, due_at_ms = ?, queued_at_ms = ?
       WHERE tenant_id = ? AND ${id === null ? `status <> 'delivered' AND attempts > 0` : 'id = ?'}`,
      nowMs,
      nowMs,
      tenantId,
      ...(id === null ? [] : [id]),
    ),
  )
}

/** Forgets what was said about a report: the lender's reference in it may name a person. */
export async function forgetDeliveries(queries: Queries, creditReportId: string): Promise<void> {
  await queries.run('DELETE FROM webhook_delivery WHERE report_id = ?', creditReportId)
}

/** Forgets what is no longer listed, some at a time; resolves to how many. */
export function forgetOldDeliveries(queries: Queries, nowMs: number): Promise<number> {
  return queries.run(
    `DELETE FROM webhook_delivery WHERE id IN (SELECT id FROM webhook_delivery
     WHERE (status = 'delivered' AND created_at_ms < ?) OR (status = 'parked' AND created_at_ms < ?) LIMIT ?)`,
    nowMs - DELIVERED_KEPT_MS,
    nowMs - PARKED_KEPT_MS,
    DELETE_ROWS_MAX,
  )
}

function toDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    type: row.type,
    payload: row.payload,
    status: row.status as Delivery['status'],
    attempts: row.attempts,
    dueAtMs: row.due_at_ms,
    queuedAtMs: row.queued_at_ms,
    lastOutcome: row.last_outcome,
    createdAtMs: row.created_at_ms,
  }
}
