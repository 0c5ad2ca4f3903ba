// How much a lender lets itself spend in an hour and in a day. Counted in the transaction that holds the credits, after the
// wallet's own row, so that any number of processes together stay under the cap; what is given back no longer counts.
import { type ApiError, RateLimited } from '../http/api-error.ts'
import type { Queries } from '../store/database.ts'
import { queueWebhook } from '../webhooks/queue.ts'
import type { SpendRow } from './tables.ts'

export type Purpose = 'report' | 'sms'
export const PURPOSES: readonly Purpose[] = ['report', 'sms']
const PERIODS = { hour: 3_600_000, day: 86_400_000 } as const
type Period = keyof typeof PERIODS

/** Null: as much as the wallet holds. */
export type Caps = { [period in Period]: number | null }

/** What a new lender begins with: two thousand reports and texts an hour at the usual prices. */
export const NEW_TENANT_CAPS: { readonly [purpose in Purpose]: Caps } = {
  report: { hour: 1_000_000, day: 10_000_000 },
  sms: { hour: 80_000, day: 400_000 },
}

/** An alert goes out at this share of a cap. */
const WARNING_SHARE = 0.8

export type Spend = { purpose: Purpose; period: Period; capCredits: number | null; spentCredits: number }

export async function setCaps(
  queries: Queries,
  { tenantId, purpose, caps }: { tenantId: string; purpose: Purpose; caps: Caps },
): Promise<void> {
  await queries.run(
    `INSERT INTO spend (tenant_id, purpose, hour_cap, day_cap) VALUES (?, ?, ?, ?)
     ON CONFLICT (tenant_id, purpose) DO UPDATE SET hour_cap = excluded.hour_cap, day_cap = excluded.day_cap`,
    tenantId,
    purpose,
    caps.hour,
    caps.day,
  )
}

/** What has been spent in the hour and the day that run now, and the caps. A purpose without caps is not counted. */
export async function readSpend(queries: Queries, tenantId: string, nowMs: number): Promise<Spend[]> {
  const rows = await queries.all<SpendRow>('SELECT * FROM spend WHERE tenant_id = ? ORDER BY purpose', tenantId)
  return rows.flatMap((row) =>
    (['hour', 'day'] as const).map((period) => ({
      purpose: row.purpose === 'report' ? ('report' as const) : ('sms' as const),
      period,
      capCredits: row[`${period}_cap`],
      spentCredits: row[`${period}_started_at_ms`] === startOf(period, nowMs) ? row[`${period}_credits`] : 0,
    })),
  )
}

export type Spending = { tenantId: string; purpose: Purpose; credits: number; nowMs: number }

/** Throws `rate-limited`, and with it ends the transaction, when a cap would be passed. */
export async function countSpend(queries: Queries, { tenantId, purpose, credits, nowMs }: Spending): Promise<void> {
  const [hour, day] = [startOf('hour', nowMs), startOf('day', nowMs)]
  const row = await queries.first<SpendRow>(
    `UPDATE spend SET
       hour_credits = CASE WHEN hour_started_at_ms = ? THEN hour_credits ELSE 0 END + ?, hour_started_at_ms = ?,
       day_credits = CASE WHEN day_started_at_ms = ? THEN day_credits ELSE 0 END + ?, day_started_at_ms = ?
     WHERE tenant_id = ? AND purpose = ? RETURNING hour_credits, hour_cap, day_credits, day_cap`,
    hour,
    credits,
    hour,
    day,
    credits,
    day,
    tenantId,
    purpose,
  )
  if (row === null) return
  for (const period of ['hour', 'day'] as const) {
    const cap = row[`${period}_cap`]
    if (cap === null) continue
    const spent = row[`${period}_credits`]
    if (spent > cap) throw capReached(period, nowMs)
    const type = eventOf({ before: spent - credits, spent, cap })
    if (type === null) continue
    await queueWebhook(
      queries,
      { type, data: { tenantId, purpose, period, spentCredits: spent, capCredits: cap } },
      nowMs,
    )
  }
}

/** What was held at `heldAtMs` has been given back. */
export async function uncountSpend(
  queries: Queries,
  { tenantId, purpose, credits, heldAtMs }: Omit<Spending, 'nowMs'> & { heldAtMs: number },
): Promise<void> {
  await queries.run(
    `UPDATE spend SET
       hour_credits = hour_credits - CASE WHEN hour_started_at_ms = ? THEN ? ELSE 0 END,
       day_credits = day_credits - CASE WHEN day_started_at_ms = ? THEN ? ELSE 0 END
     WHERE tenant_id = ? AND purpose = ?`,
    startOf('hour', heldAtMs),
    credits,
    startOf('day', heldAtMs),
    credits,
    tenantId,
    purpose,
  )
}

/** `reached`: the next of this price will be refused. */
function eventOf({
  before,
  spent,
  cap,
}: {
  before: number
  spent: number
  cap: number
}): 'spend.warning' | 'spend.reached' | null {
  if (spent + (spent - before) > cap) return 'spend.reached'
  const warningAt = cap * WARNING_SHARE
  return before < warningAt && spent >= warningAt ? 'spend.warning' : null
}

function capReached(period: Period, nowMs: number): ApiError {
  const waitSeconds = Math.ceil((startOf(period, nowMs) + PERIODS[period] - nowMs) / 1_000)
  return new RateLimited('spend', `the lender’s spend cap for this ${period} is reached`, {
    'Retry-After': String(waitSeconds),
  })
}

function startOf(period: Period, nowMs: number): number {
  return nowMs - (nowMs % PERIODS[period])
}
