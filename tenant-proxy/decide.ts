// What a lender's own routes decide by: the latest check of this browser, as its sealed cookie and the service say. An id in a form proves nothing.

import type { Agency, ReceivedReport } from '../contract/credit-report.ts'
import { foldName } from '../kit/fold-name.ts'
import type { HeaderReader } from '../kit/headers.ts'
import { type OwnRequest, ownPlace } from './check/browser-request.ts'
import { isOwnMode, readTicketsAt } from './check/current.ts'
import type { Parts } from './check/parts.ts'
import { Refusal } from './check/refusal.ts'
import { referenceOf, type Ticket } from './check/ticket.ts'
import type { CookiePlace } from './check/ticket-cookie.ts'
import { traceOf } from './exchange.ts'

export type WhichCheck = {
  /** The reference from your own session: only a check made for it counts. Absent: the latest check, whatever it was for. */
  externalReference?: string | undefined
}

export type DecideOptions = WhichCheck & {
  /** Who the customer is, as you know them; the whole `prefill` will do. A report about another person is a `mismatch`. */
  expect?: { lastName?: string | undefined; dateOfBirth?: string | undefined }
}

/** A check that was completed in this browser. */
export type CompletedCheck = {
  creditReportId: string
  externalReference?: string
  /** ISO 8601 in UTC. */
  completedAt: string
  /** Everything in the report is invented. Always false at a live mount, which refuses such a check. */
  test: boolean
}

type About = { creditReportId: string; externalReference?: string; test: boolean }

export type CheckDecision =
  /** This browser has no check, or none for this reference. */
  | { status: 'none' }
  /** In progress: a code is to be typed, or the agencies are being asked. */
  | ({ status: 'open' } & About)
  /** Ended without a report; or, `mismatch`, with one about another person than expected. */
  | ({ status: 'blocked' | 'failed' | 'expired' | 'mismatch' } & About)
  | ({
      status: 'complete'
      /** Absent when the service keeps it no longer. */
      report?: ReceivedReport
      person?: ReceivedReport['person']
      /** What each agency answered, where the service says. */
      agencies?: readonly Agency[]
      /** Whether the mobile number is known for the person: `matched`, `not-matched` or `unknown`. Absent without a match provider. */
      match?: string
    } & About)

/** From the cookie alone, without asking the service. */
export function findCompleted(request: OwnRequest, which: WhichCheck, parts: Parts): CompletedCheck | null {
  const { ticket, place } = findLatest(request, which, parts)
  if (ticket?.status !== 'complete') return null
  const completedAt = new Date(ticket.endedAtMs).toISOString()
  return { creditReportId: ticket.creditReportId, ...referenceOf(ticket), completedAt, test: place.test }
}

/** Throws the `Refusal` when the service has to be asked and gives no answer. */
export async function decide(request: OwnRequest, options: DecideOptions, parts: Parts): Promise<CheckDecision> {
  const { expect = {}, ...which } = options
  // Named and empty is a mistake: there would be nothing to compare.
  const expected = 'expect' in options ? readExpected(expect) : null
  const { ticket, place, headers } = findLatest(request, which, parts)
  if (ticket === null) return { status: 'none' }
  const { creditReportId, status } = ticket
  const about = { creditReportId, ...referenceOf(ticket), test: place.test }
  const isCertain = status !== 'open' && status !== 'complete'
  if (isCertain) return { status, ...about }
  const data = await ask(creditReportId, headers, parts)
  if (data === null || !isOwnMode(data.test, { place }, parts)) return { status: 'none' }
  switch (data.status) {
    case 'pending':
    case 'authentication-required':
      return { status: 'open', ...about }
    case 'complete': {
      const { creditReport, agencies, match } = data
      if (expected && !isAbout(creditReport, expected)) return { status: 'mismatch', ...about }
      return {
        status: 'complete',
        ...about,
        ...(creditReport && { report: creditReport, person: creditReport.person }),
        ...(agencies && { agencies }),
        ...(match !== undefined && { match }),
      }
    }
    default:
      return { status: data.status, ...about }
  }
}

type Latest = { ticket: Ticket | null; place: CookiePlace; headers: HeaderReader }

function findLatest(request: OwnRequest, which: WhichCheck, parts: Parts): Latest {
  const { settings } = parts
  const { headers, place } = ownPlace(request, settings)
  // Any host below the same domain can set a cookie without `__Host-`; this machine has no such neighbours.
  const isTrusted = place.isSecure || settings.secureCookies !== false
  const tickets = isTrusted ? readTicketsAt(headers, place, parts) : []
  // Named and empty: the session that should have said it has ended.
  const isAsked = (ticket: Ticket) =>
    !('externalReference' in which) ||
    (which.externalReference !== undefined && ticket.externalReference === which.externalReference)
  return { ticket: tickets.find(isAsked) ?? null, place, headers }
}

/** How the check stands; null when the service does not know it. */
async function ask(creditReportId: string, headers: HeaderReader, { service }: Parts) {
  try {
    return (await service.get(creditReportId, 'decide', traceOf({ headers }))).data
  } catch (error) {
    if (error instanceof Refusal && error.code === 'credit-report-not-found') return null
    throw error
  }
}

type Expected = { lastName: string; dateOfBirth: string }

/** An expectation with nothing in it would let everyone pass. */
function readExpected({ lastName, dateOfBirth }: NonNullable<DecideOptions['expect']>): Expected {
  const folded = typeof lastName === 'string' ? foldName(lastName) : ''
  if (folded === '') throw new TypeError('decide: `expect.lastName` must be a name')
  if (typeof dateOfBirth !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(dateOfBirth)) {
    throw new TypeError('decide: `expect.dateOfBirth` must be a date such as 1990-04-01')
  }
  return { lastName: folded, dateOfBirth }
}

/** First names are left out: agencies know Sam as Samuel, Samantha or S. */
function isAbout(report: ReceivedReport | undefined, { lastName, dateOfBirth }: Expected): boolean {
  const { lastName: name, dateOfBirth: born }: { lastName?: unknown; dateOfBirth?: unknown } = report?.person ?? {}
  return typeof name === 'string' && foldName(name) === lastName && born === dateOfBirth
}
