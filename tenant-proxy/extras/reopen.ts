// Optional, off with `reopenMinutes: 0`. Shows the report of a completed check again to a person who knows the date of
// birth it is about. The service compares and counts.
import { OPEN_ATTEMPTS_MAX, OpenReport } from '../../contract/open-report.ts'
import { guard, readJson } from '../check/browser-request.ts'
import { answerByService, nothing, readTickets } from '../check/current.ts'
import type { Extra } from '../check/extra.ts'
import { answerClosed } from '../check/lock.ts'
import type { Parts } from '../check/parts.ts'
import { Refusal } from '../check/refusal.ts'
import type { Answer, BrowserRequest } from '../check/request.ts'
import { doneTicket, type EndedTicket, keptUntilMs, lastSightMs, withTicket } from '../check/ticket.ts'

export function createReopening(parts: Parts): Extra {
  return {
    routes: [{ path: '/current/open', methods: ['POST'], answer: (request) => openCurrent(request, parts) }],
    opening: (ticket) => openingOf(ticket, parts),
  }
}

/** Time and tries left to give a date of birth; null when none is left. */
function openingOf(ticket: EndedTicket, { settings }: Parts) {
  const { opensLeft = OPEN_ATTEMPTS_MAX, isClosed } = ticket
  const untilMs = Math.min(lastSightMs(ticket) + settings.reopenMinutes * 60_000, keptUntilMs(ticket))
  const leftMs = untilMs - settings.clock()
  if (isClosed || leftMs <= 0 || opensLeft <= 0) return null
  return { expiresInSeconds: Math.ceil(leftMs / 1_000), attemptsRemaining: opensLeft }
}

/** `POST {mount}/current/open`. */
async function openCurrent(browserRequest: BrowserRequest, parts: Parts): Promise<Answer> {
  guard(browserRequest, 'open', parts)
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
