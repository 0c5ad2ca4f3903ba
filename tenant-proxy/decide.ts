// The decision in a lender's own routes: by the latest check of this browser, or the newest for a reference, as its
// sealed cookie and the service say. An id in a form proves nothing.

import type { Agency, ReceivedReport } from '../contract/credit-report.ts'
import { normalisePostcode } from '../contract/postcode.ts'
import { foldName } from '../kit/fold-name.ts'
import type { HeaderReader } from '../kit/headers.ts'
import { type OwnRequest, ownPlace } from './check/browser-request.ts'
import { isOwnMode, readTicketsAt } from './check/current.ts'
import type { Parts } from './check/parts.ts'
import { Refusal } from './check/refusal.ts'
import { referenceOf, type Ticket } from './check/ticket.ts'
import type { CookiePlace } from './check/ticket-cookie.ts'
import {
  type DecideOptions,
  type Expected,
  type LinkDecideOptions,
  type Reference,
  readDecideOptions,
  readLinkOptions,
  readWhich,
  type WhichCheck,
} from './decide-options.ts'
import { traceOf } from './exchange.ts'

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
      /** The answer of each agency, where the service gives it. */
      agencies?: readonly Agency[]
      /**
       * The match of mobile number and person: `matched`, `not-matched` or `unknown`. Absent without a match provider.
       */
      match?: string
    } & About)

/** From the cookie alone, without asking the service. */
export function findCompleted(request: OwnRequest, which: WhichCheck, parts: Parts): CompletedCheck | null {
  const reference = readWhich('completed', which)
  const { tickets, place } = readOwn(request, parts)
  const ticket = latestOf(tickets, reference)
  if (ticket?.status !== 'complete') return null
  const completedAt = new Date(ticket.endedAtMs).toISOString()
  return { creditReportId: ticket.creditReportId, ...referenceOf(ticket), completedAt, test: place.test }
}

/** Throws the `Refusal` when the service has to be asked and gives no answer. */
export async function decide(request: OwnRequest, options: DecideOptions, parts: Parts): Promise<CheckDecision> {
  const { reference, expected } = readDecideOptions(options)
  const own = readOwn(request, parts)
  const ticket =
    typeof reference === 'string' ? await newestOf(reference, own, parts) : latestOf(own.tickets, reference)
  if (ticket === null) return { status: 'none' }
  const { place, headers } = own
  const { creditReportId, status } = ticket
  const about = { creditReportId, ...referenceOf(ticket), test: place.test }
  if (status !== 'open' && status !== 'complete') return { status, ...about }
  return decideOn(about, { expected, place, headers }, parts)
}

/** The same of a link's newest check, whatever browser it was done in. */
export async function decideLink(linkId: string, options: LinkDecideOptions, parts: Parts): Promise<CheckDecision> {
  const expected = readLinkOptions(linkId, options)
  const link = await parts.service.link(linkId)
  const place = { test: parts.settings.test !== null, origin: '' }
  if (link === null || !link.check || !isOwnMode(link.test, { place }, parts)) return { status: 'none' }
  const { check, externalReference, test } = link
  const about = { creditReportId: check.creditReportId, ...referenceOf({ externalReference }), test }
  return decideOn(about, { expected, place, headers: { get: () => null } }, parts)
}

type Judged = { expected: Expected | null; place: Pick<CookiePlace, 'test' | 'origin'>; headers: HeaderReader }

async function decideOn(about: About, { expected, place, headers }: Judged, parts: Parts): Promise<CheckDecision> {
  const data = await ask(about.creditReportId, headers, parts)
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

type Own = { tickets: Ticket[]; place: CookiePlace; headers: HeaderReader }

/** The checks that this browser shows. */
function readOwn(request: OwnRequest, parts: Parts): Own {
  const { settings } = parts
  const { headers, place } = ownPlace(request, settings)
  // Any host below the same domain can set a cookie without `__Host-`; this machine has no such neighbours.
  const isTrusted = place.isSecure || settings.secureCookies !== false
  const tickets = isTrusted ? readTicketsAt(headers, place, parts) : []
  return { tickets: tickets.filter(({ isForgotten }) => !isForgotten), place, headers }
}

/**
 * By its id, which the service makes and which begins with the time: the clocks of the lender's processes do not count.
 */
function latestOf(tickets: readonly Ticket[], reference: Reference): Ticket | null {
  const asked = tickets.filter((ticket) => reference === undefined || ticket.externalReference === reference)
  return asked.reduce<Ticket | null>((a, b) => (a && a.creditReportId > b.creditReportId ? a : b), null)
}

/** Of both modes: one reference can have been used in each. */
const NEWEST_LISTED = 20

/**
 * The newest check that the service has for the reference, if this browser shows it: an older cookie brings back no
 * earlier check.
 */
async function newestOf(reference: string, { tickets, place }: Own, { service }: Parts): Promise<Ticket | null> {
  if (tickets.length === 0) return null
  const { data } = await service.list({ externalReference: reference, limit: NEWEST_LISTED }, 'decide')
  const newest = data.creditReports.find(({ test }) => test === place.test)
  return tickets.find(({ creditReportId }) => creditReportId === newest?.creditReportId) ?? null
}

/** The state of the check; null when the service does not know it. */
async function ask(creditReportId: string, headers: HeaderReader, { service }: Parts) {
  try {
    return (await service.get(creditReportId, 'decide', traceOf({ headers }))).data
  } catch (error) {
    if (error instanceof Refusal && error.code === 'credit-report-not-found') return null
    throw error
  }
}

/** A report may lack anything: what is not there does not match. */
function isAbout(report: ReceivedReport | undefined, expected: Expected): boolean {
  const { lastName, firstName, dateOfBirth } = report?.person ?? {}
  const fold = (name: unknown) => (typeof name === 'string' ? foldName(name) : '')
  return (
    fold(lastName) === expected.lastName &&
    dateOfBirth === expected.dateOfBirth &&
    (expected.firstName === undefined || fold(firstName) === expected.firstName) &&
    (expected.postcode === undefined || currentPostcode(report) === expected.postcode)
  )
}

function currentPostcode(report: ReceivedReport | undefined): string | null {
  const residencies = Array.isArray(report?.residencies) ? report.residencies : []
  const current = residencies.find((residency) => residency?.isCurrent) ?? residencies[0]
  const postcode: unknown = current?.address?.ukAddress?.postcode
  return typeof postcode === 'string' ? normalisePostcode(postcode) : null
}
