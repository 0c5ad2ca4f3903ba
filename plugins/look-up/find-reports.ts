// The search for a report by anything that names one. Each query is read off an index and ends where its page does.
import { requiredString } from '../../contract/bounded-string.ts'
import { REFERENCE_LENGTH_MAX } from '../../contract/limits.ts'
import { read } from '../../contract/problems.ts'
import { readShortBeginning, readShortReference } from '../../contract/short-reference.ts'
import { findByShortReference, type Named } from '../../service/check/list-reports.ts'
import { type StoredReport, toReport } from '../../service/check/store.ts'
import type { ReportRow } from '../../service/check/tables.ts'
import type { Database, SqlValue } from '../../service/store/database.ts'

const SearchText = requiredString(REFERENCE_LENGTH_MAX)

/** No valid text is greater than all that begin with a prefix, except this behind it. */
const LAST_CHARACTER = '\u{10ffff}'

/**
 * Finds reports by a whole short reference, id, request id or lender's reference; if none fits, by the beginning of an
 * id (newest first) or of either reference (in its order). Erased reports are found by the ids that are left of them.
 */
export async function findReports(
  database: Database,
  { tenantId, typed, limit }: Named & { typed: string },
): Promise<StoredReport[]> {
  const reading = read(SearchText, typed)
  // Nothing that is stored looks like this.
  if (!reading.ok) return []
  const text = reading.value
  const all = async (where: string, ...values: SqlValue[]) => {
    const rows = await database.all<ReportRow>(
      `SELECT * FROM credit_report WHERE tenant_id = ? AND ${where} LIMIT ?`,
      tenantId,
      ...values,
      limit,
    )
    return rows.map(toReport)
  }
  const reference = readShortReference(text)
  const range = idRangeOf(text)
  const whole = await Promise.all([
    reference === null ? [] : findByShortReference(database, { tenantId, reference, limit }),
    range !== null && range.first === range.last ? all('id = ?', range.first) : [],
    all('request_id = ? ORDER BY id DESC', text),
    all('external_reference = ? ORDER BY id DESC', text),
  ])
  const found = withoutRepeats(whole.flat())
  if (found.length > 0) return found.slice(0, limit)
  const column = database.engine === 'postgres' ? 'external_reference COLLATE "C"' : 'external_reference'
  const short = readShortBeginning(text)
  const beginnings = await Promise.all([
    range !== null ? all('id BETWEEN ? AND ? ORDER BY id DESC', range.first, range.last) : [],
    short === null ? [] : all('short_reference BETWEEN ? AND ? ORDER BY short_reference, id', short.first, short.last),
    all(`${column} >= ? AND ${column} < ? ORDER BY ${column}, id`, text, text + LAST_CHARACTER),
  ])
  return withoutRepeats(beginnings.flat()).slice(0, limit)
}

const HEX_DIGITS = 32
/** A shorter beginning fits too many reports. */
const ID_DIGITS_MIN = 4

/** The first and the last id that begins so, whatever the collation; the same twice for a whole one. */
function idRangeOf(text: string): { first: string; last: string } | null {
  if (!/^[0-9a-f-]+$/i.test(text) || text.length > HEX_DIGITS + 4) return null
  const digits = text.replaceAll('-', '').toLowerCase()
  if (digits.length < ID_DIGITS_MIN || digits.length > HEX_DIGITS) return null
  const filled = (with_: string) =>
    digits.padEnd(HEX_DIGITS, with_).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  return { first: filled('0'), last: filled('f') }
}

function withoutRepeats(reports: readonly StoredReport[]): StoredReport[] {
  return [...new Map(reports.map((report) => [report.creditReportId, report])).values()]
}
