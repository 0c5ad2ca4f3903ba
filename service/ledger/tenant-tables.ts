import type { Migration } from '../store/migration.ts'
import type { RowOf } from '../store/rows.ts'

export const tenantColumns = {
  id: 'text',
  name: 'text',
  report_price_credits: 'integer or null',
  text_price_credits: 'integer or null',
  checkout_host: 'text or null',
  sms_sender: 'text or null',
  test_clock_ahead_ms: 'integer',
  created_at_ms: 'integer',
  require_all_bureaus: 'integer',
  rate_limit_per_minute: 'integer or null',
  suspended_at_ms: 'integer or null',
  suspended_reason: 'text or null',
} as const
export type TenantRow = RowOf<typeof tenantColumns>

export const tenantTables: Migration = {
  name: 'tenants',
  statements: ({ integer }) => [
    `CREATE TABLE tenant (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      -- NULL: the installation's price.
      report_price_credits ${integer} CHECK (report_price_credits >= 0),
      text_price_credits ${integer} CHECK (text_price_credits >= 0),
      -- The site that texts name, so that a phone offers the code there and nowhere else.
      checkout_host TEXT,
      -- Who its texts come from. NULL: the installation's sender.
      sms_sender TEXT,
      -- 1: a report of every bureau of the request, or none. 0: a report of those that answered.
      require_all_bureaus ${integer} NOT NULL DEFAULT 1,
      -- Requests a minute. NULL: the installation's limit.
      rate_limit_per_minute ${integer} CHECK (rate_limit_per_minute > 0),
      -- Set: no new checks.
      suspended_at_ms ${integer},
      suspended_reason TEXT,
      -- How far the demo moved the clock of this tenant's test-mode challenges.
      test_clock_ahead_ms ${integer} NOT NULL DEFAULT 0,
      created_at_ms ${integer} NOT NULL
    )`,
  ],
}
