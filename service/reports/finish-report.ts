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
import { capture, readBalance, release } from '../wallet/store.ts'
import type { Findings } from './ask-providers.ts'
import { expiresInSeconds, openChallenge } from './challenge.ts'
import { sealConsumer, sealReport } from './content.ts'
import { blockedResult, challengedResult, completeResult, type GenerateAnswer } from './generate-answer.ts'
import type { ReportOptions } from './report-options.ts'
import { challengePending, insertSealed, settlePending } from './store.ts'
import { type Ended, tellEnd } from './tell-end.ts'

/** A report under way: it is ours until the lease ends. */
export type Work = {
  tenant: TenantAccount
  creditReportId: string
  leaseUntilMs: number
  heldCredits: number
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
    requireLease(await settlePending(queries, { ...work, status: 'blocked', nowMs: clock() }))
    await tellEnd(queries, endedOf(asked, work), 'blocked', clock())
    await release(queries, { purpose: 'report', subjectId: work.creditReportId }, clock())
    return keepAnswerOf(queries, asked, work, { ...blockedResult(work.creditReportId), costCredits: 0 })
  })
}

function finishComplete(
  { database, clock, keys }: ReportOptions,
  asked: Asked,
  work: Work,
  { reportText }: Findings & { decision: 'allow' },
): Promise<GenerateAnswer> {
  const { tenant, creditReportId, heldCredits } = work
  const sealed = sealReport(keys.reports, { tenantId: tenant.id, creditReportId }, reportText)
  return database.transaction(async (queries) => {
    requireLease(await settlePending(queries, { ...work, status: 'complete', nowMs: clock() }))
    await insertSealed(queries, { creditReportId, ...sealed })
    await tellEnd(queries, endedOf(asked, work), 'complete', clock())
    await capture(queries, { purpose: 'report', subjectId: creditReportId }, clock())
    const result = completeResult(creditReportId, reportText)
    return keepAnswerOf(queries, asked, work, { ...result, costCredits: heldCredits })
  })
}

async function finishChallenged(
  parts: ReportOptions,
  asked: Asked,
  work: Work,
  { mobileNumber, deviceVerified }: Findings & { decision: 'challenge' },
): Promise<GenerateAnswer> {
  const { database, clock, keys, providers, settings, textGuard } = parts
  const { tenant, creditReportId, heldCredits } = work
  const place = { tenantId: tenant.id, creditReportId }
  const sealed = sealConsumer(keys.reports, place, { mobileNumber, consumer: asked.request })
  const challengeId = randomUUID()
  const nowMs = clock()
  const challenge = openChallenge({ nowMs, deviceVerified })
  const { answer, text } = await database.transaction(async (queries) => {
    requireLease(await challengePending(queries, { ...work, challengeId, challenge }))
    await insertSealed(queries, { creditReportId, ...sealed })
    const facts = textFactsOf(tenant.id, mobileNumber, asked.request)
    await textGuard.claimFirst(queries, { creditReportId, facts, nowMs })
    const draft = { tenantId: tenant.id, creditReportId, challengeId, send: 1, mobileNumber, tenantName: tenant.name }
    const price = { priceCredits: tenant.smsPriceCredits, nowMs }
    const text = await queueText(queries, { ...draft, checkoutHost: tenant.checkoutHost }, price)
    const result = challengedResult(creditReportId, challengeId)
    return { answer: await keepAnswerOf(queries, asked, work, { ...result, costCredits: heldCredits }), text }
  })
  await sendText({ ...parts, sms: providers.sms, challengeLifetimeMs: settings.challengeLifetimeMs }, text)
  const timeTakenMs = asked.elapsedMs()
  // The answer stands whether or not this last detail is kept with it.
  if (asked.key !== null) await keepTimeTaken(database, asked.key.scope, timeTakenMs).catch(() => {})
  const moment = { nowMs: clock(), lifetimeMs: settings.challengeLifetimeMs }
  return { ...answer, timeTakenMs, expiresInSeconds: expiresInSeconds(challenge, moment) }
}

function endedOf({ request }: Asked, { tenant, creditReportId }: Work): Ended {
  return { tenantId: tenant.id, creditReportId, externalReference: request.externalReference || null, test: false }
}

/** Comes last: the balance it says is the one this transaction commits. */
async function keepAnswerOf(
  queries: Queries,
  { key, elapsedMs }: Asked,
  { tenant }: Work,
  said: Pick<GenerateAnswer, 'data' | 'reportText' | 'costCredits'>,
): Promise<GenerateAnswer> {
  const balanceCredits = await readBalance(queries, tenant.id)
  const answer = { ...said, balanceCredits, timeTakenMs: elapsedMs(), replayed: false, expiresInSeconds: null }
  if (key !== null) await keepAnswer(queries, key.scope, { ...answer, outcome: answer.data.status, sends: 1 })
  return answer
}

function requireLease(ours: boolean): void {
  if (!ours) throw new ApiError('unavailable', 'this took too long and was given up; nothing was charged, try again')
}
