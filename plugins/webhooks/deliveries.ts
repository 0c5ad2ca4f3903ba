// Events on their way. At least once: a lease that ends is taken up by another process, and a receiver tells repeats by
// the id.
//
//   queued ──▶ delivered                      2xx in time
//      │ ▲
//      │ └── with growing pauses              anything else
//      └──▶ parked                            three days after it was queued, a test event at once; `resend` queues it again
import * as z from 'zod/mini'
import type { WebhookDelivery } from '../../contract/integration.ts'
import { read } from '../../contract/problems.ts'
import { DAY_MS, HOUR_MS } from '../../kit/clock.ts'
import type { Queries, Transactions } from '../../service/store/database.ts'
import { DELETE_ROWS_MAX } from '../../service/store/sweep-rows.ts'
import type { DeliveryRow } from './tables.ts'

/** Longer than a receiver may take. */
export const LEASE_MS = 30_000
const KEEP_TRYING_MS = 3 * DAY_MS
/** After the first, second, … failure; the last one repeats. */
const PAUSES_MS = [5_000, 30_000, 120_000, 600_000, 1_800_000, HOUR_MS, 10_800_000, 21_600_000]
/** Time for which delivered events are listed. */
const DELIVERED_KEPT_MS = 7 * DAY_MS
const PARKED_KEPT_MS = 30 * DAY_MS
/** So many attempts are listed one by one. */
const ATTEMPTS_LISTED = 10

const Attempt = z.object({ atMs: z.number(), outcome: z.string(), tookMs: z.number() })
export type Attempt = z.infer<typeof Attempt>

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
  /** The beginning of what the receiver said the last time; null before. */
  lastAnswer: string | null
  /** Null for what is about no report. */
  creditReportId: string | null
  createdAtMs: number
  /** The newest attempts, first to last. */
  log: readonly Attempt[]
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
  { outcome, answer, tookMs, nowMs }: { outcome: string; answer: string; tookMs: number; nowMs: number },
): Promise<Delivery['status']> {
  const attempts = delivery.attempts + 1
  const dueAtMs = nowMs + pauseAfter(attempts)
  // A person waits for the answer to a test: it is not tried again by itself.
  const isOver = delivery.type === 'endpoint.test' || dueAtMs > delivery.queuedAtMs + KEEP_TRYING_MS
  const status = outcome === 'delivered' ? 'delivered' : isOver ? 'parked' : 'queued'
  const log = [...delivery.log, { atMs: nowMs - tookMs, outcome, tookMs }].slice(-ATTEMPTS_LISTED)
  await queries.run(
    `UPDATE webhook_delivery SET status = ?, attempts = ?, due_at_ms = ?, last_outcome = ?, last_answer = ?, attempt_log = ?
     WHERE id = ? AND status = 'queued' AND due_at_ms = ?`,
    status,
    attempts,
    dueAtMs,
    outcome,
    answer,
    JSON.stringify(log),
    delivery.id,
    delivery.dueAtMs,
  )
  return status
}

function pauseAfter(attempts: number): number {
  return PAUSES_MS[attempts - 1] ?? PAUSES_MS.at(-1) ?? 0
}

export type ListedDelivery = Delivery & {
  endpointId: string
  url: string
}

export type ReportDelivery = ListedDelivery & {
  /** The last try, once there is no other; null before. */
  triedAtMs: number | null
}

/** The deliveries about one report, to each address, first to last. */
export async function listDeliveriesOf(
  queries: Queries,
  { tenantId, creditReportId, limit }: { tenantId: string; creditReportId: string; limit: number },
): Promise<ReportDelivery[]> {
  const rows = await queries.all<ListedRow>(
    `${LISTED}
     WHERE report_id = ? AND webhook_delivery.tenant_id = ? ORDER BY webhook_delivery.id LIMIT ?`,
    creditReportId,
    tenantId,
    limit,
  )
  return rows.map((row) => {
    const delivery = toListed(row)
    const { status, attempts, dueAtMs } = delivery
    return { ...delivery, triedAtMs: status === 'queued' ? null : dueAtMs - pauseAfter(attempts) }
  })
}

const LISTED =
  'SELECT webhook_delivery.*, url FROM webhook_delivery JOIN webhook_endpoint ON webhook_endpoint.id = endpoint_id'
type ListedRow = DeliveryRow & { url: string }

export type DeliveriesWanted = {
  tenantId: string
  limit: number
  status?: Delivery['status'] | undefined
  type?: string | undefined
  webhookId?: string | undefined
  /** Only those that are older than this one. */
  before?: string | undefined
}

/** Newest first. */
export async function listDeliveries(
  queries: Queries,
  { tenantId, limit, status, type, webhookId, before }: DeliveriesWanted,
): Promise<ListedDelivery[]> {
  const conditions = [
    ['webhook_delivery.tenant_id = ?', tenantId],
    ['status = ?', status],
    ['type = ?', type],
    ['endpoint_id = ?', webhookId],
    ['webhook_delivery.id < ?', before],
  ].flatMap(([sql, value]) => (sql === undefined || value === undefined ? [] : [{ sql, value }]))
  const rows = await queries.all<ListedRow>(
    `${LISTED} WHERE ${conditions.map(({ sql }) => sql).join(' AND ')} ORDER BY webhook_delivery.id DESC LIMIT ?`,
    ...conditions.map(({ value }) => value),
    limit,
  )
  return rows.map(toListed)
}

/** Null when the tenant has no such delivery, or no longer. */
export async function findDelivery(
  queries: Queries,
  { tenantId, id }: { tenantId: string; id: string },
): Promise<ListedDelivery | null> {
  const sql = `${LISTED} WHERE webhook_delivery.id = ? AND webhook_delivery.tenant_id = ?`
  const row = await queries.first<ListedRow>(sql, id, tenantId)
  return row === null ? null : toListed(row)
}

/** Sends one again under the same id; null when the tenant has no such delivery, or no longer. */
export function resend(
  act: Transactions,
  { tenantId, id, nowMs }: { tenantId: string; id: string; nowMs: number },
): Promise<ListedDelivery | null> {
  let from: Delivery['status'] | null = null
  return act.transaction(
    async (queries) => {
      from = (await findDelivery(queries, { tenantId, id }))?.status ?? null
      await queries.run(`${QUEUE_AGAIN} WHERE tenant_id = ? AND id = ?`, nowMs, nowMs, tenantId, id)
      return findDelivery(queries, { tenantId, id })
    },
    () => ({ change: { from, to: 'queued' } }),
  )
}

/** Sends again all that are parked or wait for another try; resolves to how many. */
export function resendFailed(
  act: Transactions,
  { tenantId, nowMs }: { tenantId: string; nowMs: number },
): Promise<number> {
  return act.transaction((queries) =>
    queries.run(`${QUEUE_AGAIN} WHERE tenant_id = ? AND ${FAILED}`, nowMs, nowMs, tenantId),
  )
}

/** Their number. */
export async function countFailed(queries: Queries, tenantId: string): Promise<number> {
  const sql = `SELECT COUNT(*) AS count FROM webhook_delivery WHERE tenant_id = ? AND ${FAILED}`
  return (await queries.first<{ count: number }>(sql, tenantId))?.count ?? 0
}

const FAILED = `status <> 'delivered' AND attempts > 0 AND type <> 'endpoint.test'`
const QUEUE_AGAIN = `UPDATE webhook_delivery SET status = 'queued', attempts = 0, due_at_ms = ?, queued_at_ms = ?`

const at = (timeMs: number) => new Date(timeMs).toISOString()

/** As programs read it. */
export function showDelivery(delivery: ListedDelivery): WebhookDelivery {
  const { id, endpointId, url, type, creditReportId, status, attempts, lastOutcome, lastAnswer } = delivery
  const { createdAtMs, dueAtMs, payload, log } = delivery
  return {
    id,
    webhookId: endpointId,
    url,
    type,
    ...(creditReportId === null ? {} : { creditReportId }),
    status,
    attempts,
    ...(lastOutcome === null ? {} : { lastOutcome }),
    ...(lastAnswer === null ? {} : { lastAnswer }),
    createdAt: at(createdAtMs),
    ...(status === 'queued' ? { nextTryAt: at(dueAtMs) } : {}),
    body: payload,
    newestAttempts: log.map(({ atMs, outcome, tookMs }) => ({ startedAt: at(atMs), outcome, tookMs })),
  }
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
    lastAnswer: row.last_answer,
    creditReportId: row.report_id,
    createdAtMs: row.created_at_ms,
    log: readLog(row.attempt_log),
  }
}

function toListed(row: ListedRow): ListedDelivery {
  return { ...toDelivery(row), endpointId: row.endpoint_id, url: row.url }
}

function readLog(stored: string | null): Attempt[] {
  const log = read(z.array(Attempt), stored === null ? [] : JSON.parse(stored))
  return log.ok ? log.value : []
}
