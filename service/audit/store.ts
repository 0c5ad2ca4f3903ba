// The audit trail: append-only, which the database itself enforces.
import type { Change, Queries, SqlValue } from '../store/database.ts'
import type { AuditRow } from './tables.ts'

export type AuditEvent = {
  atMs: number
  tenantId: string | null
  /** `unknown`: nothing proved who it was, as when a password is wrong; `object` then says whose account was tried. */
  actorKind: 'person' | 'client' | 'operator' | 'unknown'
  actorId: string | null
  /** A person's name and e-mail address as they were then. */
  actorName: string | null
  actorEmail: string | null
  /** For example `client.create`. */
  action: string
  /** The id of what it was done to. */
  object: string | null
  /** What was changed; null where nothing was, or something was made or ended. */
  change: Change | null
  /** Where it came from, as far as the service can trust that. */
  address: string | null
  outcome: string
}

const OBJECT_LENGTH_MAX = 200
const CHANGE_LENGTH_MAX = 1_000

export async function writeAudit(queries: Queries, event: AuditEvent): Promise<void> {
  const change = event.change === null ? null : JSON.stringify(event.change)
  await queries.run(
    `INSERT INTO audit_event (created_at_ms, tenant_id, actor_kind, actor_id, actor_name, actor_email, action, object,
       change_json, address, outcome) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    event.atMs,
    event.tenantId,
    event.actorKind,
    event.actorId,
    event.actorName,
    event.actorEmail,
    event.action,
    event.object?.slice(0, OBJECT_LENGTH_MAX) ?? null,
    change !== null && change.length > CHANGE_LENGTH_MAX ? null : change,
    event.address,
    event.outcome,
  )
}

type AuditWanted = {
  /** Its events, and those of `actorIds` that belong to no tenant, such as signing in; null: every event. */
  tenantId: string | null
  actorIds?: readonly string[]
  limit: number
}

/** Newest first. */
export async function listAudit(
  queries: Queries,
  { tenantId, actorIds = [], limit }: AuditWanted,
): Promise<AuditEvent[]> {
  const ofActors =
    actorIds.length === 0 ? '' : ` OR (tenant_id IS NULL AND actor_id IN (${actorIds.map(() => '?').join(', ')}))`
  const where = tenantId === null ? '' : `WHERE tenant_id = ?${ofActors}`
  const values: SqlValue[] = tenantId === null ? [] : [tenantId, ...actorIds]
  const rows = await queries.all<AuditRow>(
    `SELECT * FROM audit_event ${where} ORDER BY sequence DESC LIMIT ?`,
    ...values,
    limit,
  )
  return rows.map(toEvent)
}

/** What was done to one thing of a tenant's, newest first. */
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

function toEvent(row: AuditRow): AuditEvent {
  return {
    atMs: row.created_at_ms,
    tenantId: row.tenant_id,
    actorKind: row.actor_kind as AuditEvent['actorKind'],
    actorId: row.actor_id,
    actorName: row.actor_name,
    actorEmail: row.actor_email,
    action: row.action,
    object: row.object,
    change: row.change_json === null ? null : JSON.parse(row.change_json),
    address: row.address,
    outcome: row.outcome,
  }
}
