// The input and the answer of generate, for the first request and for a repeat.
import type { AgencyAnswer, Match } from '../../contract/credit-report.ts'
import type { AuthenticationRequired, Blocked, Complete, GenerateRequest } from '../../contract/generate.ts'
import type { IdempotencyKey } from '../http/idempotency-key.ts'
import { expiresInSeconds } from './challenge.ts'
import {
  type CheckOptions,
  matchOf,
  momentOf,
  type OnFile,
  type ReportAnswer,
  requireAccount,
} from './check-options.ts'
import { openReport, reportNotFound } from './content.ts'
import type { KeptAnswer, KeyUse } from './idempotency.ts'
import { agenciesOf, findReport, findSealed } from './store.ts'

export type GenerateInput = {
  tenantId: string
  request: GenerateRequest
  key: IdempotencyKey | null
  requestId: string | null
  onFile: OnFile
}

export type GenerateAnswer = ReportAnswer<Omit<Complete, 'creditReport'> | AuthenticationRequired | Blocked> & {
  replayed: boolean
}

type Result = Pick<GenerateAnswer, 'data' | 'reportJson'>

type Completed = { reportJson: string; agencies: readonly AgencyAnswer[] | null; match?: Match }

export function completeResult(creditReportId: string, { reportJson, agencies, match }: Completed): Result {
  return {
    data: {
      status: 'complete',
      challengeType: 'none',
      creditReportId,
      ...agenciesOf({ agencies }),
      ...(match && { match }),
    },
    reportJson,
  }
}

export function challengedResult(creditReportId: string, challengeId: string): Result {
  const status = 'authentication-required'
  return { data: { status, challengeType: 'otp', creditReportId, challenge: { challengeId } }, reportJson: null }
}

export function blockedResult(creditReportId: string): Result {
  return { data: { status: 'blocked', creditReportId }, reportJson: null }
}

export type FinishedUse = KeyUse & { answer: KeptAnswer }

export function isFinished(use: KeyUse): use is FinishedUse {
  return use.answer !== null
}

/** The first answer of a key again, whatever has become of its report since. */
export async function replayAnswer(
  options: CheckOptions,
  { tenantId, test }: { tenantId: string; test: boolean },
  { creditReportId, answer }: FinishedUse,
): Promise<GenerateAnswer> {
  const { costCredits, balanceCredits } = answer
  const wallet = { balance: balanceCredits, cost: costCredits }
  const again = { wallet, replayed: true, expiresInSeconds: null }
  if (answer.outcome === 'blocked') return { ...again, ...blockedResult(creditReportId) }
  const report = await findReport(options.database, { tenantId, creditReportId })
  if (answer.outcome === 'complete') {
    const sealed = await findSealed(options.database, creditReportId)
    const reportJson = openReport(options.keys.reports, { tenantId, creditReportId, test }, sealed)
    return {
      ...again,
      ...completeResult(creditReportId, {
        reportJson,
        agencies: report?.agencies ?? null,
        ...(report && matchOf(report)),
      }),
    }
  }
  if (report?.challengeId == null) throw reportNotFound()
  const tenant = await requireAccount(options.database, tenantId, options.settings)
  const left = expiresInSeconds(report.challenge, momentOf(options, tenant, report))
  // 0 once it is over: a replayed answer must not look like a new challenge.
  return { ...again, ...challengedResult(creditReportId, report.challengeId), expiresInSeconds: left ?? 0 }
}
