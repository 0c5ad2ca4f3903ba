import type { Queries } from '../store/database.ts'
import { capture, release } from '../wallet/store.ts'
import type { Challenge } from './challenge.ts'
import { deleteSealed, type StoredReport } from './store.ts'
import { tellEnd } from './tell-end.ts'

/**
 * What the end of a challenge does besides: the lender is told, a report is paid for, anything else gives the hold back
 * and forgets the person. Test mode holds nothing. Belongs into the transaction that moved the challenge.
 */
export async function settleEnd(queries: Queries, report: StoredReport, next: Challenge, nowMs: number): Promise<void> {
  const { id, test, challenge } = report
  const { status } = next
  if (status === 'pending' || status === 'verified' || status === challenge.status) return
  const isComplete = status === 'complete'
  const settle = isComplete ? capture : release
  await Promise.all([
    !isComplete && deleteSealed(queries, id),
    tellEnd(queries, { ...report, creditReportId: id }, status, nowMs),
    !test && settle(queries, { purpose: 'report', subjectId: id }, nowMs),
  ])
}
