// Makes the audit trail tamper-evident: a chain for each lender, and one for the installation. Events are inserted
// without a link, in the transaction of what they tell of, so that no request waits for another; a sweep links them
// seconds later and signs the new head:
//
//   hash 1 = H('', event) ──▶ hash 2 = H(hash 1, event) ──▶ … ──▶ head, signed
//                                                                  └── once a day kept, and sent to the lender
//
// The installation's chain says when each lender's began, so `verify` finds one that was deleted whole, heads included,
// also when a new one has begun.
//
// Positions follow the order of linking. Who changes or deletes a linked event must make every hash after it again,
// which a signed head contradicts. A head is signed only if the one before it was ours: the sweep signs nothing that
// someone else wrote into the table.
import { type Clock, DAY_MS } from '../../kit/clock.ts'
import type { Log } from '../../service/log.ts'
import type { Core } from '../../service/plugin.ts'
import type { Database, Queries } from '../../service/store/database.ts'
import { DELETE_ROWS_MAX, SWEEP_ROWS_MAX } from '../../service/store/sweep-rows.ts'
import { follow, linkOf, type Reached } from './link.ts'
import { type HeadKeys, readHead, signHead } from './signed-head.ts'
import { writeAudit } from './store.ts'
import type { AuditHeadRow, AuditKeptHeadRow, AuditRow } from './tables.ts'

/**
 * Events linked in one round: several statements of many rows, so that a backlog is worked off at thousands a second.
 */
const LINK_ROWS_MAX = 1_000
/** Rows in one statement. One size: each text of a statement is compiled once and kept. */
const UPDATE_ROWS = 50

export type ChainOptions = { database: Database; keys: HeadKeys; clock: Clock }

/** Links the next events of every chain; resolves to how many. Of two processes at once, one does nothing. */
export async function linkAudit({ database, keys, clock }: ChainOptions): Promise<number> {
  const rows = await database.all<AuditRow>(
    `SELECT * FROM audit_event WHERE link_position IS NULL ORDER BY sequence LIMIT ${LINK_ROWS_MAX}`,
  )
  const moves: Move[] = []
  const links: Link[] = []
  for (const [tenantId, own] of groupByChain(rows)) {
    const head = await findHead(database, tenantId)
    let { position, hash } = head ?? BEGINNING
    for (const row of own) {
      position += 1
      hash = linkOf(hash, position, row)
      links.push([row.sequence, position, hash])
    }
    const to = { ...deletedOf(head), position, hash }
    const jws = await signNext({ keys, clock }, { tenantId, before: head, to })
    // Over a head that is not ours the chain goes on unsigned, and the check says so.
    moves.push({ tenantId, before: head, to, jws: jws ?? head?.jws ?? '' })
  }
  const begun = moves.filter(({ tenantId, before }) => tenantId !== '' && before === null)
  const isDone = await writeMoves(database, moves, async (queries) => {
    await writeLinks(queries, links)
    for (const { tenantId } of begun) await writeAudit(queries, { ...BEGUN, object: tenantId, atMs: clock() })
  })
  return isDone ? rows.length : 0
}

/** In the installation's trail, about a lender's. */
const BEGUN = {
  tenantId: null,
  actorKind: 'operator',
  actorId: null,
  actorName: null,
  actorEmail: null,
  action: 'trail.begin',
  change: null,
  address: null,
  outcome: 'done',
} as const

function groupByChain(rows: readonly AuditRow[]): Map<string, AuditRow[]> {
  const chains = new Map<string, AuditRow[]>()
  for (const row of rows) chains.set(row.tenant_id, [...(chains.get(row.tenant_id) ?? []), row])
  return chains
}

type Link = readonly [sequence: number, position: number, hash: string]

async function writeLinks(queries: Queries, links: readonly Link[]): Promise<void> {
  for (let from = 0; from < links.length; ) {
    const size = links.length - from >= UPDATE_ROWS ? UPDATE_ROWS : 1
    const part = links.slice(from, from + size)
    from += size
    // The types of the first row are those of all.
    const marks = ['(CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS TEXT))', ...Array(size - 1).fill('(?, ?, ?)')]
    const sql = `UPDATE audit_event SET link_position = links.column2, link_hash = links.column3
      FROM (VALUES ${marks.join(', ')}) AS links WHERE sequence = links.column1`
    await queries.run(sql, ...part.flat())
  }
}

type Ends = { position: number; hash: string; deletedPosition: number; deletedHash: string }
const BEGINNING: Reached = { position: 0, hash: '' }
const deletedOf = (head: AuditHeadRow | null) => ({
  deletedPosition: head?.deleted_position ?? 0,
  deletedHash: head?.deleted_hash ?? '',
})

type Move = { tenantId: string; before: AuditHeadRow | null; to: Ends; jws: string }

/** The next head of a chain, signed; null when the one before is not as it was signed. */
async function signNext(
  { keys, clock }: Pick<ChainOptions, 'keys' | 'clock'>,
  { tenantId, before, to }: Omit<Move, 'jws'>,
): Promise<string | null> {
  if (before !== null && !(await isSigned(keys, before))) return null
  return signHead(keys, { tenantId, ...to, at: new Date(clock()).toISOString() })
}

/** True when the head is as it was signed. */
export async function isSigned(keys: Pick<HeadKeys, 'findKept'>, row: AuditHeadRow): Promise<boolean> {
  const head = await readHead(keys, row.jws)
  return (
    head !== null &&
    head.tenantId === row.tenant_id &&
    head.position === row.position &&
    head.hash === row.hash &&
    head.deletedPosition === row.deleted_position &&
    head.deletedHash === row.deleted_hash
  )
}

/** Another process has moved the head meanwhile. */
class Overtaken extends Error {}

/** Moves the heads with what `work` writes; false when another process came first and nothing was written. */
async function writeMoves(
  database: Database,
  moves: readonly Move[],
  work: (queries: Queries) => Promise<unknown>,
): Promise<boolean> {
  if (moves.length === 0) return true
  const unless = { error: () => new Overtaken() }
  const written = database.transaction(async (queries) => {
    for (const { tenantId, before, to, jws } of moves) {
      const ends = [to.position, to.hash, to.deletedPosition, to.deletedHash, jws] as const
      if (before === null) {
        const sql = `INSERT INTO audit_head (position, hash, deleted_position, deleted_hash, jws, tenant_id)
          VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (tenant_id) DO NOTHING`
        await queries.must(unless, sql, ...ends, tenantId)
      } else {
        const sql = `UPDATE audit_head SET position = ?, hash = ?, deleted_position = ?, deleted_hash = ?, jws = ?
          WHERE tenant_id = ? AND position = ? AND deleted_position = ?`
        await queries.must(unless, sql, ...ends, tenantId, before.position, before.deleted_position)
      }
    }
    await work(queries)
  })
  return written.then(
    () => true,
    (error: unknown) => {
      if (error instanceof Overtaken) return false
      throw error
    },
  )
}

export type PublishOptions = ChainOptions & { log: Log; announce: Core['announce'] }

/**
 * Once a day the head of each chain is signed, kept and sent to its lender, where the installation cannot change it.
 * Resolves to how many.
 */
export async function publishHeads({ database, keys, clock, log, announce }: PublishOptions): Promise<number> {
  const nowMs = clock()
  const day = Math.floor(nowMs / DAY_MS)
  const heads = await database.all<AuditHeadRow>(
    `SELECT * FROM audit_head WHERE NOT EXISTS
       (SELECT 1 FROM audit_kept_head WHERE audit_kept_head.tenant_id = audit_head.tenant_id AND day = ?)
     ORDER BY tenant_id LIMIT ${SWEEP_ROWS_MAX}`,
    day,
  )
  const signed: { head: AuditHeadRow; jws: string }[] = []
  for (const head of heads) {
    const jws = await signNext({ keys, clock }, { tenantId: head.tenant_id, before: head, to: endsOf(head) })
    if (jws !== null) signed.push({ head, jws })
  }
  const published = await database.transaction(async (queries) => {
    const kept: AuditHeadRow[] = []
    for (const { head, jws } of signed) {
      const { tenant_id: tenantId, position, hash } = head
      const sql = `INSERT INTO audit_kept_head (tenant_id, day, position, hash, jws, signed_at_ms)
        VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (tenant_id, day) DO NOTHING`
      if ((await queries.run(sql, tenantId, day, position, hash, jws, nowMs)) === 0) continue
      const data = { tenantId, position, hash, jws }
      if (tenantId !== '') await announce(queries, { type: 'audit.head', data }, nowMs)
      kept.push(head)
    }
    return kept
  })
  for (const { tenant_id: tenantId, position, hash } of published) {
    log.info('audit head', { ...(tenantId === '' ? {} : { tenantId }), position, hash })
  }
  return published.length
}

const endsOf = (head: AuditHeadRow): Ends => ({ position: head.position, hash: head.hash, ...deletedOf(head) })

/**
 * Forgets what is older than its time, from the beginning of each chain on, and signs how far: a gap that no signed
 * head explains is found. An event that is not linked yet, or that is not as it was linked, is never deleted. Resolves
 * to how many.
 */
export async function forgetOldAudit({ database, keys, clock }: ChainOptions, beforeMs: number): Promise<number> {
  const heads = await database.all<AuditHeadRow>(
    `SELECT audit_head.* FROM audit_head JOIN audit_event ON audit_event.tenant_id = audit_head.tenant_id
       AND link_position = deleted_position + 1
     WHERE created_at_ms < ? AND verified_problem IS NULL LIMIT ${SWEEP_ROWS_MAX}`,
    beforeMs,
  )
  let deleted = 0
  for (const head of heads) {
    if (deleted >= DELETE_ROWS_MAX) break
    const { tenant_id: tenantId, deleted_position: position, deleted_hash: hash } = head
    const rows = await database.all<AuditRow>(
      'SELECT * FROM audit_event WHERE tenant_id = ? AND link_position > ? ORDER BY link_position LIMIT ?',
      tenantId,
      position,
      DELETE_ROWS_MAX - deleted,
    )
    const firstYoung = rows.findIndex(({ created_at_ms: atMs }) => atMs >= beforeMs)
    const reached = follow({ position, hash }, firstYoung === -1 ? rows : rows.slice(0, firstYoung))
    const to = { ...endsOf(head), deletedPosition: reached.position, deletedHash: reached.hash }
    const jws = await signNext({ keys, clock }, { tenantId, before: head, to })
    if (reached.problem !== null || jws === null) continue
    const move: Move = { tenantId, before: head, to, jws }
    const sql = 'DELETE FROM audit_event WHERE tenant_id = ? AND link_position <= ?'
    const isDone = await writeMoves(database, [move], (queries) => queries.run(sql, tenantId, reached.position))
    if (isDone) deleted += reached.position - position
  }
  await database.run('DELETE FROM audit_kept_head WHERE signed_at_ms < ?', beforeMs)
  return deleted
}

export function findHead(queries: Queries, tenantId: string): Promise<AuditHeadRow | null> {
  return queries.first<AuditHeadRow>('SELECT * FROM audit_head WHERE tenant_id = ?', tenantId)
}

/** The heads that were sent to a lender, newest first: those before the UTC day `after`. */
export function listKeptHeads(
  queries: Queries,
  { tenantId, after, limit }: { tenantId: string; after: string | null; limit: number },
): Promise<AuditKeptHeadRow[]> {
  const beforeDay = after === null ? Number.MAX_SAFE_INTEGER : Date.parse(after) / DAY_MS
  return queries.all<AuditKeptHeadRow>(
    'SELECT * FROM audit_kept_head WHERE tenant_id = ? AND day < ? ORDER BY day DESC LIMIT ?',
    tenantId,
    beforeDay,
    limit,
  )
}
