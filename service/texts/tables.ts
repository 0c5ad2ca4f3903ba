import type { Migration } from '../store/migration.ts'
import type { RowOf } from '../store/rows.ts'

export const textMessageColumns = {
  id: 'text',
  report_id: 'text',
  tenant_id: 'text',
  send_number: 'integer',
  status: 'text',
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
      -- While queued: its sender has until then.
      lease_until_ms ${integer} NOT NULL,
      created_at_ms ${integer} NOT NULL,
      UNIQUE (report_id, send_number)
    )`,
    `CREATE INDEX text_message_open ON text_message (id) WHERE status IN ('queued', 'accepted')`,
  ],
}

const TRAITS = ['number', 'everywhere', 'prefix', 'source', 'address', 'block', 'site', 'device', 'person', 'tenant']

export const textClaimTables: Migration = {
  name: 'text-claims',
  statements: ({ integer }) => [
    // One row for each text that was allowed to leave, kept for a day. Indexes of traits, never the traits themselves.
    `CREATE TABLE text_claim (
      report_id TEXT NOT NULL,
      send_number ${integer} NOT NULL,
      ${TRAITS.map((trait) => `${trait}_index TEXT NOT NULL`).join(', ')},
      claimed_at_ms ${integer} NOT NULL,
      PRIMARY KEY (report_id, send_number)
    )`,
    ...TRAITS.map((trait) => `CREATE INDEX text_claim_of_${trait} ON text_claim (${trait}_index, claimed_at_ms)`),
    `CREATE INDEX text_claim_age ON text_claim (claimed_at_ms)`,
    // Claims with a trait in common wait for each other here, so that two at once cannot both be the last allowed.
    `CREATE TABLE text_claim_turn (trait_index TEXT PRIMARY KEY, taken_at_ms ${integer} NOT NULL)`,
    `CREATE INDEX text_claim_turn_age ON text_claim_turn (taken_at_ms)`,
  ],
}
