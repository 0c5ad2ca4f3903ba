// The audit trail: append-only, which the database itself enforces.
import type { Queries, SqlValue } from '../store/database.ts'
import { DELETE_ROWS_MAX } from '../store/sweep-rows.ts'
import type { AuditRow } from './tables.ts'

export type AuditEvent = {
  atMs: number
  tenantId: string | null
  actorKind: 'person' | 'client' | 'operator' | 'unknown'
  actorId: string | null
  /** For example `client.create`. */
  action: string
  /** The id of what it was done to. */
  object: string | null
  /** Where it came from, as far as the service can trust that. */
  address: string | null
  outcome: string
}

const OBJECT_LENGTH_MAX = 200

export async function writeAudit(queries: Queries, event: AuditEvent): Promise<void> {
  await queries.run(
    `INSERT INTO audit_event (created_at_ms, tenant_id, actor_kind, actor_id, action, object, address, outcome)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    event.atMs,
    event.tenantId,
    event.actorKind,
    event.actorId,
    event.action,
    event.object?.slice(0, OBJECT_LENGTH_MAX) ?? null,
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

/** Forgets what is older than its time, the oldest first; resolves to how many. */
export function forgetOldAudit(queries: Queries, beforeMs: number): Promise<number> {
  return queries.run(
    `DELETE FROM audit_event WHERE created_at_ms < ? AND sequence IN
       (SELECT sequence FROM audit_event ORDER BY sequence LIMIT ?)`,
    beforeMs,
    DELETE_ROWS_MAX,
  )
}

function toEvent(row: AuditRow): AuditEvent {
  return {
    atMs: row.created_at_ms,
    tenantId: row.tenant_id,
    actorKind: row.actor_kind as AuditEvent['actorKind'],
    actorId: row.actor_id,
    action: row.action,
    object: row.object,
    address: row.address,
    outcome: row.outcome,
  }
}
