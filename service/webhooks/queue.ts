import type { WebhookEvent } from '../../contract/webhook-event.ts'
import type { Queries } from '../store/database.ts'
import { newId } from '../store/new-id.ts'

/** What happened; the time is added here. */
type WebhookFact = WebhookEvent extends infer Event
  ? Event extends { timestamp: string }
    ? Omit<Event, 'timestamp'>
    : never
  : never

/**
 * Writes an event for each endpoint of its tenant, in the transaction of the fact it tells of: either both are there or
 * neither. One statement, also for a tenant without endpoints. Belongs before anything that touches the wallet's row.
 */
export async function queueWebhook(queries: Queries, fact: WebhookFact, nowMs: number): Promise<void> {
  const { type, data } = fact
  const payload = JSON.stringify({ type, timestamp: new Date(nowMs).toISOString(), data })
  await queries.run(
    `INSERT INTO webhook_delivery
       (id, endpoint_id, tenant_id, report_id, type, payload, status, due_at_ms, queued_at_ms, created_at_ms)
     SELECT ? || '_' || id, id, tenant_id, ?, ?, ?, 'queued', ?, ?, ? FROM webhook_endpoint WHERE tenant_id = ?`,
    newId(nowMs),
    'creditReportId' in data ? data.creditReportId : null,
    type,
    payload,
    nowMs,
    nowMs,
    nowMs,
    data.tenantId,
  )
}

/** The newest link of the audit trail, to every lender that listens: from then on no one can rewrite what came before unseen. */
export async function queueAuditHead(
  queries: Queries,
  { position, hash }: { position: number; hash: string },
  nowMs: number,
): Promise<void> {
  const tenants = await queries.all<{ tenant_id: string }>('SELECT DISTINCT tenant_id FROM webhook_endpoint')
  for (const { tenant_id: tenantId } of tenants) {
    await queueWebhook(queries, { type: 'audit.head', data: { tenantId, position, hash } }, nowMs)
  }
}
