// One completed check per link. The page sends the link's id as the id of each generate request; the rows below are
// written in the transactions of the check itself:
//
//   generate ─▶ bought = 1 ─▶ a code is needed: 0 ─▶ right code: 1 ─▶ complete: 1, for good
//                        └──▶ blocked, failed, expired, given up: 0
//
// A link's id is a UUID of version 8: a check whose request has no such id costs no statement.
//
// A unique index allows one `bought = 1` per link. The transaction of any other check of the link ends before credits
// are spent.
import { keyedIndex } from '../kit/keys.ts'
import { ApiError } from '../service/http/api-error.ts'
import type { Check, Moments, TimelineStep, ToldCheck } from '../service/plugin.ts'
import { ConstraintViolation, type Queries } from '../service/store/database.ts'
import { isLinkId } from './link-id.ts'
import type { HostedKeys, LinkRow } from './tables.ts'

export function oneCheckMoments({ indexes }: Pick<HostedKeys, 'indexes'>): Partial<Moments> {
  const setBought = async (queries: Queries, { creditReportId, requestId }: Check, bought: 0 | 1) =>
    isLinkId(requestId) && queries.run('UPDATE hosted_check SET bought = ? WHERE report_id = ?', bought, creditReportId)
  return {
    // Test mode knows at once how a check goes on: a live one is `pending` here, and may be paid for next.
    begin: async (queries, { creditReportId, requestId, consumer }) =>
      isLinkId(requestId) &&
      queries.run(
        `INSERT INTO hosted_check (report_id, link_id, bought, born)
         SELECT credit_report.id, hosted_link.id, CASE WHEN status IN ('pending', 'complete') THEN 1 ELSE 0 END, ?
         FROM credit_report JOIN hosted_link ON hosted_link.id = request_id AND hosted_link.tenant_id = credit_report.tenant_id
           AND hosted_link.test = credit_report.test
         WHERE credit_report.id = ?
         ON CONFLICT (report_id) DO NOTHING`,
        bornIndex(indexes[0], creditReportId, consumer.dateOfBirth),
        creditReportId,
      ),
    challenge: (queries, check) => setBought(queries, check, 0),
    search: (queries, check) => setBought(queries, check, 1),
    end: (queries, check, { status }) => setBought(queries, check, status === 'complete' ? 1 : 0),
    abandon: (queries, check) => setBought(queries, check, 0),
    erase: forgetApplicant,
  }
}

/** The link keeps neither its reference nor what the lender knew of the applicant. */
export async function forgetApplicant(queries: Queries, creditReportId: string): Promise<void> {
  await queries.run(
    `UPDATE hosted_link SET external_reference = NULL, wrapped_key = NULL, start = NULL
     WHERE id = (SELECT link_id FROM hosted_check WHERE report_id = ?)`,
    creditReportId,
  )
  await queries.run(`UPDATE hosted_check SET born = '' WHERE report_id = ?`, creditReportId)
}

/** The answer to a caller whose check came second. */
export async function explainSecond(_queries: Queries, error: unknown): Promise<unknown> {
  if (!(error instanceof ConstraintViolation && error.constraint.includes('hosted_check'))) return error
  return new ApiError('challenge-expired', 'another check of this link is complete or about to be')
}

function bornIndex(key: Uint8Array, creditReportId: string, dateOfBirth: string): string {
  return keyedIndex(key, 'born', `${creditReportId} ${dateOfBirth}`)
}

/** True when the check is about a person of this date of birth. */
export function isBorn(
  { indexes }: Pick<HostedKeys, 'indexes'>,
  { reportId, born }: { reportId: string; born: string },
  dateOfBirth: string,
): boolean {
  return indexes.some((key) => bornIndex(key, reportId, dateOfBirth) === born)
}

/** The link that a check came by, at the beginning of its timeline. */
export async function tellLink(queries: Queries, { creditReportId }: ToldCheck): Promise<TimelineStep[]> {
  const link = await queries.first<Pick<LinkRow, 'id' | 'created_at_ms' | 'opened_at_ms'>>(
    `SELECT id, created_at_ms, opened_at_ms FROM hosted_link
     WHERE id = (SELECT link_id FROM hosted_check WHERE report_id = ?)`,
    creditReportId,
  )
  if (link === null) return []
  const { id, created_at_ms: madeAtMs, opened_at_ms: openedAtMs } = link
  const made: TimelineStep = { type: 'link', outcome: 'made', atMs: madeAtMs, says: `Link ${id} was made.` }
  if (openedAtMs === null) return [made]
  return [made, { type: 'link', outcome: 'opened', atMs: openedAtMs, says: 'The link was opened.' }]
}
