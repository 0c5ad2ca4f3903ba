import type { Migration } from '../store/migration.ts'
import type { RowOf } from '../store/rows.ts'

export const rateLimitColumns = {
  credential: 'text',
  window_started_at_ms: 'integer',
  used: 'integer',
  granted: 'integer',
} as const
export type RateLimitRow = RowOf<typeof rateLimitColumns>

export const requestTables: Migration = {
  name: 'requests',
  statements: ({ integer, clustered }) => [
    // One row per credential, used again every minute.
    `CREATE TABLE rate_limit (
      credential TEXT PRIMARY KEY,
      window_started_at_ms ${integer} NOT NULL,
      -- Requests handed out in this window, to all processes together.
      used ${integer} NOT NULL,
      -- How many of them went to whoever asked last.
      granted ${integer} NOT NULL
    ) ${clustered}`,
  ],
}
