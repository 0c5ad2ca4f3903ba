// An act that a program asks for again under the same Idempotency-Key is carried out once. Its answer, with the secret
// that may be in it, is kept sealed for a day, and is written in the transaction of the act: there is no moment at
// which one is there without the other.
import { IDEMPOTENCY_KEY_LIFETIME_MS } from '../../contract/limits.ts'
import { seal, unseal } from '../../kit/seal.ts'
import { type IdempotencyKey, requireSameBody } from '../http/idempotency-key.ts'
import type { KeptAnswerRow } from '../http/tables.ts'
import type { Database, Queries } from '../store/database.ts'
import { DELETE_ROWS_MAX } from '../store/sweep-rows.ts'
import type { ActCore, Actor, AnyAct } from './act.ts'

type Request = { key: IdempotencyKey; core: ActCore; actor: Actor; input: object }

/** Resolves to what the act resolved to, now or the first time. */
export function runOnce(
  act: AnyAct,
  { key, core, actor, input }: Request,
): Promise<{ done: unknown; isReplayed: boolean }> {
  const { keys, clock } = core
  const { tenantId } = actor
  const startMs = clock() - IDEMPOTENCY_KEY_LIFETIME_MS
  return core.database.transaction(async (queries) => {
    const scopes = [key, ...key.older].map(({ scope }) => scope)
    const find = () =>
      queries.first<KeptAnswerRow>(
        `SELECT * FROM kept_answer WHERE scope IN (${scopes.map(() => '?').join(', ')}) AND created_at_ms >= ?`,
        ...scopes,
        startMs,
      )
    const replay = (row: KeptAnswerRow) => {
      requireSameBody(row, key)
      const place = { tenantId, rowId: row.scope }
      const kept = unseal(keys.answers, place, { wrappedKey: row.wrapped_key, content: row.content })
      return { done: JSON.parse(kept), isReplayed: true }
    }
    const earlier = await find()
    if (earlier !== null) return replay(earlier)
    // Of two at once, the second waits here for the first.
    const none = new Uint8Array()
    const taken = await queries.run(
      `INSERT INTO kept_answer (scope, fingerprint, tenant_id, wrapped_key, content, created_at_ms) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (scope) DO UPDATE SET fingerprint = excluded.fingerprint, created_at_ms = excluded.created_at_ms
       WHERE kept_answer.created_at_ms < ?`,
      key.scope,
      key.fingerprint,
      tenantId,
      none,
      none,
      clock(),
      startMs,
    )
    const first = taken === 0 ? await find() : null
    if (first !== null) return replay(first)
    const inside = { ...core, database: within(core.database, queries) }
    const done = await act.run(inside, { ...actor, acting: actor.acting.within(queries) }, input)
    const { wrappedKey, content } = seal(keys.answers, { tenantId, rowId: key.scope }, JSON.stringify(done))
    const keep = 'UPDATE kept_answer SET wrapped_key = ?, content = ? WHERE scope = ?'
    await queries.run(keep, wrappedKey, content, key.scope)
    return { done, isReplayed: false }
  })
}

/** The database as the transaction sees it. */
function within(database: Database, queries: Queries): Database {
  return {
    ...database,
    all: (sql, ...values) => queries.all(sql, ...values),
    first: (sql, ...values) => queries.first(sql, ...values),
    run: (sql, ...values) => queries.run(sql, ...values),
    must: (unless, sql, ...values) => queries.must(unless, sql, ...values),
    transaction: (work) => work(queries),
  }
}

/** Forgets answers after their day; resolves to how many. */
export function forgetOldAnswers(queries: Queries, nowMs: number): Promise<number> {
  return queries.run(
    'DELETE FROM kept_answer WHERE scope IN (SELECT scope FROM kept_answer WHERE created_at_ms < ? LIMIT ?)',
    nowMs - IDEMPOTENCY_KEY_LIFETIME_MS,
    DELETE_ROWS_MAX,
  )
}
