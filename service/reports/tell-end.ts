import type { Queries } from '../store/database.ts'
import { queueWebhook } from '../webhooks/queue.ts'

export type Ended = { tenantId: string; creditReportId: string; externalReference: string | null; test: boolean }

/** Tells the lender's server how a report ended. Belongs into the transaction that ends it, before the wallet is touched. */
export function tellEnd(
  queries: Queries,
  { tenantId, creditReportId, externalReference, test }: Ended,
  status: 'complete' | 'blocked' | 'failed' | 'expired',
  nowMs: number,
): Promise<void> {
  const about = { tenantId, creditReportId, ...(externalReference === null ? {} : { externalReference }), test }
  switch (status) {
    case 'complete':
      return queueWebhook(queries, { type: 'credit-report.completed', data: { ...about, status } }, nowMs)
    case 'blocked':
      return queueWebhook(queries, { type: 'credit-report.blocked', data: { ...about, status } }, nowMs)
    case 'failed':
      return queueWebhook(queries, { type: 'credit-report.failed', data: { ...about, status } }, nowMs)
    case 'expired':
      return queueWebhook(queries, { type: 'credit-report.expired', data: { ...about, status } }, nowMs)
  }
}
