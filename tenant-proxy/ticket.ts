// What this browser has in progress or has just ended, carried by the browser itself in one sealed cookie. The service stays the judge
// of attempts, texts and time: an old cookie played back changes what is shown, never what is allowed.
//
//   open ──▶ complete · failed · blocked · expired      shown for 15 minutes, decided by for an hour

import * as z from 'zod/mini'
import { type ChallengeState, SHOWN_AFTER_END_MS } from '../contract/tenant-proxy.ts'
import { HOUR_MS } from '../kit/clock.ts'

const common = {
  creditReportId: z.string(),
  /** The lender's reference, for the report that comes of it. */
  externalReference: z.optional(z.string()),
  /** The consumer has closed it: the report is not shown again, and it still counts as this browser's check. */
  isClosed: z.optional(z.boolean()),
  /** Another check was begun: that this one was completed is only proved, not shown. */
  isForgotten: z.optional(z.boolean()),
  /** Of the tab that began it, and of the consumer's date of birth: hashes, see `reopen.ts`. */
  tab: z.optional(z.string()),
  birth: z.optional(z.string()),
  /** The lender's start it was begun with (`start.ts`): the how-manieth check of it, and a hash of the key of that press. */
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
  /** Dates of birth that did not open it. */
  wrongDates: z.optional(z.int()),
})
export type EndedTicket = z.infer<typeof EndedTicket>
export type End = Pick<EndedTicket, 'status' | 'endedAtMs'>

export const Ticket = z.union([OpenTicket, EndedTicket])
export type Ticket = z.infer<typeof Ticket>

/** Two tabs may each have a check in progress; more are a mistake. */
const TICKETS_MAX = 3
/** How long a check can be decided by: an application form may take longer than reading the report. */
const PROOF_MS = HOUR_MS

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

/** The check a reload should come back to: the one asked for, else the latest. */
export function currentTicket(tickets: readonly Ticket[], nowMs: number, creditReportId: string | null): Ticket | null {
  const isShown = (ticket: Ticket) => !ticket.isClosed && endsAtMs(ticket) + SHOWN_AFTER_END_MS > nowMs
  const isAsked = (ticket: Ticket) => creditReportId === null || ticket.creditReportId === creditReportId
  return tickets.find((ticket) => isAsked(ticket) && isShown(ticket)) ?? null
}

/** What is left when the consumer closes everything, or (`isForgotten`) begins another check: the latest check is still the latest. */
export function closeTickets(tickets: readonly Ticket[], isForgotten: boolean): Ticket[] {
  const closed = { isClosed: true, ...(isForgotten && { isForgotten }) }
  return tickets.map((ticket) => ({ ...ticket, ...closed }))
}

/** The completed check that is asked for, else the latest if that was completed. */
export function doneTicket(tickets: readonly Ticket[], creditReportId: string | null): EndedTicket | null {
  const [ticket] = tickets.filter((each) => creditReportId === null || each.creditReportId === creditReportId)
  return ticket?.status === 'complete' && !ticket.isForgotten ? ticket : null
}

/** What every ticket says. */
export type Named = Pick<Ticket, 'creditReportId' | 'challengeId' | 'externalReference' | 'tab' | 'birth' | 'start'>

export function endTicket(
  { creditReportId, challengeId, externalReference, tab, birth, start }: Named,
  end: End,
): EndedTicket {
  return {
    creditReportId,
    ...end,
    ...(challengeId === undefined ? {} : { challengeId }),
    ...referenceOf({ externalReference }),
    ...(tab === undefined ? {} : { tab }),
    ...(birth === undefined ? {} : { birth }),
    ...(start === undefined ? {} : { start }),
  }
}

/** The lender's reference as a field, or no field. */
export function referenceOf({ externalReference }: { externalReference?: string | undefined }) {
  return externalReference === undefined ? {} : { externalReference }
}

/** What the code screen needs, in time left rather than clock time. */
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

/** An open check outlives its challenge: how it ended may still be asked for. */
function endsAtMs(ticket: Ticket): number {
  return ticket.status === 'open' ? ticket.expiresAtMs : ticket.endedAtMs
}

/** When the challenge ends: as the service says, counted from the moment its answer arrived. */
export function expiresAt(nowMs: number, expiresInSeconds: number | null, otherwiseMs: number): number {
  return expiresInSeconds === null ? otherwiseMs : nowMs + expiresInSeconds * 1_000
}
