import type { Migration } from './migration.ts'

export const writeTrialTables: Migration = {
  name: 'write-trial',
  // Empty but for a moment now and then: what `/readyz` writes to learn whether writing works again.
  statements: ({ blob }) => [`CREATE TABLE write_trial (padding ${blob} NOT NULL)`],
}
