// One more text with one more code. Claiming the send, reserving its price and keeping the key's answer are one transaction.
import { SENDS_MAX } from '../../contract/limits.ts'
import { ApiError, RateLimited } from '../http/api-error.ts'
import { type IdempotencyKey, requireSameBody } from '../idempotency/key.ts'
import { claimKey, findKey, keepTimeTaken } from '../idempotency/store.ts'
import type { Queries } from '../store/database.ts'
import type { TenantAccount } from '../tenants/store.ts'
import { type QueuedText, queueText, sendText } from '../texts/outbox.ts'
import { expiresInSeconds, judgeResend } from './challenge.ts'
import { openConsumer } from './content.ts'
import { challengeNowMs, type ReportOptions, requireAccount } from './report-options.ts'
import { settleEnd } from './settle-end.ts'
import { isAtWork, moveChallenge, type StoredReport } from './store.ts'
import { challengeExpired, RACES_MAX, requireChallenge } from './submit-code.ts'

export type ResendInput = {
  tenantId: string
  creditReportId: string
  challengeId: string
  key: IdempotencyKey | null
  elapsedMs: () => number
}

export type ResendAnswer = {
  smsSentCount: number
  timeTakenMs: number
  replayed: boolean
  expiresInSeconds: number | null
}

type Outcome = { answer: ResendAnswer; text: QueuedText | null } | { refused: ApiError }

export async function resendText(parts: ReportOptions, input: ResendInput): Promise<ResendAnswer> {
  const { database, providers, settings } = parts
  const outcome = await database.transaction((queries) => claimSend(parts, queries, input))
  // Thrown out here, because what was found out in there must stay written.
  if ('refused' in outcome) throw outcome.refused
  const { answer, text } = outcome
  if (text === null) return answer
  await sendText({ ...parts, sms: providers.sms, challengeLifetimeMs: settings.challengeLifetimeMs }, text)
  const timeTakenMs = input.elapsedMs()
  // The answer stands whether or not this last detail is kept with it.
  if (input.key !== null) await keepTimeTaken(database, input.key.scope, timeTakenMs).catch(() => {})
  return { ...answer, timeTakenMs }
}

async function claimSend(parts: ReportOptions, queries: Queries, input: ResendInput): Promise<Outcome> {
  const { clock, settings } = parts
  const tenant = await requireAccount(queries, input.tenantId, settings)
  for (let races = 0; races < RACES_MAX; races += 1) {
    const report = await requireChallenge(queries, input)
    const moment = { nowMs: challengeNowMs(clock, report.test, tenant), lifetimeMs: settings.challengeLifetimeMs }
    // Looked up again after a lost race: the winner may have been this very request, sent twice.
    const known = input.key && (await findKey(queries, input.key, clock()))
    if (input.key && known?.answer) {
      requireSameBody(known, input.key)
      const { sends, timeTakenMs } = known.answer
      const left = expiresInSeconds(report.challenge, moment) ?? 0
      return { answer: { smsSentCount: sends, timeTakenMs, replayed: true, expiresInSeconds: left }, text: null }
    }
    if (isAtWork(report, clock())) return { refused: atWork() }
    const { next, verdict } = judgeResend(report.challenge, moment)
    if (next !== report.challenge && !(await moveChallenge(queries, { was: report, next, moment }))) continue
    if (verdict.status === 'over') {
      await settleEnd(queries, report, next, clock())
      return { refused: challengeExpired() }
    }
    if (verdict.status === 'no-texts-left') return { refused: noTextsLeft() }

    const answer = {
      smsSentCount: verdict.send,
      timeTakenMs: input.elapsedMs(),
      replayed: false,
      expiresInSeconds: expiresInSeconds(next, moment),
    }
    await keep(queries, input, answer, clock())
    const text = report.test ? null : await queueNext(parts, queries, { tenant, report, send: verdict.send })
    return { answer, text }
  }
  throw new ApiError('unavailable', 'too many requests for this challenge at once; try again')
}

async function keep(
  queries: Queries,
  { key, creditReportId }: ResendInput,
  answer: ResendAnswer,
  nowMs: number,
): Promise<void> {
  if (key === null) return
  const { smsSentCount: sends, timeTakenMs } = answer
  const kept = { outcome: 'sent' as const, costCredits: 0, balanceCredits: 0, sends, timeTakenMs }
  await claimKey(queries, { ...key, creditReportId, answer: kept }, nowMs)
}

async function queueNext(
  { keys, clock, textGuard }: ReportOptions,
  queries: Queries,
  { tenant, report, send }: { tenant: TenantAccount; report: StoredReport & { challengeId: string }; send: number },
): Promise<QueuedText> {
  const { id: creditReportId, challengeId } = report
  const { mobileNumber } = await openConsumer(queries, keys.reports, { tenantId: tenant.id, creditReportId })
  const text = { tenantId: tenant.id, creditReportId, challengeId, send, mobileNumber }
  const nowMs = clock()
  await textGuard.claimNext(queries, { creditReportId, tenantId: tenant.id, send, nowMs })
  const priced = { priceCredits: tenant.smsPriceCredits, nowMs }
  return queueText(queries, { ...text, tenantName: tenant.name, checkoutHost: tenant.checkoutHost }, priced)
}

/** The right code is in: another text would only confuse. */
function atWork(): ApiError {
  return new ApiError('request-in-progress', 'the code was right and the report is being made; ask for it shortly', {
    'Retry-After': '1',
  })
}

function noTextsLeft(): ApiError {
  return new RateLimited('texts-of-check', `all ${SENDS_MAX} texts of this challenge have been sent`)
}
