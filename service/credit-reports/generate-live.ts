// One generate request, live. Credits are held before anyone is asked anything, and no database call is open while a
// provider is:
//
//   P1 transaction   idempotency key · report pending, leased · hold
//   P2 providers     device, risk, bureaus
//   P3 transaction   content · the key's answer · capture, release or challenge with its text
//   then             the text leaves
//
// A crash after P1 leaves a leased report. A retry with the same key takes it over and goes on; without one the
// sweeper gives the hold back. Whoever lost its lease writes nothing.
import { randomUUID } from 'node:crypto'
import type { GenerateRequest } from '../../contract/generate.ts'
import { describeError } from '../describe-error.ts'
import { ApiError, validationError } from '../http/api-error.ts'
import { type IdempotencyKey, inProgress } from '../idempotency/key.ts'
import { dropUnfinishedKey, type KeyUse, keepAnswer, keepTimeTaken } from '../idempotency/store.ts'
import { takeKey } from '../idempotency/take-key.ts'
import { queryBureaus } from '../providers/query-bureaus.ts'
import { DatabaseUnavailable, type Queries } from '../store/database.ts'
import { newId } from '../store/new-id.ts'
import type { TenantAccount } from '../tenants/store.ts'
import { textFactsOf } from '../texts/text-traits.ts'
import { capture, hold, insufficientFunds, readBalance, readHeld, release } from '../wallet/store.ts'
import { expiresInSeconds, openChallenge } from './challenge.ts'
import { type ReportContent, sealContent } from './content.ts'
import {
  blockedResult,
  challengedResult,
  completeResult,
  type FinishedUse,
  type GenerateAnswer,
  isFinished,
  replayAnswer,
} from './generate-answer.ts'
import { mergeReport } from './merge.ts'
import { type ReportParts, requireAccount } from './parts.ts'
import { challengePending, insertReport, insertSealed, settlePending, takeOver } from './store.ts'
import { queueText, sendText } from './texts.ts'

/** How long a request may work on a report before someone else may. Longer than every provider together. */
export const WORK_LEASE_MS = 30_000
/** Longer than what each provider allows itself: these end only a wait that a provider forgot to end. */
const RISK_TIMEOUT_MS = 6_000
const BUREAU_TIMEOUT_MS = 10_000
const RETRY_AFTER_SECONDS = 5

export type GenerateInput = {
  tenantId: string
  request: GenerateRequest
  key: IdempotencyKey | null
  /** Whole milliseconds since the request arrived. */
  elapsedMs: () => number
}

export async function generateLive(parts: ReportParts, input: GenerateInput): Promise<GenerateAnswer> {
  const begun = await begin(parts, input)
  if ('scope' in begun) return replayAnswer(parts, input.tenantId, begun)
  try {
    return await finish(parts, input, begun, await ask(parts, input, begun))
  } catch (error) {
    // Whatever went wrong, P3 has not happened: nothing may stay held for a report nobody gets.
    await abandon(parts, begun)
    if (error instanceof ApiError || error instanceof DatabaseUnavailable) throw error
    const names = { tenantId: input.tenantId, creditReportId: begun.reportId }
    parts.log.warn('report abandoned', { ...names, ...describeError(error) })
    throw new ApiError('unavailable', 'a provider did not answer; nothing was charged, try again', {
      'Retry-After': `${RETRY_AFTER_SECONDS}`,
    })
  }
}

/** A report under way: it is ours until the lease ends. */
type Work = {
  tenant: TenantAccount
  reportId: string
  leaseUntilMs: number
  heldCredits: number
  /** Before this report's hold was made. */
  balanceBeforeCredits: number
}

/** P1. */
function begin(
  { database, clock, settings }: ReportParts,
  { tenantId, key }: GenerateInput,
): Promise<Work | FinishedUse> {
  const nowMs = clock()
  const lease = { nowMs, leaseUntilMs: nowMs + WORK_LEASE_MS }
  const reportId = newId(nowMs)
  return database.transaction(async (queries) => {
    const tenant = await requireAccount(queries, tenantId, settings)
    const use = await takeKey(queries, key, { reportId, answer: null, nowMs })
    if (use !== null) return isFinished(use) ? use : resume(queries, tenant, use, lease)

    const heldCredits = tenant.reportPriceCredits
    await insertReport(queries, { id: reportId, tenantId, test: false, status: 'pending', ...lease })
    await hold(queries, { tenantId, purpose: 'report', subjectId: reportId, credits: heldCredits, reportId, nowMs })
    const balanceBeforeCredits = (await readBalance(queries, tenantId)) + heldCredits
    return { tenant, reportId, leaseUntilMs: lease.leaseUntilMs, heldCredits, balanceBeforeCredits }
  })
}

/** The first request with this key died: its report and hold are still there, and ours from now on. */
async function resume(
  queries: Queries,
  tenant: TenantAccount,
  { reportId }: KeyUse,
  lease: { nowMs: number; leaseUntilMs: number },
): Promise<Work> {
  if (!(await takeOver(queries, { reportId, ...lease }))) throw inProgress()
  const heldCredits = await readHeld(queries, { purpose: 'report', subjectId: reportId })
  const balanceBeforeCredits = tenant.balanceCredits + heldCredits
  return { tenant, reportId, leaseUntilMs: lease.leaseUntilMs, heldCredits, balanceBeforeCredits }
}

type Findings =
  | { decision: 'block' }
  | { decision: 'allow'; content: ReportContent }
  | { decision: 'challenge'; content: ReportContent; mobileNumber: string; deviceVerified: boolean }

/** P2. */
async function ask(parts: ReportParts, { request, tenantId }: GenerateInput, work: Work): Promise<Findings> {
  const { database, providers, lookUpDevice } = parts
  const device = await lookUpDevice({ tenantId, sessionId: request.sessionId, consumer: request })
  const question = { creditReportId: work.reportId, tenantId, consumer: request, device }
  const decision = await providers.risk.assess(question, AbortSignal.timeout(RISK_TIMEOUT_MS))
  if (decision === 'block') return { decision }

  const { mobileNumber } = request
  if (decision === 'challenge') {
    if (mobileNumber === undefined) {
      throw validationError([{ path: 'mobileNumber', expected: 'is required, because this check sends a code' }])
    }
    // Said before the bureaus are asked; the hold and the claim in P3 have the last word.
    if ((await readBalance(database, tenantId)) < work.tenant.smsPriceCredits) throw insufficientFunds()
    await parts.textGuard.foresee(database, {
      reportId: work.reportId,
      facts: textFactsOf(tenantId, mobileNumber, request),
      nowMs: parts.clock(),
    })
  }
  const { requireAllBureaus: requireAll } = work.tenant
  const answers = await queryBureaus(
    { bureau: providers.bureau, log: parts.log },
    { consumer: request, creditReportId: work.reportId, tenantId, requireAll, onMissing: parts.onBureauMissing },
    AbortSignal.timeout(BUREAU_TIMEOUT_MS),
  )
  const creditReport = mergeReport(request, answers)
  if (decision === 'allow' || mobileNumber === undefined) return { decision: 'allow', content: { creditReport } }
  return { decision, content: { mobileNumber, creditReport }, mobileNumber, deviceVerified: device !== null }
}

/** P3, and the text. */
function finish(parts: ReportParts, input: GenerateInput, work: Work, findings: Findings): Promise<GenerateAnswer> {
  switch (findings.decision) {
    case 'block':
      return finishBlocked(parts, input, work)
    case 'allow':
      return finishComplete(parts, input, work, findings.content)
    case 'challenge':
      return finishChallenged(parts, input, work, findings)
  }
}

function finishBlocked({ database, clock }: ReportParts, input: GenerateInput, work: Work): Promise<GenerateAnswer> {
  return database.transaction(async (queries) => {
    requireLease(await settlePending(queries, { ...work, status: 'blocked' }))
    const answer = answerOf(input, work, { data: blockedResult(work.reportId), costCredits: 0 })
    await keep(queries, input, answer)
    await release(queries, { purpose: 'report', subjectId: work.reportId }, clock())
    return answer
  })
}

function finishComplete(
  { database, clock, keys }: ReportParts,
  input: GenerateInput,
  work: Work,
  content: ReportContent,
): Promise<GenerateAnswer> {
  const { reportId } = work
  const sealed = sealContent(keys.reports, { tenantId: input.tenantId, reportId }, content)
  return database.transaction(async (queries) => {
    requireLease(await settlePending(queries, { ...work, status: 'complete' }))
    await insertSealed(queries, { reportId, ...sealed })
    const data = completeResult(reportId, content.creditReport)
    const answer = answerOf(input, work, { data, costCredits: work.heldCredits })
    await keep(queries, input, answer)
    await capture(queries, { purpose: 'report', subjectId: reportId }, clock())
    return answer
  })
}

async function finishChallenged(
  parts: ReportParts,
  input: GenerateInput,
  work: Work,
  { content, mobileNumber, deviceVerified }: Findings & { decision: 'challenge' },
): Promise<GenerateAnswer> {
  const { database, clock, keys, providers, settings, textGuard } = parts
  const { tenant, reportId } = work
  const sealed = sealContent(keys.reports, { tenantId: tenant.id, reportId }, content)
  const challengeId = randomUUID()
  const nowMs = clock()
  const challenge = openChallenge({ nowMs, deviceVerified })
  const { answer, text } = await database.transaction(async (queries) => {
    requireLease(await challengePending(queries, { ...work, challengeId, challenge }))
    await insertSealed(queries, { reportId, ...sealed })
    const data = challengedResult(reportId, challengeId)
    const answer = answerOf(input, work, { data, costCredits: work.heldCredits })
    await keep(queries, input, answer)
    await textGuard.claimFirst(queries, {
      reportId,
      facts: textFactsOf(tenant.id, mobileNumber, input.request),
      nowMs,
    })
    const draft = { tenantId: tenant.id, reportId, challengeId, send: 1, mobileNumber, tenantName: tenant.name }
    const price = { priceCredits: tenant.smsPriceCredits, nowMs }
    return { answer, text: await queueText(queries, { ...draft, checkoutHost: tenant.checkoutHost }, price) }
  })
  await sendText({ ...parts, sms: providers.sms, challengeLifetimeMs: settings.challengeLifetimeMs }, text)
  const timeTakenMs = input.elapsedMs()
  // The answer stands whether or not this last detail is kept with it.
  if (input.key !== null) await keepTimeTaken(database, input.key.scope, timeTakenMs).catch(() => {})
  const moment = { nowMs: clock(), lifetimeMs: settings.challengeLifetimeMs }
  return { ...answer, timeTakenMs, expiresInSeconds: expiresInSeconds(challenge, moment) }
}

function answerOf(
  { elapsedMs }: GenerateInput,
  { balanceBeforeCredits }: Work,
  { data, costCredits }: Pick<GenerateAnswer, 'data' | 'costCredits'>,
): GenerateAnswer {
  const balanceCredits = balanceBeforeCredits - costCredits
  return { data, costCredits, balanceCredits, timeTakenMs: elapsedMs(), replayed: false, expiresInSeconds: null }
}

async function keep(queries: Queries, { key }: GenerateInput, answer: GenerateAnswer): Promise<void> {
  if (key !== null) await keepAnswer(queries, key.scope, { ...answer, outcome: answer.data.status, sends: 1 })
}

function requireLease(ours: boolean): void {
  if (!ours) throw new ApiError('unavailable', 'this took too long and was given up; nothing was charged, try again')
}

/** Gives the hold back, unless the report has gone its way meanwhile. If even that fails, the sweeper does it later. */
async function abandon({ database, clock, log }: ReportParts, work: Work): Promise<void> {
  try {
    await database.transaction(async (queries) => {
      if (!(await settlePending(queries, { ...work, status: 'failed' }))) return
      await dropUnfinishedKey(queries, work.reportId)
      await release(queries, { purpose: 'report', subjectId: work.reportId }, clock())
    })
  } catch (error) {
    log.warn('report left to the sweeper', { creditReportId: work.reportId, ...describeError(error) })
  }
}
