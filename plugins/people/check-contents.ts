// Opens the contents of complete reports and looks whether each is a report: what was paid for must be readable.
import { CreditReport } from '../../contract/credit-report.ts'
import type { KeyList } from '../../kit/keys.ts'
import { Unsealable } from '../../kit/seal.ts'
import { openReport, WrongContent } from '../../service/check/content.ts'
import type { ReportRow, SealedRow } from '../../service/check/tables.ts'
import { ApiError } from '../../service/http/api-error.ts'
import type { Keys } from '../../service/keys.ts'
import type { Log } from '../../service/log.ts'
import type { Database, Queries } from '../../service/store/database.ts'

/** Opened in one round of the sweeper: some milliseconds of work. */
const ROUND_ROWS = 50

export type Unreadable = { creditReportId: string; why: Unsealable['why'] | 'no-report' }

/** The reports after the id `after`, oldest first. `last` is null when there are none. */
export async function checkContents(
  queries: Queries,
  keys: KeyList,
  { after, limit }: { after: string; limit: number },
): Promise<{ last: string | null; unreadable: Unreadable[] }> {
  // In the order of the reports' own key: in that of the contents, SQLite may read and sort all of them for each round.
  const rows = await queries.all<Pick<ReportRow, 'id' | 'tenant_id' | 'test'> & SealedRow>(
    `SELECT id, tenant_id, test, wrapped_key, content FROM credit_report JOIN sealed_report ON report_id = id
     WHERE id > ? AND status = 'complete' ORDER BY id LIMIT ?`,
    after,
    limit,
  )
  const unreadable = rows.flatMap((row) => {
    const why = problemOf(row, keys)
    return why === null ? [] : [{ creditReportId: row.id, why }]
  })
  return { last: rows.at(-1)?.id ?? null, unreadable }
}

function problemOf(
  { id, tenant_id, test, wrapped_key, content }: Pick<ReportRow, 'id' | 'tenant_id' | 'test'> & SealedRow,
  keys: KeyList,
): Unreadable['why'] | null {
  const place = { tenantId: tenant_id, creditReportId: id, test: test === 1 }
  try {
    const json = openReport(keys, place, { wrappedKey: wrapped_key, content })
    return CreditReport.safeParse(JSON.parse(json)).success ? null : 'no-report'
  } catch (error) {
    if (error instanceof Unsealable) return error.why
    if (error instanceof WrongContent || error instanceof SyntaxError) return 'no-report'
    // A newer version wrote it, so this one cannot judge it.
    if (error instanceof ApiError) return null
    throw error
  }
}

type CheckOptions = {
  database: Database
  keys: Pick<Keys, 'reports'>
  log: Log
  /** Called with how many were found since the walk through all reports began. */
  onUnreadable: (count: number) => void
}

type Walk = { last_report_id: string; found: number; found_before: number }

/**
 * For the sweeper: a few reports each round, from the oldest to the newest and from the beginning again, also after a
 * restart.
 */
export function createContentCheck({ database, keys, log, onUnreadable }: CheckOptions): () => Promise<number> {
  return async () => {
    const walk = await database.first<Walk>('SELECT last_report_id, found, found_before FROM content_walk')
    const before = walk ?? { last_report_id: '', found: 0, found_before: 0 }
    const after = before.last_report_id
    const { last, unreadable } = await checkContents(database, keys.reports, { after, limit: ROUND_ROWS })
    for (const { creditReportId, why } of unreadable) log.error('report cannot be read', { creditReportId, code: why })
    const found = before.found + unreadable.length
    const foundBefore = last === null ? found : before.found_before
    // The findings of the last walk stay reported until this one is over.
    onUnreadable(Math.max(found, foundBefore))
    const isUnchanged = last === null && after === '' && before.found_before === foundBefore
    if (isUnchanged) return 0
    await database.run(
      `INSERT INTO content_walk (id, last_report_id, found, found_before) VALUES (1, ?, ?, ?) ON CONFLICT (id) DO UPDATE
       SET last_report_id = excluded.last_report_id, found = excluded.found, found_before = excluded.found_before`,
      last ?? '',
      last === null ? 0 : found,
      foundBefore,
    )
    return 0
  }
}
