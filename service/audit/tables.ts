import type { Migration } from '../store/migration.ts'
import type { RowOf } from '../store/rows.ts'

export const auditColumns = {
  sequence: 'integer',
  created_at_ms: 'integer',
  tenant_id: 'text or null',
  actor_kind: 'text',
  actor_id: 'text or null',
  action: 'text',
  object: 'text or null',
  address: 'text or null',
  outcome: 'text',
} as const
export type AuditRow = RowOf<typeof auditColumns>

/** Younger events cannot be deleted; AUDIT_RETENTION_DAYS has the same minimum. */
const KEPT_DAYS_MIN = 30
const DAY_MS = 86_400_000

const APPEND_ONLY = 'audit events are never changed or deleted'

export const auditTables: Migration = {
  name: 'audit',
  statements: ({ engine, integer, serialKey }) => [
    // Who did what, on what, from where, and how it ended. Nothing about consumers.
    `CREATE TABLE audit_event (
      sequence ${serialKey},
      created_at_ms ${integer} NOT NULL,
      -- NULL: of the installation, or not known.
      tenant_id TEXT,
      actor_kind TEXT NOT NULL CHECK (actor_kind IN ('person', 'client', 'operator', 'unknown')),
      actor_id TEXT,
      action TEXT NOT NULL,
      object TEXT,
      address TEXT,
      outcome TEXT NOT NULL
    )`,
    `CREATE INDEX audit_event_of_tenant ON audit_event (tenant_id, sequence)`,
    `CREATE INDEX audit_event_of_actor ON audit_event (actor_id, sequence)`,
    ...(engine === 'sqlite'
      ? [
          `CREATE TRIGGER audit_event_no_update BEFORE UPDATE ON audit_event
           BEGIN SELECT RAISE(ABORT, '${APPEND_ONLY}'); END`,
          `CREATE TRIGGER audit_event_no_delete BEFORE DELETE ON audit_event
           WHEN OLD.created_at_ms > CAST(strftime('%s', 'now') AS INTEGER) * 1000 - ${KEPT_DAYS_MIN * DAY_MS}
           BEGIN SELECT RAISE(ABORT, '${APPEND_ONLY}'); END`,
        ]
      : [
          `CREATE FUNCTION audit_event_keeps() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION '${APPEND_ONLY}' USING ERRCODE = 'check_violation', CONSTRAINT = 'append_only'; END $$`,
          `CREATE TRIGGER audit_event_keeps BEFORE UPDATE OR TRUNCATE ON audit_event
            FOR EACH STATEMENT EXECUTE FUNCTION audit_event_keeps()`,
          `CREATE TRIGGER audit_event_keeps_young BEFORE DELETE ON audit_event FOR EACH ROW
            WHEN (OLD.created_at_ms > EXTRACT(EPOCH FROM now()) * 1000 - ${KEPT_DAYS_MIN * DAY_MS})
            EXECUTE FUNCTION audit_event_keeps()`,
        ]),
  ],
  // Old events are deleted; the trigger refuses to delete others.
  grants: { audit_event: 'SELECT, INSERT, DELETE' },
}
