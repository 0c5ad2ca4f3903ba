import type { Migration } from './migration.ts'

export const storeTables: Migration = {
  name: 'store',
  statements: ({ integer, blob }) => [
    // Empty but for a moment now and then: `/readyz` writes to it to learn whether writing works again.
    `CREATE TABLE write_trial (padding ${blob} NOT NULL)`,
    // One row: the process on this database that sweeps.
    `CREATE TABLE sweep_turn (
      id ${integer} PRIMARY KEY CHECK (id = 1),
      process_id TEXT NOT NULL,
      until_ms ${integer} NOT NULL
    )`,
    // One row, once there is a backup: the time of the newest.
    `CREATE TABLE backup_time (
      id ${integer} PRIMARY KEY CHECK (id = 1),
      at_ms ${integer} NOT NULL
    )`,
  ],
}
