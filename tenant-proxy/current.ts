// How a check stands, told to the browser that began it: at `{mount}/current`, what a reload, another tab or a return from the messages
// app comes back to, and after each of its steps.
import { readAccountStatus } from '../contract/account-status.ts'
import type { ReceivedReport } from '../contract/credit-report.ts'
import { CURRENT_REPORT_PARAMETER, FORGET_PARAMETER } from '../contract/proxy-path.ts'
import type { ReportSummary } from '../contract/tenant-proxy.ts'
import { type Answer, type BrowserRequest, metaFor, secondsToWait } from './browser-request.ts'
import type { Parts } from './parts.ts'
import { headersOf, type NodeHeaders } from './read-message.ts'
import { Refusal } from './refusal.ts'
import { answerClosed, isOwnTab, openingOf } from './reopen.ts'
import type { Settings } from './settings.ts'
import {
  closeTickets,
  completedTicket,
  currentTicket,
  doneTicket,
  type EndedTicket,
  endTicket,
  expiresAt,
  type Named,
  type OpenTicket,
  referenceOf,
  showChallenge,
  type Ticket,
  withTicket,
} from './ticket.ts'

/** `GET`: how this browser's check stands, for 15 minutes after its end. */
export async function showCurrent(browserRequest: BrowserRequest, parts: Parts): Promise<Answer> {
  const { settings, cookie } = parts
  const { headers, url } = browserRequest.incoming
  const tickets = readTickets(browserRequest, parts)
  const nowMs = settings.clock()
  const ticket = currentTicket(tickets, nowMs, url.searchParams.get(CURRENT_REPORT_PARAMETER))
  const done = doneTicket(tickets, url.searchParams.get(CURRENT_REPORT_PARAMETER))
  if (done && (ticket === null || (ticket === done && !isOwnTab(done, headers)))) {
    return answerClosed(done, browserRequest, parts)
  }
  if (ticket === null) {
    parts.notices.requireVersion(headers)
    await requireReadiness(browserRequest, parts)
    return { ...nothing(browserRequest, parts), probe: !cookie.isKept(headers, browserRequest.place) }
  }
  if (ticket.status !== 'open' && ticket.status !== 'complete') {
    return answerEnd({ ticket, tickets }, { status: ticket.status }, browserRequest, parts)
  }
  try {
    const retryAfterSeconds = secondsToWait(parts.readLimit, browserRequest)
    if (retryAfterSeconds > 0) throw new Refusal('rate-limited', { retryAfterSeconds })
    return await answerByService({ ticket, tickets }, browserRequest, parts)
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

/** `DELETE`: no report is shown here any more. That a check was completed is, unless another begins; provable it stays. */
export function forgetCurrent(browserRequest: BrowserRequest, parts: Parts): Answer {
  const isForgotten = browserRequest.incoming.url.searchParams.has(FORGET_PARAMETER)
  return { ...nothing(browserRequest, parts), tickets: closeTickets(readTickets(browserRequest, parts), isForgotten) }
}

/** This browser's tickets, closed where this process has seen the check end. */
export function readTickets({ incoming, place }: BrowserRequest, { cookie, ends }: Parts): Ticket[] {
  return cookie.read(incoming.headers, place).map((ticket) => {
    const end = ticket.status === 'open' ? ends.get(ticket.creditReportId) : undefined
    return end ? endTicket(ticket, end) : ticket
  })
}

/** Told before the form is filled in. */
async function requireReadiness({ story }: BrowserRequest, { readiness }: Parts): Promise<void> {
  const obstacle = await readiness.findObstacle()
  // In test mode nothing is charged.
  if (obstacle === null || (story !== null && obstacle === 'insufficient-funds')) return
  throw new Refusal(obstacle)
}

export function nothing(browserRequest: BrowserRequest, { settings }: Parts): Answer {
  return { body: { meta: metaFor(browserRequest, settings), data: { status: 'none' } } }
}

/** A check that was completed in this browser. Compare `externalReference` with your own session before you rely on it. */
export type CompletedCheck = {
  creditReportId: string
  externalReference?: string
  /** ISO 8601 in UTC. */
  completedAt: string
}

/** From the cookie alone: an id that a browser sends in a form proves nothing. */
export function findCompleted(
  { headers }: { headers: Headers | NodeHeaders },
  { cookie, settings }: Parts,
): CompletedCheck | null {
  const readable = headers instanceof Headers ? headers : headersOf({ headers })
  const { publicPath: path, secureCookies } = settings
  const schemes = secureCookies === 'unless-loopback' ? [true, false] : [secureCookies]
  for (const isSecure of schemes) {
    const ticket = completedTicket(cookie.read(readable, { path, isSecure, isPreview: false }))
    if (ticket === null) continue
    const { creditReportId, endedAtMs } = ticket
    return { creditReportId, ...referenceOf(ticket), completedAt: new Date(endedAtMs).toISOString() }
  }
  return null
}

/** A ticket and those it lies with in the cookie. */
export type Held = { ticket: Ticket; tickets: Ticket[] }

/** Asks the service and passes its word on. Throws the `Refusal` when it gives none. */
export async function answerByService(
  { ticket, tickets }: Held,
  browserRequest: BrowserRequest,
  parts: Parts,
): Promise<Answer> {
  const { creditReportId } = ticket
  const asked = await parts.service.get(creditReportId, 'current', browserRequest.trace)
  const { data } = asked
  switch (data.status) {
    case 'complete':
    case 'blocked':
    case 'failed':
    case 'expired':
      if (ticket.status === 'open') {
        const { status, test } = data
        parts.emit({ type: 'answered', operation: 'current', status, creditReportId, test, requestId: asked.requestId })
      }
      return answerEnd({ ticket, tickets }, data, browserRequest, parts)
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

/** What the code screen needs. */
export function answerOpen(ticket: OpenTicket, browserRequest: BrowserRequest, { settings }: Parts): Answer {
  const { creditReportId } = ticket
  const challenge = showChallenge(ticket, settings.clock())
  return {
    body: {
      meta: metaFor(browserRequest, settings),
      data: { status: 'authentication-required', creditReportId, challengeType: 'otp', challenge },
    },
  }
}

type Outcome = Pick<EndedTicket, 'status'> & { creditReport?: ReceivedReport | undefined }

/** What an end needs to know of the check: there may be no ticket of it yet. */
type Ending = { ticket: Named; tickets: Ticket[] }

/** The end of a check: a report goes to the lender first, then to the browser, whose cookie remembers how it ended. */
export async function answerEnd(
  { ticket, tickets }: Ending,
  { status, creditReport }: Outcome,
  browserRequest: BrowserRequest,
  parts: Parts,
): Promise<Answer> {
  const { settings, reports, ends } = parts
  const { creditReportId } = ticket
  if (creditReport) {
    const context = { creditReportId, ...referenceOf(ticket), test: browserRequest.story !== null }
    await reports.once(creditReportId, { report: creditReport, context })
  }
  const known = tickets.find((each) => each.creditReportId === creditReportId)
  const isKnown = known?.status === status
  const end = ends.get(creditReportId) ?? { status, endedAtMs: isKnown ? known.endedAtMs : settings.clock() }
  ends.set(creditReportId, end)
  const exposed = creditReport === undefined ? {} : exposeReport(creditReport, settings)
  const opening = creditReport && settings.exposeReport !== 'none' && openingOf(endTicket(ticket, end), parts)
  return {
    body: {
      meta: metaFor(browserRequest, settings),
      data: { status, creditReportId, ...exposed, ...(opening && { opening }) },
    },
    ...(isKnown ? {} : { tickets: withTicket(tickets, endTicket(ticket, end)) }),
  }
}

type Exposed = { creditReport?: ReceivedReport; bureaus?: string[]; summary?: ReportSummary }

/** As much of the report as the lender shows its consumers. */
export function exposeReport(
  report: ReceivedReport,
  { exposeReport: how, bureaus }: Pick<Settings, 'exposeReport' | 'bureaus'>,
): Exposed {
  if (how === 'full') return { creditReport: report, bureaus: [...bureaus] }
  return how === 'summary' ? { summary: summarise(report) } : {}
}

function summarise({ consumerData, previousSearches }: ReceivedReport): ReportSummary {
  const standings = listed(consumerData?.records).map((record) => {
    const status: unknown = record?.accountStatus
    return readAccountStatus(typeof status === 'string' ? status : '').standing
  })
  return {
    openAccounts: standings.filter((standing) => standing === 'open').length,
    settledAccounts: standings.filter((standing) => standing === 'settled').length,
    searches: listed(previousSearches?.providers).reduce((count, each) => count + listed(each?.records).length, 0),
  }
}

/** A report is not checked field by field: what should be a list may be anything. */
function listed<Item>(items: readonly Item[] | null | undefined): readonly (Item | null)[] {
  return Array.isArray(items) ? items : []
}
