// Opens the contents of complete reports and looks whether each is a report: what was paid for must be readable.
import { CreditReport } from '../../contract/credit-report.ts'
import type { KeyList } from '../../kit/keys.ts'
import { Unsealable } from '../../kit/seal.ts'
import { ApiError } from '../http/api-error.ts'
import type { Keys } from '../keys.ts'
import type { Log } from '../log.ts'
import type { Database, Queries } from '../store/database.ts'
import { openReport, WrongContent } from './content.ts'
import { indexPerson, personOf } from './people.ts'
import type { ReportRow, SealedRow } from './tables.ts'

/** Opened in one round of the sweeper: some milliseconds of work. */
const ROUND_ROWS = 50

export type Unreadable = { creditReportId: string; why: Unsealable['why'] | 'no-report' }

type Place = { tenantId: string; creditReportId: string }
type OnReport = (place: Place, report: CreditReport) => void

/** The reports after the id `after`, oldest first. `last` is null when there are none. */
export async function checkContents(
  queries: Queries,
  keys: KeyList,
  { after, limit, onReport = () => {} }: { after: string; limit: number; onReport?: OnReport },
): Promise<{ last: string | null; unreadable: Unreadable[] }> {
  const rows = await queries.all<Pick<ReportRow, 'id' | 'tenant_id' | 'test'> & SealedRow>(
    `SELECT id, tenant_id, test, wrapped_key, content FROM sealed_report JOIN credit_report ON id = report_id
     WHERE report_id > ? AND status = 'complete' ORDER BY report_id LIMIT ?`,
    after,
    limit,
  )
  const unreadable = rows.flatMap((row) => {
    const why = problemOf(row, keys, onReport)
    return why === null ? [] : [{ creditReportId: row.id, why }]
  })
  return { last: rows.at(-1)?.id ?? null, unreadable }
}

function problemOf(
  { id, tenant_id, test, wrapped_key, content }: Pick<ReportRow, 'id' | 'tenant_id' | 'test'> & SealedRow,
  keys: KeyList,
  onReport: OnReport,
): Unreadable['why'] | null {
  const place = { tenantId: tenant_id, creditReportId: id, test: test === 1 }
  try {
    const json = openReport(keys, place, { wrappedKey: wrapped_key, content })
    const { data: report } = CreditReport.safeParse(JSON.parse(json))
    if (report) onReport(place, report)
    return report ? null : 'no-report'
  } catch (error) {
    if (error instanceof Unsealable) return error.why
    if (error instanceof WrongContent || error instanceof SyntaxError) return 'no-report'
    // A newer version's: not for this one to judge.
    if (error instanceof ApiError) return null
    throw error
  }
}

type CheckOptions = {
  database: Database
  keys: Pick<Keys, 'reports' | 'indexes'>
  log: Log
  /** Called with how many were found since the walk through all reports began. */
  onUnreadable: (count: number) => void
}

/** For the sweeper: a few reports each round, from the oldest to the newest and from the beginning again. */
export function createContentCheck({ database, keys, log, onUnreadable }: CheckOptions): () => Promise<number> {
  let after = ''
  let found = 0
  let foundBefore = 0

  /** Those that 0.2.0 made have no index yet. Most rounds find none, and write nothing. */
  async function indexMissing(
    read: Map<string, [Place, CreditReport]>,
    { after, last }: { after: string; last: string | null },
  ): Promise<void> {
    const indexed = await database.all<{ report_id: string }>(
      'SELECT report_id FROM report_person WHERE report_id > ? AND report_id <= ?',
      after,
      last ?? after,
    )
    for (const { report_id } of indexed) read.delete(report_id)
    const people = [...read.values()].flatMap(([place, report]) => {
      const person = personOf(report)
      return person ? [{ ...place, person }] : []
    })
    if (people.length === 0) return
    await database.transaction(async (queries) => {
      for (const person of people) await indexPerson(queries, keys.indexes, person)
    })
  }

  return async () => {
    const read = new Map<string, [place: Place, report: CreditReport]>()
    const onReport: OnReport = (place, report) => read.set(place.creditReportId, [place, report])
    const { last, unreadable } = await checkContents(database, keys.reports, { after, limit: ROUND_ROWS, onReport })
    await indexMissing(read, { after, last })
    for (const { creditReportId, why } of unreadable) log.error('report cannot be read', { creditReportId, code: why })
    found += unreadable.length
    if (last === null) foundBefore = found
    // What the last walk found stays reported until this one is over.
    onUnreadable(Math.max(found, foundBefore))
    if (last === null) found = 0
    after = last ?? ''
    return 0
  }
}
