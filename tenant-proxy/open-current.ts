import { OpenReport } from '../contract/tenant-proxy.ts'
import { type Answer, type BrowserRequest, readJson } from './browser-request.ts'
import { answerByService, nothing, readTickets } from './current.ts'
import type { Parts } from './parts.ts'
import { Refusal } from './refusal.ts'
import { answerClosed, hashOf, openingOf, tabOf, triedOn } from './reopen.ts'
import { doneTicket, withTicket } from './ticket.ts'

/** `POST {mount}/current/open`: the report of the latest check again, for who knows the date of birth it is about. */
export async function openCurrent(browserRequest: BrowserRequest, parts: Parts): Promise<Answer> {
  const { headers } = browserRequest.incoming
  const { dateOfBirth } = await readJson(browserRequest.incoming, OpenReport)
  const tickets = readTickets(browserRequest, parts)
  const ticket = doneTicket(tickets, null)
  if (ticket === null) return nothing(browserRequest, parts)
  if (openingOf(ticket, parts) === null) return answerClosed(ticket, browserRequest, parts)
  const { creditReportId } = ticket
  const { wrongDates } = parts
  const tried = triedOn(ticket, wrongDates)
  if (hashOf(creditReportId, dateOfBirth) !== ticket.birth) {
    wrongDates.set(creditReportId, tried + 1)
    const wrong = { ...ticket, wrongDates: tried + 1 }
    return { ...answerClosed(wrong, browserRequest, parts), tickets: withTicket(tickets, wrong) }
  }
  const tab = tabOf(creditReportId, headers)
  const own = { ...ticket, ...(tab === undefined ? {} : { tab }) }
  const kept = withTicket(tickets, own)
  try {
    return { ...(await answerByService({ ticket: own, tickets: kept }, browserRequest, parts)), tickets: kept }
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'credit-report-not-found')) throw error
    // Erased meanwhile: that it was completed stays true.
    const closed = { ...ticket, isClosed: true }
    return { ...answerClosed(closed, browserRequest, parts), tickets: withTicket(tickets, closed) }
  }
}
