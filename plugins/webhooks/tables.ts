import { deriveKeys } from '../../service/keys.ts'
import type { SealedTable } from '../../service/plugin.ts'
import type { Migration } from '../../service/store/migration.ts'
import type { RowOf } from '../../service/store/rows.ts'

export const endpointColumns = {
  id: 'text',
  tenant_id: 'text',
  url: 'text',
  types: 'text or null',
  wrapped_key: 'blob',
  secrets: 'blob',
  created_at_ms: 'integer',
} as const
export type EndpointRow = RowOf<typeof endpointColumns>

export const deliveryColumns = {
  id: 'text',
  endpoint_id: 'text',
  tenant_id: 'text',
  report_id: 'text or null',
  type: 'text',
  payload: 'text',
  status: 'text',
  attempts: 'integer',
  due_at_ms: 'integer',
  queued_at_ms: 'integer',
  last_outcome: 'text or null',
  last_answer: 'text or null',
  created_at_ms: 'integer',
  attempt_log: 'text or null',
} as const
export type DeliveryRow = RowOf<typeof deliveryColumns>

export const webhookTables: Migration = {
  name: 'webhooks',
  statements: ({ integer, blob }) => [
    `CREATE TABLE webhook_endpoint (
      id TEXT PRIMARY KEY,
      tenant_id TEXT NOT NULL REFERENCES tenant (id),
      url TEXT NOT NULL,
      -- The types of events that go there, with a space before and after each. NULL: all.
      types TEXT,
      -- The signing secrets, sealed: the newest first, each with when it ends.
      wrapped_key ${blob} NOT NULL,
      secrets ${blob} NOT NULL,
      created_at_ms ${integer} NOT NULL
    )`,
    `CREATE UNIQUE INDEX webhook_endpoint_of_tenant ON webhook_endpoint (tenant_id, url)`,
    // One row per event and endpoint, written with the fact it tells of.
    `CREATE TABLE webhook_delivery (
      id TEXT PRIMARY KEY,
      endpoint_id TEXT NOT NULL REFERENCES webhook_endpoint (id),
      tenant_id TEXT NOT NULL,
      -- What it is about, if it is about a report: an erasure takes it along.
      report_id TEXT,
      type TEXT NOT NULL,
      payload TEXT NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('queued', 'delivered', 'parked')),
      attempts ${integer} NOT NULL DEFAULT 0,
      -- While queued: when it is due, and while somebody sends it, until when it is theirs.
      due_at_ms ${integer} NOT NULL,
      -- When the three days began.
      queued_at_ms ${integer} NOT NULL,
      last_outcome TEXT,
      -- The first kilobyte of what the receiver said.
      last_answer TEXT,
      -- JSON: the newest attempts with their time, outcome and duration.
      attempt_log TEXT,
      created_at_ms ${integer} NOT NULL
    )`,
    `CREATE INDEX webhook_delivery_due ON webhook_delivery (endpoint_id, due_at_ms) WHERE status = 'queued'`,
    `CREATE INDEX webhook_delivery_of_tenant ON webhook_delivery (tenant_id, id)`,
    `CREATE INDEX webhook_delivery_of_report ON webhook_delivery (report_id) WHERE report_id IS NOT NULL`,
    `CREATE INDEX webhook_delivery_of_endpoint ON webhook_delivery (endpoint_id)`,
  ],
}

export const webhookSealed: readonly SealedTable[] = [
  {
    name: 'webhook secrets',
    table: 'webhook_endpoint',
    id: 'id',
    wrappedKey: 'wrapped_key',
    tenant: 'tenant_id',
    keys: (secretKeys) => deriveKeys(secretKeys).webhooks,
  },
]
