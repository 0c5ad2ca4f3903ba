// The state of reports, for callers who missed an answer. Read-only: what has expired is reported so before the sweeper
// marks it.

import type { Match } from '../../contract/credit-report.ts'
import { ATTEMPTS_MAX, SENDS_MAX } from '../../contract/limits.ts'
import type { ReportList, ReportListItem, ReportListQuery } from '../../contract/report-list.ts'
import type { OpenChallenge, ReportState } from '../../contract/report-state.ts'
import { shortReference } from '../../contract/short-reference.ts'
import { addDays, startOfDay } from '../../kit/london.ts'
import { isId } from '../../kit/new-id.ts'
import { unknownCursor, validationError } from '../http/api-error.ts'
import type { TenantAccount } from '../ledger/tenants.ts'
import type { Queries } from '../store/database.ts'
import { pageOf } from '../store/rows.ts'
import { expiresAtMs, expiresInSeconds, isExpired, type Moment } from './challenge.ts'
import { type CheckOptions, matchOf, momentOf, type ReportAnswer, requireAccount } from './check-options.ts'
import { openReport, reportNotFound } from './content.ts'
import { findByShortReference, listReports, listReportsBy, type Page, type Times } from './list-reports.ts'
import { agenciesOf, findReport, findSealed, isAtWork, reasonOf, type StoredReport } from './store.ts'

type Status = ReportState['status']

export async function readReport(
  options: Pick<CheckOptions, 'database' | 'clock' | 'keys' | 'settings'>,
  { tenantId, creditReportId }: { tenantId: string; creditReportId: string },
): Promise<ReportAnswer<ReportListItem & { challenge?: OpenChallenge; match?: Match }>> {
  const { database, clock, keys, settings } = options
  const tenant = await requireAccount(database, tenantId, settings)
  const report = await findReport(database, { tenantId, creditReportId })
  if (report === null || report.erasedAtMs !== null) throw reportNotFound()
  const moment = momentOf(options, tenant, report)
  const item = describe(report, moment, clock())
  const sealed = item.status === 'complete' ? await findSealed(database, creditReportId) : null
  const reportJson = sealed && openReport(keys.reports, report, sealed)
  const isOpen = item.status === 'authentication-required'
  const data = isOpen
    ? { ...item, challenge: openChallengeOf(report, moment) }
    : { ...item, ...(item.status === 'complete' ? matchOf(report) : {}) }
  const left = isOpen ? expiresInSeconds(report.challenge, moment) : null
  return { data, reportJson, wallet: null, expiresInSeconds: left }
}

/** Why a report has no content to show. */
export type NoContent = 'erased' | 'not complete' | 'closed'

/** The content of a complete report, as JSON, or why there is none; null without such a report. */
export async function readContent(
  { database, keys }: Pick<CheckOptions, 'database'> & { keys: Pick<CheckOptions['keys'], 'reports'> },
  place: { tenantId: string; creditReportId: string },
): Promise<{ reportJson: string; test: boolean } | NoContent | null> {
  const report = await findReport(database, place)
  if (report === null) return null
  if (report.erasedAtMs !== null) return 'erased'
  if (report.status !== 'complete') return 'not complete'
  const sealed = await findSealed(database, place.creditReportId)
  if (sealed === null) return 'closed'
  return { reportJson: openReport(keys.reports, report, sealed), test: report.test }
}

export async function readReports(
  options: Pick<CheckOptions, 'database' | 'clock' | 'settings'>,
  {
    tenantId,
    isTestOnly,
    externalReference,
    reference,
    after,
    limit,
    from,
    to,
    ...filter
  }: ReportListQuery & {
    tenantId: string
    /** Test checks alone. */
    isTestOnly?: boolean
  },
): Promise<ReportList> {
  const { database, clock, settings } = options
  if (after !== undefined && !isId(after)) {
    throw unknownCursor()
  }
  const isReferenced = (externalReference ?? reference) !== undefined
  if (isTestOnly && !isReferenced) filter.test = true
  const isFiltered = Object.values(filter).some((each) => each !== undefined)
  if (isFiltered && isReferenced) {
    const expected = 'cannot be combined with status, reason or test'
    throw validationError([{ path: reference === undefined ? 'externalReference' : 'reference', expected }])
  }
  if (from !== undefined && to !== undefined && from > to) {
    throw validationError([{ path: 'to', expected: 'must not be before `from`' }])
  }
  const tenant = await requireAccount(database, tenantId, settings)
  const made = {
    ...(from !== undefined && { fromMs: startOfDay(from) }),
    ...(to !== undefined && { beforeMs: startOfDay(addDays(to, 1)) }),
  }
  const page = { tenantId, after: after ?? null, made, limit: limit + 1 }
  const nowMs = clock()
  const moments = momentsOf(options, tenant)
  const found =
    reference !== undefined
      ? (await findByShortReference(database, { ...page, reference })).filter((report) => isOnPage(report, page))
      : isFiltered
        ? await listReportsBy(database, page, { filter, times: { moments, nowMs } })
        : await listReports(database, { ...page, externalReference: externalReference ?? null })
  const { rows, last } = pageOf(found, limit)
  const seen = isTestOnly ? rows.filter(({ test }) => test) : rows
  const creditReports = seen.map((report) => describe(report, momentIn(moments, report), nowMs))
  return { creditReports, ...(last && { nextAfter: last.creditReportId }) }
}

/** For test-only credentials, which cannot see live reports. */
export function createTestReportGuard(database: Queries) {
  return async (name: { tenantId: string; creditReportId: string }): Promise<void> => {
    const report = isId(name.creditReportId) ? await findReport(database, name) : null
    if (report?.test === false) throw reportNotFound()
  }
}

/** Reports that another query found, as entries of a list. */
export async function readListed(
  options: Pick<CheckOptions, 'database' | 'clock' | 'settings'>,
  tenantId: string,
  reports: readonly StoredReport[],
): Promise<ReportListItem[]> {
  const moments = momentsOf(options, await requireAccount(options.database, tenantId, options.settings))
  return reports.map((report) => describe(report, momentIn(moments, report), options.clock()))
}

function momentsOf(options: Pick<CheckOptions, 'clock' | 'settings'>, tenant: TenantAccount): Times['moments'] {
  return { live: momentOf(options, tenant, { test: false }), test: momentOf(options, tenant, { test: true }) }
}

function momentIn({ live, test }: Times['moments'], report: StoredReport): Moment {
  return report.test ? test : live
}

function isOnPage(
  { creditReportId, createdAtMs, erasedAtMs }: StoredReport,
  { after, made: { fromMs = 0, beforeMs = Number.POSITIVE_INFINITY } = {} }: Pick<Page, 'after' | 'made'>,
): boolean {
  if (erasedAtMs !== null || (after !== null && creditReportId >= after)) return false
  return createdAtMs >= fromMs && createdAtMs < beforeMs
}

/** As an entry of a list. `moment` is the challenge's time, `nowMs` the time of leases. */
export function describe(report: StoredReport, moment: Moment, nowMs: number): ReportListItem {
  const { creditReportId, test, externalReference, createdAtMs, challengeId } = report
  const status = statusOf(report, moment, nowMs)
  const endedAtMs = report.endedAtMs ?? (status === 'expired' ? expiresAtMs(report.challenge, moment.lifetimeMs) : null)
  const challengeType = challengeId !== null ? 'otp' : status === 'complete' ? 'none' : null
  const reason = reasonOf(report, status)
  return {
    creditReportId,
    reference: shortReference(creditReportId),
    status,
    ...(reason && { reason }),
    ...(challengeType === null ? {} : { challengeType }),
    ...(externalReference === null ? {} : { externalReference }),
    test,
    // In test mode they are known before the code is given.
    ...(status === 'complete' ? agenciesOf(report) : {}),
    createdAt: timeOf(createdAtMs),
    ...(endedAtMs === null ? {} : { endedAt: timeOf(endedAtMs) }),
  }
}

function statusOf(report: StoredReport, moment: Moment, nowMs: number): Status {
  if (report.status !== 'challenged') return report.status
  // Between the right code and the bureaus' answers: nothing more is asked of the consumer.
  if (isAtWork(report, nowMs)) return 'pending'
  return isExpired(report.challenge, moment) ? 'expired' : 'authentication-required'
}

function openChallengeOf({ challengeId, challenge }: StoredReport, { lifetimeMs }: Moment): OpenChallenge {
  return {
    challengeId: challengeId ?? '',
    attemptsRemaining: ATTEMPTS_MAX - challenge.attempts,
    textsRemaining: SENDS_MAX - challenge.sentAtMs.length,
    expiresAt: timeOf(expiresAtMs(challenge, lifetimeMs)),
  }
}

function timeOf(timeMs: number): string {
  return new Date(timeMs).toISOString()
}
