// A person who has completed a check opens its report again with their date of birth. Three wrong dates close it for
// good.
//
// The attempt is claimed before the date is compared, in one transaction that locks the report's row: of any number of
// dates at once, on any number of processes, three are compared. The right date gives its attempt back.
import * as z from 'zod/mini'
import { Person } from '../../contract/credit-report.ts'
import { OPEN_ATTEMPTS_MAX, type OpenReport, type OpenResult } from '../../contract/open-report.ts'
import { isSameSecret, type KeyList } from '../../kit/keys.ts'
import type { Queries, Transactions } from '../store/database.ts'
import { openReport, reportNotFound } from './content.ts'
import { findReport, findSealed } from './store.ts'

const Content = z.object({ person: Person })

type OpenInput = OpenReport & { tenantId: string; creditReportId: string }

/** Throws `credit-report-not-found` for a report that is unknown, not complete, erased or no longer kept. */
export function tryDateOfBirth(
  { database, keys }: { database: Transactions; keys: { reports: KeyList } },
  { tenantId, creditReportId, dateOfBirth }: OpenInput,
): Promise<OpenResult> {
  return database.transaction(async (queries) => {
    const attempts = await claimAttempt(queries, { tenantId, creditReportId })
    const report = await findReport(queries, { tenantId, creditReportId })
    if (report?.status !== 'complete' || report.erasedAtMs !== null) throw reportNotFound()
    const reportJson = openReport(keys.reports, report, await findSealed(queries, creditReportId))
    if (attempts === null) return { creditReportId, status: 'wrong', attemptsRemaining: 0 }
    const { person } = Content.parse(JSON.parse(reportJson))
    if (!isSameSecret(person.dateOfBirth, dateOfBirth)) {
      return { creditReportId, status: 'wrong', attemptsRemaining: OPEN_ATTEMPTS_MAX - attempts }
    }
    await queries.run('UPDATE credit_report SET open_attempts = open_attempts - 1 WHERE id = ?', creditReportId)
    return { creditReportId, status: 'open', attemptsRemaining: OPEN_ATTEMPTS_MAX - attempts + 1 }
  })
}

/** The number of attempts used, with this one; null when none is left, or there is no such report. */
async function claimAttempt(
  queries: Queries,
  { tenantId, creditReportId }: { tenantId: string; creditReportId: string },
): Promise<number | null> {
  const row = await queries.first<{ open_attempts: number }>(
    `UPDATE credit_report SET open_attempts = open_attempts + 1
     WHERE id = ? AND tenant_id = ? AND open_attempts < ${OPEN_ATTEMPTS_MAX} RETURNING open_attempts`,
    creditReportId,
    tenantId,
  )
  return row?.open_attempts ?? null
}
