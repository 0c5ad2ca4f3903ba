import type { Migration } from '../../service/store/migration.ts'
import type { RowOf } from '../../service/store/rows.ts'

export const refusalColumns = {
  id: 'text',
  tenant_id: 'text',
  created_at_ms: 'integer',
  client_id: 'text',
  method: 'text',
  route: 'text',
  status: 'integer',
  code: 'text',
  request_id: 'text',
} as const
export type RefusalRow = RowOf<typeof refusalColumns>

export const refusalHourColumns = {
  tenant_id: 'text',
  hour_started_at_ms: 'integer',
  code: 'text',
  count: 'integer',
} as const
export type RefusalHourRow = RowOf<typeof refusalHourColumns>

export const refusalTables: Migration = {
  name: 'refusals',
  statements: ({ integer, clustered }) => [
    // The newest refused calls of a lender's API clients. The route is a pattern: nothing that a caller typed is in it.
    `CREATE TABLE refusal (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      created_at_ms ${integer} NOT NULL,
      client_id TEXT NOT NULL,
      method TEXT NOT NULL,
      route TEXT NOT NULL,
      status ${integer} NOT NULL,
      code TEXT NOT NULL,
      request_id TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id)
    ) ${clustered}`,
    `CREATE INDEX refusal_age ON refusal (created_at_ms)`,
    // The number in each hour.
    `CREATE TABLE refusal_hour (
      tenant_id TEXT NOT NULL,
      hour_started_at_ms ${integer} NOT NULL,
      code TEXT NOT NULL,
      count ${integer} NOT NULL,
      PRIMARY KEY (tenant_id, hour_started_at_ms, code)
    ) ${clustered}`,
    `CREATE INDEX refusal_hour_age ON refusal_hour (hour_started_at_ms)`,
  ],
}
