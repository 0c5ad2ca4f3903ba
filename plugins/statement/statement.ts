// A lender's payments and charges of a month. Only top-ups and captures are on it: a hold is no charge, and what is
// released was never one. So a statement is about balance and held credits together:
//
//   opening (the months before) + lines of the month = closing      of which held: the report or text is still in progress
import * as z from 'zod/mini'
import { STATEMENT_ITEMS, type StatementItem } from '../../contract/statement.ts'
import { DAY_MS } from '../../kit/clock.ts'
import { addDays, type Days, londonDate, startOfDay } from '../../kit/london.ts'
import type { AgencyCount } from '../../service/ledger/ledger.ts'
import type { WalletLineRow } from '../../service/ledger/tables.ts'
import type { Queries, SqlValue } from '../../service/store/database.ts'
import { itemOf, type WalletDayRow } from './tables.ts'

const Item = z.enum(STATEMENT_ITEMS)

/** The first millisecond of a UK month such as `2026-11`. */
export function monthStart(month: string): number {
  return startOfDay(firstDayOf(month))
}

/** `add`: so many months later. */
export function monthOf(timeMs: number, add = 0): string {
  return addMonths(londonDate(timeMs).slice(0, 'YYYY-MM'.length), add)
}

function addMonths(month: string, add: number): string {
  const date = new Date(firstDayOf(month))
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + add)).toISOString().slice(0, 'YYYY-MM'.length)
}

const firstDayOf = (month: string) => `${month}-01`
const daysOf = (month: string): Days => ({ from: firstDayOf(month), to: addDays(firstDayOf(addMonths(month, 1)), -1) })

type MonthItem = { item: StatementItem; lines: number; credits: number }

/** `credits`: what the day's lines add up to. `spentCredits`: charged, less what was given back of it. */
export type DaySum = { day: string; lines: number; credits: number; spentCredits: number }

export type MonthTotals = {
  month: string
  /** Balance and held credits together, when the month began. */
  openingCredits: number
  closingCredits: number
  /** Of the closing, what was held for reports and texts in progress. */
  heldCredits: number
  /** Those there is a line of. */
  items: MonthItem[]
  /** Those with a line, first to last. */
  days: DaySum[]
}

type Sums = Pick<WalletDayRow, 'day' | 'item' | 'lines' | 'credits'>

/** Reads a handful of rows for each day there has been, whatever the number of lines. */
export async function readMonth(
  queries: Queries,
  { tenantId, month }: { tenantId: string; month: string },
): Promise<MonthTotals> {
  const { from, to } = daysOf(month)
  const before = await queries.first<{ credits: number; held: number }>(
    `SELECT CAST(COALESCE(SUM(CASE WHEN day < ? THEN credits ELSE 0 END), 0) AS BIGINT) AS credits,
       CAST(COALESCE(SUM(held_credits), 0) AS BIGINT) AS held FROM wallet_day WHERE tenant_id = ? AND day <= ?`,
    from,
    tenantId,
    to,
  )
  const rows = await readRows(queries, { tenantId, from, to })
  const sum = (of: readonly Sums[], what: 'lines' | 'credits') => of.reduce((total, row) => total + row[what], 0)
  const openingCredits = before?.credits ?? 0
  return {
    month,
    openingCredits,
    closingCredits: openingCredits + sum(rows, 'credits'),
    heldCredits: before?.held ?? 0,
    items: STATEMENT_ITEMS.map((item) => {
      const own = rows.filter((row) => row.item === item)
      return { item, lines: sum(own, 'lines'), credits: sum(own, 'credits') }
    }).filter(({ lines }) => lines > 0),
    days: sumDays(rows),
  }
}

/** The sums of each UK day with a line, first to last. */
export async function readDays(queries: Queries, wanted: { tenantId: string } & Days): Promise<DaySum[]> {
  return sumDays(await readRows(queries, wanted))
}

/** The spending of each UK day with a line, first to last. */
export async function readSpending(queries: Queries, wanted: { tenantId: string } & Days) {
  return (await readDays(queries, wanted)).map(({ day, spentCredits }) => ({ day, credits: spentCredits }))
}

function readRows(queries: Queries, { tenantId, from, to }: { tenantId: string } & Days): Promise<Sums[]> {
  const sql =
    'SELECT day, item, lines, credits FROM wallet_day WHERE tenant_id = ? AND day BETWEEN ? AND ? AND lines > 0 ORDER BY day'
  return queries.all<Sums>(sql, tenantId, from, to)
}

function sumDays(rows: readonly Sums[]): DaySum[] {
  const days = new Map<string, DaySum>()
  for (const { day, item, lines, credits } of rows) {
    const sum = days.get(day) ?? { day, lines: 0, credits: 0, spentCredits: 0 }
    sum.lines += lines
    sum.credits += credits
    if (item !== 'top-up' && item !== 'correction') sum.spentCredits -= credits
    days.set(day, sum)
  }
  return [...days.values()]
}

export function spentOf(days: readonly DaySum[]): number {
  return days.reduce((sum, { spentCredits }) => sum + spentCredits, 0)
}

/** The UK months with lines, newest first. */
export async function listMonths(queries: Queries, tenantId: string): Promise<string[]> {
  const rows = await queries.all<{ month: string }>(
    'SELECT DISTINCT substr(day, 1, 7) AS month FROM wallet_day WHERE tenant_id = ? ORDER BY month DESC',
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
  // One lower bound: with two, SQLite may choose the month's and read a long month from its beginning for each page.
  const beginning = { created_at_ms: monthStart(month), sequence: 0 }
  const from = mark !== null && mark.created_at_ms >= beginning.created_at_ms ? mark : beginning
  const rows = await queries.all<BookedRow>(
    `SELECT line.id, line.kind, ${itemOf('line')} AS item, line.credits, report_id, external_reference, line.created_at_ms,
       line.reason, agencies_asked, agencies_delivered
     FROM wallet_line line LEFT JOIN credit_report ON credit_report.id = report_id
     WHERE line.tenant_id = ? AND kind IN ('capture', 'top-up')
       AND (line.created_at_ms, sequence) > (?, ?) AND line.created_at_ms < ?
     ORDER BY line.created_at_ms, sequence LIMIT ?`,
    tenantId,
    from.created_at_ms,
    from.sequence,
    monthStart(addMonths(month, 1)),
    limit,
  )
  return rows.map(toBooked)
}

function toBooked(row: BookedRow): BookedLine {
  const { agencies_asked: asked, agencies_delivered: delivered } = row
  return {
    id: row.id,
    item: Item.parse(row.item),
    credits: row.kind === 'capture' ? -row.credits : row.credits,
    creditReportId: row.report_id,
    externalReference: row.external_reference,
    createdAtMs: row.created_at_ms,
    reason: row.reason,
    agencies: asked === null || delivered === null ? null : { asked, delivered },
  }
}

type BookedRow = WalletLineRow & { item: string; external_reference: string | null }

function findMark(queries: Queries, { tenantId, id }: { tenantId: string; id: string }) {
  return queries.first<Pick<WalletLineRow, 'created_at_ms' | 'sequence'>>(
    'SELECT created_at_ms, sequence FROM wallet_line WHERE id = ? AND tenant_id = ?',
    id,
    tenantId,
  )
}

/** Read in a few milliseconds: SQLite reads on the thread that answers requests. */
const PAGE_LINES = 100

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
  purpose: 'report' | 'text'
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
 * The open holds, oldest first; null when `after` is no line of this lender's. Found from the reports and texts in
 * progress of the installation, of which there are some minutes' worth: the ledger has no end to look at. (The sum with
 * '' keeps SQLite from walking a lender's every report instead.)
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
       UNION ALL SELECT 'hold_text_' || id FROM text_message WHERE status IN ('queued', 'accepted') AND tenant_id || '' = ?
     ) AS open JOIN wallet_line hold ON hold.id = held_id LEFT JOIN credit_report ON credit_report.id = hold.report_id
     WHERE NOT EXISTS (SELECT 1 FROM wallet_line settled WHERE settled.hold_id = hold.id)
       ${mark === null ? '' : 'AND (hold.created_at_ms, hold.sequence) > (?, ?)'}
     ORDER BY hold.created_at_ms, hold.sequence LIMIT ?`,
    ...values,
  )
  return rows.map((row) => ({
    id: row.id,
    purpose: row.purpose === 'text' ? 'text' : 'report',
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
  const now = await readDays(queries, { tenantId, ...daysOf(thisMonth) })
  const before = await readDays(queries, { tenantId, ...daysOf(lastMonth) })
  const first = await queries.first<Pick<WalletLineRow, 'created_at_ms'>>(
    'SELECT created_at_ms FROM wallet_line WHERE tenant_id = ? ORDER BY sequence LIMIT 1',
    tenantId,
  )
  const sinceMs = Math.max(monthStart(lastMonth), first?.created_at_ms ?? nowMs)
  const days = Math.max(1, (nowMs - sinceMs) / DAY_MS)
  const spentThisMonthCredits = spentOf(now)
  return {
    spentThisMonthCredits,
    creditsPerDay: Math.max(0, spentThisMonthCredits + spentOf(before)) / days,
    days: Math.round(days),
  }
}
