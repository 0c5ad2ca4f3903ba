import type { Migration } from '../store/migration.ts'
import type { RowOf } from '../store/rows.ts'

export const sessionColumns = {
  session_hash: 'text',
  opened_at_ms: 'integer',
  expires_at_ms: 'integer',
  signals: 'text or null',
  profiled: 'integer',
  network_hash: 'text or null',
  device_hash: 'text',
  tenant_id: 'text or null',
  consumer_hash: 'text or null',
} as const
export type SessionRow = RowOf<typeof sessionColumns>

export const deviceTables: Migration = {
  name: 'devices',
  statements: ({ integer }) => [
    // Hashes are keyed: they tell whether two values are equal and nothing else, not even to a reader of the table.
    `CREATE TABLE device_session (
      session_hash TEXT PRIMARY KEY,
      opened_at_ms ${integer} NOT NULL,
      expires_at_ms ${integer} NOT NULL,
      -- What was seen, as JSON. NULL once the session has expired.
      signals TEXT,
      profiled ${integer} NOT NULL CHECK (profiled IN (0, 1)),
      -- Where the browser was; NULL when its address says nothing, as behind a proxy or on a developer's machine.
      network_hash TEXT,
      device_hash TEXT NOT NULL,
      -- The first consumer to use the session is the only one.
      tenant_id TEXT,
      consumer_hash TEXT,
      CHECK ((tenant_id IS NULL) = (consumer_hash IS NULL))
    )`,
    // For the sweeper, every few seconds: sessions that still have values, and those to be deleted.
    `CREATE INDEX device_session_known ON device_session (expires_at_ms) WHERE signals IS NOT NULL`,
    `CREATE INDEX device_session_expiry ON device_session (expires_at_ms)`,
    `CREATE INDEX device_session_device ON device_session (tenant_id, device_hash) WHERE tenant_id IS NOT NULL`,
    // Every script that was ever served, because lenders pin them by hash and a pinned page must keep working.
    `CREATE TABLE device_script (
      hash TEXT PRIMARY KEY,
      source TEXT NOT NULL,
      first_served_at_ms ${integer} NOT NULL
    )`,
  ],
}
