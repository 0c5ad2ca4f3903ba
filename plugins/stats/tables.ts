import type { Migration } from '../../service/store/migration.ts'
import type { RowOf } from '../../service/store/rows.ts'

export const statColumns = {
  tenant_id: 'text',
  test: 'integer',
  day: 'text',
  name: 'text',
  count: 'integer',
  sum_ms: 'integer',
} as const
export type StatRow = RowOf<typeof statColumns>

export const statTables: Migration = {
  name: 'stats',
  statements: ({ integer, clustered }) => [
    // Counts and total times of a UK day's events. Nothing about a person.
    `CREATE TABLE stat (
      tenant_id TEXT NOT NULL,
      test ${integer} NOT NULL CHECK (test IN (0, 1)),
      day TEXT NOT NULL,
      name TEXT NOT NULL,
      count ${integer} NOT NULL,
      sum_ms ${integer} NOT NULL,
      PRIMARY KEY (tenant_id, test, day, name)
    ) ${clustered}`,
    `CREATE INDEX stat_age ON stat (day)`,
    // Versions of our packages that a lender runs, and when a check last came from each, to the hour. Nothing about
    // anyone.
    `CREATE TABLE version_seen (
      tenant_id TEXT NOT NULL,
      test ${integer} NOT NULL CHECK (test IN (0, 1)),
      kind TEXT NOT NULL,
      version TEXT NOT NULL,
      seen_at_ms ${integer} NOT NULL,
      PRIMARY KEY (tenant_id, test, kind, version)
    ) ${clustered}`,
    `CREATE INDEX version_seen_age ON version_seen (seen_at_ms)`,
  ],
}

export const versionSeenColumns = {
  tenant_id: 'text',
  test: 'integer',
  kind: 'text',
  version: 'text',
  seen_at_ms: 'integer',
} as const
export type VersionSeenRow = RowOf<typeof versionSeenColumns>
