// Shows the report of a completed check again to a person who knows the date of birth it is about. The service compares and counts.
import { OpenReport } from '../../contract/open-report.ts'
import { type Answer, type BrowserRequest, readJson } from '../check/browser-request.ts'
import { answerByService, nothing, readTickets } from '../check/current.ts'
import { answerClosed, openingOf } from '../check/lock.ts'
import type { Parts } from '../check/parts.ts'
import { Refusal } from '../check/refusal.ts'
import { doneTicket, withTicket } from '../check/ticket.ts'

/** `POST {mount}/current/open`. */
export async function openCurrent(browserRequest: BrowserRequest, parts: Parts): Promise<Answer> {
  const { dateOfBirth } = await readJson(browserRequest.incoming, OpenReport)
  const tickets = readTickets(browserRequest, parts)
  const [latest] = tickets
  // Completed at another process, and this browser did not get the answer.
  if (latest?.status === 'open') return answerByService({ ticket: latest, tickets }, browserRequest, parts)
  const ticket = doneTicket(tickets, null)
  if (ticket === null) return nothing(browserRequest, parts)
  if (openingOf(ticket, parts) === null) return answerClosed(ticket, browserRequest, parts)
  const { creditReportId } = ticket
  try {
    const { data } = await parts.service.open({ creditReportId, dateOfBirth }, browserRequest.trace)
    const tried = { ...ticket, opensLeft: data.attemptsRemaining }
    if (data.status === 'open') {
      const held = { ticket: tried, tickets: withTicket(tickets, tried) }
      return await answerByService(held, browserRequest, parts, { isProved: true })
    }
    return { ...answerClosed(tried, browserRequest, parts), tickets: withTicket(tickets, tried) }
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'credit-report-not-found')) throw error
    // Erased meanwhile: that it was completed stays true.
    const closed = { ...ticket, isClosed: true }
    return { ...answerClosed(closed, browserRequest, parts), tickets: withTicket(tickets, closed) }
  }
}
