// The audit trail: append-only, which the database itself enforces.
import type { AuditFilters } from '../../contract/audit.ts'
import { addDays, startOfDay } from '../../kit/london.ts'
import type { Done } from '../../service/http/acting.ts'
import type { Queries, SqlValue } from '../../service/store/database.ts'
import type { AuditRow } from './tables.ts'

/** Done, read or refused. */
export type AuditEvent = Done

const OBJECT_LENGTH_MAX = 200
const CHANGE_LENGTH_MAX = 1_000

export async function writeAudit(queries: Queries, event: AuditEvent): Promise<void> {
  const change = event.change === null ? null : JSON.stringify(event.change)
  await queries.run(
    `INSERT INTO audit_event (created_at_ms, tenant_id, actor_kind, actor_id, actor_name, actor_email, action, object,
       object_name, change_json, address, outcome) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    event.atMs,
    event.tenantId ?? '',
    event.actorKind,
    event.actorId,
    event.actorName,
    event.actorEmail,
    event.action,
    event.object?.slice(0, OBJECT_LENGTH_MAX) ?? null,
    event.objectName?.slice(0, OBJECT_LENGTH_MAX) ?? null,
    change !== null && change.length > CHANGE_LENGTH_MAX ? null : change,
    event.address,
    event.outcome,
  )
}

/** Newest first. `tenantId` null: every event. */
export async function listAudit(
  queries: Queries,
  { tenantId, limit }: { tenantId: string | null; limit: number },
): Promise<FoundEvent[]> {
  const where = tenantId === null ? '' : 'WHERE tenant_id = ?'
  const rows = await queries.all<AuditRow>(
    `SELECT * FROM audit_event ${where} ORDER BY sequence DESC LIMIT ?`,
    ...(tenantId === null ? [] : [tenantId]),
    limit,
  )
  return rows.map(toFound)
}

/** The events of one object of a tenant, newest first. */
export async function listAuditOf(
  queries: Queries,
  { tenantId, object, limit }: { tenantId: string; object: string; limit: number },
): Promise<AuditEvent[]> {
  const rows = await queries.all<AuditRow>(
    'SELECT * FROM audit_event WHERE tenant_id = ? AND object = ? ORDER BY sequence DESC LIMIT ?',
    tenantId,
    object,
    limit,
  )
  return rows.map(toEvent)
}

/** Events that one search looks at: a filter that matches few is answered in several short pages. */
const WINDOW_EVENTS = 5_000

/** `link`: its place in its chain; null for the seconds until it has one. */
export type FoundEvent = AuditEvent & { id: string; link: { position: number; hash: string } | null }
type AuditPage = {
  events: FoundEvent[]
  /** The last event that was looked at; null when there is no older one. */
  nextBefore: string | null
}

type AuditSearch = {
  tenantId: string
  filters: AuditFilters
  /** The id of an event of this lender's; older ones are found. */
  before: string | null
  limit: number
}

/**
 * A lender's events, newest first; null when `before` is no event of theirs. Costs no more in a long trail than in a
 * short one.
 */
export async function searchAudit(
  queries: Queries,
  { tenantId, filters, before, limit }: AuditSearch,
): Promise<AuditPage | null> {
  const mark = before === null ? null : await findMark(queries, { tenantId, before })
  if (before !== null && mark === null) return null
  const end = filters.to === undefined ? null : { created_at_ms: startOfDay(addDays(filters.to, 1)), sequence: 0 }
  // One upper bound: with two, SQLite may choose the day's and read from there again for each page.
  const bound = mark !== null && (end === null || mark.created_at_ms < end.created_at_ms) ? mark : end
  const range: Condition[] = [['tenant_id = ?', tenantId]]
  if (bound !== null) range.push(['(created_at_ms, sequence) < (?, ?)', bound.created_at_ms, bound.sequence])
  if (filters.from !== undefined) range.push(['created_at_ms >= ?', startOfDay(filters.from)])
  const window = `FROM audit_event WHERE ${allOf(range)} ORDER BY created_at_ms DESC, sequence DESC`
  const wanted = conditionsOf(filters)
  const rows = await queries.all<AuditRow>(
    `SELECT * FROM (SELECT * ${window} LIMIT ${WINDOW_EVENTS}) AS looked_at
     ${wanted.length === 0 ? '' : `WHERE ${allOf(wanted)}`} ORDER BY created_at_ms DESC, sequence DESC LIMIT ?`,
    ...valuesOf(range),
    ...valuesOf(wanted),
    limit + 1,
  )
  const events = rows.slice(0, limit).map(toFound)
  if (rows.length > limit) return { events, nextBefore: events.at(-1)?.id ?? null }
  const last = await queries.first<Pick<AuditRow, 'sequence'>>(
    `SELECT sequence ${window} LIMIT 1 OFFSET ${WINDOW_EVENTS - 1}`,
    ...valuesOf(range),
  )
  return { events, nextBefore: last === null ? null : String(last.sequence) }
}

/** Read in a few milliseconds: SQLite reads on the thread that answers requests. */
const PAGE_EVENTS = 100

/** Every event that matches, a page at a time: what reads it has one page in memory. */
export async function* walkAudit(
  queries: Queries,
  search: Pick<AuditSearch, 'tenantId' | 'filters'>,
): AsyncGenerator<FoundEvent[]> {
  for (let before: string | null = null; ; ) {
    const page: AuditPage | null = await searchAudit(queries, { ...search, before, limit: PAGE_EVENTS })
    if (page === null) throw new Error('the events were deleted while they were read')
    yield page.events
    before = page.nextBefore
    if (before === null) return
  }
}

async function findMark(queries: Queries, { tenantId, before }: { tenantId: string; before: string }) {
  if (!/^[1-9]\d{0,14}$/.test(before)) return null
  const sql = 'SELECT created_at_ms, sequence FROM audit_event WHERE sequence = ? AND tenant_id = ?'
  return queries.first<Pick<AuditRow, 'created_at_ms' | 'sequence'>>(sql, Number(before), tenantId)
}

type Condition = readonly [sql: string, ...values: SqlValue[]]
const allOf = (conditions: readonly Condition[]) => conditions.map(([sql]) => sql).join(' AND ')
const valuesOf = (conditions: readonly Condition[]) => conditions.flatMap(([, ...values]) => values)

/** A request that changed nothing is recorded with its HTTP status. */
const DONE = `(outcome IN ('done', 'begun') OR outcome LIKE '2%' OR outcome LIKE '3%')`

/** Finds the text anywhere, whatever its case. */
const partOf = (text: string) => `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`

function conditionsOf({ who, object, action, outcome }: AuditFilters): Condition[] {
  const conditions: Condition[] = []
  if (object !== undefined)
    conditions.push([`(object = ? OR LOWER(object_name) LIKE ? ESCAPE '\\')`, object, partOf(object)])
  if (who !== undefined) {
    const sql = `(actor_id = ? OR LOWER(actor_email) = ? OR LOWER(actor_name) LIKE ? ESCAPE '\\')`
    conditions.push([sql, who, who.toLowerCase(), partOf(who)])
  }
  if (action !== undefined) conditions.push(['action = ?', action])
  if (outcome !== undefined) conditions.push([outcome === 'done' ? DONE : `NOT ${DONE}`])
  return conditions
}

function toFound(row: AuditRow): FoundEvent {
  const { sequence, link_position: position, link_hash: hash } = row
  const link = position === null || hash === null ? null : { position, hash }
  return { id: String(sequence), ...toEvent(row), link }
}

function toEvent(row: AuditRow): AuditEvent {
  return {
    atMs: row.created_at_ms,
    tenantId: row.tenant_id === '' ? null : row.tenant_id,
    actorKind: row.actor_kind as AuditEvent['actorKind'],
    actorId: row.actor_id,
    actorName: row.actor_name,
    actorEmail: row.actor_email,
    action: row.action,
    object: row.object,
    ...(row.object_name === null ? {} : { objectName: row.object_name }),
    change: row.change_json === null ? null : JSON.parse(row.change_json),
    address: row.address,
    outcome: row.outcome,
  }
}
