// The reports about one person of one lender, found by a keyed index: no name is kept to search by.
//
//   generate ──▶ report_person (report, index)      report erased, or its time over ──▶ gone
import { CreditReport } from '../../contract/credit-report.ts'
import type { PersonQuery } from '../../contract/person-query.ts'
import { normalisePostcode } from '../../contract/postcode.ts'
import type { KeyList } from '../../kit/keys.ts'
import { personIndexOf } from '../../service/check/person-index.ts'
import { readReport } from '../../service/check/read-report.ts'
import type { Acting } from '../../service/http/acting.ts'
import { ApiError } from '../../service/http/api-error.ts'
import type { BureauConsumer } from '../../service/providers/consumer.ts'
import type { Database, Queries, Transactions } from '../../service/store/database.ts'
import { pageOf } from '../../service/store/rows.ts'
import { type Erasure, eraseReport } from './erase-report.ts'

/** Reports in one page of an export. */
const PAGE_REPORTS = 50

type Named = Pick<BureauConsumer, 'lastName' | 'dateOfBirth' | 'addresses'>

/** The first key makes new indexes; every key of the list finds them. */
export async function indexPerson(
  queries: Queries,
  keys: KeyList,
  { tenantId, creditReportId, person }: { tenantId: string; creditReportId: string; person: Named },
): Promise<void> {
  await queries.run(
    'INSERT INTO report_person (report_id, person_index) VALUES (?, ?) ON CONFLICT (report_id) DO NOTHING',
    creditReportId,
    personIndexOf(keys[0], tenantId, person),
  )
}

/** `testOnly`: live checks are neither found nor changed. */
type Wanted = { tenantId: string; person: PersonQuery; testOnly?: boolean }

/** The ids of the reports about this person, newest first: one more than a page. */
async function findIds(
  queries: Queries,
  keys: KeyList,
  { tenantId, person, testOnly = false }: Wanted,
): Promise<string[]> {
  const { lastName, dateOfBirth, postcodes, after } = person
  const indexes = keys.flatMap((key) =>
    postcodes.map((given) => {
      const ukAddress = { townOrCity: '', postcode: normalisePostcode(given) ?? given }
      return personIndexOf(key, tenantId, { lastName, dateOfBirth, addresses: [{ type: 'current', ukAddress }] })
    }),
  )
  const marks = indexes.map(() => '?').join(', ')
  const rows = await queries.all<{ report_id: string }>(
    `SELECT report_id FROM report_person WHERE person_index IN (${marks}) ${after === undefined ? '' : 'AND report_id < ?'}
       ${testOnly ? 'AND EXISTS (SELECT 1 FROM credit_report WHERE id = report_id AND test = 1)' : ''}
     ORDER BY report_id DESC LIMIT ?`,
    ...indexes,
    ...(after === undefined ? [] : [after]),
    PAGE_REPORTS + 1,
  )
  return rows.map(({ report_id }) => report_id)
}

export async function findReportsOf(
  queries: Queries,
  keys: KeyList,
  wanted: Wanted,
): Promise<{ creditReportIds: string[]; nextAfter?: string }> {
  const { rows, last } = pageOf(await findIds(queries, keys, wanted), PAGE_REPORTS)
  return { creditReportIds: rows, ...(last && { nextAfter: last }) }
}

type ReadOptions = Parameters<typeof readReport>[0]
export type GivenOut = Awaited<ReturnType<typeof readReport>>['data'] & { creditReport?: CreditReport }

/**
 * The state and the content of each report, but for those erased since they were found. Each has its line in the audit
 * trail before it is given out.
 */
export async function* giveOut(
  options: ReadOptions & { database: Database },
  { tenantId, creditReportIds, act }: { tenantId: string; creditReportIds: readonly string[]; act: Acting },
): AsyncGenerator<GivenOut> {
  for (const creditReportId of creditReportIds) {
    const found = await readReport(options, { tenantId, creditReportId }).catch(unlessNotFound)
    if (found === null) continue
    const { data, reportJson } = found
    await options.database.transaction((queries) => act.write(queries, creditReportId))
    // Sealed by us as a report, so it is one.
    yield { ...data, ...(reportJson && { creditReport: CreditReport.parse(JSON.parse(reportJson)) }) }
  }
}

function unlessNotFound(error: unknown): null {
  if (error instanceof ApiError && error.code === 'credit-report-not-found') return null
  throw error
}

/**
 * Erases every report about the person; resolves to their ids. Each is a transaction of its own: one that is cut short
 * goes on when it is run again.
 */
export async function erasePerson(
  database: Database,
  keys: KeyList,
  { nowMs, act, plugins, ...wanted }: Wanted & Pick<Erasure, 'nowMs' | 'plugins'> & { act: Transactions },
): Promise<string[]> {
  const erased: string[] = []
  const { after: _all, ...person } = wanted.person
  for (;;) {
    const ids = await findIds(database, keys, { ...wanted, person })
    if (ids.length === 0) return erased
    for (const creditReportId of ids) {
      if (await eraseReport(database, { creditReportId, nowMs, plugins, act })) erased.push(creditReportId)
      // An index that was left behind must not be found for ever.
      else await forgetPerson(database, creditReportId)
    }
  }
}

/** The report is no longer found by the person it is about. */
export async function forgetPerson(queries: Queries, creditReportId: string): Promise<void> {
  await queries.run('DELETE FROM report_person WHERE report_id = ?', creditReportId)
}
