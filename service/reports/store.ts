// Reports and their challenges in the database. Whatever changes one says in its WHERE what it was: of two that race,
// one finds it changed already.
import type { Queries, Row } from '../store/database.ts'
import type { Challenge } from './challenge.ts'

export type ReportStatus = 'pending' | 'challenged' | 'complete' | 'blocked' | 'failed' | 'expired'

export type StoredReport = {
  id: string
  tenantId: string
  test: boolean
  status: ReportStatus
  leaseUntilMs: number | null
  challengeId: string | null
  /** Meaningful once there is a challenge. */
  challenge: Challenge
}

export type NewReport = {
  id: string
  tenantId: string
  test: boolean
  nowMs: number
} & (
  | { status: 'pending'; leaseUntilMs: number }
  | { status: 'complete' | 'blocked' }
  | { status: 'challenged'; challengeId: string; challenge: Challenge }
)

export async function insertReport(queries: Queries, report: NewReport): Promise<void> {
  const challenged = report.status === 'challenged'
  await queries.run(
    `INSERT INTO credit_report
       (id, tenant_id, test, status, lease_until_ms, challenge_id, sends, sent_1_at_ms, device_verified, created_at_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    report.id,
    report.tenantId,
    report.test ? 1 : 0,
    report.status,
    report.status === 'pending' ? report.leaseUntilMs : null,
    challenged ? report.challengeId : null,
    challenged ? 1 : 0,
    challenged ? (report.challenge.sentAtMs[0] ?? null) : null,
    challenged && !report.challenge.deviceVerified ? 0 : 1,
    report.nowMs,
  )
}

export async function findReport(
  queries: Queries,
  { tenantId, creditReportId }: { tenantId: string; creditReportId: string },
): Promise<StoredReport | null> {
  const row = await queries.first(
    'SELECT * FROM credit_report WHERE id = ? AND tenant_id = ?',
    creditReportId,
    tenantId,
  )
  return row === null ? null : toReport(row)
}

/** Gives a pending report to its next worker; false when someone is still at work on it, or it is no longer pending. */
export async function takeOver(
  queries: Queries,
  { creditReportId, nowMs, leaseUntilMs }: { creditReportId: string; nowMs: number; leaseUntilMs: number },
): Promise<boolean> {
  const changed = await queries.run(
    `UPDATE credit_report SET lease_until_ms = ? WHERE id = ? AND status = 'pending' AND lease_until_ms < ?`,
    leaseUntilMs,
    creditReportId,
    nowMs,
  )
  return changed === 1
}

/** Ends the work on a pending report; false when the lease went to someone else meanwhile. */
export async function settlePending(
  queries: Queries,
  {
    creditReportId,
    leaseUntilMs,
    status,
  }: { creditReportId: string; leaseUntilMs: number; status: 'complete' | 'blocked' | 'failed' },
): Promise<boolean> {
  const changed = await queries.run(
    `UPDATE credit_report SET status = ?, lease_until_ms = NULL WHERE id = ? AND status = 'pending' AND lease_until_ms = ?`,
    status,
    creditReportId,
    leaseUntilMs,
  )
  return changed === 1
}

/** Opens the challenge of a pending report; false when the lease went to someone else meanwhile. */
export async function challengePending(
  queries: Queries,
  {
    creditReportId,
    leaseUntilMs,
    challengeId,
    challenge,
  }: { creditReportId: string; leaseUntilMs: number; challengeId: string; challenge: Challenge },
): Promise<boolean> {
  const changed = await queries.run(
    `UPDATE credit_report SET status = 'challenged', lease_until_ms = NULL, challenge_id = ?, sends = 1, sent_1_at_ms = ?,
       device_verified = ? WHERE id = ? AND status = 'pending' AND lease_until_ms = ?`,
    challengeId,
    challenge.sentAtMs[0] ?? null,
    challenge.deviceVerified ? 1 : 0,
    creditReportId,
    leaseUntilMs,
  )
  return changed === 1
}

/**
 * Moves an open challenge from `was` to `next`, unless another guess, text or sweep came first: then false, and nothing
 * is written. This one statement is why any number of parallel guesses count exactly three.
 */
export async function moveChallenge(
  queries: Queries,
  { creditReportId, was, next }: { creditReportId: string; was: Challenge; next: Challenge },
): Promise<boolean> {
  const [, second = null, third = null] = next.sentAtMs
  const changed = await queries.run(
    `UPDATE credit_report SET status = ?, attempts = ?, sends = ?, sent_2_at_ms = ?, sent_3_at_ms = ?, completed_send = ?
     WHERE id = ? AND status = 'challenged' AND attempts = ? AND sends = ?`,
    next.status === 'pending' ? 'challenged' : next.status,
    next.attempts,
    next.sentAtMs.length,
    second,
    third,
    next.completedSend,
    creditReportId,
    was.attempts,
    was.sentAtMs.length,
  )
  return changed === 1
}

export async function insertSealed(
  queries: Queries,
  { creditReportId, wrappedKey, content }: { creditReportId: string; wrappedKey: Uint8Array; content: Uint8Array },
): Promise<void> {
  await queries.run(
    'INSERT INTO sealed_report (report_id, wrapped_key, content) VALUES (?, ?, ?)',
    creditReportId,
    wrappedKey,
    content,
  )
}

/** Null once the report has been erased or its time is over. */
export async function findSealed(
  queries: Queries,
  creditReportId: string,
): Promise<{ wrappedKey: Uint8Array; content: Uint8Array } | null> {
  const row = await queries.first('SELECT wrapped_key, content FROM sealed_report WHERE report_id = ?', creditReportId)
  if (!(row?.wrapped_key instanceof Uint8Array) || !(row.content instanceof Uint8Array)) return null
  return { wrappedKey: row.wrapped_key, content: row.content }
}

export function toReport(row: Row): StoredReport {
  const status = String(row.status) as ReportStatus
  return {
    id: String(row.id),
    tenantId: String(row.tenant_id),
    test: row.test === 1,
    status,
    leaseUntilMs: row.lease_until_ms === null ? null : Number(row.lease_until_ms),
    challengeId: row.challenge_id === null ? null : String(row.challenge_id),
    challenge: {
      status: status === 'complete' || status === 'failed' || status === 'expired' ? status : 'pending',
      attempts: Number(row.attempts),
      sentAtMs: [row.sent_1_at_ms, row.sent_2_at_ms, row.sent_3_at_ms].flatMap((time) =>
        time === null || time === undefined ? [] : [Number(time)],
      ),
      completedSend: row.completed_send === null ? null : Number(row.completed_send),
      deviceVerified: row.device_verified === 1,
    },
  }
}
