// What a lender hears of its credits: a balance below its threshold, a spend cap nearly or wholly used. Written in the
// transaction of the hold that passes the mark, which has the wallet's row to itself: each passing is reported exactly once.
import { newId } from '../../kit/new-id.ts'
import type { Queries, Transactions } from '../store/database.ts'
import type { TenantRow } from '../tenants/tables.ts'
import { queueWebhook } from '../webhooks/queue.ts'
import type { Spending } from './spend.ts'
import type { WalletRow } from './tables.ts'

/** An alert goes out at this share of a cap. */
const WARNING_SHARE = 0.8

/** After a hold is written and counted. One statement, also where no endpoint is registered. */
export async function tellThresholds(queries: Queries, { tenantId, purpose, credits, nowMs }: Spending): Promise<void> {
  const [tenant, about] = [JSON.stringify(tenantId), JSON.stringify(purpose)]
  await queries.run(
    `INSERT INTO webhook_delivery (id, endpoint_id, tenant_id, type, payload, status, due_at_ms, queued_at_ms, created_at_ms)
     SELECT ? || '_' || mark || '_' || id, id, tenant_id, type,
       '{"type":"' || type || '","timestamp":"' || ? || '","data":{"tenantId":' || ? || data || '}}', 'queued', ?, ?, ?
     FROM webhook_endpoint CROSS JOIN (
       SELECT period AS mark, CASE WHEN spent + ? > cap THEN 'spend.reached' ELSE 'spend.warning' END AS type,
         ',"purpose":' || ? || ',"period":"' || period || '","spentCredits":' || spent || ',"capCredits":' || cap AS data
       FROM (
         SELECT 'hour' AS period, hour_credits AS spent, hour_cap AS cap FROM spend WHERE tenant_id = ? AND purpose = ?
         UNION ALL SELECT 'day', day_credits, day_cap FROM spend WHERE tenant_id = ? AND purpose = ?) AS periods
       WHERE spent + ? > cap OR (spent >= cap * ${WARNING_SHARE} AND spent - ? < cap * ${WARNING_SHARE})
       UNION ALL
       SELECT 'low', 'wallet.low', ',"balanceCredits":' || balance_credits || ',"thresholdCredits":' || low_balance_credits
       FROM wallet JOIN tenant ON tenant.id = wallet.tenant_id
       WHERE wallet.tenant_id = ? AND balance_credits < low_balance_credits AND balance_credits + ? >= low_balance_credits) AS passed
     WHERE webhook_endpoint.tenant_id = ?`,
    newId(nowMs),
    new Date(nowMs).toISOString(),
    tenant,
    nowMs,
    nowMs,
    nowMs,
    credits,
    about,
    tenantId,
    purpose,
    tenantId,
    purpose,
    credits,
    credits,
    tenantId,
    credits,
    tenantId,
  )
}

type LowBalance = { tenantId: string; credits: number | null; nowMs: number }

/** Null: never. A balance that is below the new threshold and was not below the old one is reported now. */
export function setLowBalance(act: Transactions, { tenantId, credits, nowMs }: LowBalance): Promise<void> {
  let from: number | null = null
  const work = async (queries: Queries) => {
    // The wallet's row first: a hold at the same moment is either in this balance or sees the new threshold.
    const wallet = await queries.first<Pick<WalletRow, 'balance_credits'>>(
      'UPDATE wallet SET balance_credits = balance_credits WHERE tenant_id = ? RETURNING balance_credits',
      tenantId,
    )
    const tenant = await queries.first<Pick<TenantRow, 'low_balance_credits'>>(
      'SELECT low_balance_credits FROM tenant WHERE id = ?',
      tenantId,
    )
    from = tenant?.low_balance_credits ?? null
    await queries.run('UPDATE tenant SET low_balance_credits = ? WHERE id = ?', credits, tenantId)
    const balanceCredits = wallet?.balance_credits ?? 0
    if (credits === null || balanceCredits >= credits || balanceCredits < (tenant?.low_balance_credits ?? 0)) return
    const data = { tenantId, balanceCredits, thresholdCredits: credits }
    await queueWebhook(queries, { type: 'wallet.low', data }, nowMs)
  }
  return act.transaction(work, () => ({ change: { from, to: credits } }))
}
