import type { Migration } from '../../service/store/migration.ts'

export const peopleTables: Migration = {
  name: 'people',
  statements: ({ integer, clustered }) => [
    // A keyed index of the person each report is about, never the person.
    `CREATE TABLE report_person (
      report_id TEXT PRIMARY KEY,
      person_index TEXT NOT NULL
    ) ${clustered}`,
    `CREATE INDEX report_person_of_person ON report_person (person_index, report_id)`,
    // Days that this lender's reports are kept. NULL: the installation's, which is also the most.
    `ALTER TABLE tenant ADD COLUMN report_retention_days ${integer} CHECK (report_retention_days > 0)`,
    // For each lender with a retention of its own: no content is kept of its reports up to this id.
    `CREATE TABLE retention_scan (
      tenant_id TEXT PRIMARY KEY REFERENCES tenant (id),
      last_report_id TEXT NOT NULL
    )`,
    // The progress of the walk through the contents of all reports. One row.
    `CREATE TABLE content_walk (
      id ${integer} PRIMARY KEY CHECK (id = 1),
      last_report_id TEXT NOT NULL,
      -- Unreadable reports: in this walk so far, and in the last.
      found ${integer} NOT NULL,
      found_before ${integer} NOT NULL
    )`,
  ],
}
