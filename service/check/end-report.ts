// What the end of a report does besides. `tellEnd` and `settleEnd` belong into the transaction that ends it.

import { queueWebhook } from '../../plugins/webhooks/queue.ts'
import { release } from '../ledger/ledger.ts'
import type { Queries } from '../store/database.ts'
import type { Challenge, Moment } from './challenge.ts'
import type { ReportOptions } from './check-options.ts'
import { deleteSealed, inTime, moveChallenge, type StoredReport } from './store.ts'

export type Ended = Pick<StoredReport, 'tenantId' | 'creditReportId' | 'externalReference' | 'agencies' | 'test'>

/** Tells the lender's server how a report ended. Comes before the wallet is touched. */
export function tellEnd(
  queries: Queries,
  { tenantId, creditReportId, externalReference, agencies, test }: Ended,
  status: 'complete' | 'blocked' | 'failed' | 'expired',
  nowMs: number,
): Promise<void> {
  // Spread last: on Node 20 fields behind a spread cost fifty times as much.
  const about = { tenantId, creditReportId, test, ...(externalReference === null ? {} : { externalReference }) }
  switch (status) {
    case 'complete': {
      const data = { status, ...about, ...(agencies && { agencies: [...agencies] }) }
      return queueWebhook(queries, { type: 'credit-report.completed', data }, nowMs)
    }
    case 'blocked':
      return queueWebhook(queries, { type: 'credit-report.blocked', data: { status, ...about } }, nowMs)
    case 'failed':
      return queueWebhook(queries, { type: 'credit-report.failed', data: { status, ...about } }, nowMs)
    case 'expired':
      return queueWebhook(queries, { type: 'credit-report.expired', data: { status, ...about } }, nowMs)
  }
}

/** For a challenge that ended: without its report it gives the hold back and forgets the person. Live reports are completed elsewhere; test mode holds nothing. */
export async function settleEnd(queries: Queries, report: StoredReport, next: Challenge, nowMs: number): Promise<void> {
  const { creditReportId, test } = report
  const { status } = next
  if (status === 'open') return
  await Promise.all([
    status !== 'complete' && deleteSealed(queries, creditReportId),
    tellEnd(queries, report, status, nowMs),
    !test && status !== 'complete' && release(queries, { purpose: 'report', subjectId: creditReportId }, nowMs),
  ])
}

/** Ends an open challenge as expired: its hold goes back. False when another request or sweep moved it first. */
export async function expireChallenge(
  { database, clock, stats }: Pick<ReportOptions, 'database' | 'clock' | 'stats'>,
  was: StoredReport,
  moment: Moment,
): Promise<boolean> {
  const next: Challenge = { ...was.challenge, status: 'expired' }
  const isMoved = await inTime(
    database.batch(was.tenantId, (queries) =>
      Promise.all([moveChallenge(queries, { was, next, moment }), settleEnd(queries, was, next, clock())]),
    ),
  )
  if (isMoved) stats.count(was, 'end-expired')
  return isMoved
}
