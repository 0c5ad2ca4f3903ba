import type { Migration } from '../store/migration.ts'
import type { RowOf } from '../store/rows.ts'

export const tenantColumns = {
  id: 'text',
  name: 'text',
  report_price_credits: 'integer or null',
  sms_price_credits: 'integer or null',
  checkout_host: 'text or null',
  test_clock_ahead_ms: 'integer',
  created_at_ms: 'integer',
  require_all_bureaus: 'integer',
  rate_limit_per_minute: 'integer or null',
  low_balance_credits: 'integer or null',
  suspended_at_ms: 'integer or null',
  suspended_reason: 'text or null',
  report_retention_days: 'integer or null',
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
      sms_price_credits ${integer} CHECK (sms_price_credits >= 0),
      -- The site that texts name, so that a phone offers the code there and nowhere else.
      checkout_host TEXT,
      -- How far the demo moved the clock of this tenant's test-mode challenges.
      test_clock_ahead_ms ${integer} NOT NULL DEFAULT 0,
      created_at_ms ${integer} NOT NULL
    )`,
  ],
}

export const tenantPolicyTables: Migration = {
  name: 'tenant-policies',
  statements: ({ integer }) => [
    // 1: a report of every bureau asked for, or none. 0: a report of those that answered.
    `ALTER TABLE tenant ADD COLUMN require_all_bureaus ${integer} NOT NULL DEFAULT 1`,
  ],
}

export const tenantLimitTables: Migration = {
  name: 'tenant-limits',
  statements: ({ integer }) => [
    // Requests a minute. NULL: the installation's limit.
    `ALTER TABLE tenant ADD COLUMN rate_limit_per_minute ${integer} CHECK (rate_limit_per_minute > 0)`,
  ],
}

export const tenantSuspensionTables: Migration = {
  name: 'tenant-suspension',
  statements: ({ integer }) => [
    // Set: no new checks. 0.2.0 does not read it.
    `ALTER TABLE tenant ADD COLUMN suspended_at_ms ${integer}`,
    'ALTER TABLE tenant ADD COLUMN suspended_reason TEXT',
  ],
}

export const tenantRetentionTables: Migration = {
  name: 'tenant-retention',
  statements: ({ integer }) => [
    // Days that this lender's reports are kept. NULL: the installation's, which is also the most.
    `ALTER TABLE tenant ADD COLUMN report_retention_days ${integer} CHECK (report_retention_days > 0)`,
  ],
}
