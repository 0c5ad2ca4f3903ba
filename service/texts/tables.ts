import type { Migration } from '../store/migration.ts'
import type { RowOf } from '../store/rows.ts'

// The table is made with the reports' (reports/tables.ts), whose rows it belongs to.
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
    // One row for each text that was allowed to leave, kept for a day. Indexes of traits, never the traits themselves.
    `CREATE TABLE text_claim (
      report_id TEXT NOT NULL,
      send_number ${integer} NOT NULL,
      number_index TEXT NOT NULL,
      prefix_index TEXT NOT NULL,
      address_index TEXT NOT NULL,
      device_index TEXT NOT NULL,
      person_index TEXT NOT NULL,
      tenant_index TEXT NOT NULL,
      claimed_at_ms ${integer} NOT NULL,
      PRIMARY KEY (report_id, send_number)
    )`,
    ...['number', 'prefix', 'address', 'device', 'person', 'tenant'].map(
      (trait) => `CREATE INDEX text_claim_of_${trait} ON text_claim (${trait}_index, claimed_at_ms)`,
    ),
    `CREATE INDEX text_claim_age ON text_claim (claimed_at_ms)`,
    // Claims with a trait in common wait for each other here, so that two at once cannot both be the last allowed.
    `CREATE TABLE text_claim_turn (trait_index TEXT PRIMARY KEY, taken_at_ms ${integer} NOT NULL)`,
    `CREATE INDEX text_claim_turn_age ON text_claim_turn (taken_at_ms)`,
  ],
}

export const textOwnerTables: Migration = {
  name: 'text-owners',
  statements: () => [
    // Traits that came later: the number among all lenders, a range from one address, the wider networks of an address.
    ...['everywhere', 'source', 'block', 'site'].flatMap((trait) => [
      `ALTER TABLE text_claim ADD COLUMN ${trait}_index TEXT NOT NULL DEFAULT ''`,
      `CREATE INDEX text_claim_of_${trait} ON text_claim (${trait}_index, claimed_at_ms)`,
    ]),
  ],
}
