import type { Queries } from '../store/database.ts'
import { capture, release } from '../wallet/store.ts'
import { type Challenge, isOpen } from './challenge.ts'
import { deleteSealed, type StoredReport } from './store.ts'

/**
 * What the end of a challenge does besides: a report is paid for, anything else gives the hold back and forgets the
 * person. Test mode holds nothing. Belongs into the transaction that moved the challenge.
 */
export async function settleEnd(
  queries: Queries,
  { id, test, challenge }: StoredReport,
  next: Challenge,
  nowMs: number,
): Promise<void> {
  if (isOpen(next) || next.status === challenge.status) return
  const isComplete = next.status === 'complete'
  if (!isComplete) await deleteSealed(queries, id)
  if (test) return
  const settle = isComplete ? capture : release
  await settle(queries, { purpose: 'report', subjectId: id }, nowMs)
}
