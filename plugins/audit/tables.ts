import { DAY_MS } from '../../kit/clock.ts'
import type { Migration } from '../../service/store/migration.ts'
import type { RowOf } from '../../service/store/rows.ts'

export const auditColumns = {
  sequence: 'integer',
  created_at_ms: 'integer',
  tenant_id: 'text',
  actor_kind: 'text',
  actor_id: 'text or null',
  action: 'text',
  object: 'text or null',
  object_name: 'text or null',
  address: 'text or null',
  outcome: 'text',
  actor_name: 'text or null',
  actor_email: 'text or null',
  change_json: 'text or null',
  link_position: 'integer or null',
  link_hash: 'text or null',
} as const
export type AuditRow = RowOf<typeof auditColumns>

export const auditHeadColumns = {
  tenant_id: 'text',
  position: 'integer',
  hash: 'text',
  deleted_position: 'integer',
  deleted_hash: 'text',
  jws: 'text',
  checked_position: 'integer or null',
  checked_hash: 'text or null',
  verified_position: 'integer',
  verified_at_ms: 'integer',
  verified_problem: 'text or null',
} as const
export type AuditHeadRow = RowOf<typeof auditHeadColumns>

export const auditKeptHeadColumns = {
  tenant_id: 'text',
  day: 'integer',
  position: 'integer',
  hash: 'text',
  jws: 'text',
  signed_at_ms: 'integer',
} as const
export type AuditKeptHeadRow = RowOf<typeof auditKeptHeadColumns>

/** Younger events cannot be deleted; AUDIT_RETENTION_DAYS has the same minimum. */
const KEPT_DAYS_MIN = 30

const APPEND_ONLY = 'audit events are never changed or deleted'

const WRITTEN_ONCE =
  'sequence, created_at_ms, tenant_id, actor_kind, actor_id, actor_name, actor_email, action, object, object_name, change_json, address, outcome'
const LINK = 'link_position, link_hash'

export const auditTables: Migration = {
  name: 'audit',
  statements: ({ engine, integer, serialKey }) => [
    // Actor, action, object, address and outcome. Nothing about consumers.
    `CREATE TABLE audit_event (
      sequence ${serialKey},
      created_at_ms ${integer} NOT NULL,
      -- Whose chain it belongs to. Empty: the installation's, or not known.
      tenant_id TEXT NOT NULL DEFAULT '',
      actor_kind TEXT NOT NULL CHECK (actor_kind IN ('person', 'client', 'operator', 'unknown')),
      actor_id TEXT,
      -- As they were then: a person who leaves keeps their lines.
      actor_name TEXT,
      actor_email TEXT,
      action TEXT NOT NULL,
      object TEXT,
      -- As it was then.
      object_name TEXT,
      -- JSON: {from, to}.
      change_json TEXT,
      address TEXT,
      outcome TEXT NOT NULL,
      -- The event's place in its chain; NULL for the few seconds until it is linked (chain.ts).
      link_position ${integer},
      link_hash TEXT
    )`,
    `CREATE INDEX audit_event_of_tenant ON audit_event (tenant_id, sequence)`,
    // The events of one report: who was given it, who read it.
    `CREATE INDEX audit_event_of_object ON audit_event (tenant_id, object, sequence) WHERE object IS NOT NULL`,
    `CREATE INDEX audit_event_by_time ON audit_event (tenant_id, created_at_ms, sequence)`,
    `CREATE UNIQUE INDEX audit_event_linked ON audit_event (tenant_id, link_position) WHERE link_position IS NOT NULL`,
    `CREATE INDEX audit_event_unlinked ON audit_event (sequence) WHERE link_position IS NULL`,
    // The end and the beginning of each chain.
    `CREATE TABLE audit_head (
      tenant_id TEXT PRIMARY KEY,
      -- The newest link.
      position ${integer} NOT NULL,
      hash TEXT NOT NULL,
      -- The link of the newest event that was deleted after its time; the chain begins behind it.
      deleted_position ${integer} NOT NULL,
      deleted_hash TEXT NOT NULL,
      -- The same, signed (signed-head.ts).
      jws TEXT NOT NULL,
      -- How far the check of the chain that runs now has come. NULL: none runs.
      checked_position ${integer},
      checked_hash TEXT,
      -- The last whole check: up to which link, when (0: never), and the problem it found. NULL: none.
      verified_position ${integer} NOT NULL DEFAULT 0,
      verified_at_ms ${integer} NOT NULL DEFAULT 0,
      verified_problem TEXT
    )`,
    // The head that was signed and sent on each day.
    `CREATE TABLE audit_kept_head (
      tenant_id TEXT NOT NULL,
      -- Since 1970.
      day ${integer} NOT NULL,
      position ${integer} NOT NULL,
      hash TEXT NOT NULL,
      jws TEXT NOT NULL,
      signed_at_ms ${integer} NOT NULL,
      PRIMARY KEY (tenant_id, day)
    )`,
    `CREATE INDEX audit_kept_head_by_time ON audit_kept_head (signed_at_ms)`,
    // The link is written once; everything else stays as it was inserted.
    ...(engine === 'sqlite'
      ? [
          `CREATE TRIGGER audit_event_no_update BEFORE UPDATE OF ${WRITTEN_ONCE} ON audit_event
           BEGIN SELECT RAISE(ABORT, '${APPEND_ONLY}'); END`,
          `CREATE TRIGGER audit_event_no_relink BEFORE UPDATE OF ${LINK} ON audit_event WHEN OLD.link_position IS NOT NULL
           BEGIN SELECT RAISE(ABORT, '${APPEND_ONLY}'); END`,
          `CREATE TRIGGER audit_event_no_delete BEFORE DELETE ON audit_event
           WHEN OLD.created_at_ms > CAST(strftime('%s', 'now') AS INTEGER) * 1000 - ${KEPT_DAYS_MIN * DAY_MS}
           BEGIN SELECT RAISE(ABORT, '${APPEND_ONLY}'); END`,
          `CREATE TRIGGER audit_kept_head_no_update BEFORE UPDATE ON audit_kept_head
           BEGIN SELECT RAISE(ABORT, '${APPEND_ONLY}'); END`,
          `CREATE TRIGGER audit_kept_head_no_delete BEFORE DELETE ON audit_kept_head
           WHEN OLD.signed_at_ms > CAST(strftime('%s', 'now') AS INTEGER) * 1000 - ${KEPT_DAYS_MIN * DAY_MS}
           BEGIN SELECT RAISE(ABORT, '${APPEND_ONLY}'); END`,
        ]
      : [
          `CREATE FUNCTION audit_event_keeps() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION '${APPEND_ONLY}' USING ERRCODE = 'check_violation', CONSTRAINT = 'append_only'; END $$`,
          `CREATE TRIGGER audit_event_keeps BEFORE UPDATE OF ${WRITTEN_ONCE} OR TRUNCATE ON audit_event
            FOR EACH STATEMENT EXECUTE FUNCTION audit_event_keeps()`,
          `CREATE TRIGGER audit_event_keeps_link BEFORE UPDATE OF ${LINK} ON audit_event FOR EACH ROW
            WHEN (OLD.link_position IS NOT NULL) EXECUTE FUNCTION audit_event_keeps()`,
          `CREATE TRIGGER audit_event_keeps_young BEFORE DELETE ON audit_event FOR EACH ROW
            WHEN (OLD.created_at_ms > EXTRACT(EPOCH FROM now()) * 1000 - ${KEPT_DAYS_MIN * DAY_MS})
            EXECUTE FUNCTION audit_event_keeps()`,
          `CREATE TRIGGER audit_kept_head_keeps BEFORE UPDATE OR TRUNCATE ON audit_kept_head
            FOR EACH STATEMENT EXECUTE FUNCTION audit_event_keeps()`,
          `CREATE TRIGGER audit_kept_head_keeps_young BEFORE DELETE ON audit_kept_head FOR EACH ROW
            WHEN (OLD.signed_at_ms > EXTRACT(EPOCH FROM now()) * 1000 - ${KEPT_DAYS_MIN * DAY_MS})
            EXECUTE FUNCTION audit_event_keeps()`,
        ]),
  ],
  // Old events are deleted; the trigger refuses to delete others.
  grants: { audit_event: `SELECT, INSERT, DELETE, UPDATE (${LINK})`, audit_kept_head: 'SELECT, INSERT, DELETE' },
}
