import type { Database, Queries } from '../store/database.ts'
import { countEach, SWEEP_ROWS_MAX } from '../store/sweep-rows.ts'
import { queueWebhook } from './queue.ts'

/** Null: never. */
export async function setLowBalance(queries: Queries, tenantId: string, credits: number | null): Promise<void> {
  await queries.run('UPDATE tenant SET low_balance_credits = ?, low_balance_told = 0 WHERE id = ?', credits, tenantId)
}

/** Tells lenders whose balance fell below their threshold, once until it was above again. Apart from the requests that spend: their wallet's row is busy enough. */
export async function tellLowBalances({ database, nowMs }: { database: Database; nowMs: number }): Promise<number> {
  await database.run(
    `UPDATE tenant SET low_balance_told = 0 WHERE low_balance_told = 1 AND EXISTS (
       SELECT 1 FROM wallet WHERE wallet.tenant_id = tenant.id AND balance_credits >= low_balance_credits)`,
  )
  const rows = await database.all<{ id: string; balance_credits: number; low_balance_credits: number }>(
    `SELECT tenant.id, balance_credits, low_balance_credits FROM tenant JOIN wallet ON wallet.tenant_id = tenant.id
     WHERE low_balance_told = 0 AND balance_credits < low_balance_credits LIMIT ?`,
    SWEEP_ROWS_MAX,
  )
  return countEach(rows, (row) =>
    database.transaction(async (queries) => {
      const tenantId = row.id
      const sql = 'UPDATE tenant SET low_balance_told = 1 WHERE id = ? AND low_balance_told = 0'
      if ((await queries.run(sql, tenantId)) === 0) return false
      const credits = { balanceCredits: row.balance_credits, thresholdCredits: row.low_balance_credits }
      await queueWebhook(queries, { type: 'wallet.low', data: { tenantId, ...credits } }, nowMs)
      return true
    }),
  )
}
