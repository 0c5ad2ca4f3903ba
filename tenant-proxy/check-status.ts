// How a check stands, told to the browser that began it.
import type { ReceivedReport } from '../contract/credit-report.ts'
import { referenceOf } from './added-fields.ts'
import { type Answer, type BrowserRequest, metaFor, type Parts } from './browser-request.ts'
import { exposeReport } from './expose-report.ts'
import { Refusal } from './refusal.ts'
import { idOf } from './service-refusal.ts'
import {
  type EndedTicket,
  endTicket,
  type Named,
  type OpenTicket,
  showChallenge,
  type Ticket,
  withTicket,
} from './ticket.ts'

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
  const nowMs = parts.settings.clock()
  switch (data.status) {
    case 'complete':
    case 'blocked':
    case 'failed':
    case 'expired':
      if (ticket.status === 'open')
        announceEnd(data.status, { creditReportId, test: data.test }, asked.requestId, parts)
      return answerEnd({ ticket, tickets }, data, browserRequest, parts)
    case 'authentication-required': {
      if (ticket.status !== 'open' || !data.challenge) break
      const { attemptsRemaining, textsRemaining } = data.challenge
      const leftMs = asked.expiresInSeconds === null ? null : asked.expiresInSeconds * 1_000
      const expiresAtMs = leftMs === null ? ticket.expiresAtMs : nowMs + leftMs
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
  return {
    body: { meta: metaFor(browserRequest, settings), data: { status, creditReportId, ...exposed } },
    ...(isKnown ? {} : { tickets: withTicket(tickets, endTicket(ticket, end)) }),
  }
}

function announceEnd(
  status: string,
  about: { creditReportId: string; test: boolean },
  requestId: string | undefined,
  { emit }: Parts,
): void {
  emit({ type: 'answered', operation: 'current', status, ...about, ...idOf(requestId) })
}
