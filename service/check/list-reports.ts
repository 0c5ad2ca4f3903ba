// Lists of a lender's reports. Each query is read off an index and ends where its page does.
import { SENDS_MAX } from '../../contract/limits.ts'
import { REASONS, type ReportReason } from '../../contract/report-list.ts'
import type { ReportState } from '../../contract/report-state.ts'
import { CLOCK_SKEW_MAX_MS, HOUR_MS } from '../../kit/clock.ts'
import { firstIdAt } from '../../kit/new-id.ts'
import type { Queries, SqlValue } from '../store/database.ts'
import type { Moment } from './challenge.ts'
import { type StoredReport, toReport } from './store.ts'
import { ENDING, type ReportRow } from './tables.ts'

export type ReportFilter = {
  status?: ReportState['status'] | undefined
  reason?: ReportReason | undefined
  test?: boolean | undefined
}

export type Page = {
  tenantId: string
  /** The id of a report; older ones are listed. */
  after: string | null
  /** Made at or after `fromMs` and before `beforeMs`. */
  made?: { fromMs?: number; beforeMs?: number }
  limit: number
}

/** Newest first, without those that were erased. `externalReference`: only those under it. */
export async function listReports(
  queries: Queries,
  { externalReference, ...page }: Page & { externalReference: string | null },
): Promise<StoredReport[]> {
  const ids = idsOf(page)
  const rows = await queries.all<ReportRow>(
    `SELECT * FROM credit_report WHERE tenant_id = ? ${externalReference === null ? '' : 'AND external_reference = ?'}
       ${ids.sql} AND erased_at_ms IS NULL ORDER BY id DESC LIMIT ?`,
    page.tenantId,
    ...(externalReference === null ? [] : [externalReference]),
    ...ids.values,
    page.limit,
  )
  return rows.map(toReport)
}

/** `moments`: the time by which challenges of either mode are judged; `nowMs`: the time of leases. */
export type Times = { moments: { live: Moment; test: Moment }; nowMs: number }

/** The same, of one mode, status or reason. Every part of the answer is a range of `credit_report_of_ending`. */
export async function listReportsBy(
  queries: Queries,
  page: Page,
  { filter, times }: { filter: ReportFilter; times: Times },
): Promise<StoredReport[]> {
  const ids = idsOf(page)
  const modes = filter.test === undefined ? [false, true] : [filter.test]
  const ranges = modes.flatMap((test) =>
    endingsOf(filter, times, test).map(({ ending, only = '', values = [] }) => ({
      sql: `SELECT * FROM (SELECT * FROM credit_report WHERE tenant_id = ? AND test = ? AND ${ENDING} = ?
        ${ids.sql} ${only} AND erased_at_ms IS NULL ORDER BY id DESC LIMIT ?) AS part`,
      values: [page.tenantId, test ? 1 : 0, ending, ...ids.values, ...values, page.limit],
    })),
  )
  if (ranges.length === 0) return []
  const rows = await queries.all<ReportRow>(
    `${ranges.map(({ sql }) => sql).join(' UNION ALL ')} ORDER BY id DESC LIMIT ?`,
    ...ranges.flatMap(({ values }) => values),
    page.limit,
  )
  return rows.map(toReport)
}

type Range = { ending: string; only?: string; values?: SqlValue[] }

const LAST_SENT = 'COALESCE(sent_3_at_ms, sent_2_at_ms, sent_1_at_ms)'

/**
 * A challenge that is open in the table may be answered, or over already: `statusOf` in read-report.ts says the same of
 * one report.
 */
function endingsOf({ status, reason }: ReportFilter, { moments, nowMs }: Times, test: boolean): Range[] {
  const moment = test ? moments.test : moments.live
  // Open reports are recent.
  const recent = firstIdAt(nowMs - SENDS_MAX * moment.lifetimeMs - HOUR_MS)
  const alive = [moment.nowMs - moment.lifetimeMs, moment.nowMs + CLOCK_SKEW_MAX_MS]
  const verified = reason === undefined ? '' : `AND completed_send IS ${reason === 'agencies' ? 'NOT NULL' : 'NULL'}`
  const inProgress = { only: 'AND id >= ? AND lease_until_ms >= ?', values: [recent, nowMs] }
  const waiting = {
    only: `AND id >= ? AND COALESCE(lease_until_ms, 0) < ? AND ${LAST_SENT} BETWEEN ? AND ?`,
    values: [recent, nowMs, ...alive],
  }
  const over = {
    only: `AND COALESCE(lease_until_ms, 0) < ? AND ${LAST_SENT} NOT BETWEEN ? AND ? ${verified}`,
    values: [nowMs, ...alive],
  }
  const ended = (endings: readonly ReportReason[]): Range[] =>
    endings.flatMap((ending) => (reason === undefined || reason === ending ? [{ ending }] : []))
  const expired = () => {
    const endings = ended(REASONS.expired)
    return endings.length === 0 ? [] : [...endings, { ending: 'challenged', ...over }]
  }
  const ranges: { readonly [each in ReportState['status']]: () => Range[] } = {
    pending: () => [{ ending: 'pending' }, { ending: 'challenged', ...inProgress }],
    'authentication-required': () => [{ ending: 'challenged', ...waiting }],
    complete: () => [{ ending: 'complete' }],
    blocked: () => ended(REASONS.blocked),
    failed: () => ended(REASONS.failed),
    expired,
  }
  const withReason = ['blocked', 'failed', 'expired'] as const
  if (reason !== undefined)
    return withReason.filter((each) => status === undefined || status === each).flatMap((each) => ranges[each]())
  if (status !== undefined) return ranges[status]()
  const all = ['pending', 'challenged', 'complete', ...Object.values(REASONS).flat()]
  return all.map((ending) => ({ ending }))
}

function idsOf({ after, made: { fromMs, beforeMs } = {} }: Pick<Page, 'after' | 'made'>): {
  sql: string
  values: string[]
} {
  const limits = [
    ...(after === null ? [] : [{ sql: 'AND id < ?', value: after }]),
    ...(fromMs === undefined ? [] : [{ sql: 'AND id >= ?', value: firstIdAt(fromMs) }]),
    ...(beforeMs === undefined ? [] : [{ sql: 'AND id < ?', value: firstIdAt(beforeMs) }]),
  ]
  return { sql: limits.map(({ sql }) => sql).join(' '), values: limits.map(({ value }) => value) }
}

export type Named = { tenantId: string; limit: number }

/** By what the consumer reads out. */
export async function findByShortReference(
  queries: Queries,
  { tenantId, reference, limit }: Named & { reference: string },
): Promise<StoredReport[]> {
  const found = await queries.all<ReportRow>(
    'SELECT * FROM credit_report WHERE tenant_id = ? AND short_reference = ? ORDER BY id DESC LIMIT ?',
    tenantId,
    reference,
    limit,
  )
  return found.map(toReport)
}
