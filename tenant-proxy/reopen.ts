// A completed check whose report is not shown: in another tab than its own, after its time, or closed. The check stays complete, and in
// time the date of birth opens the report again. Judged here: the browser holds neither the report nor anything to compare with.
//
//   own tab, in time ──▶ the report          another tab, in time ──▶ closed, opens with the date ──3 wrong──▶ closed
import { createHash } from 'node:crypto'
import { OPEN_ATTEMPTS_MAX } from '../contract/open-report.ts'
import { TAB_HEADER } from '../contract/proxy-path.ts'
import type { HeaderReader } from '../kit/headers.ts'
import { type BrowserRequest, metaFor, type ReportAnswer } from './browser-request.ts'
import type { Parts } from './parts.ts'
import type { EndedTicket, Named, Ticket } from './ticket.ts'

const TAB_LENGTH_MAX = 64

/** What ties a report to the tab that asked for it and to the person it is about. */
export function ownerOf(
  creditReportId: string,
  headers: HeaderReader,
  dateOfBirth: string,
): Pick<Ticket, 'tab' | 'birth'> {
  const tab = tabOf(creditReportId, headers)
  return { ...(tab === undefined ? {} : { tab }), birth: hashOf(creditReportId, dateOfBirth) }
}

/** A check begun by a widget that says nothing of tabs is every tab's. */
export function isOwnTab({ creditReportId, tab }: Named, headers: HeaderReader): boolean {
  return tab === undefined || tab.split(' ').includes(tabOf(creditReportId, headers) ?? '')
}

/** The tab in which the right code was given may be another than the one that began: both come back to the report. */
export function addTab<Held extends Named>(ticket: Held, headers: HeaderReader): Held {
  const tab = tabOf(ticket.creditReportId, headers)
  return tab === undefined || isOwnTab(ticket, headers) ? ticket : { ...ticket, tab: `${ticket.tab} ${tab}` }
}

/** How long and how often a date of birth may still be given; null when never again. */
export function openingOf(ticket: EndedTicket, { settings, wrongDates }: Parts) {
  const leftMs = ticket.endedAtMs + settings.reopenMinutes * 60_000 - settings.clock()
  const attemptsRemaining = OPEN_ATTEMPTS_MAX - triedOn(ticket, wrongDates)
  const isOver = ticket.isClosed || ticket.birth === undefined || leftMs <= 0 || attemptsRemaining <= 0
  return isOver ? null : { expiresInSeconds: Math.ceil(leftMs / 1_000), attemptsRemaining }
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

/** By this process or by the cookie: an older cookie played back gives no attempt back here. */
export function triedOn({ creditReportId, wrongDates = 0 }: EndedTicket, seen: Parts['wrongDates']): number {
  return Math.max(wrongDates, seen.get(creditReportId) ?? 0)
}

export function tabOf(creditReportId: string, headers: HeaderReader): string | undefined {
  const tab = headers.get(TAB_HEADER)
  return tab && tab.length <= TAB_LENGTH_MAX ? hashOf(creditReportId, tab) : undefined
}

/** For one report only, and short: it lies in a cookie, sealed. */
export function hashOf(creditReportId: string, value: string): string {
  return createHash('sha256')
    .update(JSON.stringify([creditReportId, value]))
    .digest('base64url')
    .slice(0, 22)
}
