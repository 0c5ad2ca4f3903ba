// Limits a lender's spending in an hour and in a day. Counted in the transaction that holds the credits, after the
// wallet's own row, so that any number of processes together stay under the cap; what is given back no longer counts
// (tables.ts).
import { showCredits } from '../../contract/money.ts'
import type { Problem } from '../../contract/problems.ts'
import type { SpendCaps } from '../../contract/wallet.ts'
import { DAY_MS, HOUR_MS } from '../../kit/clock.ts'
import { forbidden } from '../../service/http/access.ts'
import { RateLimited, validationError } from '../../service/http/api-error.ts'
import type { TenantRow } from '../../service/ledger/tenant-tables.ts'
import { type Prices, readTenant } from '../../service/ledger/tenants.ts'
import type { Queries, Transactions } from '../../service/store/database.ts'
import type { SpendRow } from './tables.ts'

export const PURPOSES = ['report', 'text'] as const
export type Purpose = (typeof PURPOSES)[number]
const PERIOD_MS = { hour: HOUR_MS, day: DAY_MS } as const
export type Period = keyof typeof PERIOD_MS
export const PERIODS: readonly Period[] = ['hour', 'day']

/** Null: as much as the wallet holds. */
export type Caps = { [period in Period]: number | null }

/**
 * The caps of a new lender: 200 reports and texts an hour and 1,000 a day at the usual prices. `admin caps` raises
 * them.
 */
export const NEW_TENANT_CAPS: { readonly [purpose in Purpose]: Caps } = {
  report: { hour: 100_000, day: 500_000 },
  text: { hour: 8_000, day: 40_000 },
}

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

/** A new lender has caps from its first day. */
export async function enrol(queries: Queries, tenantId: string): Promise<void> {
  for (const purpose of PURPOSES) await setCaps(queries, { tenantId, purpose, caps: NEW_TENANT_CAPS[purpose] })
}

type AllCaps = { readonly [purpose in Purpose]: Caps }

type Change = SpendCaps & { requestsPerMinute?: number | null | undefined }

/**
 * Changes the caps that are given and records the old value of each that differs. Throws where a cap would buy nothing.
 */
export async function changeCaps(
  act: Transactions,
  { tenantId, change, prices, nowMs }: { tenantId: string; change: Change; prices: Prices; nowMs: number },
): Promise<void> {
  let from: { [name: string]: number | null } = {}
  let to: { [name: string]: number | null } = {}
  const note = (name: string, was: number | null, is: number | null) => {
    if (was !== is) [from[name], to[name]] = [was, is]
  }
  const work = async (queries: Queries) => {
    from = {}
    to = {}
    const tenant = await readTenant(queries, tenantId, prices)
    if (tenant === null) throw forbidden()
    const { caps: states, requestsPerMinute } = await readCaps(queries, { tenantId, nowMs })
    const capOf = (purpose: Purpose, period: Period) => {
      const state = states.find((each) => each.purpose === purpose && each.period === period)
      const was = state?.capCredits ?? null
      const given = change[purpose]?.[period]
      const is = given === undefined ? was : given
      note(`${purpose}-${period}`, was, is)
      return is
    }
    const capsOf = (purpose: Purpose): Caps => ({ hour: capOf(purpose, 'hour'), day: capOf(purpose, 'day') })
    const caps = { report: capsOf('report'), text: capsOf('text') }
    const given = PURPOSES.filter((purpose) => change[purpose] !== undefined)
    const problems = findCapProblems(caps, tenant).filter(({ purpose }) => given.includes(purpose))
    if (problems.length > 0) throw validationError(problems.map(explainProblem))
    for (const purpose of given) await setCaps(queries, { tenantId, purpose, caps: caps[purpose] })
    if (change.requestsPerMinute !== undefined) {
      note('requests-per-minute', requestsPerMinute, change.requestsPerMinute)
      const set = 'UPDATE tenant SET rate_limit_per_minute = ? WHERE id = ?'
      await queries.run(set, change.requestsPerMinute, tenantId)
    }
    return Object.keys(to).length
  }
  await act.transaction(work, () => ({ change: { from, to } }))
}

/** All of a lender's limits; `requestsPerMinute`: null for the installation's. */
export async function readCaps(queries: Queries, { tenantId, nowMs }: { tenantId: string; nowMs: number }) {
  const row = await queries.first<Pick<TenantRow, 'rate_limit_per_minute'>>(
    'SELECT rate_limit_per_minute FROM tenant WHERE id = ?',
    tenantId,
  )
  return { caps: await readSpend(queries, tenantId, nowMs), requestsPerMinute: row?.rate_limit_per_minute ?? null }
}

type CapProblem = {
  purpose: Purpose
  period: Period
  why: 'buys-nothing' | 'day-below-hour'
  priceCredits: number
}

function explainProblem({ purpose, period, why, priceCredits }: CapProblem): Problem {
  const price = `${priceCredits} credits (${showCredits(priceCredits)})`
  const expected =
    why === 'buys-nothing'
      ? `must be none, 0 or at least the price of one, ${price}`
      : 'must not be below the cap for an hour'
  return { path: `${purpose}.${period}`, expected }
}

/** 0 is no mistake: it stops the buying. Anything else under the price of one does so without saying it. */
export function findCapProblems(caps: AllCaps, prices: Prices): CapProblem[] {
  return PURPOSES.flatMap((purpose): CapProblem[] => {
    const priceCredits = priceOf(purpose, prices)
    const { hour, day } = caps[purpose]
    const small = PERIODS.filter((period) => isTooSmall(caps[purpose][period], priceCredits))
    const problems = small.map((period) => ({ purpose, period, why: 'buys-nothing' as const, priceCredits }))
    if (problems.length > 0 || hour === null || day === null || day >= hour) return problems
    return [{ purpose, period: 'day', why: 'day-below-hour', priceCredits }]
  })
}

function isTooSmall(cap: number | null, priceCredits: number): boolean {
  return cap !== null && cap > 0 && cap < priceCredits
}

export function priceOf(purpose: Purpose, { reportPriceCredits, textPriceCredits }: Prices): number {
  return purpose === 'report' ? reportPriceCredits : textPriceCredits
}

/** The spending of the current hour and day, and the caps. */
export async function readSpend(queries: Queries, tenantId: string, nowMs: number): Promise<Spend[]> {
  const rows = await queries.all<SpendRow>('SELECT * FROM spend WHERE tenant_id = ? ORDER BY purpose', tenantId)
  return rows.flatMap((row) =>
    PERIODS.map((period) => ({
      purpose: row.purpose === 'report' ? ('report' as const) : ('text' as const),
      period,
      capCredits: row[`${period}_cap`],
      spentCredits: row[`${period}_started_at_ms`] === startOf(period, nowMs) ? row[`${period}_credits`] : 0,
    })),
  )
}

/** A hold that was just written. */
export type Spending = { tenantId: string; purpose: Purpose; holdId: string; nowMs: number }

/** Throws `spend-cap-reached`, and with it ends the transaction, when a cap would be passed. */
export async function countSpend(queries: Queries, spending: Spending): Promise<void> {
  const { holdId, nowMs } = spending
  await queries.must(
    { error: () => new SpendCapReached(spending) },
    COUNT,
    startOf('hour', nowMs),
    startOf('day', nowMs),
    holdId,
  )
}

/**
 * A refund of a report lowers the spending of the hour and the day it was held in; a released hold does the same by
 * itself (tables.ts).
 */
export async function uncountSpend(queries: Queries, creditReportId: string): Promise<void> {
  const [hold, refundId] = [`hold_report_${creditReportId}`, `refund_report_${creditReportId}`]
  await queries.run(UNCOUNT, hold, refundId, hold, refundId, refundId)
}

const givenBackIn = (period: Period) =>
  `${period}_credits - COALESCE((SELECT refund.credits FROM wallet_line refund JOIN wallet_line hold ON hold.id = ?
     WHERE refund.id = ? AND hold.created_at_ms >= ${period}_started_at_ms), 0)`

const UNCOUNT = `
  UPDATE spend SET hour_credits = ${givenBackIn('hour')}, day_credits = ${givenBackIn('day')}
  WHERE purpose = 'report' AND tenant_id = (SELECT tenant_id FROM wallet_line WHERE id = ?)`

/** The spending of a period, this included. */
const spentIn = (period: Period) =>
  `CASE WHEN spend.${period}_started_at_ms = excluded.${period}_started_at_ms THEN spend.${period}_credits ELSE 0 END
   + excluded.${period}_credits`

const COUNT = `
  INSERT INTO spend (tenant_id, purpose, hour_started_at_ms, hour_credits, day_started_at_ms, day_credits)
  SELECT tenant_id, purpose, ?, credits, ?, credits FROM wallet_line WHERE id = ?
  ON CONFLICT (tenant_id, purpose) DO UPDATE SET
    hour_credits = ${spentIn('hour')}, hour_started_at_ms = excluded.hour_started_at_ms,
    day_credits = ${spentIn('day')}, day_started_at_ms = excluded.day_started_at_ms
  WHERE (spend.hour_cap IS NULL OR ${spentIn('hour')} <= spend.hour_cap)
    AND (spend.day_cap IS NULL OR ${spentIn('day')} <= spend.day_cap)`

const NOUNS = { report: 'reports', text: 'texts' } as const

class SpendCapReached extends RateLimited {
  readonly spending: Spending

  constructor(spending: Spending, period?: Period, waitSeconds?: number) {
    const when = period === undefined ? 'this hour or day' : `this ${period}`
    const message = `the spend cap for ${NOUNS[spending.purpose]} in ${when} is reached`
    super('spend', message, waitSeconds === undefined ? {} : { 'Retry-After': String(waitSeconds) })
    this.spending = spending
  }
}

/**
 * Adds to a refusal for a cap when that cap has room again; any other error as it is. This costs a query, which only
 * refused requests pay for.
 */
export async function explainCap(queries: Queries, error: unknown, prices: Prices): Promise<unknown> {
  if (!(error instanceof SpendCapReached)) return error
  const { tenantId, purpose, nowMs } = error.spending
  const [spends, tenant] = [await readSpend(queries, tenantId, nowMs), await readTenant(queries, tenantId, prices)]
  return explain(error.spending, spends, priceOf(purpose, tenant ?? prices))
}

function explain(spending: Spending, spends: readonly Spend[], credits: number): SpendCapReached {
  const { purpose, nowMs } = spending
  const full = spends.filter(
    (spend) =>
      spend.purpose === purpose && spend.capCredits !== null && spend.spentCredits + credits > spend.capCredits,
  )
  const period = full.some((spend) => spend.period === 'day') ? 'day' : 'hour'
  // More than the cap itself: no hour and no day has room for it.
  if (full.some(({ capCredits }) => credits > (capCredits ?? 0))) return new SpendCapReached(spending, period)
  const waitMs = full.length === 0 ? 0 : startOf(period, nowMs) + PERIOD_MS[period] - nowMs
  return new SpendCapReached(spending, period, Math.max(1, Math.ceil(waitMs / 1_000)))
}

function startOf(period: Period, nowMs: number): number {
  return nowMs - (nowMs % PERIOD_MS[period])
}
