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
  external_reference: 'text or null',
  ended_at_ms: 'integer or null',
  erased_at_ms: 'integer or null',
  agencies: 'text or null',
  number_match: 'text or null',
  short_reference: 'text or null',
  request_id: 'text or null',
  end_reason: 'text or null',
  history: 'text or null',
  open_attempts: 'integer',
} as const
export type ReportRow = RowOf<typeof reportColumns>

export const sealedColumns = {
  report_id: 'text',
  wrapped_key: 'blob',
  content: 'blob',
} as const
export type SealedRow = RowOf<typeof sealedColumns>

export const creditReportTables: Migration = {
  name: 'credit-reports',
  statements: ({ integer, blob, clustered }) => [
    // A report and its one challenge share a row: they cannot disagree about whether it is settled.
    `CREATE TABLE credit_report (
      id TEXT PRIMARY KEY,
      tenant_id TEXT NOT NULL REFERENCES tenant (id),
      test ${integer} NOT NULL CHECK (test IN (0, 1)),
      status TEXT NOT NULL CHECK (status IN ('pending', 'challenged', 'complete', 'blocked', 'failed', 'expired')),
      -- While pending or verified: whoever works on it has until then, and afterwards anyone may take it over.
      lease_until_ms ${integer},
      challenge_id TEXT,
      attempts ${integer} NOT NULL DEFAULT 0 CHECK (attempts BETWEEN 0 AND 3),
      sends ${integer} NOT NULL DEFAULT 0 CHECK (sends BETWEEN 0 AND 3),
      sent_1_at_ms ${integer},
      sent_2_at_ms ${integer},
      sent_3_at_ms ${integer},
      -- Which text carried the code that verified it; with status challenged, the bureaus are still to be asked.
      completed_send ${integer},
      device_verified ${integer} NOT NULL DEFAULT 1 CHECK (device_verified IN (0, 1)),
      created_at_ms ${integer} NOT NULL,
      CHECK ((challenge_id IS NULL) = (sends = 0)),
      CHECK ((sends >= 1) = (sent_1_at_ms IS NOT NULL)),
      CHECK ((sends >= 2) = (sent_2_at_ms IS NOT NULL)),
      CHECK ((sends >= 3) = (sent_3_at_ms IS NOT NULL)),
      CHECK (status <> 'challenged' OR challenge_id IS NOT NULL)
    ) ${clustered}`,
    // What the sweeper looks at: the few live reports that still hold credits.
    `CREATE INDEX credit_report_open ON credit_report (id) WHERE test = 0 AND status IN ('pending', 'challenged')`,
    // Apart from the row above, which changes with every attempt: this one is large and hardly ever does.
    `CREATE TABLE sealed_report (
      report_id TEXT PRIMARY KEY REFERENCES credit_report (id),
      wrapped_key ${blob} NOT NULL,
      content ${blob} NOT NULL
    )`,
    `CREATE TABLE text_message (
      id TEXT PRIMARY KEY,
      report_id TEXT NOT NULL REFERENCES credit_report (id),
      tenant_id TEXT NOT NULL,
      send_number ${integer} NOT NULL CHECK (send_number BETWEEN 1 AND 3),
      status TEXT NOT NULL CHECK (status IN ('queued', 'accepted', 'delivered', 'undelivered')),
      -- While queued: whoever sends it has until then.
      lease_until_ms ${integer} NOT NULL,
      created_at_ms ${integer} NOT NULL,
      UNIQUE (report_id, send_number)
    )`,
    `CREATE INDEX text_message_open ON text_message (id) WHERE status IN ('queued', 'accepted')`,
  ],
}

export const reportReferenceTables: Migration = {
  name: 'report-references',
  statements: ({ integer }) => [
    // The lender's own name for it; gone with an erasure, because it may name a person.
    `ALTER TABLE credit_report ADD COLUMN external_reference TEXT`,
    // NULL also for what ended before this column was there.
    `ALTER TABLE credit_report ADD COLUMN ended_at_ms ${integer}`,
    `ALTER TABLE credit_report ADD COLUMN erased_at_ms ${integer}`,
    // A lender's list, newest first, and the same by reference: both end where the page does, however many there are.
    `CREATE INDEX credit_report_of_tenant ON credit_report (tenant_id, id)`,
    `CREATE INDEX credit_report_of_reference ON credit_report (tenant_id, external_reference, id)
      WHERE external_reference IS NOT NULL`,
  ],
}

export const personSearchTables: Migration = {
  name: 'person-searches',
  statements: ({ integer, clustered }) => [
    // One row for each report that searched a person's file, kept for a day. An index of the person, never the person.
    `CREATE TABLE person_search (
      report_id TEXT PRIMARY KEY,
      person_index TEXT NOT NULL,
      claimed_at_ms ${integer} NOT NULL
    ) ${clustered}`,
    `CREATE INDEX person_search_of_person ON person_search (person_index, claimed_at_ms)`,
    `CREATE INDEX person_search_age ON person_search (claimed_at_ms)`,
  ],
}

export const reportAgencyTables: Migration = {
  name: 'report-agencies',
  statements: () => [
    // JSON: what each agency of the request had to say. NULL until the report is complete, and for what 0.2.0 completes.
    `ALTER TABLE credit_report ADD COLUMN agencies TEXT`,
  ],
}

export const reportPersonTables: Migration = {
  name: 'report-people',
  statements: ({ clustered }) => [
    // A keyed index of the person each report is about, never the person. Apart from the report, which 0.2.0 deletes without knowing of it.
    `CREATE TABLE report_person (
      report_id TEXT PRIMARY KEY,
      person_index TEXT NOT NULL
    ) ${clustered}`,
    `CREATE INDEX report_person_of_person ON report_person (person_index, report_id)`,
  ],
}

export const reportMatchTables: Migration = {
  name: 'report-match',
  statements: () => [
    // Whether the number is known for the person. NULL where no one was asked, and on what 0.2.0 begins.
    `ALTER TABLE credit_report ADD COLUMN number_match TEXT`,
  ],
}

export const testReportTables: Migration = {
  name: 'test-reports',
  statements: () => [],
  // What retention deletes, found without looking at the live reports, which stay for good.
  indexes: { credit_report_test: 'credit_report (id) WHERE test = 1' },
}

export const retentionScanTables: Migration = {
  name: 'retention-scans',
  statements: () => [
    // Of each lender with a retention of its own: nothing is kept of its reports up to this id.
    `CREATE TABLE retention_scan (
      tenant_id TEXT PRIMARY KEY REFERENCES tenant (id),
      last_report_id TEXT NOT NULL
    )`,
  ],
}

export const reportHistoryTables: Migration = {
  name: 'report-history',
  statements: () => [
    // What a consumer reads out, made from the id. NULL on what 0.2.0 writes, until the sweeper fills it in.
    `ALTER TABLE credit_report ADD COLUMN short_reference TEXT`,
    // The generate's, which the caller may have chosen: gone with an erasure.
    `ALTER TABLE credit_report ADD COLUMN request_id TEXT`,
    // Why it failed, where the other columns do not say.
    `ALTER TABLE credit_report ADD COLUMN end_reason TEXT`,
    // JSON: the agencies of the request, times and outcomes on the way. Nothing about the person.
    `ALTER TABLE credit_report ADD COLUMN history TEXT`,
  ],
}

export const reportOpeningTables: Migration = {
  name: 'report-openings',
  statements: ({ integer }) => [
    // Dates of birth that did not open the report.
    `ALTER TABLE credit_report ADD COLUMN open_attempts ${integer} NOT NULL DEFAULT 0 CHECK (open_attempts BETWEEN 0 AND 3)`,
  ],
}

/**
 * How a report stands or why it ended, by one word: the key of the lists by mode, status and reason. An expression, so that rows of every
 * version have it; `reasonOf` in store.ts says the same.
 */
export const ENDING = `(CASE WHEN status IN ('pending', 'challenged', 'complete') THEN status WHEN end_reason IS NOT NULL THEN end_reason
  WHEN status = 'blocked' THEN 'risk' WHEN status = 'expired' THEN CASE WHEN completed_send IS NULL THEN 'timeout' ELSE 'agencies' END
  WHEN challenge_id IS NULL THEN 'interrupted' WHEN device_verified = 0 THEN 'device' ELSE 'attempts' END)`

export const reportSearchTables: Migration = {
  name: 'report-search',
  statements: () => [],
  indexes: {
    credit_report_of_short_reference:
      'credit_report (tenant_id, short_reference, id) WHERE short_reference IS NOT NULL',
    // What the sweeper has to fill in; empty afterwards.
    credit_report_unfilled: 'credit_report (tenant_id, id) WHERE short_reference IS NULL',
    credit_report_of_request: 'credit_report (tenant_id, request_id, id) WHERE request_id IS NOT NULL',
    credit_report_of_ending: `credit_report (tenant_id, test, ${ENDING}, id) WHERE erased_at_ms IS NULL`,
    // The beginning of a reference is found byte by byte, as SQLite compares anyway.
    credit_report_of_prefix: {
      postgres: `credit_report (tenant_id, external_reference COLLATE "C", id) WHERE external_reference IS NOT NULL`,
    },
  },
}
