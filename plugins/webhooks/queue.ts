import type { WebhookFact } from '../../contract/webhook-event.ts'
import { newId } from '../../kit/new-id.ts'
import type { Check, End } from '../../service/plugin.ts'
import type { Queries, Transactions } from '../../service/store/database.ts'
import { LEASE_MS } from './deliveries.ts'

/**
 * Writes an event for each endpoint of its tenant, in the transaction of the fact it tells of: either both are there or
 * neither. One statement, also for a tenant without endpoints. Belongs before anything that touches the wallet's row.
 */
export async function queueWebhook(queries: Queries, fact: WebhookFact, nowMs: number): Promise<void> {
  const { type, data } = fact
  const payload = payloadOf(fact, nowMs)
  await queries.run(
    `INSERT INTO webhook_delivery
       (id, endpoint_id, tenant_id, report_id, type, payload, status, due_at_ms, queued_at_ms, created_at_ms)
     SELECT ? || '_' || id, id, tenant_id, ?, ?, ?, 'queued', ?, ?, ? FROM webhook_endpoint
     WHERE tenant_id = ? AND (types IS NULL OR types LIKE '% ' || ? || ' %')`,
    newId(nowMs),
    'creditReportId' in data ? data.creditReportId : null,
    type,
    payload,
    nowMs,
    nowMs,
    nowMs,
    data.tenantId,
    type,
  )
}

/**
 * A test for one endpoint, leased by the caller, who sends it at once. Its delivery's id; null without such an
 * endpoint.
 */
export function queueTest(
  act: Transactions,
  { tenantId, endpointId, nowMs }: { tenantId: string; endpointId: string; nowMs: number },
): Promise<string | null> {
  const fact = { type: 'endpoint.test', data: { tenantId, endpointId } } as const
  const id = `${newId(nowMs)}_${endpointId}`
  return act.transaction(async (queries) => {
    const queued = await queries.run(
      `INSERT INTO webhook_delivery
         (id, endpoint_id, tenant_id, type, payload, status, due_at_ms, queued_at_ms, created_at_ms)
       SELECT ?, id, tenant_id, ?, ?, 'queued', ?, ?, ? FROM webhook_endpoint WHERE tenant_id = ? AND id = ?`,
      id,
      fact.type,
      payloadOf(fact, nowMs),
      nowMs + LEASE_MS,
      nowMs,
      nowMs,
      tenantId,
      endpointId,
    )
    return queued === 0 ? null : id
  }, endpointId)
}

function payloadOf({ type, data }: WebhookFact, nowMs: number): string {
  return JSON.stringify({ type, timestamp: new Date(nowMs).toISOString(), data })
}

const TYPES = {
  complete: 'credit-report.completed',
  blocked: 'credit-report.blocked',
  failed: 'credit-report.failed',
  expired: 'credit-report.expired',
} as const

/** Tells the lender's server how a check ended. */
export function queueEndEvent(queries: Queries, check: Check, { status, agencies }: End, nowMs: number): Promise<void> {
  const { tenantId, creditReportId, externalReference, test } = check
  const about = { tenantId, creditReportId, test, ...(externalReference === null ? {} : { externalReference }) }
  const data = { status, ...about, ...(agencies && { agencies: [...agencies] }) }
  return queueWebhook(queries, { type: TYPES[status], data } as WebhookFact, nowMs)
}
