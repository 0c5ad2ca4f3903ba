// One more text with one more code. Claiming the send, reserving its price and keeping the key's answer are one
// transaction.
import type { ResendResult } from '../../contract/challenge.ts'
import { SENDS_MAX } from '../../contract/limits.ts'
import { triggerOfValue } from '../../contract/test-triggers.ts'
import { ApiError, RateLimited } from '../http/api-error.ts'
import { type IdempotencyKey, requireSameBody } from '../http/idempotency-key.ts'
import { readTenant, type TenantAccount } from '../ledger/tenants.ts'
import type { Queries } from '../store/database.ts'
import { type QueuedText, queueText, sendText } from '../texts/outbox.ts'
import { expiresInSeconds, judgeResend } from './challenge.ts'
import { type CheckOptions, momentOf, type ReportAnswer, refuseWhatIsPlayed, requireTenant } from './check-options.ts'
import { openConsumer } from './content.ts'
import { expireChallenge } from './end-report.ts'
import { findKey, KeyInUse, takeKey } from './idempotency.ts'
import { findReport, findSealed, isAtWork, LostRace, moveChallenge, type StoredReport } from './store.ts'
import { challengeExpired, RACES_MAX, requireChallenge } from './submit-code.ts'

type ResendInput = {
  tenantId: string
  creditReportId: string
  challengeId: string
  key: IdempotencyKey | null
}

type ResendAnswer = ReportAnswer<ResendResult> & { replayed: boolean }

type Outcome = { answer: ResendAnswer; text: QueuedText | null } | { refused: ApiError }

export async function resendText(options: CheckOptions, input: ResendInput): Promise<ResendAnswer> {
  const outcome = await claimSend(options, input).catch(async (error: unknown) => {
    throw await options.plugins.explain(options.database, error)
  })
  if ('refused' in outcome) throw outcome.refused
  const { answer, text } = outcome
  if (text !== null) await sendText(options, text)
  return answer
}

async function claimSend(options: CheckOptions, input: ResendInput): Promise<Outcome> {
  const { database, clock } = options
  for (let races = 0; races < RACES_MAX; races += 1) {
    // Looked up again after a lost race: the winner may have been this very request, sent twice.
    const { tenant, report, known, sealed } = await readSend(options, input)
    const moment = momentOf(options, tenant, report)
    if (input.key && known?.answer) {
      requireSameBody(known, input.key)
      const left = expiresInSeconds(report.challenge, moment) ?? 0
      return { answer: answerOf(known.answer.sends, { replayed: true, expiresInSeconds: left }), text: null }
    }
    if (isAtWork(report, clock())) return { refused: atWork() }
    refuseWhatIsPlayed(triggerOfValue(report.history.plays), 'resend')
    const { next, verdict } = judgeResend(report.challenge, moment)
    const move = { was: report, next, moment }
    if (verdict.status === 'over') {
      if (next !== report.challenge && !(await expireChallenge(options, report, moment))) continue
      return { refused: challengeExpired() }
    }
    if (verdict.status === 'no-texts-left') return { refused: noTextsLeft() }

    const { send } = verdict
    const expires = expiresInSeconds(next, moment)
    const answer = answerOf(send, { replayed: false, expiresInSeconds: expires })
    const kept = { outcome: 'sent' as const, costCredits: 0, balanceCredits: 0, sends: send }
    const { key, creditReportId } = input
    const consumer = report.test ? null : openConsumer(options.keys.reports, report, sealed)
    try {
      const [text] = await database.batch(tenant.id, (queries) => {
        const steps = [
          moveChallenge(queries, move),
          takeKey(queries, key, { creditReportId, answer: kept, nowMs: clock() }),
        ]
        const queued = consumer === null ? null : queueNext(options, queries, { tenant, report, send, ...consumer })
        return Promise.all([queued, ...steps])
      })
      return { answer, text }
    } catch (error) {
      if (!(error instanceof LostRace || error instanceof KeyInUse)) throw error
    }
  }
  throw new ApiError('unavailable', 'too many requests for this challenge at once; try again')
}

async function readSend({ database, clock, settings }: CheckOptions, input: ResendInput) {
  const { tenantId, creditReportId, key } = input
  const [tenant, report, known, sealed] = await database.batch(tenantId, (queries) =>
    Promise.all([
      readTenant(queries, tenantId, settings),
      findReport(queries, input),
      key && findKey(queries, key, clock()),
      findSealed(queries, creditReportId),
    ]),
  )
  return { tenant: requireTenant(tenant), report: requireChallenge(report, input), known, sealed }
}

type Next = ReturnType<typeof openConsumer> & {
  tenant: TenantAccount
  report: StoredReport & { challengeId: string }
  send: number
}

function queueNext(
  { clock, plugins }: CheckOptions,
  queries: Queries,
  { tenant, report, send, mobileNumber, ...sealed }: Next,
): Promise<QueuedText> {
  const { creditReportId, challengeId } = report
  const { id: tenantId, name: tenantName, checkoutHost, smsSender } = tenant
  const origin = { ...sealed, match: report.match }
  const text = { tenantId, creditReportId, challengeId, send, mobileNumber, tenantName, checkoutHost, smsSender }
  return queueText(queries, text, { plugins, origin, priceCredits: tenant.textPriceCredits, nowMs: clock() })
}

type When = Pick<ResendAnswer, 'replayed' | 'expiresInSeconds'>

function answerOf(smsSentCount: number, when: When): ResendAnswer {
  const data = { remainingSmsCount: SENDS_MAX - smsSentCount, smsSentCount }
  return { data, reportJson: null, wallet: null, ...when }
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
