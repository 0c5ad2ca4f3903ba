// Alerts about a lender's credits: a balance below its threshold, a spend cap nearly or wholly used. Written in the
// transaction of the hold that passes the mark, which has the wallet's row to itself, so that each mark is passed
// exactly once; announced by the sweeper seconds later.
import type { WebhookFact } from '../../contract/webhook-event.ts'
import { newId } from '../../kit/new-id.ts'
import type { WalletRow } from '../../service/ledger/tables.ts'
import type { Database, Queries, Transactions } from '../../service/store/database.ts'
import { SWEEP_ROWS_MAX } from '../../service/store/sweep-rows.ts'
import type { Spending } from './spend-caps.ts'
import type { SpendAlertRow } from './tables.ts'

/** An alert goes out at this share of a cap. */
const WARNING_SHARE = 0.8

/** After a hold is written and counted. One statement. */
export async function noteThresholds(queries: Queries, { tenantId, purpose, holdId, nowMs }: Spending): Promise<void> {
  await queries.run(
    `INSERT INTO spend_alert (id, tenant_id, type, purpose, period, credits, limit_credits, created_at_ms)
     SELECT ? || '_' || mark, hold.tenant_id, CASE
         WHEN mark = 'low' THEN 'wallet.low' WHEN amount + hold.credits > edge THEN 'spend.reached' ELSE 'spend.warning' END,
       CASE WHEN mark = 'low' THEN NULL ELSE hold.purpose END, CASE WHEN mark = 'low' THEN NULL ELSE mark END, amount, edge, ?
     FROM wallet_line hold CROSS JOIN (
       SELECT 'hour' AS mark, hour_credits AS amount, hour_cap AS edge FROM spend WHERE tenant_id = ? AND purpose = ?
       UNION ALL SELECT 'day', day_credits, day_cap FROM spend WHERE tenant_id = ? AND purpose = ?
       UNION ALL SELECT 'low', balance_credits, low_balance_credits
         FROM wallet JOIN tenant ON tenant.id = wallet.tenant_id WHERE wallet.tenant_id = ?) AS marks
     WHERE hold.id = ? AND CASE WHEN mark = 'low' THEN amount < edge AND amount + hold.credits >= edge
       ELSE amount + hold.credits > edge
         OR (amount >= edge * ${WARNING_SHARE} AND amount - hold.credits < edge * ${WARNING_SHARE}) END`,
    newId(nowMs),
    nowMs,
    tenantId,
    purpose,
    tenantId,
    purpose,
    tenantId,
    holdId,
  )
}

type Announce = (queries: Queries, fact: WebhookFact, nowMs: number) => Promise<unknown>

/** Announces what is noted; resolves to how many. Of two processes at once, one announces an alert. */
export async function announceAlerts(database: Database, announce: Announce, nowMs: number): Promise<number> {
  const rows = await database.all<SpendAlertRow>(`SELECT * FROM spend_alert ORDER BY id LIMIT ${SWEEP_ROWS_MAX}`)
  for (const row of rows) {
    await database.transaction(async (queries) => {
      const deleted = await queries.run('DELETE FROM spend_alert WHERE id = ?', row.id)
      if (deleted === 1) await announce(queries, factOf(row), nowMs)
    })
  }
  return rows.length
}

function factOf({ type, tenant_id: tenantId, purpose, period, credits, limit_credits }: SpendAlertRow): WebhookFact {
  if (type === 'wallet.low')
    return { type, data: { tenantId, balanceCredits: credits, thresholdCredits: limit_credits } }
  const data = {
    tenantId,
    purpose: purpose === 'report' ? ('report' as const) : ('text' as const),
    period: period === 'hour' ? ('hour' as const) : ('day' as const),
    spentCredits: credits,
    capCredits: limit_credits,
  }
  return type === 'spend.reached' ? { type, data } : { type: 'spend.warning', data }
}

/** Credits below which the lender gets an event; null: never. */
export async function readLowBalance(queries: Queries, tenantId: string): Promise<number | null> {
  const row = await queries.first<LowBalanceRow>('SELECT low_balance_credits FROM tenant WHERE id = ?', tenantId)
  return row?.low_balance_credits ?? null
}

export type LowBalanceRow = { low_balance_credits: number | null }

type LowBalance = { tenantId: string; credits: number | null; nowMs: number }

/** Null: never. A balance that is below the new threshold and was not below the old one is reported now. */
export async function setLowBalance(act: Transactions, { tenantId, credits, nowMs }: LowBalance): Promise<void> {
  let from: number | null = null
  const work = async (queries: Queries) => {
    // The wallet's row first: a hold at the same moment is either in this balance or sees the new threshold.
    const wallet = await queries.first<Pick<WalletRow, 'balance_credits'>>(
      'UPDATE wallet SET balance_credits = balance_credits WHERE tenant_id = ? RETURNING balance_credits',
      tenantId,
    )
    from = await readLowBalance(queries, tenantId)
    if (from === credits) return false
    await queries.run('UPDATE tenant SET low_balance_credits = ? WHERE id = ?', credits, tenantId)
    const balanceCredits = wallet?.balance_credits ?? 0
    if (credits === null || balanceCredits >= credits || balanceCredits < (from ?? 0)) return true
    await queries.run(
      `INSERT INTO spend_alert (id, tenant_id, type, credits, limit_credits, created_at_ms) VALUES (?, ?, 'wallet.low', ?, ?, ?)`,
      newId(nowMs),
      tenantId,
      balanceCredits,
      credits,
      nowMs,
    )
    return true
  }
  await act.transaction(work, () => ({ change: { from, to: credits } }))
}
