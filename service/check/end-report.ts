// The end of a check. The one place that tells plugins of an end, releases the hold and deletes the person's details.
import type { AgencyAnswer } from '../../contract/credit-report.ts'
import type { Ending } from '../../contract/report-list.ts'
import { release } from '../ledger/ledger.ts'
import type { Check } from '../plugin.ts'
import type { Queries } from '../store/database.ts'
import { type Challenge, endingOf, type Moment } from './challenge.ts'
import type { CheckOptions } from './check-options.ts'
import { deleteSealed, moveChallenge, type StoredReport, won } from './store.ts'

type EndOptions = Pick<CheckOptions, 'clock' | 'plugins'>

/** For a completed check, after the statements that complete and charge it. */
export function endWithReport(
  { plugins }: EndOptions,
  queries: Queries,
  check: Check,
  agencies: readonly AgencyAnswer[] | null,
): Promise<unknown> {
  return plugins.end(queries, check, { status: 'complete', ending: 'complete', agencies })
}

/** Without one: whatever a live check held goes back, and nothing about the person is kept. */
export async function endWithout(
  { clock, plugins }: EndOptions,
  queries: Queries,
  check: Check,
  { status, ending }: { status: 'blocked' | 'failed' | 'expired'; ending: Ending },
): Promise<void> {
  const { creditReportId, test } = check
  await Promise.all([
    deleteSealed(queries, creditReportId),
    plugins.end(queries, check, { status, ending, agencies: null }),
    !test && release(queries, { purpose: 'report', subjectId: creditReportId }, clock()),
  ])
}

/** For a challenge that has moved on. A live report is completed elsewhere, once the bureaus have answered. */
export async function settleEnd(
  options: EndOptions,
  queries: Queries,
  report: StoredReport,
  next: Challenge,
): Promise<void> {
  const { status } = next
  const ending = endingOf(next)
  if (status === 'open' || ending === null) return
  if (status === 'complete') await endWithReport(options, queries, report, report.agencies)
  else await endWithout(options, queries, report, { status, ending })
}

/** Ends an open challenge as expired: its hold goes back. False when another request or sweep moved it first. */
export async function expireChallenge(
  options: EndOptions & Pick<CheckOptions, 'database'>,
  was: StoredReport,
  moment: Moment,
): Promise<boolean> {
  const { database, plugins } = options
  const next = { ...was.challenge, status: 'expired' as const }
  const isMoved = await won(
    database.batch(was.tenantId, (queries) =>
      Promise.all([moveChallenge(queries, { was, next, moment }), settleEnd(options, queries, was, next)]),
    ),
  )
  if (isMoved) plugins.heard(was, { type: 'ended', ending: endingOf(next) ?? 'timeout' })
  return isMoved
}
