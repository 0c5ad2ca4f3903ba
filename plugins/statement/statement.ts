// What a lender paid and was charged in a month. Only top-ups and captures are on it: a hold is no charge, and what is released
// was never one. So a statement is about balance and held credits together:
//
//   opening (the months before) + lines of the month = closing      of which held: the report or text is still in progress
import * as z from 'zod/mini'
import { STATEMENT_ITEMS, type StatementItem } from '../../contract/statement.ts'
import { DAY_MS } from '../../kit/clock.ts'
import type { AgencyCount } from '../../service/ledger/ledger.ts'
import type { WalletLineRow } from '../../service/ledger/tables.ts'
import type { Queries, SqlValue } from '../../service/store/database.ts'
import { itemOf, type WalletMonthRow } from './tables.ts'

const Item = z.enum(STATEMENT_ITEMS)

/** The first millisecond of a UTC month such as `2026-11`. */
export function monthStart(month: string, add = 0): number {
  return Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)) - 1 + add)
}

export function monthOf(timeMs: number, add = 0): string {
  const date = new Date(timeMs)
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + add)).toISOString().slice(0, 7)
}

type MonthItem = { item: StatementItem; lines: number; credits: number }

export type MonthTotals = {
  month: string
  /** Balance and held credits together, when the month began. */
  openingCredits: number
  closingCredits: number
  /** Of the closing, what was held for reports and texts in progress. */
  heldCredits: number
  /** Those there is a line of. */
  items: MonthItem[]
}

/** Reads a handful of rows for each month there has been, whatever the number of lines. */
export async function readMonth(
  queries: Queries,
  { tenantId, month }: { tenantId: string; month: string },
): Promise<MonthTotals> {
  const rows = await queries.all<WalletMonthRow>(
    'SELECT * FROM wallet_month WHERE tenant_id = ? AND month <= ? ORDER BY month',
    tenantId,
    month,
  )
  const sum = (those: readonly WalletMonthRow[], column: 'credits' | 'held_credits') =>
    those.reduce((total, row) => total + row[column], 0)
  const own = rows.filter((row) => row.month === month && row.lines > 0)
  const items = own.map(({ item, lines, credits }) => ({ item: Item.parse(item), lines, credits }))
  const closingCredits = sum(rows, 'credits')
  return {
    month,
    openingCredits: closingCredits - sum(own, 'credits'),
    closingCredits,
    heldCredits: sum(rows, 'held_credits'),
    items: items.sort((one, other) => STATEMENT_ITEMS.indexOf(one.item) - STATEMENT_ITEMS.indexOf(other.item)),
  }
}

/** What was charged, less what was given back of it. */
function spentOf({ items }: Pick<MonthTotals, 'items'>): number {
  return (
    0 - items.reduce((sum, { item, credits }) => sum + (item === 'top-up' || item === 'correction' ? 0 : credits), 0)
  )
}

/** The UTC months with lines, newest first. */
export async function listMonths(queries: Queries, tenantId: string): Promise<string[]> {
  const rows = await queries.all<{ month: string }>(
    'SELECT DISTINCT month FROM wallet_month WHERE tenant_id = ? ORDER BY month DESC',
    tenantId,
  )
  return rows.map(({ month }) => month)
}

export type BookedLine = {
  id: string
  item: StatementItem
  /** Above 0: paid in or given back. Below 0: charged. */
  credits: number
  creditReportId: string | null
  externalReference: string | null
  createdAtMs: number
  reason: string | null
  agencies: AgencyCount | null
}

type BookedWanted = {
  tenantId: string
  month: string
  /** The id of a line of this statement; later ones are listed. */
  after: string | null
  limit: number
}

/** Oldest first; null when `after` is no line of this lender's. */
export async function listBooked(
  queries: Queries,
  { tenantId, month, after, limit }: BookedWanted,
): Promise<BookedLine[] | null> {
  const mark = after === null ? null : await findMark(queries, { tenantId, id: after })
  if (after !== null && mark === null) return null
  const rows = await queries.all<BookedRow>(
    `SELECT line.id, line.kind, ${itemOf('line')} AS item, line.credits, report_id, external_reference, line.created_at_ms,
       line.reason, agencies_asked, agencies_delivered
     FROM wallet_line line LEFT JOIN credit_report ON credit_report.id = report_id
     WHERE line.tenant_id = ? AND kind IN ('capture', 'top-up') AND line.created_at_ms >= ? AND line.created_at_ms < ?
       ${mark === null ? '' : 'AND (line.created_at_ms, sequence) > (?, ?)'}
     ORDER BY line.created_at_ms, sequence LIMIT ?`,
    tenantId,
    monthStart(month),
    monthStart(month, 1),
    ...(mark === null ? [] : [mark.created_at_ms, mark.sequence]),
    limit,
  )
  return rows.map(({ agencies_asked: asked, agencies_delivered: delivered, ...row }) => ({
    id: row.id,
    item: Item.parse(row.item),
    credits: row.kind === 'capture' ? -row.credits : row.credits,
    creditReportId: row.report_id,
    externalReference: row.external_reference,
    createdAtMs: row.created_at_ms,
    reason: row.reason,
    agencies: asked === null || delivered === null ? null : { asked, delivered },
  }))
}

type BookedRow = WalletLineRow & { item: string; external_reference: string | null }

function findMark(queries: Queries, { tenantId, id }: { tenantId: string; id: string }) {
  return queries.first<Pick<WalletLineRow, 'created_at_ms' | 'sequence'>>(
    'SELECT created_at_ms, sequence FROM wallet_line WHERE id = ? AND tenant_id = ?',
    id,
    tenantId,
  )
}

const PAGE_LINES = 1_000

/** Every line of a month, a page at a time: what reads it has one page in memory. */
export async function* walkBooked(
  queries: Queries,
  wanted: { tenantId: string; month: string },
): AsyncGenerator<BookedLine[]> {
  for (let after: string | null = null; ; ) {
    const lines: BookedLine[] = (await listBooked(queries, { ...wanted, after, limit: PAGE_LINES })) ?? []
    if (lines.length > 0) yield lines
    if (lines.length < PAGE_LINES) return
    after = lines.at(-1)?.id ?? null
  }
}

export type OpenHold = {
  id: string
  purpose: 'report' | 'sms'
  credits: number
  creditReportId: string
  externalReference: string | null
  createdAtMs: number
}

type HoldsWanted = {
  tenantId: string
  /** The id of a hold of this lender's; younger ones are listed. */
  after: string | null
  limit: number
}

/**
 * What is held now, oldest first; null when `after` is no line of this lender's. Found from the reports and texts in progress of the
 * installation, of which there are some minutes' worth: the ledger has no end to look at. (The sum with '' keeps SQLite from walking a lender's
 * every report instead.)
 */
export async function listHolds(queries: Queries, { tenantId, after, limit }: HoldsWanted): Promise<OpenHold[] | null> {
  const mark = after === null ? null : await findMark(queries, { tenantId, id: after })
  if (after !== null && mark === null) return null
  const values: SqlValue[] = [tenantId, tenantId, ...(mark === null ? [] : [mark.created_at_ms, mark.sequence]), limit]
  const rows = await queries.all<WalletLineRow & { external_reference: string | null }>(
    `SELECT hold.id, hold.purpose, hold.credits, hold.report_id, external_reference, hold.created_at_ms
     FROM (
       SELECT 'hold_report_' || id AS held_id FROM credit_report
       WHERE test = 0 AND status IN ('pending', 'challenged') AND tenant_id || '' = ?
       UNION ALL SELECT 'hold_sms_' || id FROM text_message WHERE status IN ('queued', 'accepted') AND tenant_id || '' = ?
     ) AS open JOIN wallet_line hold ON hold.id = held_id LEFT JOIN credit_report ON credit_report.id = hold.report_id
     WHERE NOT EXISTS (SELECT 1 FROM wallet_line settled WHERE settled.hold_id = hold.id)
       ${mark === null ? '' : 'AND (hold.created_at_ms, hold.sequence) > (?, ?)'}
     ORDER BY hold.created_at_ms, hold.sequence LIMIT ?`,
    ...values,
  )
  return rows.map((row) => ({
    id: row.id,
    purpose: row.purpose === 'sms' ? 'sms' : 'report',
    credits: row.credits,
    creditReportId: row.report_id ?? '',
    externalReference: row.external_reference,
    createdAtMs: row.created_at_ms,
  }))
}

export type SpendRate = {
  spentThisMonthCredits: number
  creditsPerDay: number
  /** The whole days of the time that the rate is of. */
  days: number
}

/** This month and the one before, or since the wallet's first line where that is later. */
export async function readRate(queries: Queries, tenantId: string, nowMs: number): Promise<SpendRate> {
  const [thisMonth, lastMonth] = [monthOf(nowMs), monthOf(nowMs, -1)]
  const [now, before, first] = await Promise.all([
    readMonth(queries, { tenantId, month: thisMonth }),
    readMonth(queries, { tenantId, month: lastMonth }),
    queries.first<Pick<WalletLineRow, 'created_at_ms'>>(
      'SELECT created_at_ms FROM wallet_line WHERE tenant_id = ? ORDER BY sequence LIMIT 1',
      tenantId,
    ),
  ])
  const sinceMs = Math.max(monthStart(lastMonth), first?.created_at_ms ?? nowMs)
  const days = Math.max(1, (nowMs - sinceMs) / DAY_MS)
  const spentThisMonthCredits = spentOf(now)
  return {
    spentThisMonthCredits,
    creditsPerDay: Math.max(0, spentThisMonthCredits + spentOf(before)) / days,
    days: Math.round(days),
  }
}
