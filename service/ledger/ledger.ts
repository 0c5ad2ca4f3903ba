// The wallet in the database. A line and the balance it moves are one statement (see tables.ts), and every writer
// here comes late in its transaction: a lender's one wallet row is the busiest row there is.
import * as z from 'zod/mini'
import { LineKind } from '../../contract/wallet.ts'
import { ApiError } from '../http/api-error.ts'
import type { Queries, SqlValue } from '../store/database.ts'
import { BALANCE_CONSTRAINT, type WalletLineRow, type WalletRow } from './tables.ts'

/** The purpose of credits: a report under its id, or a text under its id. */
type Subject = { purpose: 'report' | 'text'; subjectId: string }

/** False when a top-up with this reference has been booked before: a payment counts once. */
export async function topUp(
  queries: Queries,
  { tenantId, credits, reference, nowMs }: { tenantId: string; credits: number; reference: string; nowMs: number },
): Promise<boolean> {
  const written = await queries.run(
    `INSERT INTO wallet_line (id, tenant_id, kind, purpose, credits, created_at_ms)
     VALUES (?, ?, 'top-up', 'top-up', ?, ?) ON CONFLICT (id) DO NOTHING`,
    topUpIdOf({ tenantId, reference }),
    tenantId,
    credits,
    nowMs,
  )
  return written === 1
}

/** The credits that the top-up with this reference added; 0 when there was none. */
export async function readTopUp(queries: Queries, payment: { tenantId: string; reference: string }): Promise<number> {
  const row = await queries.first<Pick<WalletLineRow, 'credits'>>(
    'SELECT credits FROM wallet_line WHERE id = ?',
    topUpIdOf(payment),
  )
  return row?.credits ?? 0
}

function topUpIdOf({ tenantId, reference }: { tenantId: string; reference: string }): string {
  return `top-up_${tenantId}_${reference}`
}

/** The id of a hold that an operator's correction took begins with this. */
export const CORRECTION = 'hold_correction_'

type Correction = {
  tenantId: string
  /** Above 0: given; below 0: taken. */
  credits: number
  reason: string
  /** The same one counts once. */
  reference: string
  nowMs: number
}

/**
 * Corrects a mistake with new lines: a top-up gives credits, a hold with its capture takes them. Their purpose is one
 * that every version reads; the reason says what it was. False when the reference was booked before; throws
 * `insufficient-funds`.
 */
export async function correct(
  queries: Queries,
  { tenantId, credits, reason, reference, nowMs }: Correction,
): Promise<boolean> {
  const name = `${tenantId}_${reference}`
  const [holdId, giftId] = [`${CORRECTION}${name}`, `top-up_correction_${name}`]
  const before = await queries.first('SELECT 1 AS one FROM wallet_line WHERE id IN (?, ?)', holdId, giftId)
  if (before !== null) return false
  const line = `INSERT INTO wallet_line (id, tenant_id, kind, purpose, credits, hold_id, created_at_ms, reason)`
  if (credits > 0) {
    const values = `VALUES (?, ?, 'top-up', 'top-up', ?, NULL, ?, ?)`
    await queries.run(`${line} ${values}`, giftId, tenantId, credits, nowMs, reason)
    return true
  }
  const unless = { error: insufficientFunds, constraint: BALANCE_CONSTRAINT }
  const values = `VALUES (?, ?, ?, 'report', ?, ?, ?, ?)`
  await queries.must(unless, `${line} ${values}`, holdId, tenantId, 'hold', -credits, null, nowMs, reason)
  const captureId = `capture_correction_${name}`
  await queries.run(`${line} ${values}`, captureId, tenantId, 'capture', -credits, holdId, nowMs, reason)
  return true
}

type Hold = Subject & { tenantId: string; credits: number; creditReportId: string; nowMs: number }

/**
 * Reserves credits, or throws `insufficient-funds` and with it ends the transaction. However many ask at once, no more
 * is reserved than there is: the statement looks at the balance, and the balance's own rule has the last word.
 */
export async function hold(
  queries: Queries,
  { tenantId, purpose, subjectId, credits, creditReportId, nowMs }: Hold,
): Promise<void> {
  await queries.must(
    { error: insufficientFunds, constraint: BALANCE_CONSTRAINT },
    `INSERT INTO wallet_line (id, tenant_id, kind, purpose, credits, report_id, created_at_ms)
     SELECT ?, tenant_id, 'hold', ?, ?, ?, ? FROM wallet WHERE tenant_id = ? AND balance_credits >= ?`,
    holdIdOf({ purpose, subjectId }),
    purpose,
    credits,
    creditReportId,
    nowMs,
    tenantId,
    credits,
  )
}

type ReportHold = { tenantId: string; creditReportId: string; reportPriceCredits: number; nowMs: number }

/**
 * Reserves the price of a report, the lender's own or else `reportPriceCredits`; resolves to it. Throws
 * `insufficient-funds` if the balance has no room, and also if the lender is suspended or does not exist: the caller
 * tells these apart.
 */
export async function holdReport(
  queries: Queries,
  { tenantId, creditReportId, reportPriceCredits, nowMs }: ReportHold,
): Promise<number> {
  const row = await queries.must(
    { error: insufficientFunds, constraint: BALANCE_CONSTRAINT },
    `INSERT INTO wallet_line (id, tenant_id, kind, purpose, credits, report_id, created_at_ms)
     SELECT ?, tenant_id, 'hold', 'report', COALESCE(report_price_credits, ?), ?, ?
     FROM wallet JOIN tenant ON tenant.id = tenant_id
     WHERE tenant_id = ? AND suspended_at_ms IS NULL AND balance_credits >= COALESCE(report_price_credits, ?)
     RETURNING credits`,
    holdIdOf({ purpose: 'report', subjectId: creditReportId }),
    reportPriceCredits,
    creditReportId,
    nowMs,
    tenantId,
    reportPriceCredits,
  )
  return Number(row.credits)
}

/** Spends what was held, exactly. False when the hold is settled already, or was never made. */
export function capture(queries: Queries, subject: Subject, nowMs: number): Promise<boolean> {
  return settle(queries, 'capture', subject, nowMs)
}

/**
 * Charges for an answered match of person and number. Skipped where the balance has no room: a check must not end for
 * it.
 */
export async function chargeMatch(
  queries: Queries,
  {
    tenantId,
    creditReportId,
    credits,
    nowMs,
  }: { tenantId: string; creditReportId: string; credits: number; nowMs: number },
): Promise<void> {
  if (credits === 0) return
  await Promise.all([
    queries.run(
      `INSERT INTO wallet_line (id, tenant_id, kind, purpose, credits, report_id, created_at_ms)
       SELECT ?, tenant_id, 'hold', 'match', ?, ?, ? FROM wallet WHERE tenant_id = ? AND balance_credits >= ?
       ON CONFLICT DO NOTHING`,
      `hold_match_${creditReportId}`,
      credits,
      creditReportId,
      nowMs,
      tenantId,
      credits,
    ),
    queries.run(
      `INSERT INTO wallet_line (id, tenant_id, kind, purpose, credits, report_id, hold_id, created_at_ms)
       SELECT ?, tenant_id, 'capture', purpose, credits, report_id, id, ? FROM wallet_line WHERE id = ?
       ON CONFLICT DO NOTHING`,
      `capture_match_${creditReportId}`,
      nowMs,
      `hold_match_${creditReportId}`,
    ),
  ])
}

/** The number of agencies a report asked, and of those that gave their file or said that they have none. */
export type AgencyCount = { asked: number; delivered: number }

/**
 * The refund for agencies that did not deliver, in whole credits: their share of the price, in the operator's favour.
 */
export function refundOf(priceCredits: number, { asked, delivered }: AgencyCount): number {
  return Math.floor((priceCredits * (asked - delivered)) / asked)
}

/**
 * Spends what was held for a report, and gives back the share of the agencies that are missing from it, as a line of
 * its own: a hold is captured or released as a whole. False when the hold is settled already.
 */
export async function captureReport(
  queries: Queries,
  { creditReportId, agencies }: { creditReportId: string; agencies: AgencyCount },
  nowMs: number,
): Promise<boolean> {
  const captured = settle(queries, 'capture', { purpose: 'report', subjectId: creditReportId }, nowMs, agencies)
  if (agencies.delivered === agencies.asked) return captured
  const [isCaptured] = await Promise.all([
    captured,
    queries.run(
      `INSERT INTO wallet_line
         (id, tenant_id, kind, purpose, credits, report_id, created_at_ms, agencies_asked, agencies_delivered)
       SELECT ?, tenant_id, 'top-up', 'top-up', credits * (agencies_asked - agencies_delivered) / agencies_asked,
         report_id, ?, agencies_asked, agencies_delivered
       FROM wallet_line WHERE id = ? ON CONFLICT (id) DO NOTHING`,
      `refund_report_${creditReportId}`,
      nowMs,
      `capture_report_${creditReportId}`,
    ),
  ])
  return isCaptured
}

/** Gives back what was held, exactly. False when the hold is settled already, or was never made. */
export function release(queries: Queries, subject: Subject, nowMs: number): Promise<boolean> {
  return settle(queries, 'release', subject, nowMs)
}

async function settle(
  queries: Queries,
  kind: 'capture' | 'release',
  subject: Subject,
  nowMs: number,
  agencies?: AgencyCount,
): Promise<boolean> {
  // Any conflict counts, not only the hold's: two of the same kind at once meet on the line's own id first.
  const written = await queries.run(
    `INSERT INTO wallet_line
       (id, tenant_id, kind, purpose, credits, report_id, hold_id, created_at_ms, agencies_asked, agencies_delivered)
     SELECT ?, tenant_id, ?, purpose, credits, report_id, id, ?, ?, ? FROM wallet_line WHERE id = ? AND kind = 'hold'
     ON CONFLICT DO NOTHING`,
    `${kind}_${subject.purpose}_${subject.subjectId}`,
    kind,
    nowMs,
    agencies?.asked ?? null,
    agencies?.delivered ?? null,
    holdIdOf(subject),
  )
  return written === 1
}

export function holdIdOf({ purpose, subjectId }: Subject): string {
  return `hold_${purpose}_${subjectId}`
}

function insufficientFunds(): ApiError {
  return new ApiError('insufficient-funds', 'the wallet has too few credits for this; top it up and try again')
}

export async function readBalance(queries: Queries, tenantId: string): Promise<number> {
  const row = await queries.first<Pick<WalletRow, 'balance_credits'>>(
    'SELECT balance_credits FROM wallet WHERE tenant_id = ?',
    tenantId,
  )
  return row?.balance_credits ?? 0
}

/** The credits held for this, settled or not; 0 when there was no hold. */
export async function readHeld(queries: Queries, subject: Subject): Promise<number> {
  const row = await queries.first<Pick<WalletLineRow, 'credits'>>(
    'SELECT credits FROM wallet_line WHERE id = ?',
    holdIdOf(subject),
  )
  return row?.credits ?? 0
}

const Purpose = z.enum(['top-up', 'report', 'match', 'text'])

export type StoredLine = {
  id: string
  kind: LineKind
  purpose: z.infer<typeof Purpose>
  credits: number
  creditReportId: string | null
  externalReference: string | null
  holdId: string | null
  createdAtMs: number
  /** Of an operator's correction. */
  reason: string | null
  /** Of a report's charge, and of what was given back of it. */
  agencies: AgencyCount | null
}

type LinesWanted = {
  tenantId: string
  /** The id of a line of this tenant; older ones are listed. */
  before: string | null
  /** Only the lines of one report. */
  creditReportId: string | null
  limit: number
}

/** Newest first; null when there is no line `before`. */
export async function listLines(
  queries: Queries,
  { tenantId, before, creditReportId, limit }: LinesWanted,
): Promise<StoredLine[] | null> {
  const conditions = ['wallet_line.tenant_id = ?']
  const values: SqlValue[] = [tenantId]
  if (creditReportId !== null) {
    conditions.push('report_id = ?')
    values.push(creditReportId)
  }
  if (before !== null) {
    const mark = await queries.first<Pick<WalletLineRow, 'sequence'>>(
      'SELECT sequence FROM wallet_line WHERE id = ? AND tenant_id = ?',
      before,
      tenantId,
    )
    if (mark === null) return null
    conditions.push('sequence < ?')
    values.push(mark.sequence)
  }
  const rows = await queries.all<LineRow>(
    `SELECT wallet_line.id, kind, purpose, credits, report_id, external_reference, hold_id, wallet_line.created_at_ms,
       reason, agencies_asked, agencies_delivered
     FROM wallet_line LEFT JOIN credit_report ON credit_report.id = report_id
     WHERE ${conditions.join(' AND ')} ORDER BY sequence DESC LIMIT ?`,
    ...values,
    limit,
  )
  return rows.map(toLine)
}

type LineRow = WalletLineRow & { external_reference: string | null }

function toLine(row: LineRow): StoredLine {
  const { agencies_asked: asked, agencies_delivered: delivered } = row
  return {
    id: row.id,
    kind: LineKind.parse(row.kind),
    purpose: Purpose.parse(row.purpose),
    credits: row.credits,
    creditReportId: row.report_id,
    externalReference: row.external_reference,
    holdId: row.hold_id,
    createdAtMs: row.created_at_ms,
    reason: row.reason,
    agencies: asked === null || delivered === null ? null : { asked, delivered },
  }
}
