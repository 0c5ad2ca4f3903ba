// `{mount}/current`: what a reload, another tab or a return from the messages app comes back to.
import { CURRENT_REPORT_PARAMETER } from '../contract/tenant-proxy.ts'
import type { HeaderReader } from '../kit/headers.ts'
import { referenceOf } from './added-fields.ts'
import { type Answer, type BrowserRequest, metaFor, type Parts } from './browser-request.ts'
import { answerByService, answerEnd, answerOpen } from './check-status.ts'
import { Refusal } from './refusal.ts'
import { closeTickets, completedTicket, currentTicket, endTicket, type Ticket } from './ticket.ts'

/** `GET`: how this browser's check stands, for 15 minutes after its end. */
export async function showCurrent(browserRequest: BrowserRequest, parts: Parts): Promise<Answer> {
  const { settings, cookie } = parts
  const { headers, url } = browserRequest.incoming
  const tickets = readTickets(browserRequest, parts)
  const nowMs = settings.clock()
  const ticket = currentTicket(tickets, nowMs, url.searchParams.get(CURRENT_REPORT_PARAMETER))
  if (ticket === null) {
    parts.notices.requireVersion(headers)
    await requireReadiness(browserRequest, parts)
    return { ...nothing(browserRequest, parts), probe: !cookie.isKept(headers, browserRequest.place) }
  }
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

/** Told before the form is filled in. */
async function requireReadiness({ story }: BrowserRequest, { readiness }: Parts): Promise<void> {
  const obstacle = await readiness.findObstacle()
  // In test mode nothing is charged.
  if (obstacle === null || (story !== null && obstacle === 'insufficient-funds')) return
  throw new Refusal(obstacle)
}

function nothing(browserRequest: BrowserRequest, { settings }: Parts): Answer {
  return { body: { meta: metaFor(browserRequest, settings), data: { status: 'none' } } }
}

function takeRead({ address, isPreview }: BrowserRequest, { readLimit }: Parts): void {
  const retryAfterSeconds = isPreview || address === null ? 0 : readLimit.take(address)
  if (retryAfterSeconds > 0) throw new Refusal('rate-limited', { retryAfterSeconds })
}

/** A check that was completed in this browser. Compare `externalReference` with your own session before you rely on it. */
export type CompletedCheck = {
  creditReportId: string
  externalReference?: string
  /** ISO 8601 in UTC. */
  completedAt: string
}

/** Headers as Node has them. */
export type NodeHeaders = { readonly [name: string]: string | string[] | undefined }

type Asked = { headers: Headers | NodeHeaders }

/** From the cookie alone: an id that a browser sends in a form proves nothing. */
export function findCompleted({ headers }: Asked, { cookie, settings }: Parts): CompletedCheck | null {
  const { publicPath: path, secureCookies } = settings
  const schemes = secureCookies === 'unless-loopback' ? [true, false] : [secureCookies]
  for (const isSecure of schemes) {
    const ticket = completedTicket(cookie.read(readerOf(headers), { path, isSecure, isPreview: false }))
    if (ticket === null) continue
    const { creditReportId, endedAtMs } = ticket
    return { creditReportId, ...referenceOf(ticket), completedAt: new Date(endedAtMs).toISOString() }
  }
  return null
}

function readerOf(headers: Asked['headers']): HeaderReader {
  if (headers instanceof Headers) return headers
  return { get: (name) => headers[name.toLowerCase()]?.toString() ?? null }
}
