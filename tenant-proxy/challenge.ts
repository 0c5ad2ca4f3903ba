// The second half of a check, for the browser whose cookie says that it began it.
import { OtpSubmit, ResendSms } from '../contract/challenge.ts'
import { CHALLENGE_LIFETIME_MS } from '../contract/limits.ts'
import { referenceOf } from './added.ts'
import { exposeReport } from './expose-report.ts'
import { readIdempotencyKey, scopeKey } from './idempotency.ts'
import { readJson } from './read-json.ts'
import { Refusal } from './refusal.ts'
import { idOf } from './service-refusal.ts'
import { currentTicket, showChallenge, type Ticket, withTicket } from './ticket.ts'
import { type Answer, metaFor, type Parts, type Visit } from './visit.ts'

/** `POST {mount}/{creditReportId}/otp-challenge`. */
export async function submitCode(visit: Visit, creditReportId: string, parts: Parts): Promise<Answer> {
  const { settings, service, reports, emit } = parts
  const { challengeId, code } = await readJson(visit.incoming, OtpSubmit)
  const { ticket, tickets } = ownTicket(visit, { creditReportId, challengeId }, parts)
  const answer = await refusedOr(
    service.submitCode({ creditReportId: ticket.creditReportId, challengeId: ticket.challengeId, code }),
  )
  if (answer instanceof Refusal) return { refusal: answer, tickets: afterRefusal(answer, ticket, tickets) }

  const { data, meta: serviceMeta } = answer
  const { status } = data
  const meta = metaFor(visit, settings)
  const { cost, balance } = serviceMeta.wallet
  const test = visit.story !== null
  emit({
    type: 'answered',
    operation: 'otp-challenge',
    status,
    creditReportId,
    test,
    wallet: { cost, balance },
    ...idOf(answer.requestId),
  })
  if (status === 'retry') {
    const { attemptsRemaining } = data
    const nowMs = settings.clock()
    const open = {
      ...ticket,
      expiresAtMs: expiresAt(nowMs, answer.expiresInSeconds, ticket.expiresAtMs),
      attemptsRemaining,
      isOpen: true,
    }
    const challenge = showChallenge(open, nowMs)
    return {
      body: { meta, data: { status, creditReportId, attemptsRemaining, challenge } },
      tickets: withTicket(tickets, open),
    }
  }
  const closed = withTicket(tickets, { ...ticket, isOpen: false })
  if (status === 'failed') return { body: { meta, data: { status, creditReportId } }, tickets: closed }
  const context = { creditReportId, ...referenceOf(ticket), test }
  await reports.once(creditReportId, { report: data.creditReport, context })
  return {
    body: { meta, data: { status, creditReportId, ...exposeReport(data.creditReport, settings) } },
    tickets: closed,
  }
}

/** `POST {mount}/{creditReportId}/resend-sms`. */
export async function resendSms(visit: Visit, creditReportId: string, parts: Parts): Promise<Answer> {
  const { settings, service, emit } = parts
  const { challengeId } = await readJson(visit.incoming, ResendSms)
  const browserKey = readIdempotencyKey(visit.incoming.headers)
  const { ticket, tickets } = ownTicket(visit, { creditReportId, challengeId }, parts)
  const answer = await refusedOr(
    service.resend(
      { creditReportId: ticket.creditReportId, challengeId: ticket.challengeId },
      scopeKey(['resend-sms', ticket.creditReportId, browserKey]),
    ),
  )
  if (answer instanceof Refusal) {
    // With a time to wait it is about the pace; without, this challenge has had its texts.
    const isUsedUp = answer.code === 'rate-limited' && answer.retryAfterSeconds === undefined
    const now = isUsedUp ? withTicket(tickets, { ...ticket, textsRemaining: 0 }) : afterRefusal(answer, ticket, tickets)
    return { refusal: answer, tickets: now }
  }

  const { remainingSmsCount, smsSentCount } = answer.data
  const test = visit.story !== null
  emit({ type: 'answered', operation: 'resend-sms', status: 'sent', creditReportId, test, ...idOf(answer.requestId) })
  const nowMs = settings.clock()
  const open = {
    ...ticket,
    expiresAtMs: expiresAt(nowMs, answer.expiresInSeconds, nowMs + CHALLENGE_LIFETIME_MS),
    lastSentAtMs: nowMs,
    textsRemaining: remainingSmsCount,
    isOpen: true,
  }
  const challenge = showChallenge(open, nowMs)
  return {
    body: { meta: metaFor(visit, settings), data: { remainingSmsCount, smsSentCount, challenge } },
    tickets: withTicket(tickets, open),
  }
}

/** `GET {mount}/current`: what a reload, another tab or a return from the messages app comes back to. */
export function showCurrent(visit: Visit, { settings, cookie }: Parts): Answer {
  const meta = metaFor(visit, settings)
  const nowMs = settings.clock()
  const ticket = currentTicket(cookie.read(visit.incoming.headers, visit.place), nowMs)
  if (ticket === null) return { body: { meta, data: { status: 'none' } } }
  const { creditReportId } = ticket
  const challenge = showChallenge(ticket, nowMs)
  return {
    body: { meta, data: { status: 'authentication-required', creditReportId, challengeType: 'otp', challenge } },
  }
}

type Claim = { creditReportId: string; challengeId: string }

/** The ticket for these ids. Another browser's ids and ids that never were look the same: the service is not even asked. */
function ownTicket(visit: Visit, { creditReportId, challengeId }: Claim, { cookie }: Parts) {
  const tickets = cookie.read(visit.incoming.headers, visit.place)
  const ticket = tickets.find((each) => each.creditReportId === creditReportId)
  if (!ticket) throw new Refusal('credit-report-not-found')
  if (ticket.challengeId !== challengeId) throw new Refusal('challenge-not-found')
  return { ticket, tickets }
}

async function refusedOr<Value>(answer: Promise<Value>): Promise<Value | Refusal> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** What a refusal says about the challenge; most say nothing. */
function afterRefusal(refusal: Refusal, ticket: Ticket, tickets: Ticket[]): Ticket[] {
  switch (refusal.code) {
    case 'challenge-expired':
      return withTicket(tickets, { ...ticket, isOpen: false })
    case 'credit-report-not-found':
    case 'challenge-not-found':
      return tickets.filter((each) => each !== ticket)
    default:
      return tickets
  }
}

/** When the challenge ends: as the service says, counted from the moment it was heard. */
function expiresAt(nowMs: number, expiresInSeconds: number | null, otherwiseMs: number): number {
  return expiresInSeconds === null ? otherwiseMs : nowMs + expiresInSeconds * 1_000
}
