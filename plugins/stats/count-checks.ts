// What the lender's counters say of each check (stats/). Called once what is counted is committed.

import type { Challenge, CodeVerdict } from '../../service/check/challenge.ts'
import type { ReportOptions } from '../../service/check/check-options.ts'
import type { GenerateAnswer } from '../../service/check/generate-answer.ts'
import type { StoredReport } from '../../service/check/store.ts'
import { ApiError } from '../../service/http/api-error.ts'
import type { Whose } from './stats.ts'

type Counts = Pick<ReportOptions, 'stats'>

export function countAnswer(
  { stats }: Counts,
  whose: Whose,
  { status, waitedMs }: { status: GenerateAnswer['data']['status']; waitedMs: number },
): void {
  stats.count(whose, 'asked')
  stats.waited(whose, 'generate', waitedMs)
  if (status === 'authentication-required') stats.count(whose, 'code-sent')
  else stats.count(whose, `end-${status}`)
  if (status === 'complete') stats.count(whose, 'without-code')
}

/** A check that was not begun for want of credits, or that its providers ended. */
export function countRefusal({ stats }: Counts, whose: Whose) {
  return (error: unknown): never => {
    const code = error instanceof ApiError ? error.code : null
    if (code === 'insufficient-funds') stats.count(whose, 'end-refused-credits')
    if (code === 'spend-cap-reached') stats.count(whose, 'end-refused-cap')
    if (code === 'unavailable') {
      stats.count(whose, 'asked')
      stats.count(whose, 'end-failed-providers')
    }
    throw error
  }
}

/** The time since the newest text, of which the code most often is. */
export function countRightCode({ stats }: Counts, report: StoredReport, nowMs: number): void {
  stats.count(report, 'code-right', nowMs - (report.challenge.sentAtMs.at(-1) ?? nowMs))
}

/** A challenge that this code ended. A live one that is complete is counted once its report is there. */
export function countEnd(
  options: Counts,
  report: StoredReport,
  { end, verdict, nowMs }: { end: Challenge; verdict: CodeVerdict; nowMs: number },
): void {
  if (verdict.status === 'expired') options.stats.count(report, 'end-expired')
  if (verdict.status === 'failed') options.stats.count(report, `end-failed-${verdict.reason}`)
  if (end.status !== 'complete') return
  countRightCode(options, report, nowMs)
  options.stats.count(report, 'end-complete')
}
