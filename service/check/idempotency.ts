// The request that a lender's Idempotency-Key stands for. Its answer is rebuilt from the report.
import { IDEMPOTENCY_KEY_LIFETIME_MS } from '../../contract/limits.ts'
import { type IdempotencyKey, inProgress, requireSameBody } from '../http/idempotency-key.ts'
import type { Queries } from '../store/database.ts'
import { DELETE_ROWS_MAX } from '../store/sweep-rows.ts'
import type { KeyUseRow } from './tables.ts'

/** The answer of a finished request, without the report: enough to repeat it. */
export type KeptAnswer = {
  outcome: 'complete' | 'authentication-required' | 'blocked' | 'sent'
  costCredits: number
  balanceCredits: number
  sends: number
}

export type KeyUse = {
  scope: string
  fingerprint: string
  creditReportId: string
  /** Null while the first request is in progress. */
  answer: KeptAnswer | null
}

export async function findKey(queries: Queries, key: IdempotencyKey, nowMs: number): Promise<KeyUse | null> {
  const row = await queries.first<KeyUseRow>(
    `SELECT * FROM idempotency WHERE scope IN (?${', ?'.repeat(key.older.length)}) AND created_at_ms >= ?`,
    key.scope,
    ...key.older.map(({ scope }) => scope),
    nowMs - IDEMPOTENCY_KEY_LIFETIME_MS,
  )
  return row === null ? null : toKeyUse(row)
}

/** The key stands for another request. */
export class KeyInUse extends Error {}

/**
 * Takes the key of a request that has one, or throws `KeyInUse` and with it ends the transaction: of two requests at
 * once one does.
 */
export async function takeKey(
  queries: Queries,
  key: IdempotencyKey | null,
  { creditReportId, answer, nowMs }: { creditReportId: string; answer: KeptAnswer | null; nowMs: number },
): Promise<void> {
  if (key === null) return
  const older = key.older.map(({ scope }) => scope)
  const startMs = nowMs - IDEMPOTENCY_KEY_LIFETIME_MS
  const row = '?, ?, ?, ?, ?, ?, ?, ?'
  const inUse = `SELECT 1 FROM idempotency WHERE scope IN (${older.map(() => '?').join(', ')}) AND created_at_ms >= ?`
  // Only while a key is being replaced: the subquery doubles the time that the row takes.
  const isReplacing = older.length > 0
  await queries.must(
    { error: () => new KeyInUse() },
    `INSERT INTO idempotency
         (scope, fingerprint, report_id, outcome, cost_credits, balance_credits, sends, created_at_ms)
       ${isReplacing ? `SELECT ${row} WHERE NOT EXISTS (${inUse})` : `VALUES (${row})`}
       ON CONFLICT (scope) DO UPDATE SET
         fingerprint = excluded.fingerprint, report_id = excluded.report_id, outcome = excluded.outcome,
         cost_credits = excluded.cost_credits, balance_credits = excluded.balance_credits, sends = excluded.sends,
         created_at_ms = excluded.created_at_ms
       WHERE idempotency.created_at_ms < ?`,
    key.scope,
    key.fingerprint,
    creditReportId,
    answer?.outcome ?? null,
    answer?.costCredits ?? null,
    answer?.balanceCredits ?? null,
    answer?.sends ?? null,
    nowMs,
    ...(isReplacing ? [...older, startMs] : []),
    // A key whose day is over is free again, whether or not the sweeper has been.
    startMs,
  )
}

/**
 * The use of a key that is taken; any other `error` is thrown again. Throws when the first request had another body.
 */
export async function findUse(
  queries: Queries,
  key: IdempotencyKey | null,
  { error, nowMs }: { error: unknown; nowMs: number },
): Promise<KeyUse> {
  if (key === null || !(error instanceof KeyInUse)) throw error
  const use = await findKey(queries, key, nowMs)
  if (use === null) throw inProgress() // freed meanwhile: the next try finds it free
  requireSameBody(use, key)
  return use
}

/** Keeps the answer with the tenant's balance of this transaction, and resolves to that balance. */
export async function keepAnswer(
  queries: Queries,
  {
    creditReportId,
    tenantId,
    ...answer
  }: Omit<KeptAnswer, 'balanceCredits'> & {
    creditReportId: string
    tenantId: string
  },
): Promise<number> {
  const row = await queries.first<{ balance_credits: number }>(
    `UPDATE idempotency SET outcome = ?, cost_credits = ?, sends = ?,
       balance_credits = (SELECT balance_credits FROM wallet WHERE tenant_id = ?)
     WHERE report_id = ? AND outcome IS NULL RETURNING balance_credits`,
    answer.outcome,
    answer.costCredits,
    answer.sends,
    tenantId,
    creditReportId,
  )
  return row?.balance_credits ?? 0
}

/** Forgets the unfinished use of a key for this report, so that a retry begins afresh. */
export async function dropUnfinishedKey(queries: Queries, creditReportId: string): Promise<void> {
  await queries.run('DELETE FROM idempotency WHERE report_id = ? AND outcome IS NULL', creditReportId)
}

const OUTCOMES = ['complete', 'authentication-required', 'blocked', 'sent'] as const

function toKeyUse(row: KeyUseRow): KeyUse {
  const outcome = OUTCOMES.find((candidate) => candidate === row.outcome)
  return {
    scope: row.scope,
    fingerprint: row.fingerprint,
    creditReportId: row.report_id,
    answer:
      outcome === undefined
        ? null
        : {
            outcome,
            costCredits: row.cost_credits ?? 0,
            balanceCredits: row.balance_credits ?? 0,
            sends: row.sends ?? 0,
          },
  }
}

/** Forgets keys after their day; resolves to how many. */
export function forgetOldKeys(queries: Queries, nowMs: number): Promise<number> {
  return queries.run(
    'DELETE FROM idempotency WHERE scope IN (SELECT scope FROM idempotency WHERE created_at_ms < ? LIMIT ?)',
    nowMs - IDEMPOTENCY_KEY_LIFETIME_MS,
    DELETE_ROWS_MAX,
  )
}
