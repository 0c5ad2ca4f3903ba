// One code, judged. Reading, judging and writing are one transaction, and the write only succeeds on the very state
// that was judged: any number of guesses at once, on any number of processes, count as if they had queued.
import type { Failed, Retry, Verified } from '../../contract/challenge.ts'
import { ApiError } from '../http/api-error.ts'
import type { Queries } from '../store/database.ts'
import { textsWithCode } from '../texts/code.ts'
import { capture, readBalance, release } from '../wallet/store.ts'
import { type Challenge, type CodeVerdict, expiresInSeconds, judgeCode } from './challenge.ts'
import { openContent, reportNotFound } from './content.ts'
import { challengeNowMs, type ReportOptions, requireAccount } from './report-options.ts'
import { findReport, moveChallenge, type StoredReport } from './store.ts'

/** Each lost race means somebody else's guess or text counted, and a challenge has room for five. */
export const RACES_MAX = 8

export type SubmitInput = { tenantId: string; creditReportId: string; challengeId: string; code: string }
export type SubmitAnswer = Result & { balanceCredits: number; expiresInSeconds: number | null }

/** Short of the report itself, which is a text by now. */
type Result = { data: Omit<Verified, 'creditReport'> | Retry | Failed; reportText: string | null }

export async function submitCode(parts: ReportOptions, input: SubmitInput): Promise<SubmitAnswer> {
  const { database, clock, settings } = parts
  const answer = await database.transaction(async (queries) => {
    const tenant = await requireAccount(queries, input.tenantId, settings)
    for (let races = 0; races < RACES_MAX; races += 1) {
      const report = await requireChallenge(queries, input)
      const moment = { nowMs: challengeNowMs(clock, report.test, tenant), lifetimeMs: settings.challengeLifetimeMs }
      const { next, verdict } = judgeCode(report.challenge, textsWith(parts, report, input), moment)
      // Before anything is settled: nobody is charged for a report that cannot be read.
      const result = await resultOf(parts, queries, report, verdict)
      if (
        next !== report.challenge &&
        !(await moveChallenge(queries, { creditReportId: report.id, was: report.challenge, next }))
      ) {
        continue
      }
      await settleCredits(queries, report, next, clock())
      const balanceCredits = report.test ? tenant.balanceCredits : await readBalance(queries, tenant.id)
      return result && { balanceCredits, expiresInSeconds: expiresInSeconds(next, moment), ...result }
    }
    throw new ApiError('unavailable', 'too many codes at once; try again')
  })
  // Thrown out here, because what was found out in there must stay written.
  if (answer === null) throw challengeExpired()
  return answer
}

/** The report, once the challenge is known to be its own. */
export async function requireChallenge(
  queries: Queries,
  { tenantId, creditReportId, challengeId }: Omit<SubmitInput, 'code'>,
): Promise<StoredReport & { challengeId: string }> {
  const report = await findReport(queries, { tenantId, creditReportId })
  if (report === null) throw reportNotFound()
  if (report.challengeId !== challengeId) {
    throw new ApiError('challenge-not-found', 'this credit report has no challenge with this id')
  }
  return { ...report, challengeId }
}

/** What a move does to the report's hold. Test mode holds nothing. */
export async function settleCredits(
  queries: Queries,
  { id, test, challenge }: StoredReport,
  next: Challenge,
  nowMs: number,
): Promise<void> {
  if (test || next.status === challenge.status) return
  const settle = next.status === 'complete' ? capture : release
  await settle(queries, { purpose: 'report', subjectId: id }, nowMs)
}

export function challengeExpired(): ApiError {
  return new ApiError('challenge-expired', 'this challenge is over; start a new credit report')
}

function textsWith(
  { keys }: ReportOptions,
  report: StoredReport & { challengeId: string },
  { code }: SubmitInput,
): number[] {
  const { challengeId, test } = report
  return textsWithCode(keys.codes, { challengeId, test, sends: report.challenge.sentAtMs.length }, code)
}

const FAILED_BECAUSE = {
  attempts: 'The code was wrong too many times: no attempts are left.',
  device: 'The device could not be verified.',
}

/** Null when the answer is that the challenge is over. */
async function resultOf(
  { keys }: ReportOptions,
  queries: Queries,
  { id: creditReportId, tenantId }: StoredReport,
  verdict: CodeVerdict,
): Promise<Result | null> {
  switch (verdict.status) {
    case 'expired':
      return null
    case 'failed': {
      const errorMessage = FAILED_BECAUSE[verdict.reason]
      return { data: { status: 'failed', creditReportId, errorMessage }, reportText: null }
    }
    case 'retry': {
      const { attemptsRemaining } = verdict
      const left = attemptsRemaining === 1 ? '1 attempt is left' : `${attemptsRemaining} attempts are left`
      const errorMessage = `The code is wrong: ${left}.`
      return { data: { status: 'retry', creditReportId, errorMessage, attemptsRemaining }, reportText: null }
    }
    case 'complete': {
      const { reportText } = await openContent(queries, keys.reports, { tenantId, creditReportId })
      return { data: { status: 'complete', creditReportId }, reportText }
    }
  }
}
