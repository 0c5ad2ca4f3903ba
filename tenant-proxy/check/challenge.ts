// The second half of a check, for the browser whose cookie says that it began it.
import { OtpSubmit, ResendSms } from '../../contract/challenge.ts'
import { CHALLENGE_LIFETIME_MS } from '../../contract/limits.ts'
import { metaFor, readIdempotencyKey, readJson, scopeKey } from './browser-request.ts'
import { answerByService, answerDone, answerEnd, type Held, isOwnMode, readTickets } from './current.ts'
import { isOwnTab } from './lock.ts'
import type { Parts } from './parts.ts'
import { Refusal } from './refusal.ts'
import type { Answer, BrowserRequest } from './request.ts'
import { expiresAt, showChallenge, type Ticket, withTicket } from './ticket.ts'

/** Three attempts, and every one of them twice because its answer got lost, with some to spare. */
const SUBMITS_MAX = 10

/** `POST {mount}/{creditReportId}/otp-challenge`. */
export async function submitCode(
  browserRequest: BrowserRequest,
  creditReportId: string,
  parts: Parts,
): Promise<Answer> {
  const { settings, service, emit } = parts
  const { challengeId, code } = await readJson(browserRequest.incoming, OtpSubmit)
  const { ticket, tickets } = ownTicket(browserRequest, { creditReportId, challengeId }, parts)
  const known = await answerEnded({ ticket, tickets }, browserRequest, parts)
  if (known) return known
  countSubmit(ticket, parts)
  const answer = await refusedOr(service.submitCode({ creditReportId, challengeId, code }, browserRequest.trace))
  if (answer instanceof Refusal) return answerRefused(answer, { ticket, tickets }, browserRequest, parts)

  const { data, meta: serviceMeta } = answer
  const { status } = data
  const { cost, balance } = serviceMeta.wallet
  const { test } = data
  if (!isOwnMode(test, browserRequest, parts)) throw new Refusal('misconfigured')
  emit({
    type: 'answered',
    operation: 'otp-challenge',
    status,
    creditReportId,
    test,
    wallet: { cost, balance },
    requestId: answer.requestId,
  })
  if (status !== 'retry') {
    return answerEnd({ ticket, tickets }, data, browserRequest, parts, { isProved: status === 'complete' })
  }
  if (ticket.status !== 'open') throw new Refusal('challenge-expired')
  const { attemptsRemaining } = data
  const nowMs = settings.clock()
  const expiresAtMs = expiresAt(nowMs, answer.expiresInSeconds, ticket.expiresAtMs)
  const open = { ...ticket, expiresAtMs, attemptsRemaining }
  return {
    body: {
      meta: metaFor(browserRequest, parts),
      data: { status, creditReportId, attemptsRemaining, challenge: showChallenge(open, nowMs) },
    },
    tickets: withTicket(tickets, open),
  }
}

/** `POST {mount}/{creditReportId}/resend-sms`. */
export async function resendSms(browserRequest: BrowserRequest, creditReportId: string, parts: Parts): Promise<Answer> {
  const { settings, service, emit } = parts
  const { challengeId } = await readJson(browserRequest.incoming, ResendSms)
  const browserKey = readIdempotencyKey(browserRequest.incoming.headers)
  const { ticket, tickets } = ownTicket(browserRequest, { creditReportId, challengeId }, parts)
  if (ticket.status !== 'open') throw new Refusal('challenge-expired')
  const answer = await refusedOr(
    service.resend(
      { creditReportId: ticket.creditReportId, challengeId: ticket.challengeId },
      scopeKey(['resend-sms', ticket.creditReportId, browserKey]),
      browserRequest.trace,
    ),
  )
  if (answer instanceof Refusal) {
    // With a time to wait it is about the pace; without, this challenge has had its texts.
    const isUsedUp = answer.code === 'rate-limited' && answer.retryAfterSeconds === undefined
    const now = isUsedUp ? withTicket(tickets, { ...ticket, textsRemaining: 0 }) : afterRefusal(answer, ticket, tickets)
    return { refusal: answer, tickets: now }
  }

  const { remainingSmsCount, smsSentCount } = answer.data
  const { test } = browserRequest.place
  emit({ type: 'answered', operation: 'resend-sms', status: 'sent', creditReportId, test, requestId: answer.requestId })
  const nowMs = settings.clock()
  const open = {
    ...ticket,
    expiresAtMs: expiresAt(nowMs, answer.expiresInSeconds, nowMs + CHALLENGE_LIFETIME_MS),
    lastSentAtMs: nowMs,
    textsRemaining: remainingSmsCount,
  }
  const challenge = showChallenge(open, nowMs)
  return {
    body: { meta: metaFor(browserRequest, parts), data: { remainingSmsCount, smsSentCount, challenge } },
    tickets: withTicket(tickets, open),
  }
}

type Claim = { creditReportId: string; challengeId: string }

/** The ticket for these ids. Another browser's ids and unknown ids look the same: the service is not asked. */
function ownTicket(browserRequest: BrowserRequest, { creditReportId, challengeId }: Claim, parts: Parts): Held {
  const tickets = readTickets(browserRequest, parts)
  const ticket = tickets.find((each) => each.creditReportId === creditReportId)
  if (!ticket) throw new Refusal('credit-report-not-found')
  if (ticket.challengeId !== challengeId) throw new Refusal('challenge-not-found')
  return { ticket, tickets }
}

/**
 * An end that no code changes. Null where the service has to judge the code: it may be the right one for a check that
 * another tab completed.
 */
async function answerEnded(
  { ticket, tickets }: Held,
  browserRequest: BrowserRequest,
  parts: Parts,
): Promise<Answer | null> {
  switch (ticket.status) {
    case 'open':
      return null
    case 'complete':
      if (!ticket.isClosed && !isOwnTab(ticket, browserRequest.incoming.headers)) return null
      return answerDone({ ticket, tickets }, browserRequest, parts)
    case 'failed':
      return answerEnd({ ticket, tickets }, { status: ticket.status }, browserRequest, parts)
    default:
      throw new Refusal('challenge-expired')
  }
}

/**
 * The service judged no code. Where that is because the check is complete, the answer says so; this tab has not proved
 * that the report is its own.
 */
async function answerRefused(
  refusal: Refusal,
  { ticket, tickets }: Held,
  browserRequest: BrowserRequest,
  parts: Parts,
): Promise<Answer> {
  if (refusal.code !== 'challenge-expired') return { refusal, tickets: afterRefusal(refusal, ticket, tickets) }
  const stands = await refusedOr(answerByService({ ticket, tickets }, browserRequest, parts))
  if (stands instanceof Refusal) return { refusal, tickets }
  return stands.body.data.status === 'complete' ? stands : { refusal, tickets: stands.tickets ?? tickets }
}

/** However often an old cookie is played back, a check gets no more of the service's time than an honest one needs. */
function countSubmit({ creditReportId, ...ticket }: Ticket, { submits, settings, emit }: Parts): void {
  const submitted = (submits.get(creditReportId) ?? 0) + 1
  submits.set(creditReportId, submitted)
  if (submitted <= SUBMITS_MAX) return
  emit({ type: 'refused', operation: 'otp-challenge', code: 'rate-limited' })
  const overAtMs = ticket.status === 'open' ? ticket.expiresAtMs : ticket.endedAtMs + CHALLENGE_LIFETIME_MS
  const retryAfterSeconds = Math.max(1, Math.ceil((overAtMs - settings.clock()) / 1_000))
  throw new Refusal('rate-limited', { retryAfterSeconds })
}

async function refusedOr<Value>(answer: Promise<Value>): Promise<Value | Refusal> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** The state of the check in a refusal; most have none. */
function afterRefusal(refusal: Refusal, ticket: Ticket, tickets: Ticket[]): Ticket[] {
  const isGone = refusal.code === 'credit-report-not-found' || refusal.code === 'challenge-not-found'
  return isGone ? tickets.filter((each) => each !== ticket) : tickets
}
