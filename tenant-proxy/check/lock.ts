// The lock on a completed check. Its report is shown to the tabs that gave the right code or date of birth; every other
// tab, and every tab after the time is over, gets a complete check with a closed report. The browser holds neither the
// report nor anything to compare with.
//
//   own tab, in time ──▶ the report          another tab, in time ──▶ closed, opens with the date of birth
import { createHash } from 'node:crypto'
import { TAB_HEADER } from '../../contract/proxy-path.ts'
import type { HeaderReader } from '../../kit/headers.ts'
import { metaFor } from './browser-request.ts'
import { firstOf } from './extra.ts'
import type { Parts } from './parts.ts'
import type { BrowserRequest, ReportAnswer } from './request.ts'
import type { EndedTicket } from './ticket.ts'

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

/** The check is complete, and this answer does not carry its report. */
export function answerClosed(ticket: EndedTicket, browserRequest: BrowserRequest, parts: Parts): ReportAnswer {
  const { settings } = parts
  const { status, creditReportId } = ticket
  const opening = firstOf(parts.extras, (extra) => extra.opening?.(ticket))
  const isKept = settings.exposeReport !== 'none'
  return {
    body: {
      meta: metaFor(browserRequest, parts),
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
