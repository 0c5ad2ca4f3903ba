// The last transaction of a live generate: what was found out, what it costs and what a retry will hear, all or nothing.
import { randomUUID } from 'node:crypto'
import type { GenerateRequest } from '../../contract/generate.ts'
import { ApiError } from '../http/api-error.ts'
import type { IdempotencyKey } from '../idempotency/key.ts'
import { keepAnswer, keepTimeTaken } from '../idempotency/store.ts'
import type { Queries } from '../store/database.ts'
import type { TenantAccount } from '../tenants/store.ts'
import { queueText, sendText } from '../texts/outbox.ts'
import { textFactsOf } from '../texts/text-traits.ts'
import { capture, release } from '../wallet/store.ts'
import type { Findings } from './ask-providers.ts'
import { expiresInSeconds, openChallenge } from './challenge.ts'
import { sealContent } from './content.ts'
import { blockedResult, challengedResult, completeResult, type GenerateAnswer } from './generate-answer.ts'
import type { ReportOptions } from './report-options.ts'
import { challengePending, insertSealed, settlePending } from './store.ts'

/** A report under way: it is ours until the lease ends. */
export type Work = {
  tenant: TenantAccount
  creditReportId: string
  leaseUntilMs: number
  heldCredits: number
  /** Before this report's hold was made. */
  balanceBeforeCredits: number
}

export type Asked = {
  request: GenerateRequest
  key: IdempotencyKey | null
  /** Whole milliseconds since the request arrived. */
  elapsedMs: () => number
}

export function finishReport(
  parts: ReportOptions,
  asked: Asked,
  work: Work,
  findings: Findings,
): Promise<GenerateAnswer> {
  switch (findings.decision) {
    case 'block':
      return finishBlocked(parts, asked, work)
    case 'allow':
      return finishComplete(parts, asked, work, findings)
    case 'challenge':
      return finishChallenged(parts, asked, work, findings)
  }
}

function finishBlocked({ database, clock }: ReportOptions, asked: Asked, work: Work): Promise<GenerateAnswer> {
  return database.transaction(async (queries) => {
    requireLease(await settlePending(queries, { ...work, status: 'blocked' }))
    const answer = answerOf(asked, work, { ...blockedResult(work.creditReportId), costCredits: 0 })
    await keep(queries, asked, answer)
    await release(queries, { purpose: 'report', subjectId: work.creditReportId }, clock())
    return answer
  })
}

function finishComplete(
  { database, clock, keys }: ReportOptions,
  asked: Asked,
  work: Work,
  { reportText }: Findings & { decision: 'allow' },
): Promise<GenerateAnswer> {
  const { tenant, creditReportId, heldCredits } = work
  const sealed = sealContent(keys.reports, { tenantId: tenant.id, creditReportId }, { mobileNumber: null, reportText })
  return database.transaction(async (queries) => {
    requireLease(await settlePending(queries, { ...work, status: 'complete' }))
    await insertSealed(queries, { creditReportId, ...sealed })
    const answer = answerOf(asked, work, { ...completeResult(creditReportId, reportText), costCredits: heldCredits })
    await keep(queries, asked, answer)
    await capture(queries, { purpose: 'report', subjectId: creditReportId }, clock())
    return answer
  })
}

async function finishChallenged(
  parts: ReportOptions,
  asked: Asked,
  work: Work,
  { reportText, mobileNumber, deviceVerified }: Findings & { decision: 'challenge' },
): Promise<GenerateAnswer> {
  const { database, clock, keys, providers, settings, textGuard } = parts
  const { tenant, creditReportId, heldCredits } = work
  const sealed = sealContent(keys.reports, { tenantId: tenant.id, creditReportId }, { mobileNumber, reportText })
  const challengeId = randomUUID()
  const nowMs = clock()
  const challenge = openChallenge({ nowMs, deviceVerified })
  const { answer, text } = await database.transaction(async (queries) => {
    requireLease(await challengePending(queries, { ...work, challengeId, challenge }))
    await insertSealed(queries, { creditReportId, ...sealed })
    const answer = answerOf(asked, work, { ...challengedResult(creditReportId, challengeId), costCredits: heldCredits })
    await keep(queries, asked, answer)
    const facts = textFactsOf(tenant.id, mobileNumber, asked.request)
    await textGuard.claimFirst(queries, { creditReportId, facts, nowMs })
    const draft = { tenantId: tenant.id, creditReportId, challengeId, send: 1, mobileNumber, tenantName: tenant.name }
    const price = { priceCredits: tenant.smsPriceCredits, nowMs }
    return { answer, text: await queueText(queries, { ...draft, checkoutHost: tenant.checkoutHost }, price) }
  })
  await sendText({ ...parts, sms: providers.sms, challengeLifetimeMs: settings.challengeLifetimeMs }, text)
  const timeTakenMs = asked.elapsedMs()
  // The answer stands whether or not this last detail is kept with it.
  if (asked.key !== null) await keepTimeTaken(database, asked.key.scope, timeTakenMs).catch(() => {})
  const moment = { nowMs: clock(), lifetimeMs: settings.challengeLifetimeMs }
  return { ...answer, timeTakenMs, expiresInSeconds: expiresInSeconds(challenge, moment) }
}

function answerOf(
  { elapsedMs }: Asked,
  { balanceBeforeCredits }: Work,
  said: Pick<GenerateAnswer, 'data' | 'reportText' | 'costCredits'>,
): GenerateAnswer {
  const balanceCredits = balanceBeforeCredits - said.costCredits
  return { ...said, balanceCredits, timeTakenMs: elapsedMs(), replayed: false, expiresInSeconds: null }
}

async function keep(queries: Queries, { key }: Asked, answer: GenerateAnswer): Promise<void> {
  if (key !== null) await keepAnswer(queries, key.scope, { ...answer, outcome: answer.data.status, sends: 1 })
}

function requireLease(ours: boolean): void {
  if (!ours) throw new ApiError('unavailable', 'this took too long and was given up; nothing was charged, try again')
}
