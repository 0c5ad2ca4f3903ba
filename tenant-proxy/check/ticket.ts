// The checks that this browser has in progress or has just ended, carried by the browser itself in one sealed cookie.
// The service stays the judge of attempts, texts and time: an old cookie played back changes what is shown, never what
// is allowed.
//
//   open ──▶ complete · failed · blocked · expired      shown for 15 minutes from its last sight, decided by for an hour

import * as z from 'zod/mini'
import { type ChallengeState, SHOWN_AFTER_END_MS } from '../../contract/tenant-proxy.ts'
import { HOUR_MS } from '../../kit/clock.ts'

const common = {
  creditReportId: z.string(),
  /** The lender's reference, for the report that comes of it. */
  externalReference: z.optional(z.string()),
  /** A keyed hash of the details it was begun with: see `same-check.ts`. */
  about: z.optional(z.string()),
  /** The consumer has closed it: the report is not shown again, and it still counts as this browser's check. */
  isClosed: z.optional(z.boolean()),
  /** Another check was begun: that this one was completed is only proved, not shown. */
  isForgotten: z.optional(z.boolean()),
  /**
   * The lender's start it was begun with (`start.ts`): which check of it (0, 1, …), and a hash of the idempotency key.
   */
  start: z.optional(z.object({ id: z.string(), round: z.int(), by: z.string() })),
}

export const OpenTicket = z.object({
  ...common,
  status: z.literal('open'),
  challengeId: z.string(),
  lastSentAtMs: z.number(),
  expiresAtMs: z.number(),
  attemptsRemaining: z.int(),
  textsRemaining: z.int(),
  mobileNumberEnding: z.optional(z.string()),
})
export type OpenTicket = z.infer<typeof OpenTicket>

export const EndedTicket = z.object({
  ...common,
  status: z.enum(['complete', 'failed', 'blocked', 'expired']),
  /** Absent where no code was needed. */
  challengeId: z.optional(z.string()),
  endedAtMs: z.number(),
  /** `complete`: hashes of the tabs that gave the right code or date of birth. No other tab is shown the report. */
  tabs: z.optional(z.array(z.string())),
  /** When the report was last shown, if that was after the end. */
  seenAtMs: z.optional(z.number()),
  /** Dates of birth that may still be wrong, as the service last said; it is the judge. */
  opensLeft: z.optional(z.int()),
})
export type EndedTicket = z.infer<typeof EndedTicket>
export type End = Pick<EndedTicket, 'status' | 'endedAtMs' | 'tabs'>

export const Ticket = z.discriminatedUnion('status', [OpenTicket, EndedTicket])
export type Ticket = z.infer<typeof Ticket>

/** Checks of an hour that a browser can show; fewer where long references fill the cookie. */
export const TICKETS_MAX = 15
/**
 * Time for which a completed check can be used for a decision: an application form may take longer than reading the
 * report.
 */
export const PROOF_MS = HOUR_MS

/** Tickets worth keeping, the latest first. */
export function keepTickets(tickets: readonly Ticket[], nowMs: number): Ticket[] {
  return tickets
    .filter((ticket) => keptUntilMs(ticket) > nowMs)
    .toSorted((a, b) => changedAtMs(b) - changedAtMs(a))
    .slice(0, TICKETS_MAX)
}

/** The same tickets with `ticket` in place of its older self. */
export function withTicket(tickets: readonly Ticket[], ticket: Ticket): Ticket[] {
  return [ticket, ...tickets.filter(({ creditReportId }) => creditReportId !== ticket.creditReportId)]
}

/**
 * The check a reload should come back to: the one asked for, else the latest. One that is open may have been completed
 * since.
 */
export function currentTicket(tickets: readonly Ticket[], nowMs: number, creditReportId: string | null): Ticket | null {
  // Closed while the cookie says open: the service may know that it is complete.
  const isHidden = ({ status, isClosed, isForgotten }: Ticket) => isForgotten || (isClosed && status !== 'open')
  const isShown = (ticket: Ticket) => !isHidden(ticket) && (ticket.status === 'open' || isInTime(ticket, nowMs))
  const isAsked = (ticket: Ticket) => creditReportId === null || ticket.creditReportId === creditReportId
  return tickets.find((ticket) => isAsked(ticket) && isShown(ticket)) ?? null
}

/** A quarter of an hour from the last sight of the report, the end or the last moment for a code. */
export function isInTime(ticket: Ticket, nowMs: number): boolean {
  return lastSightMs(ticket) + SHOWN_AFTER_END_MS > nowMs
}

/**
 * The ticket that remains when the consumer closes everything, or (`isForgotten`) begins another check: the latest
 * check is still the latest.
 */
export function closeTickets(tickets: readonly Ticket[], isForgotten: boolean): Ticket[] {
  const closed = { isClosed: true, ...(isForgotten && { isForgotten }) }
  return tickets.map((ticket) => ({ ...ticket, ...closed }))
}

/** The completed check that is asked for, else the latest if that was completed. */
export function doneTicket(tickets: readonly Ticket[], creditReportId: string | null): EndedTicket | null {
  const [ticket] = tickets.filter((each) => creditReportId === null || each.creditReportId === creditReportId)
  return ticket?.status === 'complete' && !ticket.isForgotten ? ticket : null
}

/** The facts of a check, known from its beginning to its end. */
export type Begun = Pick<OpenTicket, keyof typeof common> & { challengeId?: string | undefined }

export function endTicket(begun: Begun, end: End): EndedTicket {
  const { creditReportId, externalReference, about, isClosed, isForgotten, start, challengeId } = begun
  return { creditReportId, externalReference, about, isClosed, isForgotten, start, challengeId, ...end }
}

/**
 * The facts of an ended check that a decision needs, for a cookie that is full: it is no longer shown without a date of
 * birth.
 */
export function toProof(ticket: Ticket): Ticket {
  if (ticket.status === 'open') return ticket
  const { creditReportId, externalReference, isClosed, isForgotten, start, status, endedAtMs } = ticket
  return { creditReportId, externalReference, isClosed, isForgotten, start, status, endedAtMs }
}

/** The lender's reference as a field, or no field. */
export function referenceOf({ externalReference }: { externalReference?: string | undefined }) {
  return externalReference === undefined ? {} : { externalReference }
}

/** The data of the code screen, in time left rather than clock time. */
export function showChallenge(ticket: OpenTicket, nowMs: number): ChallengeState {
  return {
    challengeId: ticket.challengeId,
    expiresInSeconds: Math.max(0, Math.ceil((ticket.expiresAtMs - nowMs) / 1_000)),
    attemptsRemaining: ticket.attemptsRemaining,
    textsRemaining: ticket.textsRemaining,
    ...(ticket.mobileNumberEnding === undefined ? {} : { mobileNumberEnding: ticket.mobileNumberEnding }),
  }
}

function changedAtMs(ticket: Ticket): number {
  return ticket.status === 'open' ? ticket.lastSentAtMs : ticket.endedAtMs
}

/** An ended check is kept whatever its end: a failed one must not leave an earlier, completed one as the latest. */
export function keptUntilMs(ticket: Ticket): number {
  return endsAtMs(ticket) + PROOF_MS
}

/** From here on the time runs in which a check is shown again. */
export function lastSightMs(ticket: Ticket): number {
  return (ticket.status === 'open' ? undefined : ticket.seenAtMs) ?? endsAtMs(ticket)
}

/** The ticket with a later sight of its report, if it has ended. */
export function withSight(ticket: Ticket, seenAtMs: number | undefined): Ticket {
  if (ticket.status === 'open' || seenAtMs === undefined || seenAtMs <= lastSightMs(ticket)) return ticket
  return { ...ticket, seenAtMs }
}

/** An open check outlives its challenge: how it ended may still be asked for. */
function endsAtMs(ticket: Ticket): number {
  return ticket.status === 'open' ? ticket.expiresAtMs : ticket.endedAtMs
}

/** When the challenge ends: as the service says, counted from the moment its answer arrived. */
export function expiresAt(nowMs: number, expiresInSeconds: number | null, otherwiseMs: number): number {
  return expiresInSeconds === null ? otherwiseMs : nowMs + expiresInSeconds * 1_000
}
