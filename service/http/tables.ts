import type { Migration } from '../store/migration.ts'
import type { RowOf } from '../store/rows.ts'

export const rateLimitColumns = {
  credential: 'text',
  window_started_at_ms: 'integer',
  used: 'integer',
  granted: 'integer',
} as const
export type RateLimitRow = RowOf<typeof rateLimitColumns>

export const keptAnswerColumns = {
  scope: 'text',
  fingerprint: 'text',
  tenant_id: 'text',
  wrapped_key: 'blob',
  content: 'blob',
  created_at_ms: 'integer',
} as const
export type KeptAnswerRow = RowOf<typeof keptAnswerColumns>

export const requestTables: Migration = {
  name: 'requests',
  statements: ({ integer, blob, clustered }) => [
    // One row per credential, used again every minute.
    `CREATE TABLE rate_limit (
      credential TEXT PRIMARY KEY,
      window_started_at_ms ${integer} NOT NULL,
      -- Requests handed out in this window, to all processes together.
      used ${integer} NOT NULL,
      -- How many of them went to whoever asked last.
      granted ${integer} NOT NULL
    ) ${clustered}`,
    `CREATE TABLE kept_answer (
      -- Tenant, operation, caller and the caller's Idempotency-Key, as a blind index.
      scope TEXT PRIMARY KEY,
      fingerprint TEXT NOT NULL,
      tenant_id TEXT NOT NULL,
      -- The answer, sealed: a secret may be in it.
      wrapped_key ${blob} NOT NULL,
      content ${blob} NOT NULL,
      created_at_ms ${integer} NOT NULL
    )`,
    `CREATE INDEX kept_answer_by_age ON kept_answer (created_at_ms)`,
  ],
}
