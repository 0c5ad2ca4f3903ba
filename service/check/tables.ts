import type { Migration } from '../store/migration.ts'
import type { RowOf } from '../store/rows.ts'

export const reportColumns = {
  id: 'text',
  tenant_id: 'text',
  test: 'integer',
  status: 'text',
  lease_until_ms: 'integer or null',
  challenge_id: 'text or null',
  attempts: 'integer',
  sends: 'integer',
  sent_1_at_ms: 'integer or null',
  sent_2_at_ms: 'integer or null',
  sent_3_at_ms: 'integer or null',
  completed_send: 'integer or null',
  device_verified: 'integer',
  created_at_ms: 'integer',
  ended_at_ms: 'integer or null',
  ending: 'text or null',
  erased_at_ms: 'integer or null',
  external_reference: 'text or null',
  short_reference: 'text',
  request_id: 'text or null',
  agencies: 'text or null',
  number_match: 'text or null',
  history: 'text',
  open_attempts: 'integer',
} as const
export type ReportRow = RowOf<typeof reportColumns>

export const sealedColumns = {
  report_id: 'text',
  wrapped_key: 'blob',
  content: 'blob',
} as const
export type SealedRow = RowOf<typeof sealedColumns>

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

/** The ending of an ended report, or the state of an open one: the key of the lists by mode, status and reason. */
export const ENDING = 'COALESCE(ending, status)'

export const checkTables: Migration = {
  name: 'check',
  statements: ({ engine, integer, blob, clustered }) => [
    // A report and its one challenge share a row: they cannot disagree about whether it is settled.
    `CREATE TABLE credit_report (
      id TEXT PRIMARY KEY,
      tenant_id TEXT NOT NULL REFERENCES tenant (id),
      test ${integer} NOT NULL CHECK (test IN (0, 1)),
      status TEXT NOT NULL CHECK (status IN ('pending', 'challenged', 'complete', 'blocked', 'failed', 'expired')),
      -- While pending or verified: its worker has until then, and afterwards any other may take it over.
      lease_until_ms ${integer},
      challenge_id TEXT,
      attempts ${integer} NOT NULL DEFAULT 0 CHECK (attempts BETWEEN 0 AND 3),
      sends ${integer} NOT NULL DEFAULT 0 CHECK (sends BETWEEN 0 AND 3),
      sent_1_at_ms ${integer},
      sent_2_at_ms ${integer},
      sent_3_at_ms ${integer},
      -- The text that carried the code that verified it; with status challenged, the bureaus are still to be queried.
      completed_send ${integer},
      device_verified ${integer} NOT NULL DEFAULT 1 CHECK (device_verified IN (0, 1)),
      created_at_ms ${integer} NOT NULL,
      ended_at_ms ${integer},
      -- 'complete', or the reason why there is no report. NULL while the report is open.
      ending TEXT,
      erased_at_ms ${integer},
      -- The lender's own name for it; deleted with an erasure, because it may name a person.
      external_reference TEXT,
      -- The eight characters that a consumer reads out, made from the id.
      short_reference TEXT NOT NULL,
      -- Of the generate request, chosen by the caller; deleted with an erasure.
      request_id TEXT,
      -- JSON: the answer of each agency of the request. NULL until the report is complete.
      agencies TEXT,
      -- Whether the number is known for the person. NULL where no match provider was called.
      number_match TEXT,
      -- JSON: the agencies of the request, times and outcomes on the way. Nothing about the person.
      history TEXT NOT NULL,
      -- Dates of birth that did not open the report.
      open_attempts ${integer} NOT NULL DEFAULT 0 CHECK (open_attempts BETWEEN 0 AND 3),
      CHECK ((challenge_id IS NULL) = (sends = 0)),
      CHECK ((sends >= 1) = (sent_1_at_ms IS NOT NULL)),
      CHECK ((sends >= 2) = (sent_2_at_ms IS NOT NULL)),
      CHECK ((sends >= 3) = (sent_3_at_ms IS NOT NULL)),
      CHECK (status <> 'challenged' OR challenge_id IS NOT NULL),
      CHECK ((status IN ('pending', 'challenged')) = (ending IS NULL)),
      CHECK ((ending IS NULL) = (ended_at_ms IS NULL)),
      CHECK ((status = 'complete') = (ending IS NOT NULL AND ending = 'complete'))
    ) ${clustered}`,
    // For the sweeper: the few live reports that still hold credits.
    `CREATE INDEX credit_report_open ON credit_report (id) WHERE test = 0 AND status IN ('pending', 'challenged')`,
    // For retention: finds what it deletes without reading the live reports, which are kept.
    `CREATE INDEX credit_report_test ON credit_report (id) WHERE test = 1`,
    // A lender's list, newest first, and the same by what names a report: each read ends where its page does.
    `CREATE INDEX credit_report_of_tenant ON credit_report (tenant_id, id)`,
    `CREATE INDEX credit_report_of_reference ON credit_report (tenant_id, external_reference, id)
      WHERE external_reference IS NOT NULL`,
    // The beginning of a reference is found byte by byte, as SQLite compares anyway.
    ...(engine === 'postgres'
      ? [
          `CREATE INDEX credit_report_of_prefix ON credit_report (tenant_id, external_reference COLLATE "C", id)
            WHERE external_reference IS NOT NULL`,
        ]
      : []),
    `CREATE INDEX credit_report_of_short_reference ON credit_report (tenant_id, short_reference, id)`,
    `CREATE INDEX credit_report_of_request ON credit_report (tenant_id, request_id, id) WHERE request_id IS NOT NULL`,
    `CREATE INDEX credit_report_of_ending ON credit_report (tenant_id, test, (${ENDING}), id) WHERE erased_at_ms IS NULL`,
    // Apart from the row above, which changes with every attempt: this one is large and hardly ever does.
    `CREATE TABLE sealed_report (
      report_id TEXT PRIMARY KEY REFERENCES credit_report (id),
      wrapped_key ${blob} NOT NULL,
      content ${blob} NOT NULL
    )`,
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
