// The lock on a completed check. Its report is shown to the tabs that gave the right code or date of birth; every other tab, and every tab
// after the time is over, gets a complete check with a closed report. The browser holds neither the report nor anything to
// compare with.
//
//   own tab, in time ──▶ the report          another tab, in time ──▶ closed, opens with the date of birth (reopen.ts)
import { createHash } from 'node:crypto'
import { OPEN_ATTEMPTS_MAX } from '../../contract/open-report.ts'
import { TAB_HEADER } from '../../contract/proxy-path.ts'
import type { HeaderReader } from '../../kit/headers.ts'
import { type BrowserRequest, metaFor, type ReportAnswer } from './browser-request.ts'
import type { Parts } from './parts.ts'
import { type EndedTicket, keptUntilMs, lastSightMs } from './ticket.ts'

const TAB_LENGTH_MAX = 64
const TABS_MAX = 3

export function isOwnTab({ creditReportId, tabs = [] }: EndedTicket, headers: HeaderReader): boolean {
  return tabs.includes(tabOf(creditReportId, headers) ?? '')
}

/** The ticket of a check that this tab has just proved to be its own. */
export function addTab(ticket: EndedTicket, headers: HeaderReader): EndedTicket {
  const tab = tabOf(ticket.creditReportId, headers)
  if (tab === undefined || isOwnTab(ticket, headers)) return ticket
  return { ...ticket, tabs: [tab, ...(ticket.tabs ?? [])].slice(0, TABS_MAX) }
}

/** How long and how often a date of birth may still be given; null when never again. */
export function openingOf(ticket: EndedTicket, { settings }: Pick<Parts, 'settings'>) {
  const { opensLeft = OPEN_ATTEMPTS_MAX, isClosed } = ticket
  const untilMs = Math.min(lastSightMs(ticket) + settings.reopenMinutes * 60_000, keptUntilMs(ticket))
  const leftMs = untilMs - settings.clock()
  if (isClosed || leftMs <= 0 || opensLeft <= 0) return null
  return { expiresInSeconds: Math.ceil(leftMs / 1_000), attemptsRemaining: opensLeft }
}

/** The check is complete, and this answer does not carry its report. */
export function answerClosed(ticket: EndedTicket, browserRequest: BrowserRequest, parts: Parts): ReportAnswer {
  const { settings } = parts
  const { status, creditReportId } = ticket
  const opening = openingOf(ticket, parts)
  const isKept = settings.exposeReport !== 'none'
  return {
    body: {
      meta: metaFor(browserRequest, settings),
      data: { status, creditReportId, ...(isKept && { closed: true, ...(opening && { opening }) }) },
    },
  }
}

/** A short hash that counts for one report only; undefined where the browser does not name its tab. */
export function tabOf(creditReportId: string, headers: HeaderReader): string | undefined {
  const tab = headers.get(TAB_HEADER)
  if (!tab || tab.length > TAB_LENGTH_MAX) return undefined
  return createHash('sha256')
    .update(JSON.stringify([creditReportId, tab]))
    .digest('base64url')
    .slice(0, 22)
}
