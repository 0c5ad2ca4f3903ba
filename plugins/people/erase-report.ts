import { dropUnfinishedKey } from '../../service/check/idempotency.ts'
import { deleteSealed } from '../../service/check/store.ts'
import { release } from '../../service/ledger/ledger.ts'
import type { JoinedPlugins } from '../../service/plugin.ts'
import type { Database, Queries, Transactions } from '../../service/store/database.ts'
import { settleText } from '../../service/texts/outbox.ts'
import type { TextMessageRow } from '../../service/texts/tables.ts'

export type Erasure = {
  creditReportId: string
  nowMs: number
  plugins: Pick<JoinedPlugins, 'erase'>
  /** Its audit trail. @default none */
  act?: Transactions
}

/**
 * Forgets what is known about the consumer of a report, for good; false when nothing is. The key goes with the row.
 * The rows that stay name no person: ids, states and credits. An open challenge ends: its text has no number to go
 * to. So is what providers are being asked for: a process that waits for them comes too late to write anything.
 */
export async function eraseReport(
  database: Database,
  { creditReportId, nowMs, plugins, act = database }: Erasure,
): Promise<boolean> {
  let tenantIds: string[] = []
  const erase = async (queries: Queries): Promise<boolean> => {
    // The lender's row first, as every batch takes it: a code that is judged at this moment waits, and neither waits
    // for the other.
    const lock =
      'UPDATE wallet SET held_credits = held_credits WHERE tenant_id = (SELECT tenant_id FROM credit_report WHERE id = ?)'
    await queries.run(lock, creditReportId)
    const marked = await queries.first<{ tenant_id: string }>(
      `UPDATE credit_report SET erased_at_ms = ?, external_reference = NULL, request_id = NULL WHERE id = ? AND erased_at_ms IS NULL
       RETURNING tenant_id`,
      nowMs,
      creditReportId,
    )
    if (marked === null) return false
    tenantIds = [marked.tenant_id]
    await deleteSealed(queries, creditReportId)
    await plugins.erase(queries, creditReportId)
    await queries.run(
      `UPDATE credit_report SET status = CASE status WHEN 'pending' THEN 'failed' ELSE 'expired' END,
         ending = CASE WHEN status = 'pending' THEN 'interrupted' WHEN completed_send IS NULL THEN 'timeout' ELSE 'agencies' END,
         lease_until_ms = NULL, ended_at_ms = ?
       WHERE id = ? AND status IN ('pending', 'challenged')`,
      nowMs,
      creditReportId,
    )
    // A check that had ended before has nothing left to drop or to release.
    await dropUnfinishedKey(queries, creditReportId)
    await release(queries, { purpose: 'report', subjectId: creditReportId }, nowMs)
    return true
  }
  const erased = await act.transaction(erase, () => ({ object: creditReportId, tenantIds }))
  // One that is being sent at this moment belongs to its sender, and its receipt.
  const waiting = await database.all<Pick<TextMessageRow, 'id' | 'tenant_id'>>(
    `SELECT id, tenant_id FROM text_message WHERE report_id = ? AND status = 'queued' AND lease_until_ms < ?`,
    creditReportId,
    nowMs,
  )
  for (const row of waiting) {
    const text = { messageId: row.id, tenantId: row.tenant_id }
    await settleText(database, { ...text, delivered: false, nowMs })
  }
  return erased
}
