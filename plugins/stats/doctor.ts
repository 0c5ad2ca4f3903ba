// The faults that a lender's proxy finds in its own set-up. The newest report of each mode is kept.
import { type DoctorCode, isDoctorCode } from '../../contract/doctor.ts'
import type { Queries } from '../../service/store/database.ts'
import type { DoctorReportRow } from './doctor-tables.ts'

export type StoredDoctorReport = { test: boolean; findings: DoctorCode[]; reportedAtMs: number }

/** Codes that this version does not know are left out: what is shown is never a caller's text. */
export async function writeDoctorReport(
  queries: Queries,
  { tenantId, test, findings, nowMs }: { tenantId: string; test: boolean; findings: readonly string[]; nowMs: number },
): Promise<void> {
  await queries.run(
    `INSERT INTO doctor_report (tenant_id, test, findings, reported_at_ms) VALUES (?, ?, ?, ?)
     ON CONFLICT (tenant_id, test) DO UPDATE SET findings = excluded.findings, reported_at_ms = excluded.reported_at_ms
     WHERE doctor_report.reported_at_ms <= excluded.reported_at_ms`,
    tenantId,
    test ? 1 : 0,
    [...new Set(findings.filter(isDoctorCode))].join(' '),
    nowMs,
  )
}

/** Live before test. */
export async function listDoctorReports(queries: Queries, tenantId: string): Promise<StoredDoctorReport[]> {
  const rows = await queries.all<DoctorReportRow>(
    'SELECT * FROM doctor_report WHERE tenant_id = ? ORDER BY test',
    tenantId,
  )
  return rows.map((row) => ({
    test: row.test === 1,
    findings: row.findings.split(' ').filter(isDoctorCode),
    reportedAtMs: row.reported_at_ms,
  }))
}
