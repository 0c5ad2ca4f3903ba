// Checks that the chains are whole: every line is as it was linked, every signed head agrees, and no gap is left but
// what a signed head says was deleted after its time.
import { type Clock, DAY_MS, MINUTE_MS } from '../../kit/clock.ts'
import type { Log } from '../../service/log.ts'
import type { Database, Queries } from '../../service/store/database.ts'
import { findHead, isSigned } from './chain.ts'
import { follow, missing, type Reached } from './link.ts'
import { type HeadKeys, readHead } from './signed-head.ts'
import type { AuditHeadRow, AuditKeptHeadRow, AuditRow } from './tables.ts'

/** Lines read at a time, and checked in one round of the sweeper. */
const PAGE = 1_000

type Keys = Pick<HeadKeys, 'findKept'>

export type Trail = {
  /** The first fault of each chain; empty when every chain is whole. */
  problems: string[]
  /** Events that wait to be linked: nothing can be said about them yet. */
  unlinked: number
}

/** Looks at everything as it is at one moment. */
export async function verifyTrail(database: Database, keys: Keys, nowMs: number): Promise<Trail> {
  return database.snapshot(async (queries) => {
    const { late, recent, oldestMs } = await countUnlinked(queries, nowMs)
    const problems: string[] = []
    for (const tenantId of await listChains(queries)) {
      const problem = await findProblem(queries, keys, tenantId)
      if (problem !== null) problems.push(`${nameOf(tenantId)}: ${problem}`)
    }
    if (late > 0) {
      const since = new Date(oldestMs).toISOString()
      problems.push(`${late} events are not linked yet, the oldest of ${since}: a running service links them`)
    }
    return { problems, unlinked: recent }
  })
}

const nameOf = (tenantId: string) => (tenantId === '' ? 'the installation’s trail' : `the trail of "${tenantId}"`)

async function listChains(queries: Queries): Promise<string[]> {
  const rows = await queries.all<{ tenant_id: string }>(
    `SELECT tenant_id FROM audit_head UNION SELECT tenant_id FROM audit_kept_head
     UNION SELECT DISTINCT tenant_id FROM audit_event WHERE link_position IS NOT NULL ORDER BY tenant_id`,
  )
  return rows.map(({ tenant_id: tenantId }) => tenantId)
}

/** The fault of one chain; null: none. */
async function findProblem(queries: Queries, keys: Keys, tenantId: string): Promise<string | null> {
  const head = await findHead(queries, tenantId)
  if (head === null) return 'its head is missing'
  for (let from = beginningOf(head); ; ) {
    const step = await checkPage(queries, head, { from, limit: PAGE })
    if (step.problem !== null) return step.problem
    if (step.isDone) return findWrongHead(queries, keys, head)
    from = step
  }
}

const beginningOf = (head: AuditHeadRow): Reached => ({ position: head.deleted_position, hash: head.deleted_hash })

type Step = Reached & { problem: string | null; isDone: boolean; rows: number }

async function checkPage(
  queries: Queries,
  head: AuditHeadRow,
  { from, limit }: { from: Reached; limit: number },
): Promise<Step> {
  const rows = await queries.all<AuditRow>(
    `SELECT * FROM audit_event WHERE tenant_id = ? AND link_position > ? AND link_position <= ?
     ORDER BY link_position LIMIT ?`,
    head.tenant_id,
    from.position,
    head.position,
    limit,
  )
  const reached = follow(from, rows)
  const ended = (problem: string | null) => ({ ...reached, problem, isDone: true, rows: rows.length })
  if (reached.problem !== null) return ended(reached.problem)
  if (reached.position === head.position)
    return ended(reached.hash === head.hash ? null : `event ${head.position} was changed`)
  return rows.length === 0
    ? ended(missing(from.position + 1, head.position))
    : { ...reached, isDone: false, rows: rows.length }
}

type KeptAndNow = AuditKeptHeadRow & { head_position: number; head_deleted: number; link_hash: string | null }

/** The fault of the signed heads of a chain whose lines are whole. */
async function findWrongHead(queries: Queries, keys: Keys, head: AuditHeadRow): Promise<string | null> {
  const { tenant_id: tenantId } = head
  if (!(await isSigned(keys, head))) return 'its head is not as it was signed'
  // Beside the head of the same moment: the sweep goes on meanwhile.
  const stray = await queries.first<{ link_position: number }>(
    `SELECT link_position FROM audit_event JOIN audit_head ON audit_head.tenant_id = audit_event.tenant_id
     WHERE audit_event.tenant_id = ? AND (link_position > position OR link_position <= deleted_position) LIMIT 1`,
    tenantId,
  )
  if (stray !== null) return `event ${stray.link_position} does not belong to it`
  const kept = await queries.all<KeptAndNow>(
    `SELECT audit_kept_head.*, audit_head.position AS head_position, deleted_position AS head_deleted, link_hash
     FROM audit_kept_head JOIN audit_head ON audit_head.tenant_id = audit_kept_head.tenant_id
       LEFT JOIN audit_event ON audit_event.tenant_id = audit_kept_head.tenant_id
         AND link_position = audit_kept_head.position
     WHERE audit_kept_head.tenant_id = ? ORDER BY day`,
    tenantId,
  )
  for (const row of kept) {
    const day = new Date(row.day * DAY_MS).toISOString().slice(0, 10)
    const signed = await readHead(keys, row.jws)
    if (signed?.tenantId !== tenantId || signed.position !== row.position || signed.hash !== row.hash)
      return `its head of ${day} is not as it was signed`
    if (row.position > row.head_position)
      return `its head of ${day} is event ${row.position}: ${behind(row.head_position)}`
    if (row.position > row.head_deleted && row.link_hash !== row.hash)
      return `its head of ${day} is another event ${row.position}`
  }
  return tenantId === '' ? findGone(queries) : findSecondBeginning(queries, tenantId)
}

const BEGUN = `SELECT object, created_at_ms FROM audit_event WHERE tenant_id = '' AND action = 'trail.begin'`
type BegunRow = Pick<AuditRow, 'object' | 'created_at_ms'>
const timeOf = ({ created_at_ms: atMs }: BegunRow) => new Date(atMs).toISOString()

/** A lender's chain that began and was deleted whole, its heads included. */
async function findGone(queries: Queries): Promise<string | null> {
  const gone = await queries.first<BegunRow>(
    `${BEGUN} AND NOT EXISTS (SELECT 1 FROM audit_head WHERE audit_head.tenant_id = object) ORDER BY sequence LIMIT 1`,
  )
  return gone === null ? null : `the trail of "${gone.object}", which began at ${timeOf(gone)}, is gone`
}

/** One that was deleted whole and goes on from nothing; or the installation's was. */
async function findSecondBeginning(queries: Queries, tenantId: string): Promise<string | null> {
  const [first, second] = await queries.all<BegunRow>(`${BEGUN} AND object = ? ORDER BY sequence LIMIT 2`, tenantId)
  if (first !== undefined && second !== undefined)
    return `it began at ${timeOf(first)} and again at ${timeOf(second)}: what was between is gone`
  // After its time the line is deleted like any other.
  const isOld = ((await findHead(queries, ''))?.deleted_position ?? 0) > 0
  return first !== undefined || isOld ? null : 'the installation’s trail does not say when it began'
}

const behind = (position: number) => `it ends at ${position} now, so events were cut off`

/**
 * The fault of the trail, judged by a head that a lender kept; null: it leads to it. Says nothing about the lines
 * themselves, which `verifyTrail` checks.
 */
export async function compareHead(queries: Queries, keys: Keys, jws: string): Promise<string | null> {
  const kept = await readHead(keys, jws)
  if (kept === null) return 'no key of this installation signed it'
  const head = await findHead(queries, kept.tenantId)
  const name = nameOf(kept.tenantId)
  if (head === null) return `${name} is gone`
  if (kept.position > head.position) return `it is event ${kept.position} of ${name}: ${behind(head.position)}`
  if (kept.position < head.deleted_position) return null
  if (kept.position === head.deleted_position)
    return kept.hash === head.deleted_hash ? null : `${name} had another event ${kept.position}`
  const line = await queries.first<{ link_hash: string }>(
    'SELECT link_hash FROM audit_event WHERE tenant_id = ? AND link_position = ?',
    kept.tenantId,
    kept.position,
  )
  return line?.link_hash === kept.hash ? null : `${name} has another event ${kept.position}`
}

/**
 * `late`: not linked within a minute. While no process sweeps, as in a copy or beside a stopped service, events wait to
 * be linked; then only an event that a newer linked one has overtaken is late.
 */
async function countUnlinked(queries: Queries, nowMs: number) {
  const sweeping = await queries.first('SELECT 1 AS one FROM sweep_turn WHERE until_ms > ?', nowMs)
  const newest = await queries.first<{ at_ms: number | null }>(
    'SELECT MAX(created_at_ms) AS at_ms FROM audit_event WHERE link_position IS NOT NULL',
  )
  const lateMs = (sweeping === null ? (newest?.at_ms ?? 0) : nowMs) - MINUTE_MS
  const row = await queries.first<{ late: number; recent: number; oldest: number | null }>(
    `SELECT COUNT(CASE WHEN created_at_ms < ? THEN 1 END) AS late, COUNT(CASE WHEN created_at_ms >= ? THEN 1 END) AS recent,
       MIN(created_at_ms) AS oldest
     FROM audit_event WHERE link_position IS NULL`,
    lateMs,
    lateMs,
  )
  return { late: row?.late ?? 0, recent: row?.recent ?? 0, oldestMs: row?.oldest ?? 0 }
}

type CheckOptions = { database: Database; keys: Keys; clock: Clock; log: Log }

/** Checks every chain once a day, so many lines in each round, and records how far each is whole. For the sweeper. */
export async function checkChains({ database, keys, clock, log }: CheckOptions): Promise<number> {
  const nowMs = clock()
  const dayMs = nowMs - (nowMs % DAY_MS)
  const due = await database.all<AuditHeadRow>(
    `SELECT * FROM audit_head WHERE checked_position IS NOT NULL OR verified_at_ms < ? OR verified_at_ms >= ?
     ORDER BY CASE WHEN checked_position IS NULL THEN 1 ELSE 0 END, tenant_id LIMIT ${PAGE}`,
    dayMs,
    dayMs + DAY_MS,
  )
  let left = PAGE
  for (const head of due) {
    if (left <= 0) break
    const reached = { position: head.checked_position ?? 0, hash: head.checked_hash ?? '' }
    // Lines that were deleted after their time since the last round need no check.
    const isBehind = head.checked_position !== null && reached.position > head.deleted_position
    const step = await checkPage(database, head, { from: isBehind ? reached : beginningOf(head), limit: left })
    left -= Math.max(1, step.rows)
    if (!step.isDone) {
      const record = 'UPDATE audit_head SET checked_position = ?, checked_hash = ? WHERE tenant_id = ?'
      await database.run(record, step.position, step.hash, head.tenant_id)
      continue
    }
    const problem =
      step.problem ?? (await findWrongHead(database, keys, (await findHead(database, head.tenant_id)) ?? head))
    await database.run(
      `UPDATE audit_head SET checked_position = NULL, checked_hash = NULL, verified_position = ?, verified_at_ms = ?,
         verified_problem = ? WHERE tenant_id = ?`,
      step.position,
      nowMs,
      problem,
      head.tenant_id,
    )
    const ofTenant = head.tenant_id === '' ? {} : { tenantId: head.tenant_id }
    if (problem !== null) log.error('audit chain broken', { ...ofTenant, position: step.position })
  }
  return 0
}

/**
 * The result of the last whole check of the lender's chain; `problem` null: every event up to `position` is as it was
 * written.
 */
export type Verified = { position: number; atMs: number; problem: string | null }

export async function readVerified(queries: Queries, tenantId: string): Promise<Verified | null> {
  const head = await findHead(queries, tenantId)
  if (head === null || head.verified_at_ms === 0) return null
  return { position: head.verified_position, atMs: head.verified_at_ms, problem: head.verified_problem }
}
