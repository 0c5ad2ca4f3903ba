import type { Database } from '../../service/store/database.ts'
import { booksMustBalance } from '../faults/ledger-checks.ts'
import { must } from '../faults/must.ts'
import type { Load } from './load.ts'

/** Resolves to how many reports were acknowledged. */
export async function everythingMustHold(database: Database, load: Load): Promise<number> {
  await booksMustBalance(database)
  const rows = await database.all(
    `SELECT report.id FROM credit_report report JOIN sealed_report sealed ON sealed.report_id = report.id
     JOIN wallet_line line ON line.report_id = report.id AND line.purpose = 'report' AND line.kind = 'capture'
     WHERE report.status = 'complete'`,
  )
  const kept = rows.map((row) => String(row.id))
  const acknowledged = load.acknowledged()
  const lost = acknowledged.filter((id) => !kept.includes(id))
  must(lost.length === 0, `no acknowledged report may be lost, but ${lost.length} were`)
  // Every wish has been fulfilled by now, so whatever else was charged was charged for nothing.
  must(kept.length === acknowledged.length, `${kept.length} reports were charged for ${acknowledged.length} wishes`)
  must(acknowledged.length > 0, 'some report was delivered')
  return acknowledged.length
}
