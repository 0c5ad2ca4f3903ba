// How a check stands, told to the browser that began it.
import { readAccountStatus } from '../contract/account-status.ts'
import type { ReceivedReport } from '../contract/credit-report.ts'
import type { ReportSummary } from '../contract/tenant-proxy.ts'
import { referenceOf } from './added-fields.ts'
import { type Answer, type BrowserRequest, metaFor, type Parts } from './browser-request.ts'
import { Refusal } from './refusal.ts'
import type { Settings } from './settings.ts'
import {
  type EndedTicket,
  endTicket,
  expiresAt,
  type Named,
  type OpenTicket,
  showChallenge,
  type Ticket,
  withTicket,
} from './ticket.ts'

/** A ticket and those it lies with in the cookie. */
export type Held = { ticket: Ticket; tickets: Ticket[] }

/** Asks the service and passes its word on. Throws the `Refusal` when it gives none. */
export async function answerByService(
  { ticket, tickets }: Held,
  browserRequest: BrowserRequest,
  parts: Parts,
): Promise<Answer> {
  const { creditReportId } = ticket
  const asked = await parts.service.get(creditReportId, 'current', browserRequest.trace)
  const { data } = asked
  switch (data.status) {
    case 'complete':
    case 'blocked':
    case 'failed':
    case 'expired':
      if (ticket.status === 'open') {
        const { status, test } = data
        parts.emit({ type: 'answered', operation: 'current', status, creditReportId, test, requestId: asked.requestId })
      }
      return answerEnd({ ticket, tickets }, data, browserRequest, parts)
    case 'authentication-required': {
      if (ticket.status !== 'open' || !data.challenge) break
      const { attemptsRemaining, textsRemaining } = data.challenge
      const expiresAtMs = expiresAt(parts.settings.clock(), asked.expiresInSeconds, ticket.expiresAtMs)
      // Not written to the cookie: whatever another tab has put there meanwhile would be lost.
      return answerOpen({ ...ticket, expiresAtMs, attemptsRemaining, textsRemaining }, browserRequest, parts)
    }
    case 'pending':
      // Being worked on: the code that was given may be given again, and is then waited for.
      if (ticket.status === 'open') return answerOpen(ticket, browserRequest, parts)
  }
  throw new Refusal('unavailable')
}

/** What the code screen needs. */
export function answerOpen(ticket: OpenTicket, browserRequest: BrowserRequest, { settings }: Parts): Answer {
  const { creditReportId } = ticket
  const challenge = showChallenge(ticket, settings.clock())
  return {
    body: {
      meta: metaFor(browserRequest, settings),
      data: { status: 'authentication-required', creditReportId, challengeType: 'otp', challenge },
    },
  }
}

type Outcome = Pick<EndedTicket, 'status'> & { creditReport?: ReceivedReport | undefined }

/** What an end needs to know of the check: there may be no ticket of it yet. */
type Ending = { ticket: Named; tickets: Ticket[] }

/** The end of a check: a report goes to the lender first, then to the browser, whose cookie remembers how it ended. */
export async function answerEnd(
  { ticket, tickets }: Ending,
  { status, creditReport }: Outcome,
  browserRequest: BrowserRequest,
  parts: Parts,
): Promise<Answer> {
  const { settings, reports, ends } = parts
  const { creditReportId } = ticket
  if (creditReport) {
    const context = { creditReportId, ...referenceOf(ticket), test: browserRequest.story !== null }
    await reports.once(creditReportId, { report: creditReport, context })
  }
  const known = tickets.find((each) => each.creditReportId === creditReportId)
  const isKnown = known?.status === status
  const end = ends.get(creditReportId) ?? { status, endedAtMs: isKnown ? known.endedAtMs : settings.clock() }
  ends.set(creditReportId, end)
  const exposed = creditReport === undefined ? {} : exposeReport(creditReport, settings)
  return {
    body: { meta: metaFor(browserRequest, settings), data: { status, creditReportId, ...exposed } },
    ...(isKnown ? {} : { tickets: withTicket(tickets, endTicket(ticket, end)) }),
  }
}

type Exposed = { creditReport?: ReceivedReport; bureaus?: string[]; summary?: ReportSummary }

/** As much of the report as the lender shows its consumers. */
export function exposeReport(
  report: ReceivedReport,
  { exposeReport: how, bureaus }: Pick<Settings, 'exposeReport' | 'bureaus'>,
): Exposed {
  if (how === 'full') return { creditReport: report, bureaus: [...bureaus] }
  return how === 'summary' ? { summary: summarise(report) } : {}
}

function summarise({ consumerData, previousSearches }: ReceivedReport): ReportSummary {
  const standings = listed(consumerData?.records).map((record) => {
    const status: unknown = record?.accountStatus
    return readAccountStatus(typeof status === 'string' ? status : '').standing
  })
  return {
    openAccounts: standings.filter((standing) => standing === 'open').length,
    settledAccounts: standings.filter((standing) => standing === 'settled').length,
    searches: listed(previousSearches?.providers).reduce((count, each) => count + listed(each?.records).length, 0),
  }
}

/** A report is not checked field by field: what should be a list may be anything. */
function listed<Item>(items: readonly Item[] | null | undefined): readonly (Item | null)[] {
  return Array.isArray(items) ? items : []
}
