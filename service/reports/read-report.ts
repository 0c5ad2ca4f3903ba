// The state of reports, for callers who missed an answer. Read-only: what has expired is reported so before the sweeper marks it.

import type { Match } from '../../contract/credit-report.ts'
import { ATTEMPTS_MAX, SENDS_MAX } from '../../contract/limits.ts'
import type { ReportList, ReportListItem, ReportListQuery } from '../../contract/report-list.ts'
import type { OpenChallenge, ReportState } from '../../contract/report-state.ts'
import { validationError } from '../http/api-error.ts'
import { isId } from '../store/new-id.ts'
import { expiresAtMs, expiresInSeconds, isExpired, type Moment } from './challenge.ts'
import { openReport, reportNotFound } from './content.ts'
import { matchOf, momentOf, type ReportAnswer, type ReportOptions, requireAccount } from './report-options.ts'
import { agenciesOf, findReport, findSealed, isAtWork, listReports, type StoredReport } from './store.ts'

type Status = ReportState['status']

export async function readReport(
  options: ReportOptions,
  { tenantId, creditReportId }: { tenantId: string; creditReportId: string },
): Promise<ReportAnswer<ReportListItem & { challenge?: OpenChallenge; match?: Match }>> {
  const { database, clock, keys, settings } = options
  const tenant = await requireAccount(database, tenantId, settings)
  const report = await findReport(database, { tenantId, creditReportId })
  if (report === null || report.isErased) throw reportNotFound()
  const moment = momentOf(options, tenant, report)
  const item = describe(report, moment, clock())
  const sealed = item.status === 'complete' ? await findSealed(database, creditReportId) : null
  const reportJson = sealed && openReport(keys.reports, report, sealed)
  const isOpen = item.status === 'authentication-required'
  const data = isOpen
    ? { ...item, challenge: openChallengeOf(report, moment) }
    : { ...item, ...(item.status === 'complete' ? matchOf(options, report) : {}) }
  const left = isOpen ? expiresInSeconds(report.challenge, moment) : null
  const wallet = { balance: tenant.balanceCredits, cost: 0 }
  return { data, reportJson, wallet, expiresInSeconds: left }
}

export async function readReports(
  options: Pick<ReportOptions, 'database' | 'clock' | 'settings'>,
  { tenantId, externalReference, after, limit }: ReportListQuery & { tenantId: string },
): Promise<ReportList> {
  const { database, clock, settings } = options
  if (after !== undefined && !isId(after)) {
    throw validationError([{ path: 'after', expected: 'must be the nextAfter of an earlier page' }])
  }
  const tenant = await requireAccount(database, tenantId, settings)
  // One more than asked for says whether there is an older page.
  const wanted = { tenantId, externalReference: externalReference ?? null, after: after ?? null, limit: limit + 1 }
  const found = await listReports(database, wanted)
  const creditReports = found
    .slice(0, limit)
    .map((report) => describe(report, momentOf(options, tenant, report), clock()))
  const nextAfter = found.length > limit ? creditReports.at(-1)?.creditReportId : undefined
  return { creditReports, ...(nextAfter === undefined ? {} : { nextAfter }) }
}

/** `moment` is the challenge's time, `nowMs` the time of leases. */
export function describe(report: StoredReport, moment: Moment, nowMs: number): ReportListItem {
  const { creditReportId, test, externalReference, createdAtMs, challengeId } = report
  const status = statusOf(report, moment, nowMs)
  const isUnderWay = status === 'pending' || status === 'authentication-required'
  const endedAtMs = report.endedAtMs ?? (status === 'expired' ? expiresAtMs(report.challenge, moment.lifetimeMs) : null)
  const challengeType = challengeId !== null ? 'otp' : status === 'complete' ? 'none' : null
  return {
    creditReportId,
    status,
    ...(challengeType === null ? {} : { challengeType }),
    ...(externalReference === null ? {} : { externalReference }),
    test,
    // In test mode they are known before the code is given.
    ...(status === 'complete' ? agenciesOf(report) : {}),
    createdAt: timeOf(createdAtMs),
    ...(isUnderWay ? {} : { endedAt: timeOf(endedAtMs ?? createdAtMs) }),
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
