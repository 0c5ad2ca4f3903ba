// Makes the audit trail tamper-evident. Events are inserted without a link, in the transaction of what they tell of, so that
// no request waits for another; one sweep then links them, seconds later:
//
//   hash 1 = H('', event) ──▶ hash 2 = H(hash 1, event) ──▶ … ──▶ head, logged and sent to every lender once a day
//
// Positions follow the order of linking. Who changes or deletes a linked event breaks every hash after it, and who makes all of
// them again gets another head than the one the lenders have.
import { hash } from 'node:crypto'
import { type Clock, DAY_MS } from '../../kit/clock.ts'
import type { Log } from '../../service/log.ts'
import type { Core } from '../../service/plugin.ts'
import type { Database, Queries } from '../../service/store/database.ts'
import { DELETE_ROWS_MAX, SWEEP_ROWS_MAX } from '../../service/store/sweep-rows.ts'
import type { AuditHeadRow, AuditRow } from './tables.ts'

const UNLINKED = 'SELECT * FROM audit_event WHERE link_position IS NULL ORDER BY sequence LIMIT ?'

/** Links the next events; resolves to how many. Of two processes at once, the second waits for the first. */
export async function linkAudit(database: Database): Promise<number> {
  if ((await database.first(UNLINKED, 1)) === null) return 0
  return database.transaction(async (queries) => {
    let { position, hash: previous } = await lockHead(queries)
    const rows = await queries.all<AuditRow>(UNLINKED, SWEEP_ROWS_MAX)
    for (const row of rows) {
      position += 1
      previous = linkOf(previous, position, row)
      const link = 'UPDATE audit_event SET link_position = ?, link_hash = ? WHERE sequence = ?'
      await queries.run(link, position, previous, row.sequence)
    }
    await queries.run('UPDATE audit_head SET position = ?, hash = ? WHERE id = 1', position, previous)
    return rows.length
  })
}

type PublishOptions = {
  database: Database
  clock: Clock
  log: Log
  announce: Core['announce']
}

/** Once a day the head goes to the log and to the lenders, where the installation cannot change it. Resolves to 1 when it did. */
export async function publishAuditHead({ database, clock, log, announce }: PublishOptions): Promise<number> {
  const nowMs = clock()
  if (!isDue(await readHead(database), nowMs)) return 0
  const head = await database.transaction(async (queries) => {
    const locked = await lockHead(queries)
    if (!isDue(locked, nowMs)) return null
    await queries.run('UPDATE audit_head SET published_at_ms = ? WHERE id = 1', nowMs)
    const { position, hash: newest } = locked
    for (const { id: tenantId } of await queries.all<{ id: string }>('SELECT id FROM tenant'))
      await announce(queries, { type: 'audit.head', data: { tenantId, position, hash: newest } }, nowMs)
    return locked
  })
  if (head === null) return 0
  log.info('audit head', { position: head.position, hash: head.hash })
  return 1
}

/** A clock that was set back must not keep it from being published. */
function isDue({ position, published_at_ms: publishedAtMs }: AuditHeadRow, nowMs: number): boolean {
  return position > 0 && Math.floor(publishedAtMs / DAY_MS) !== Math.floor(nowMs / DAY_MS)
}

/**
 * Forgets what is older than its time, from the beginning of the chain on, so that no gap is left in it; resolves to how many.
 * An event that is not linked yet is never deleted.
 */
export async function forgetOldAudit(database: Database, beforeMs: number): Promise<number> {
  const [oldest] = await findOld(database, beforeMs, 1)
  if (oldest === undefined) return 0
  return database.transaction(async (queries) => {
    await lockHead(queries)
    const rows = await findOld(queries, beforeMs, DELETE_ROWS_MAX)
    const last = rows.at(-1)
    if (last === undefined) return 0
    const record = 'UPDATE audit_head SET deleted_position = ?, deleted_hash = ? WHERE id = 1'
    await queries.run(record, last.link_position, last.link_hash)
    return queries.run('DELETE FROM audit_event WHERE link_position <= ?', last.link_position)
  })
}

/** The first links of the chain, up to the first whose event must be kept. */
function findOld(queries: Queries, beforeMs: number, limit: number) {
  return queries.all<Pick<AuditRow, 'link_position' | 'link_hash'>>(
    `SELECT link_position, link_hash FROM audit_event WHERE link_position < COALESCE(
       (SELECT link_position FROM audit_event WHERE link_position IS NOT NULL AND created_at_ms >= ?
        ORDER BY link_position LIMIT 1),
       (SELECT position + 1 FROM audit_head))
     ORDER BY link_position LIMIT ?`,
    beforeMs,
    limit,
  )
}

const PAGE = 1_000

/** What is wrong with the trail, in words; empty when it is whole. Events of the last seconds may have no link yet. */
export async function verifyAuditChain(database: Queries): Promise<string[]> {
  const head = await readHead(database)
  for (let from = beginningOf(head); ; ) {
    const step = await checkPage(database, head, from)
    if (step.problem !== null) return [step.problem]
    if (step.isDone) return []
    from = step
  }
}

/** The link up to which the chain was checked, and its hash. */
type Reached = { position: number; hash: string }
type Step = Reached & { problem: string | null; isDone: boolean }

const beginningOf = (head: AuditHeadRow): Reached => ({ position: head.deleted_position, hash: head.deleted_hash })

async function checkPage(queries: Queries, head: AuditHeadRow, from: Reached): Promise<Step> {
  let { position, hash: previous } = from
  const ended = (problem: string | null): Step => ({ position, hash: previous, problem, isDone: true })
  if (position >= head.position) return ended(previous === head.hash ? null : `event ${head.position} was changed`)
  const rows = await queries.all<AuditRow>(
    `SELECT * FROM audit_event WHERE link_position > ? AND link_position <= ? ORDER BY link_position LIMIT ${PAGE}`,
    position,
    head.position,
  )
  const [first] = rows
  if (first === undefined) return ended(`the events from ${position + 1} to ${head.position} are missing`)
  for (const row of rows) {
    const own = row.link_position ?? 0
    if (own !== position + 1) return ended(`the events from ${position + 1} to ${own - 1} are missing`)
    const link = linkOf(previous, own, row)
    if (row.link_hash !== link) return ended(`event ${own} was changed`)
    position = own
    previous = link
  }
  return { position, hash: previous, problem: null, isDone: false }
}

/** Checks the whole chain once a day, a page in each round, and records how far it is whole. For the sweeper. */
export async function checkAuditChain({
  database,
  clock,
  log,
}: Pick<PublishOptions, 'database' | 'clock' | 'log'>): Promise<number> {
  const nowMs = clock()
  const head = await readHead(database)
  const isRunning = head.checked_position !== null
  if (head.position === 0 || (!isRunning && Math.floor(head.verified_at_ms / DAY_MS) === Math.floor(nowMs / DAY_MS)))
    return 0
  const reached = { position: head.checked_position ?? 0, hash: head.checked_hash ?? '' }
  // What was deleted after its time since the last round needs no check any more.
  const from = isRunning && reached.position > head.deleted_position ? reached : beginningOf(head)
  const step = await checkPage(database, head, from)
  if (!step.isDone) {
    const record = 'UPDATE audit_head SET checked_position = ?, checked_hash = ? WHERE id = 1'
    await database.run(record, step.position, step.hash)
    return 0
  }
  await database.run(
    `UPDATE audit_head SET checked_position = NULL, checked_hash = NULL, verified_position = ?, verified_at_ms = ?,
       verified_problem = ? WHERE id = 1`,
    step.position,
    nowMs,
    step.problem,
  )
  if (step.problem !== null) log.error('audit chain broken', { position: step.position })
  return 0
}

/** What the last whole check of the chain found; `problem` null: every event up to `position` is as it was written. */
export type Verified = { position: number; atMs: number; problem: string | null }

export async function readVerified(queries: Queries): Promise<Verified | null> {
  const head = await readHead(queries)
  if (head.verified_at_ms === 0) return null
  return { position: head.verified_position, atMs: head.verified_at_ms, problem: head.verified_problem }
}

const NO_LINK: AuditHeadRow = {
  id: 1,
  position: 0,
  hash: '',
  deleted_position: 0,
  deleted_hash: '',
  published_at_ms: 0,
  checked_position: null,
  checked_hash: null,
  verified_position: 0,
  verified_at_ms: 0,
  verified_problem: null,
}

async function readHead(queries: Queries): Promise<AuditHeadRow> {
  return (await queries.first<AuditHeadRow>('SELECT * FROM audit_head WHERE id = 1')) ?? NO_LINK
}

/** The same, and no other transaction moves it before this one ends. */
async function lockHead(queries: Queries): Promise<AuditHeadRow> {
  const head = await queries.first<AuditHeadRow>(
    `INSERT INTO audit_head (id) VALUES (1)
     ON CONFLICT (id) DO UPDATE SET position = audit_head.position RETURNING *`,
  )
  return head ?? NO_LINK
}

/** The columns as the first version of the chain has them; a column that comes later needs another version of it. */
function linkOf(previous: string, position: number, row: AuditRow): string {
  const content = [
    row.sequence,
    row.created_at_ms,
    row.tenant_id,
    row.actor_kind,
    row.actor_id,
    row.actor_name,
    row.actor_email,
    row.action,
    row.object,
    row.change_json,
    row.address,
    row.outcome,
  ]
  return hash('sha256', JSON.stringify(['audit-link-1', previous, position, ...content]), 'hex')
}
