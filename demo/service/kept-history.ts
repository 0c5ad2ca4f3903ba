// Traces of a lender's own server and people in a new demo: versions, the doctor's findings, a used API client,
// refused calls, and the reports of the last day, which can be opened.
import { VERSION } from '../../contract/versions.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kit/clock.ts'
import { indexPerson } from '../../plugins/people/people.ts'
import { writeDoctorReport } from '../../plugins/stats/doctor.ts'
import { sealReport } from '../../service/check/content.ts'
import { mergeReport } from '../../service/check/merge.ts'
import { insertSealed } from '../../service/check/store.ts'
import type { Keys } from '../../service/keys.ts'
import { simulateBureaus } from '../../service/providers/simulated/synthetic.ts'
import type { Queries } from '../../service/store/database.ts'

type Kept = {
  tenantId: string
  bureaus: readonly string[]
  keys: Pick<Keys, 'reports' | 'indexes'>
  nowMs: number
}

/** Complete live checks of the last day. */
const KEPT_MS = DAY_MS
const PEOPLE = ['Example', 'Marsh', 'Okoye', 'Patel', 'Reid'] as const

export async function writeKeptHistory(
  queries: Queries,
  { tenantId, bureaus, keys, nowMs }: Kept,
  reports: readonly { [column: string]: unknown }[],
): Promise<void> {
  const young = reports.filter(
    ({ test, status, ended_at_ms: endedAtMs }) =>
      test === 0 && status === 'complete' && Number(endedAtMs) > nowMs - KEPT_MS,
  )
  for (const [index, { id }] of young.entries()) {
    const creditReportId = `${id}`
    const lastName = PEOPLE[index % PEOPLE.length] ?? 'Example'
    const ukAddress = {
      buildingNumber: '10',
      thoroughfare: 'Orchard Lane',
      townOrCity: 'Ambleford',
      postcode: 'SW1A 1AA',
    }
    const consumer = {
      bureaus: [...bureaus],
      firstName: 'Sam',
      lastName,
      dateOfBirth: '1985-03-27',
      addresses: [{ type: 'current' as const, ukAddress }],
    }
    const report = { ...mergeReport(consumer, simulateBureaus(consumer, 'default')), simulated: true }
    const sealed = sealReport(keys.reports, { tenantId, creditReportId, test: false }, JSON.stringify(report))
    await insertSealed(queries, { creditReportId, ...sealed })
    await indexPerson(queries, keys.indexes, { tenantId, creditReportId, person: consumer })
  }
  await writeSetUp(queries, tenantId, nowMs)
}

async function writeSetUp(queries: Queries, tenantId: string, nowMs: number): Promise<void> {
  const seen = [
    ['proxy', '0.3.0', 40 * DAY_MS],
    ['widget', '0.3.0', 40 * DAY_MS],
    ['proxy', VERSION, HOUR_MS],
    ['widget', VERSION, HOUR_MS],
  ] as const
  for (const [kind, version, agoMs] of seen) {
    const sql = 'INSERT INTO version_seen (tenant_id, test, kind, version, seen_at_ms) VALUES (?, 0, ?, ?, ?)'
    await queries.run(sql, tenantId, kind, version, nowMs - agoMs)
  }
  await writeDoctorReport(queries, { tenantId, test: false, findings: ['lookup-cap'], nowMs: nowMs - HOUR_MS })
  await queries.run(
    'UPDATE api_client_secret SET last_used_at_ms = ? WHERE client_id = ?',
    nowMs - 40 * MINUTE_MS,
    tenantId,
  )
}
