import type { Migration } from '../store/migration.ts'
import type { RowOf } from '../store/rows.ts'

export const textMessageColumns = {
  id: 'text',
  report_id: 'text',
  tenant_id: 'text',
  send_number: 'integer',
  status: 'text',
  refused_because: 'text or null',
  gateway_code: 'text or null',
  lease_until_ms: 'integer',
  created_at_ms: 'integer',
} as const
export type TextMessageRow = RowOf<typeof textMessageColumns>

export const textTables: Migration = {
  name: 'texts',
  statements: ({ integer }) => [
    `CREATE TABLE text_message (
      id TEXT PRIMARY KEY,
      report_id TEXT NOT NULL REFERENCES credit_report (id),
      tenant_id TEXT NOT NULL,
      send_number ${integer} NOT NULL CHECK (send_number BETWEEN 1 AND 3),
      status TEXT NOT NULL CHECK (status IN ('queued', 'accepted', 'delivered', 'undelivered')),
      -- Why it was not delivered, as the gateway said, and the gateway's own code.
      refused_because TEXT,
      gateway_code TEXT,
      -- While queued: its sender has until then.
      lease_until_ms ${integer} NOT NULL,
      created_at_ms ${integer} NOT NULL,
      UNIQUE (report_id, send_number)
    )`,
    `CREATE INDEX text_message_open ON text_message (id) WHERE status IN ('queued', 'accepted')`,
  ],
}
