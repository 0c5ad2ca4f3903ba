import { createBoundedMap } from '../../kit/bounded-map.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Change, Queries, Transactions } from '../store/database.ts'
import type { TenantRow } from './tenant-tables.ts'

export type Prices = { reportPriceCredits: number; textPriceCredits: number }

type NewTenant = {
  id: string
  name: string
  /** Absent: the installation's prices. */
  prices?: { [price in keyof Prices]?: number | null | undefined }
  /** The site the texts name, for example `shop.example`. */
  checkoutHost?: string | null | undefined
  nowMs: number
}

/** False when there is a tenant with this id already; it stays as it is. */
export async function createTenant(
  queries: Queries,
  { id, name, prices = {}, checkoutHost, nowMs }: NewTenant,
): Promise<boolean> {
  const written = await queries.run(
    `INSERT INTO tenant (id, name, report_price_credits, text_price_credits, checkout_host, created_at_ms)
     VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
    id,
    name,
    prices.reportPriceCredits ?? null,
    prices.textPriceCredits ?? null,
    checkoutHost ?? null,
    nowMs,
  )
  if (written === 0) return false
  await queries.run('INSERT INTO wallet (tenant_id) VALUES (?)', id)
  return true
}

/** The columns to change; what is undefined stays. */
type TenantChange<Row> = { [column in keyof Row]?: Row[column] | undefined }

/**
 * Writes the columns that differ, and in the audit trail from what to what; without a difference nothing. `Row`: with
 * the columns that a plugin added.
 */
export async function changeTenant<Row extends { [column: string]: number | string | null } = TenantRow>(
  act: Transactions,
  id: string,
  change: TenantChange<Row> | ((was: Row) => TenantChange<Row>),
): Promise<void> {
  let from: Change['from'] = null
  let to: Change['to'] = null
  const work = async (queries: Queries) => {
    // Locks the row: of two changes at once, the second begins with what the first wrote.
    const was = await queries.first<Row>('UPDATE tenant SET name = name WHERE id = ? RETURNING *', id)
    if (was === null) return false
    const wanted = Object.entries(typeof change === 'function' ? change(was) : change)
    const differing = wanted.filter(([column, value]) => value !== undefined && was[column] !== value)
    if (differing.length === 0) return false
    from = Object.fromEntries(differing.map(([column]) => [column, was[column] ?? null]))
    to = Object.fromEntries(differing)
    const set = differing.map(([column]) => `${column} = ?`).join(', ')
    await queries.run(`UPDATE tenant SET ${set} WHERE id = ?`, ...differing.map(([, value]) => value), id)
    return true
  }
  await act.transaction(work, () => ({ change: { from, to } }))
}

/** The facts of a tenant that every operation needs, in one read. */
export type TenantAccount = Prices & {
  id: string
  name: string
  checkoutHost: string | null
  smsSender: string | null
  /** False: a report with what came is better than none. */
  requireAllBureaus: boolean
  balanceCredits: number
  heldCredits: number
  /** Time by which the demo moved the clock of its test-mode challenges. */
  testClockAheadMs: number
  /** Begins no new checks; those that are open can finish. */
  isSuspended: boolean
}

export async function readTenant(queries: Queries, id: string, defaults: Prices): Promise<TenantAccount | null> {
  const row = await queries.first<AccountRow>(ACCOUNT, id)
  return row === null ? null : toAccount(row, id, defaults)
}

const ACCOUNT = `
  SELECT name, checkout_host, sms_sender, require_all_bureaus, report_price_credits, text_price_credits, test_clock_ahead_ms,
    suspended_at_ms, balance_credits, held_credits
  FROM tenant JOIN wallet ON wallet.tenant_id = tenant.id WHERE tenant.id = ?`

type AccountRow = TenantRow & { balance_credits: number; held_credits: number }

function toAccount(row: AccountRow, id: string, defaults: Prices): TenantAccount {
  return {
    id,
    name: row.name,
    checkoutHost: row.checkout_host,
    smsSender: row.sms_sender,
    requireAllBureaus: row.require_all_bureaus === 1,
    reportPriceCredits: row.report_price_credits ?? defaults.reportPriceCredits,
    textPriceCredits: row.text_price_credits ?? defaults.textPriceCredits,
    balanceCredits: row.balance_credits,
    heldCredits: row.held_credits,
    testClockAheadMs: row.test_clock_ahead_ms,
    isSuspended: row.suspended_at_ms !== null,
  }
}

/** Moves the clock of the tenant's test-mode challenges forward; resolves to how far it is ahead now. */
export async function advanceTestClock(queries: Queries, id: string, byMs: number): Promise<number> {
  const row = await queries.first<Pick<TenantRow, 'test_clock_ahead_ms'>>(
    'UPDATE tenant SET test_clock_ahead_ms = test_clock_ahead_ms + ? WHERE id = ? RETURNING test_clock_ahead_ms',
    byMs,
    id,
  )
  return row?.test_clock_ahead_ms ?? 0
}

export async function resetTestClock(queries: Queries, id: string): Promise<void> {
  await queries.run('UPDATE tenant SET test_clock_ahead_ms = 0 WHERE id = ?', id)
}

/** A changed limit counts after so long at most, on every process. */
const REMEMBER_MS = 10_000
const TENANTS_MAX = 10_000

type TenantLimitsOptions = { database: Queries; clock: Clock; fallback: number }

/** Requests a minute of a tenant: its own, or else the installation's. */
export function createTenantLimits({ database, clock, fallback }: TenantLimitsOptions) {
  const known = createBoundedMap<{ limit: number; untilMs: number }>(TENANTS_MAX)
  return async (tenantId: string): Promise<number> => {
    const remembered = known.get(tenantId)
    if (remembered && Math.abs(remembered.untilMs - clock()) <= REMEMBER_MS && clock() < remembered.untilMs) {
      return remembered.limit
    }
    const row = await database.first<Pick<TenantRow, 'rate_limit_per_minute'>>(
      'SELECT rate_limit_per_minute FROM tenant WHERE id = ?',
      tenantId,
    )
    const limit = row?.rate_limit_per_minute ?? fallback
    known.set(tenantId, { limit, untilMs: clock() + REMEMBER_MS })
    return limit
  }
}
