// `{mount}/current`: what a reload, another tab or a return from the messages app comes back to.
import { CURRENT_REPORT_PARAMETER } from '../contract/tenant-proxy.ts'
import { type Answer, type BrowserRequest, metaFor, type Parts } from './browser-request.ts'
import { answerByService, answerEnd, answerOpen } from './check-status.ts'
import { Refusal } from './refusal.ts'
import { closeTickets, currentTicket, endTicket, type Ticket } from './ticket.ts'

/** `GET`: how this browser's check stands, for 15 minutes after its end. */
export async function showCurrent(browserRequest: BrowserRequest, parts: Parts): Promise<Answer> {
  const { settings, cookie } = parts
  const { headers, url } = browserRequest.incoming
  const tickets = readTickets(browserRequest, parts)
  const nowMs = settings.clock()
  const ticket = currentTicket(tickets, nowMs, url.searchParams.get(CURRENT_REPORT_PARAMETER))
  // Told before the form is filled in; in test mode nothing is charged.
  if (ticket === null && browserRequest.story === null && (await parts.funds.areShort()))
    throw new Refusal('insufficient-funds')
  if (ticket === null)
    return { ...nothing(browserRequest, parts), probe: !cookie.isKept(headers, browserRequest.place) }
  if (ticket.status !== 'open' && ticket.status !== 'complete') {
    return answerEnd({ ticket, tickets }, { status: ticket.status }, browserRequest, parts)
  }
  try {
    takeRead(browserRequest, parts)
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

/** `DELETE`: nothing is shown here any more. That a check was completed stays provable. */
export function forgetCurrent(browserRequest: BrowserRequest, parts: Parts): Answer {
  return { ...nothing(browserRequest, parts), tickets: closeTickets(readTickets(browserRequest, parts)) }
}

/** This browser's tickets, closed where this process has seen the check end. */
export function readTickets({ incoming, place }: BrowserRequest, { cookie, ends }: Parts): Ticket[] {
  return cookie.read(incoming.headers, place).map((ticket) => {
    const end = ticket.status === 'open' ? ends.get(ticket.creditReportId) : undefined
    return end ? endTicket(ticket, end) : ticket
  })
}

function nothing(browserRequest: BrowserRequest, { settings }: Parts): Answer {
  return { body: { meta: metaFor(browserRequest, settings), data: { status: 'none' } } }
}

function takeRead({ address, isPreview }: BrowserRequest, { readLimit }: Parts): void {
  const retryAfterSeconds = isPreview || address === null ? 0 : readLimit.take(address)
  if (retryAfterSeconds > 0) throw new Refusal('rate-limited', { retryAfterSeconds })
}
