// One code, judged. What is written only succeeds on the very state that was read and judged: any number of guesses at
// once, on any number of processes, count as if they had queued.
//
//   T1 transaction   the code is judged and recorded; a right one leases the work
//   bureaus          asked by the one who has the lease; everyone else waits until that is over
//   T2 transaction   report, capture (finish-verified.ts)
import { setTimeout } from 'node:timers/promises'
import type { Failed, Retry, Verified } from '../../contract/challenge.ts'
import { playedChallenge, playedRefusal, triggerOfValue } from '../../contract/test-triggers.ts'
import { ApiError, PlayedError } from '../http/api-error.ts'
import { readBalance } from '../ledger/ledger.ts'
import { readTenant } from '../ledger/tenants.ts'
import { allThen } from '../store/database.ts'
import { textsWithCode } from '../texts/code.ts'
import { BUREAUS_DEADLINE_MS } from './ask-providers.ts'
import { type Challenge, type CodeVerdict, endingOf, expire, expiresInSeconds, isOpen, judgeCode } from './challenge.ts'
import {
  type CheckOptions,
  matchOf,
  momentOf,
  type OnFile,
  type ReportAnswer,
  refuseWhatIsPlayed,
  requireTenant,
} from './check-options.ts'
import { openConsumer, openReport, reportNotFound } from './content.ts'
import { settleEnd } from './end-report.ts'
import { bureausAway, finishVerified, type VerifiedWork } from './finish-verified.ts'
import { addMove } from './history.ts'
import { WORK_LEASE_MS } from './keep-lease.ts'
import { agenciesOf, findReport, findSealed, isAtWork, moveChallenge, type StoredReport, won } from './store.ts'

/** Each lost race means another guess, text or lease counted, and a challenge has room for few. */
export const RACES_MAX = 8

/** A submit that waits for another's work looks at this interval, for at most this long. */
const WAIT_STEP_MS = 50
const WAIT_MAX_MS = BUREAUS_DEADLINE_MS + 2_000

type SubmitInput = { tenantId: string; creditReportId: string; challengeId: string; code: string; onFile: OnFile }
type SubmitAnswer = ReportAnswer<Omit<Verified, 'creditReport'> | Retry | Failed>

type Judged =
  | { answer: SubmitAnswer }
  | { refused: ApiError }
  /** Another request has the lease, so this one looks again later. */
  | { atWork: true }
  /** The code was right, and the bureaus are this request's to ask. */
  | { work: VerifiedWork }

export async function submitCode(options: CheckOptions, input: SubmitInput): Promise<SubmitAnswer> {
  let judged = await judge(options, input, { mayWork: true }).catch(async (error: unknown) => {
    throw await options.plugins.explain(options.database, error)
  })
  for (let waitedMs = 0; 'atWork' in judged; waitedMs += WAIT_STEP_MS) {
    if (waitedMs >= WAIT_MAX_MS) throw bureausAway(null)
    await setTimeout(WAIT_STEP_MS)
    // A request that waited for a bureau that failed has its answer: asking again at once would be one more search.
    judged = await judge(options, input, { mayWork: false })
  }
  // Thrown after the transaction: the wrong attempt must stay recorded.
  if ('refused' in judged) throw judged.refused
  if ('answer' in judged) return judged.answer
  const { creditReportId } = input
  const { reportJson, agencies, balanceCredits } = await finishVerified(options, judged.work)
  const { match } = judged.work
  // Test mode was answered above: it has no bureau to wait for.
  const data = {
    status: 'complete',
    creditReportId,
    test: false,
    ...agenciesOf({ agencies }),
    ...(match && { match }),
  } as const
  return { data, reportJson, wallet: { balance: balanceCredits, cost: 0 }, expiresInSeconds: null }
}

/** T1. */
async function judge(options: CheckOptions, input: SubmitInput, { mayWork }: { mayWork: boolean }): Promise<Judged> {
  const { database, clock, plugins } = options
  for (let races = 0; races < RACES_MAX; races += 1) {
    const { tenant, report, sealed } = await readChallenge(options, input)
    if (isAtWork(report, clock())) return { atWork: true }
    const trigger = triggerOfValue(report.history.plays)
    refuseWhatIsPlayed(trigger, 'code')
    const moment = momentOf(options, tenant, report)
    const isLate = isOpen(report.challenge) && playedChallenge(trigger) === 'expired'
    const { next, verdict } = isLate
      ? expire(report.challenge)
      : judgeCode(report.challenge, textsWith(options, report, input), moment)
    const left = expiresInSeconds(next, moment)
    if (verdict.status === 'verified' && !report.test) {
      if (!mayWork) return { refused: bureausAway(left) }
      const { consumer, mobileNumber } = openConsumer(options.keys.reports, report, sealed)
      const leaseUntilMs = clock() + WORK_LEASE_MS
      const move = { was: report, next, moment, leaseUntilMs }
      const verified = database.batch(tenant.id, (queries) =>
        allThen([plugins.search(queries, { ...report, consumer, mobileNumber })], moveChallenge(queries, move)),
      )
      if (!(await won(verified))) continue
      if (report.challenge.verifiedSend === null) hearRightCode(options, report, moment.nowMs)
      const { creditReportId } = input
      const work = { tenant, creditReportId, check: report, consumer, leaseUntilMs, expiresInSeconds: left }
      const history = addMove(report.history, { was: report.challenge, next, nowMs: moment.nowMs })
      return { work: { ...work, ...matchOf(report), history, onFile: input.onFile } }
    }
    // In test mode there is no bureau to wait for, unless it plays that none answers the first time.
    const isFirst = verdict.status === 'verified' && report.challenge.verifiedSend === null
    const away = isFirst ? playedRefusal(trigger, 'right-code') : null
    const end: Challenge = verdict.status === 'verified' && away === null ? { ...next, status: 'complete' } : next
    // Before anything is settled: a report that cannot be opened must not be charged.
    const isDone = end.status === 'complete' && verdict.status !== 'expired'
    const reportJson = isDone ? openReport(options.keys.reports, report, sealed) : null
    let { balanceCredits } = tenant
    if (end !== report.challenge) {
      const moved = database.batch(tenant.id, async (queries) => {
        const steps = [
          moveChallenge(queries, { was: report, next: end, moment }),
          settleEnd(options, queries, report, end),
        ]
        balanceCredits = await allThen(steps, readBalance(queries, tenant.id))
      })
      if (!(await won(moved))) continue
      if (end.status === 'complete') hearRightCode(options, report, moment.nowMs)
      const ending = endingOf(end)
      if (ending !== null) plugins.heard(report, { type: 'ended', ending })
    }
    if (verdict.status === 'expired') return { refused: challengeExpired() }
    if (away !== null) return { refused: new PlayedError(away.code, away.message, away.headers) }
    const data = dataOf(report, verdict)
    const wallet = { balance: balanceCredits, cost: 0 }
    return { answer: { data, reportJson, wallet, expiresInSeconds: expiresInSeconds(end, moment) } }
  }
  throw new ApiError('unavailable', 'too many codes at once; try again')
}

/** The time since the newest text, which most often carried the code. */
function hearRightCode({ plugins }: CheckOptions, report: StoredReport, nowMs: number): void {
  const waitedMs = nowMs - (report.challenge.sentAtMs.at(-1) ?? nowMs)
  plugins.heard(report, { type: 'code-right', waitedMs })
}

/** The challenge as it stands, once it is known to be its report's own, and what goes with it. */
async function readChallenge({ database, settings }: CheckOptions, input: SubmitInput) {
  const [tenant, report, sealed] = await database.batch(input.tenantId, (queries) =>
    Promise.all([
      readTenant(queries, input.tenantId, settings),
      findReport(queries, input),
      findSealed(queries, input.creditReportId),
    ]),
  )
  return { tenant: requireTenant(tenant), report: requireChallenge(report, input), sealed }
}

export function requireChallenge(
  report: StoredReport | null,
  { challengeId }: { challengeId: string },
): StoredReport & { challengeId: string } {
  if (report === null) throw reportNotFound()
  if (report.challengeId !== challengeId) {
    throw new ApiError('challenge-not-found', 'this credit report has no challenge with this id')
  }
  return { ...report, challengeId }
}

export function challengeExpired(): ApiError {
  return new ApiError('challenge-expired', 'this challenge is over; start a new credit report')
}

function textsWith(
  { keys }: CheckOptions,
  report: StoredReport & { challengeId: string },
  { code }: SubmitInput,
): number[] {
  const { challengeId, test } = report
  if (playedChallenge(triggerOfValue(report.history.plays)) === 'lost-text') return []
  return textsWithCode(keys.codes, { challengeId, test, sends: report.challenge.sentAtMs.length }, code)
}

const FAILED_BECAUSE = {
  attempts: 'The code was wrong too many times: no attempts are left.',
  device: 'The device could not be verified.',
}

const CODE_TOO_OLD = 'This code is too old: use the one in the newest text. No attempt was counted.'

function dataOf(report: StoredReport, verdict: Exclude<CodeVerdict, { status: 'expired' }>): SubmitAnswer['data'] {
  const { creditReportId, test } = report
  switch (verdict.status) {
    case 'failed':
      return { status: 'failed', creditReportId, test, errorMessage: FAILED_BECAUSE[verdict.reason] }
    case 'retry': {
      const { attemptsRemaining } = verdict
      const left = attemptsRemaining === 1 ? '1 attempt is left' : `${attemptsRemaining} attempts are left`
      const errorMessage = verdict.reason === 'wrong' ? `The code is wrong: ${left}.` : CODE_TOO_OLD
      return { status: 'retry', creditReportId, test, errorMessage, attemptsRemaining }
    }
    case 'verified':
    case 'complete':
      return { status: 'complete', creditReportId, test, ...agenciesOf(report), ...matchOf(report) }
  }
}
