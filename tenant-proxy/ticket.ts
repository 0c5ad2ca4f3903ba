// What this browser has under way, carried by the browser itself in one sealed cookie. The service stays the judge of
// attempts, texts and time: an old cookie played back changes what is shown, never what is allowed.
import * as z from 'zod/mini'
import { CHALLENGE_LIFETIME_MS } from '../contract/limits.ts'
import { read } from '../contract/problems.ts'
import type { ChallengeState } from '../contract/tenant-proxy.ts'

export const Ticket = z.object({
  creditReportId: z.string(),
  challengeId: z.string(),
  lastSentAtMs: z.number(),
  expiresAtMs: z.number(),
  attemptsRemaining: z.int(),
  textsRemaining: z.int(),
  mobileNumberEnding: z.optional(z.string()),
  /** The lender's reference, for the report that comes of it. */
  externalReference: z.optional(z.string()),
  /** False once it completed, failed or expired: kept, because an answer that got lost may be asked for again. */
  isOpen: z.boolean(),
})
export type Ticket = z.infer<typeof Ticket>

const Tickets = z.array(Ticket)

/** Two tabs may each have a challenge under way; more are a mistake. */
export const TICKETS_MAX = 3
/** How long a ticket outlives its challenge, so that a late code is told `challenge-expired` and not `not-found`. */
export const EXPIRED_GRACE_MS = CHALLENGE_LIFETIME_MS

/** Tickets worth keeping, the most recently texted first. */
export function keepTickets(tickets: readonly Ticket[], nowMs: number): Ticket[] {
  return tickets
    .filter((ticket) => lifeLeftMs(ticket, nowMs) > 0)
    .toSorted((a, b) => b.lastSentAtMs - a.lastSentAtMs)
    .slice(0, TICKETS_MAX)
}

/** The same tickets with `ticket` in place of its older self. */
export function withTicket(tickets: readonly Ticket[], ticket: Ticket): Ticket[] {
  return [ticket, ...tickets.filter(({ creditReportId }) => creditReportId !== ticket.creditReportId)]
}

/** The challenge a reload should come back to. */
export function currentTicket(tickets: readonly Ticket[], nowMs: number): Ticket | null {
  return tickets.find((ticket) => ticket.isOpen && ticket.expiresAtMs > nowMs) ?? null
}

export function lifeLeftMs(ticket: Ticket, nowMs: number): number {
  return ticket.expiresAtMs + EXPIRED_GRACE_MS - nowMs
}

/** What the code screen needs, in time left rather than clock time. */
export function showChallenge(ticket: Ticket, nowMs: number): ChallengeState {
  return {
    challengeId: ticket.challengeId,
    expiresInSeconds: Math.max(0, Math.ceil((ticket.expiresAtMs - nowMs) / 1_000)),
    attemptsRemaining: ticket.attemptsRemaining,
    textsRemaining: ticket.textsRemaining,
    ...(ticket.mobileNumberEnding === undefined ? {} : { mobileNumberEnding: ticket.mobileNumberEnding }),
  }
}

export function readTickets(text: string): Ticket[] {
  try {
    const reading = read(Tickets, JSON.parse(text))
    return reading.ok ? reading.value : []
  } catch {
    return []
  }
}
