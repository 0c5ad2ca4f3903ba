// How reports stand, for whoever missed the answer that said so. Reads only: what has expired unnoticed is said to have.

import { ATTEMPTS_MAX, SENDS_MAX } from '../../contract/limits.ts'
import type { ReportList, ReportListItem, ReportListQuery } from '../../contract/report-list.ts'
import type { OpenChallenge, ReportState } from '../../contract/report-state.ts'
import { validationError } from '../http/api-error.ts'
import { expiresAtMs, expiresInSeconds, isExpired, type Moment } from './challenge.ts'
import { openReport, reportNotFound } from './content.ts'
import { challengeNowMs, type ReportOptions, requireAccount } from './report-options.ts'
import { findReport, findSealed, isAtWork, listReports, type StoredReport } from './store.ts'

type Status = ReportState['status']

export type ReadAnswer = {
  /** Short of the report itself, which is a text by now. */
  data: ReportListItem & { challenge?: OpenChallenge }
  reportText: string | null
  balanceCredits: number
  expiresInSeconds: number | null
}

export async function readReport(
  { database, clock, keys, settings }: ReportOptions,
  { tenantId, creditReportId }: { tenantId: string; creditReportId: string },
): Promise<ReadAnswer> {
  const tenant = await requireAccount(database, tenantId, settings)
  const report = await findReport(database, { tenantId, creditReportId })
  if (report === null || report.isErased) throw reportNotFound()
  const moment = { nowMs: challengeNowMs(clock, report.test, tenant), lifetimeMs: settings.challengeLifetimeMs }
  const item = describe(report, moment, clock())
  const sealed = item.status === 'complete' ? await findSealed(database, creditReportId) : null
  const reportText = sealed && openReport(keys.reports, { tenantId, creditReportId }, sealed)
  const isOpen = item.status === 'authentication-required'
  const data = isOpen ? { ...item, challenge: openChallengeOf(report, moment) } : item
  const left = isOpen ? expiresInSeconds(report.challenge, moment) : null
  return { data, reportText, balanceCredits: tenant.balanceCredits, expiresInSeconds: left }
}

const CURSOR = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export async function readReports(
  { database, clock, settings }: Pick<ReportOptions, 'database' | 'clock' | 'settings'>,
  { tenantId, externalReference, after, limit }: ReportListQuery & { tenantId: string },
): Promise<ReportList> {
  if (after !== undefined && !CURSOR.test(after)) {
    throw validationError([{ path: 'after', expected: 'must be the nextAfter of an earlier page' }])
  }
  const tenant = await requireAccount(database, tenantId, settings)
  // One more than asked for says whether there is an older page.
  const wanted = { tenantId, externalReference: externalReference ?? null, after: after ?? null, limit: limit + 1 }
  const found = await listReports(database, wanted)
  const creditReports = found.slice(0, limit).map((report) => {
    const nowMs = challengeNowMs(clock, report.test, tenant)
    return describe(report, { nowMs, lifetimeMs: settings.challengeLifetimeMs }, clock())
  })
  const nextAfter = found.length > limit ? creditReports.at(-1)?.creditReportId : undefined
  return { creditReports, ...(nextAfter === undefined ? {} : { nextAfter }) }
}

/** `moment` is the challenge's time, `nowMs` the time of leases. */
export function describe(report: StoredReport, moment: Moment, nowMs: number): ReportListItem {
  const { id: creditReportId, test, externalReference, createdAtMs, challengeId } = report
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
