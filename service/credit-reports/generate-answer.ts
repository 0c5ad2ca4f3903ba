// What generate answers, the first time and again.
import type { CreditReport } from '../../contract/credit-report.ts'
import type { GenerateResult } from '../../contract/generate.ts'
import type { KeptAnswer, KeyUse } from '../idempotency/store.ts'
import { expiresInSeconds } from './challenge.ts'
import { openContent, reportNotFound } from './content.ts'
import { challengeNowMs, type ReportParts, requireAccount } from './parts.ts'
import { findReport } from './store.ts'

export type GenerateAnswer = {
  data: GenerateResult
  costCredits: number
  balanceCredits: number
  timeTakenMs: number
  replayed: boolean
  /** Of the challenge it leaves open; null when there is none. */
  expiresInSeconds: number | null
}

export function completeResult(creditReportId: string, creditReport: CreditReport): GenerateResult {
  return { status: 'complete', challengeType: 'none', creditReportId, creditReport }
}

export function challengedResult(creditReportId: string, challengeId: string): GenerateResult {
  return { status: 'authentication-required', challengeType: 'otp', creditReportId, challenge: { challengeId } }
}

export function blockedResult(creditReportId: string): GenerateResult {
  return { status: 'blocked', creditReportId }
}

export type FinishedUse = KeyUse & { answer: KeptAnswer }

export function isFinished(use: KeyUse): use is FinishedUse {
  return use.answer !== null
}

/** The first answer of a key again, whatever has become of its report since. */
export async function replayAnswer(
  parts: ReportParts,
  tenantId: string,
  { reportId, answer }: FinishedUse,
): Promise<GenerateAnswer> {
  const { costCredits, balanceCredits, timeTakenMs } = answer
  const said = { costCredits, balanceCredits, timeTakenMs, replayed: true, expiresInSeconds: null }
  if (answer.outcome === 'blocked') return { ...said, data: blockedResult(reportId) }
  if (answer.outcome === 'complete') {
    const { creditReport } = await openContent(parts.database, parts.keys.reports, { tenantId, reportId })
    return { ...said, data: completeResult(reportId, creditReport) }
  }
  const report = await findReport(parts.database, { tenantId, reportId })
  if (report?.challengeId == null) throw reportNotFound()
  const tenant = await requireAccount(parts.database, tenantId, parts.settings)
  const nowMs = challengeNowMs(parts.clock, report.test, tenant)
  return {
    ...said,
    data: challengedResult(reportId, report.challengeId),
    expiresInSeconds: expiresInSeconds(report.challenge, { nowMs, lifetimeMs: parts.settings.challengeLifetimeMs }),
  }
}
