import type { Migration } from './migration.ts'

export const writeTrialTables: Migration = {
  name: 'write-trial',
  // Empty but for a moment now and then: what `/readyz` writes to learn whether writing works again.
  statements: ({ blob }) => [`CREATE TABLE write_trial (padding ${blob} NOT NULL)`],
}

export const sweepTurnTables: Migration = {
  name: 'sweep-turn',
  statements: ({ integer }) => [
    // One row: which of the processes on this database finishes what crashes and time leave behind.
    `CREATE TABLE sweep_turn (
      id ${integer} PRIMARY KEY CHECK (id = 1),
      process_id TEXT NOT NULL,
      until_ms ${integer} NOT NULL
    )`,
  ],
}

export const backupTables: Migration = {
  name: 'backup-time',
  statements: ({ integer }) => [
    // One row, once there is a backup: when the newest was made.
    `CREATE TABLE backup_time (
      id ${integer} PRIMARY KEY CHECK (id = 1),
      at_ms ${integer} NOT NULL
    )`,
  ],
}
