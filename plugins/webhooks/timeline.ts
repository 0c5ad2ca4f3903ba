// The events about one check, as steps of its timeline.
import type { TimelineStep, ToldCheck } from '../../service/plugin.ts'
import type { Queries } from '../../service/store/database.ts'
import { listDeliveriesOf, type ReportDelivery } from './deliveries.ts'

const DELIVERIES_MAX = 50

export async function tellDeliveries(
  queries: Queries,
  { tenantId, creditReportId }: ToldCheck,
): Promise<TimelineStep[]> {
  const deliveries = await listDeliveriesOf(queries, { tenantId, creditReportId, limit: DELIVERIES_MAX })
  return deliveries.map(webhookStep)
}

const WEBHOOK_WORDS = { delivered: 'delivered', queued: 'not delivered yet', parked: 'given up' }

function webhookStep({
  type,
  url,
  status,
  attempts,
  lastOutcome,
  triedAtMs,
  createdAtMs,
  dueAtMs,
}: ReportDelivery): TimelineStep {
  const tries = attempts === 0 ? '' : ` after ${attempts === 1 ? '1 try' : `${attempts} tries`}`
  const answer = lastOutcome === null || status === 'delivered' ? '' : `, last answer: ${lastOutcome}`
  const says = `Webhook ${type} to ${url}: ${WEBHOOK_WORDS[status]}${tries}${answer}.`
  const nextAtMs = status === 'queued' ? dueAtMs : null
  return { type: 'webhook', atMs: triedAtMs ?? createdAtMs, outcome: status, who: url, nextAtMs, says }
}
