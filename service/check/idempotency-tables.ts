import type { Migration } from '../store/migration.ts'
import type { RowOf } from '../store/rows.ts'

export const keyUseColumns = {
  scope: 'text',
  fingerprint: 'text',
  report_id: 'text',
  outcome: 'text or null',
  cost_credits: 'integer or null',
  balance_credits: 'integer or null',
  sends: 'integer or null',
  created_at_ms: 'integer',
} as const
export type KeyUseRow = RowOf<typeof keyUseColumns>

export const idempotencyTables: Migration = {
  name: 'idempotency',
  statements: ({ integer, clustered }) => [
    // Ids, counts and fingerprints only: an answer is rebuilt from the report it points at.
    `CREATE TABLE idempotency (
      -- Tenant, operation and the caller's key, as a blind index.
      scope TEXT PRIMARY KEY,
      fingerprint TEXT NOT NULL,
      report_id TEXT NOT NULL,
      -- NULL while the first request is still in progress.
      outcome TEXT,
      cost_credits ${integer},
      balance_credits ${integer},
      sends ${integer},
      created_at_ms ${integer} NOT NULL
    ) ${clustered}`,
    `CREATE INDEX idempotency_unfinished ON idempotency (report_id) WHERE outcome IS NULL`,
    `CREATE INDEX idempotency_by_age ON idempotency (created_at_ms)`,
  ],
}
