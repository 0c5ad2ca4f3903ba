// Reports and their challenges in the database. Whatever changes one says in its WHERE what it was: of two that race,
// one finds it changed already.
import { type AgencyAnswer, MATCHES, type Match } from '../../contract/credit-report.ts'
import type { Ending, ReportReason } from '../../contract/report-list.ts'
import type { ReportState } from '../../contract/report-state.ts'
import { shortReference } from '../../contract/short-reference.ts'
import type { Sealed } from '../../kit/seal.ts'
import type { Queries } from '../store/database.ts'
import { type Challenge, endedAtMs, endingOf, isOpen, type Moment } from './challenge.ts'
import { addMove, type History } from './history.ts'
import type { ReportRow, SealedRow } from './tables.ts'

type ReportStatus = 'pending' | 'challenged' | 'complete' | 'blocked' | 'failed' | 'expired'

export type StoredReport = {
  creditReportId: string
  tenantId: string
  test: boolean
  status: ReportStatus
  /** While pending or verified: until when a worker has it. */
  leaseUntilMs: number | null
  challengeId: string | null
  /** Meaningful once there is a challenge. */
  challenge: Challenge
  externalReference: string | null
  /** Of a complete report; null until then. */
  agencies: readonly AgencyAnswer[] | null
  /** Null where no one was asked. */
  match: Match | null
  createdAtMs: number
  /** Null while it is in progress. */
  endedAtMs: number | null
  /** Its ending; null while it is open. */
  ending: Ending | null
  /** Of the generate; null once it was erased. */
  requestId: string | null
  history: History
  erasedAtMs: number | null
}

type NewReport = Pick<
  StoredReport,
  'creditReportId' | 'tenantId' | 'test' | 'externalReference' | 'requestId' | 'history'
> & {
  nowMs: number
  /** In test mode it is known at once. @default null */
  match?: Match | null
} & (
    | { status: 'pending'; leaseUntilMs: number }
    | { status: 'complete'; agencies: readonly AgencyAnswer[] }
    | { status: 'blocked' }
    // In test mode the report is made before the code is given.
    | { status: 'challenged'; challengeId: string; challenge: Challenge; agencies: readonly AgencyAnswer[] }
  )

type Leased = { creditReportId: string; leaseUntilMs: number }

export async function insertReport(queries: Queries, report: NewReport): Promise<void> {
  const challenged = report.status === 'challenged'
  await queries.run(
    `INSERT INTO credit_report
       (id, tenant_id, test, status, lease_until_ms, challenge_id, sends, sent_1_at_ms, device_verified, created_at_ms,
        external_reference, ended_at_ms, ending, agencies, number_match, short_reference, request_id, history)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    report.creditReportId,
    report.tenantId,
    report.test ? 1 : 0,
    report.status,
    report.status === 'pending' ? report.leaseUntilMs : null,
    challenged ? report.challengeId : null,
    challenged ? 1 : 0,
    challenged ? (report.challenge.sentAtMs[0] ?? null) : null,
    challenged && !report.challenge.deviceVerified ? 0 : 1,
    report.nowMs,
    report.externalReference,
    report.status === 'complete' || report.status === 'blocked' ? report.nowMs : null,
    report.status === 'complete' ? 'complete' : report.status === 'blocked' ? 'risk' : null,
    'agencies' in report ? JSON.stringify(report.agencies) : null,
    report.match ?? null,
    shortReference(report.creditReportId),
    report.requestId,
    JSON.stringify(report.history),
  )
}

export async function findReport(
  queries: Queries,
  { tenantId, creditReportId }: { tenantId: string; creditReportId: string },
): Promise<StoredReport | null> {
  const row = await queries.first<ReportRow>(
    'SELECT * FROM credit_report WHERE id = ? AND tenant_id = ?',
    creditReportId,
    tenantId,
  )
  return row === null ? null : toReport(row)
}

/** Leases a pending report to its next worker; null while another lease runs, or when it is no longer pending. */
export async function takeOver(
  queries: Queries,
  { creditReportId, nowMs, leaseUntilMs }: Leased & { nowMs: number },
): Promise<Pick<StoredReport, 'requestId'> | null> {
  const row = await queries.first<Pick<ReportRow, 'request_id'>>(
    `UPDATE credit_report SET lease_until_ms = ? WHERE id = ? AND status = 'pending' AND lease_until_ms < ?
     RETURNING request_id`,
    leaseUntilMs,
    creditReportId,
    nowMs,
  )
  return row && { requestId: row.request_id }
}

/** Another worker took the report or moved its challenge first: nothing of ours may be written. */
export class LostRace extends Error {}

/** False when another worker was first: then nothing was written. */
export async function won(work: Promise<unknown>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    if (error instanceof LostRace) return false
    throw error
  }
}

const unlessTooLate = { error: () => new LostRace() }

type Settled = {
  nowMs: number
  /** @default what is there stays */
  history?: History
} & (
  | { status: 'complete'; agencies: readonly AgencyAnswer[]; match: Match | null }
  | { status: 'blocked' }
  | { status: 'failed'; reason: ReportReason }
)

/** Ends the work on a pending report, or throws `LostRace`. */
export async function settlePending(
  queries: Queries,
  { creditReportId, leaseUntilMs, ...settled }: Leased & Settled,
): Promise<void> {
  await queries.must(
    unlessTooLate,
    `UPDATE credit_report SET status = ?, lease_until_ms = NULL, ended_at_ms = ?, ending = ?, agencies = ?, number_match = ?,
       history = COALESCE(?, history) WHERE id = ? AND status = 'pending' AND lease_until_ms = ?`,
    settled.status,
    settled.nowMs,
    settled.status === 'complete' ? 'complete' : settled.status === 'blocked' ? 'risk' : settled.reason,
    settled.status === 'complete' ? JSON.stringify(settled.agencies) : null,
    settled.status === 'complete' ? settled.match : null,
    settled.history ? JSON.stringify(settled.history) : null,
    creditReportId,
    leaseUntilMs,
  )
}

type Challenged = { challengeId: string; challenge: Challenge; match: Match | null; history: History }

/** Opens the challenge of a pending report, or throws `LostRace`. */
export async function challengePending(
  queries: Queries,
  { creditReportId, leaseUntilMs, challengeId, challenge, match, history }: Leased & Challenged,
): Promise<void> {
  await queries.must(
    unlessTooLate,
    `UPDATE credit_report SET status = 'challenged', lease_until_ms = NULL, challenge_id = ?, sends = 1, sent_1_at_ms = ?,
       device_verified = ?, number_match = ?, history = ? WHERE id = ? AND status = 'pending' AND lease_until_ms = ?`,
    challengeId,
    challenge.sentAtMs[0] ?? null,
    challenge.deviceVerified ? 1 : 0,
    match,
    JSON.stringify(history),
    creditReportId,
    leaseUntilMs,
  )
}

type Move = { was: StoredReport; next: Challenge; moment: Moment; leaseUntilMs?: number | null }

/**
 * Moves an open challenge from how it `was` to `next`, unless another guess, text, worker or sweep came first: then it
 * throws `LostRace`, and nothing is written. This one statement is why any number of parallel guesses count exactly
 * three. With `leaseUntilMs` the work on a verified challenge is the caller's until then.
 */
export async function moveChallenge(queries: Queries, { was, next, moment, leaseUntilMs = null }: Move): Promise<void> {
  const [, second = null, third = null] = next.sentAtMs
  await queries.must(
    unlessTooLate,
    `UPDATE credit_report SET status = ?, attempts = ?, sends = ?, sent_2_at_ms = ?, sent_3_at_ms = ?, completed_send = ?,
       lease_until_ms = ?, ended_at_ms = ?, ending = ?, history = ?
     WHERE id = ? AND status = 'challenged' AND attempts = ? AND sends = ? AND COALESCE(completed_send, 0) = ?
       AND COALESCE(lease_until_ms, 0) = ?`,
    isOpen(next) ? 'challenged' : next.status,
    next.attempts,
    next.sentAtMs.length,
    second,
    third,
    next.verifiedSend,
    leaseUntilMs,
    endedAtMs(next, moment),
    endingOf(next),
    JSON.stringify(addMove(was.history, { was: was.challenge, next, nowMs: moment.nowMs })),
    was.creditReportId,
    was.challenge.attempts,
    was.challenge.sentAtMs.length,
    was.challenge.verifiedSend ?? 0,
    was.leaseUntilMs ?? 0,
  )
}

/** A right code has come and the bureaus are being asked: until that is over, nothing else moves the challenge. */
export function isAtWork({ status, leaseUntilMs }: StoredReport, nowMs: number): boolean {
  return status === 'challenged' && leaseUntilMs !== null && leaseUntilMs >= nowMs
}

type Completed = { agencies: readonly AgencyAnswer[]; history: History; nowMs: number }

/** Completes a verified challenge; throws `LostRace` when another worker took the lease, or the report was erased. */
export async function completeVerified(
  queries: Queries,
  { creditReportId, leaseUntilMs, agencies, history, nowMs }: Leased & Completed,
): Promise<void> {
  await queries.must(
    unlessTooLate,
    `UPDATE credit_report SET status = 'complete', lease_until_ms = NULL, ended_at_ms = ?, ending = 'complete', agencies = ?, history = ?
     WHERE id = ? AND status = 'challenged' AND lease_until_ms = ?`,
    nowMs,
    JSON.stringify(agencies),
    JSON.stringify(history),
    creditReportId,
    leaseUntilMs,
  )
}

/** Moves the end of a lease; false when it is no longer ours. */
export async function renewLease(
  queries: Queries,
  { creditReportId, leaseUntilMs, nextMs }: Leased & { nextMs: number },
): Promise<boolean> {
  const changed = await queries.run(
    `UPDATE credit_report SET lease_until_ms = ?
     WHERE id = ? AND status IN ('pending', 'challenged') AND lease_until_ms = ?`,
    nextMs,
    creditReportId,
    leaseUntilMs,
  )
  return changed === 1
}

/** Resets the state, so that the next right code begins the work again. */
export async function endWork(
  queries: Queries,
  { creditReportId, leaseUntilMs, history }: Leased & { history: History },
): Promise<void> {
  await queries.run(
    `UPDATE credit_report SET lease_until_ms = NULL, history = ?
     WHERE id = ? AND status = 'challenged' AND lease_until_ms = ?`,
    JSON.stringify(history),
    creditReportId,
    leaseUntilMs,
  )
}

export async function insertSealed(
  queries: Queries,
  { creditReportId, wrappedKey, content }: Sealed & { creditReportId: string },
): Promise<void> {
  await queries.run(
    'INSERT INTO sealed_report (report_id, wrapped_key, content) VALUES (?, ?, ?)',
    creditReportId,
    wrappedKey,
    content,
  )
}

/** The report takes the place of what the bureaus were asked about. */
export async function replaceSealed(
  queries: Queries,
  { creditReportId, wrappedKey, content }: Sealed & { creditReportId: string },
): Promise<void> {
  const sql = 'UPDATE sealed_report SET wrapped_key = ?, content = ? WHERE report_id = ?'
  const unless = { error: () => new Error('a verified challenge has no sealed consumer') }
  await queries.must(unless, sql, wrappedKey, content, creditReportId)
}

export async function deleteSealed(queries: Queries, creditReportId: string): Promise<void> {
  await queries.run('DELETE FROM sealed_report WHERE report_id = ?', creditReportId)
}

/** Null once the report has been erased or its time is over, and when its challenge failed or expired. */
export async function findSealed(queries: Queries, creditReportId: string): Promise<Sealed | null> {
  const row = await queries.first<SealedRow>(
    'SELECT wrapped_key, content FROM sealed_report WHERE report_id = ?',
    creditReportId,
  )
  return row === null ? null : { wrappedKey: row.wrapped_key, content: row.content }
}

/** True while anything is kept of the person or the report. */
export async function hasSealed(queries: Queries, creditReportId: string): Promise<boolean> {
  return (await queries.first('SELECT 1 AS one FROM sealed_report WHERE report_id = ?', creditReportId)) !== null
}

/** As a field of an answer, or no field. */
export function agenciesOf({ agencies }: Pick<StoredReport, 'agencies'>): { agencies?: AgencyAnswer[] } {
  return agencies === null ? {} : { agencies: [...agencies] }
}

export function toReport(row: ReportRow): StoredReport {
  const status = row.status as ReportStatus
  return {
    creditReportId: row.id,
    tenantId: row.tenant_id,
    test: row.test === 1,
    status,
    leaseUntilMs: row.lease_until_ms,
    challengeId: row.challenge_id,
    challenge: {
      status: status === 'complete' || status === 'failed' || status === 'expired' ? status : 'open',
      attempts: row.attempts,
      sentAtMs: [row.sent_1_at_ms, row.sent_2_at_ms, row.sent_3_at_ms].flatMap((sentAtMs) => sentAtMs ?? []),
      verifiedSend: row.completed_send,
      deviceVerified: row.device_verified === 1,
    },
    externalReference: row.external_reference,
    // Written by us as this.
    agencies: row.agencies === null ? null : (JSON.parse(row.agencies) as AgencyAnswer[]),
    match: MATCHES.find((each) => each === row.number_match) ?? null,
    createdAtMs: row.created_at_ms,
    endedAtMs: row.ended_at_ms,
    requestId: row.request_id,
    ending: row.ending as Ending | null,
    history: JSON.parse(row.history) as History,
    erasedAtMs: row.erased_at_ms,
  }
}

/** Why a report ended without content; null for any other. An expired challenge has no ending until it is swept. */
export function reasonOf({ ending, challenge }: StoredReport, status: ReportState['status']): ReportReason | null {
  const known = ending ?? (status === 'expired' ? endingOf({ ...challenge, status }) : null)
  return known === 'complete' ? null : known
}
