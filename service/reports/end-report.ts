// What the end of a report does besides. `tellEnd` and `settleEnd` belong into the transaction that ends it.
import type { Queries } from '../store/database.ts'
import { capture, release } from '../wallet/store.ts'
import { queueWebhook } from '../webhooks/queue.ts'
import type { Challenge, Moment } from './challenge.ts'
import type { ReportOptions } from './report-options.ts'
import { deleteSealed, inTime, moveChallenge, type StoredReport } from './store.ts'

export type Ended = Pick<StoredReport, 'tenantId' | 'creditReportId' | 'externalReference' | 'test'>

/** Tells the lender's server how a report ended. Comes before the wallet is touched. */
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

/** For a challenge that ended: a complete report is paid for, any other gives the hold back and forgets the person. Test mode holds nothing. */
export async function settleEnd(queries: Queries, report: StoredReport, next: Challenge, nowMs: number): Promise<void> {
  const { creditReportId, test } = report
  const { status } = next
  if (status === 'open') return
  const isComplete = status === 'complete'
  const settle = isComplete ? capture : release
  await Promise.all([
    !isComplete && deleteSealed(queries, creditReportId),
    tellEnd(queries, report, status, nowMs),
    !test && settle(queries, { purpose: 'report', subjectId: creditReportId }, nowMs),
  ])
}

/** Ends an open challenge as expired: its hold goes back. False when another request or sweep moved it first. */
export function expireChallenge(
  { database, clock }: Pick<ReportOptions, 'database' | 'clock'>,
  was: StoredReport,
  moment: Moment,
): Promise<boolean> {
  const next: Challenge = { ...was.challenge, status: 'expired' }
  return inTime(
    database.batch(was.tenantId, (queries) =>
      Promise.all([moveChallenge(queries, { was, next, moment }), settleEnd(queries, was, next, clock())]),
    ),
  )
}
