import type { Migration } from '../../service/store/migration.ts'
import type { RowOf } from '../../service/store/rows.ts'

export const doctorReportColumns = {
  tenant_id: 'text',
  test: 'integer',
  findings: 'text',
  reported_at_ms: 'integer',
} as const
export type DoctorReportRow = RowOf<typeof doctorReportColumns>

export const doctorReportTables: Migration = {
  name: 'doctor-report',
  statements: ({ integer, clustered }) => [
    // The faults that a lender's proxy last found in its own set-up: codes with spaces between them, none when all is
    // well.
    `CREATE TABLE doctor_report (
      tenant_id TEXT NOT NULL,
      test ${integer} NOT NULL CHECK (test IN (0, 1)),
      findings TEXT NOT NULL,
      reported_at_ms ${integer} NOT NULL,
      PRIMARY KEY (tenant_id, test)
    ) ${clustered}`,
  ],
}
