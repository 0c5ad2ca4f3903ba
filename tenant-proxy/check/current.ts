// The state of a check, for the browser that began it: at `{mount}/current`, what a reload, another tab or a return
// from the messages app comes back to, and after each of its steps.
import type { Agency, ReceivedReport } from '../../contract/credit-report.ts'
import {
  CURRENT_REPORT_PARAMETER,
  FORGET_PARAMETER,
  NONCE_PARAMETER,
  REFUSED_PARAMETER,
} from '../../contract/proxy-path.ts'
import type { HeaderReader } from '../../kit/headers.ts'
import { metaFor } from './browser-request.ts'
import { exposeReport } from './expose-report.ts'
import { firstOf, notice } from './extra.ts'
import { addTab, answerClosed, isOwnTab } from './lock.ts'
import type { Parts } from './parts.ts'
import { Refusal } from './refusal.ts'
import type { Answer, BrowserRequest, ReportAnswer } from './request.ts'
import {
  type Begun,
  closeTickets,
  currentTicket,
  doneTicket,
  type EndedTicket,
  endTicket,
  expiresAt,
  isInTime,
  lastSightMs,
  type OpenTicket,
  referenceOf,
  showChallenge,
  type Ticket,
  withTicket,
} from './ticket.ts'
import type { CookiePlace } from './ticket-cookie.ts'

/** `GET`: how this browser's check stands, for 15 minutes after its end; and what the page's start says. */
export async function showCurrent(browserRequest: BrowserRequest, parts: Parts): Promise<Answer> {
  const refused = Number(browserRequest.incoming.url.searchParams.get(REFUSED_PARAMETER))
  if (refused >= 400 && refused < 500) notice(parts, { what: 'refused', status: refused })
  const tickets = readTickets(browserRequest, parts)
  const answer = await answerCurrent(tickets, browserRequest, parts)
  const { meta, data } = answer.body
  const stands = { tickets, status: data.status }
  const added = Object.assign({}, ...parts.extras.map((extra) => extra.current?.(browserRequest, stands)))
  return { ...answer, body: { meta: { ...meta, ...nonceOf(browserRequest), ...added }, data } }
}

const NONCE = /^[A-Za-z0-9_-]{1,64}$/

function nonceOf({ incoming }: BrowserRequest): { nonce?: string } {
  const nonce = incoming.url.searchParams.get(NONCE_PARAMETER)
  return nonce !== null && NONCE.test(nonce) ? { nonce } : {}
}

async function answerCurrent(tickets: Ticket[], browserRequest: BrowserRequest, parts: Parts): Promise<ReportAnswer> {
  const { settings, cookie } = parts
  const { headers, url } = browserRequest.incoming
  const nowMs = settings.clock()
  const ticket = currentTicket(tickets, nowMs, url.searchParams.get(CURRENT_REPORT_PARAMETER))
  const done = doneTicket(tickets, url.searchParams.get(CURRENT_REPORT_PARAMETER))
  if (done && (ticket === null || (ticket === done && !isOwnTab(done, headers)))) {
    return answerClosed(done, browserRequest, parts)
  }
  if (ticket === null) {
    const isKept = cookie.isKept(headers, browserRequest.place)
    notice(parts, { what: 'page', request: browserRequest, address: headers.get('Referer') })
    notice(parts, { what: 'cookie', cookie: isKept ? 'returned' : 'given', address: browserRequest.address })
    for (const extra of parts.extras) await extra.admit?.(browserRequest, 'current')
    const { body } = nothing(browserRequest, parts)
    return { body: { ...body, meta: { ...body.meta, cookieKept: isKept } }, probe: !isKept }
  }
  if (ticket.status !== 'open' && ticket.status !== 'complete') {
    return answerEnd({ ticket, tickets }, { status: ticket.status }, browserRequest, parts)
  }
  try {
    const retryAfterSeconds = browserRequest.place.isPreview
      ? 0
      : parts.readLimit(ticket.creditReportId, browserRequest.address)
    if (retryAfterSeconds > 0) throw new Refusal('rate-limited', { retryAfterSeconds })
    const stands = await answerByService({ ticket, tickets }, browserRequest, parts)
    if (isInTime(ticket, nowMs) || stands.body.data.status === 'complete') return stands
    return { ...stands, ...nothing(browserRequest, parts) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'credit-report-not-found') {
      return { ...nothing(browserRequest, parts), tickets: tickets.filter((each) => each !== ticket) }
    }
    // In time by the cookie: a code can be typed, whether or not the service could be asked.
    if (ticket.status === 'open' && ticket.expiresAtMs > nowMs) return answerOpen(ticket, browserRequest, parts)
    throw error
  }
}

/**
 * `DELETE`: the report is no longer shown, not even for older copies of the cookie. That the check was completed is
 * still shown until another begins, and the check can still be decided by; one that is forgotten cannot.
 */
export function forgetCurrent(browserRequest: BrowserRequest, parts: Parts): Answer {
  const isForgotten = browserRequest.incoming.url.searchParams.has(FORGET_PARAMETER)
  const tickets = closeTickets(readTickets(browserRequest, parts), isForgotten)
  for (const { creditReportId, isForgotten: isGone } of tickets) {
    parts.closed.set(creditReportId, isGone ? 'forgotten' : 'closed')
  }
  return { ...nothing(browserRequest, parts), tickets }
}

/** This browser's tickets, ended and closed where this process has seen it. */
export function readTickets({ incoming, place }: BrowserRequest, parts: Parts): Ticket[] {
  return readTicketsAt(incoming.headers, place, parts)
}

export function readTicketsAt(headers: HeaderReader, place: CookiePlace, { cookie, ends, closed }: Parts): Ticket[] {
  return cookie.read(headers, place).map((sealed) => {
    const { creditReportId } = sealed
    const end = sealed.status === 'open' ? ends.get(creditReportId) : undefined
    const ticket = end ? endTicket(sealed, end) : sealed
    const how = closed.get(creditReportId)
    return how ? { ...ticket, isClosed: true, ...(how === 'forgotten' && { isForgotten: true }) } : ticket
  })
}

/** This browser has nothing to come back to. */
export function nothing(browserRequest: BrowserRequest, parts: Parts): ReportAnswer {
  return { body: { meta: metaFor(browserRequest, parts), data: { status: 'none' } } }
}

/**
 * True when the service made this report in the mode of the mount. Invented data must not count as a person's, nor a
 * person's as invented.
 */
export function isOwnMode(
  test: boolean,
  { place }: { place: Pick<CookiePlace, 'test' | 'origin'> },
  parts: Pick<Parts, 'extras'>,
): boolean {
  if (test !== place.test) notice(parts, { what: 'foreign', foreign: { mode: test ? 'test' : 'live' }, place })
  return test === place.test
}

/** A ticket and those it lies with in the cookie. */
export type Held = { ticket: Ticket; tickets: Ticket[] }

/** Asks the service and passes its word on. Throws the `Refusal` when it gives none. */
export async function answerByService(
  { ticket, tickets }: Held,
  browserRequest: BrowserRequest,
  parts: Parts,
  proof: Proof = {},
): Promise<ReportAnswer> {
  const { creditReportId } = ticket
  const asked = await parts.service.get(creditReportId, 'current', browserRequest.trace)
  const { data } = asked
  if (!isOwnMode(data.test, browserRequest, parts)) throw new Refusal('credit-report-not-found')
  switch (data.status) {
    case 'complete':
    case 'blocked':
    case 'failed':
    case 'expired':
      if (ticket.status === 'open') {
        const { status, test } = data
        parts.emit({ type: 'answered', operation: 'current', status, creditReportId, test, requestId: asked.requestId })
      }
      return answerEnd({ ticket, tickets }, data, browserRequest, parts, proof)
    case 'authentication-required': {
      if (ticket.status !== 'open' || !data.challenge) break
      const { attemptsRemaining, textsRemaining } = data.challenge
      const expiresAtMs = expiresAt(parts.settings.clock(), asked.expiresInSeconds, ticket.expiresAtMs)
      // Not written to the cookie: whatever another tab has put there meanwhile would be lost.
      return answerOpen({ ...ticket, expiresAtMs, attemptsRemaining, textsRemaining }, browserRequest, parts)
    }
    case 'pending':
      // Being worked on: the code that was given may be given again, and is then waited for.
      if (ticket.status === 'open') return answerOpen(ticket, browserRequest, parts)
  }
  throw new Refusal('unavailable')
}

/** The data of the code screen. */
export function answerOpen(ticket: OpenTicket, browserRequest: BrowserRequest, parts: Parts): ReportAnswer {
  const { creditReportId } = ticket
  const challenge = showChallenge(ticket, parts.settings.clock())
  return {
    body: {
      meta: metaFor(browserRequest, parts),
      data: { status: 'authentication-required', creditReportId, challengeType: 'otp', challenge },
    },
  }
}

type Outcome = Pick<EndedTicket, 'status'> & {
  creditReport?: ReceivedReport | undefined
  agencies?: Agency[] | undefined
  match?: string | undefined
}

/** The facts of the check that an end needs: there may be no ticket of it yet. */
type Ending = { ticket: Begun | EndedTicket; tickets: Ticket[] }

/**
 * `isProved`: this very request showed that the report is its tab's, by the right code or date of birth or by beginning
 * the check.
 */
type Proof = { isProved?: boolean }

/** A check that is known to be complete: the report for a tab that has it in time, closed for any other. */
export function answerDone(
  { ticket, tickets }: { ticket: EndedTicket; tickets: Ticket[] },
  browserRequest: BrowserRequest,
  parts: Parts,
): ReportAnswer | Promise<ReportAnswer> {
  const isInTime = currentTicket([ticket], parts.settings.clock(), null) !== null
  if (isInTime && isOwnTab(ticket, browserRequest.incoming.headers)) {
    return answerByService({ ticket, tickets }, browserRequest, parts)
  }
  return answerClosed(ticket, browserRequest, parts)
}

/** The end of a check: a report goes to the lender first, then to the browser, whose cookie remembers how it ended. */
export async function answerEnd(
  { ticket, tickets }: Ending,
  { status, creditReport, agencies, match }: Outcome,
  browserRequest: BrowserRequest,
  parts: Parts,
  { isProved = false }: Proof = {},
): Promise<ReportAnswer> {
  const { settings, reports, outcomes, ends } = parts
  const { creditReportId } = ticket
  // The service's word: a report of the other mode was refused before this.
  const context = { creditReportId, ...referenceOf(ticket), test: browserRequest.place.test }
  if (status !== 'complete') await outcomes.once(creditReportId, { status, ...context })
  else if (creditReport)
    await reports.once(creditReportId, {
      report: creditReport,
      context: { ...context, ...saidByService({ agencies, match }) },
    })
  const nowMs = settings.clock()
  const { headers } = browserRequest.incoming
  const isKnown = 'endedAtMs' in ticket && ticket.status === status
  const known = isKnown ? ticket : endTicket(ticket, ends.get(creditReportId) ?? { status, endedAtMs: nowMs })
  const ended = isProved ? addTab(known, headers) : known
  ends.set(creditReportId, { status, endedAtMs: ended.endedAtMs, tabs: ended.tabs })
  // Written only when it says something new: another tab may have put a check of its own there meanwhile.
  const sealed = ended === ticket ? parts.cookie.read(headers, browserRequest.place) : []
  const isWritten = sealed.some((each) => each.creditReportId === creditReportId && each.status === status)
  const written = isWritten ? {} : { tickets: withTicket(tickets, ended) }
  if (status === 'complete' && (ended.isClosed || !(isProved || isOwnTab(ended, headers)))) {
    return { ...answerClosed(ended, browserRequest, parts), ...written }
  }
  const isShown = creditReport !== undefined && settings.exposeReport !== 'none'
  const exposed = isShown ? { ...exposeReport(creditReport, settings, match), ...saidByService({ agencies }) } : {}
  const seen = { ...ended, seenAtMs: nowMs }
  const opening = isShown && firstOf(parts.extras, (extra) => extra.opening?.(seen))
  return {
    body: {
      meta: metaFor(browserRequest, parts),
      data: { status, creditReportId, ...exposed, ...(opening && { opening }) },
    },
    ...written,
    ...(isShown && lastSightMs(ended) < nowMs && { seen: creditReportId }),
  }
}

/** The answer of each agency and the match of number and person, as far as the service gives them. */
export function saidByService({ agencies, match }: Pick<Outcome, 'agencies' | 'match'>) {
  return { ...(agencies !== undefined && { agencies }), ...(match !== undefined && { match }) }
}
