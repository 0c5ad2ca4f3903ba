// A lender's checks and the timeline of one, with nothing about the people in them. Their reports: report-pages.ts.
import { html } from 'hono/html'
import { ENDED_WORDS, ENDING_WORDS } from '../../contract/ending-words.ts'
import { REASONS, type ReportList, type ReportListItem } from '../../contract/report-list.ts'
import type { ReportTimeline, TimelineEvent } from '../../contract/report-timeline.ts'
import { spacedReference } from '../../contract/short-reference.ts'
import { alert, choice, type Markup } from '../pages/layout.ts'
import { type Receipt, receiptCredits } from './receipt.ts'
import {
  checkLink,
  type Mode,
  showCode,
  showCopyLines,
  showModeSwitch,
  showMoney,
  showStatus,
  showTable,
  showTime,
  type Tone,
} from './show.ts'

const PATH = '/console/checks'

const STATUS: Record<ReportListItem['status'], [word: string, tone: Tone]> = {
  pending: ['In progress', 'waiting'],
  'authentication-required': ['Waits for the code', 'waiting'],
  complete: [ENDED_WORDS.complete, 'good'],
  blocked: [ENDED_WORDS.blocked, 'bad'],
  failed: [ENDED_WORDS.failed, 'bad'],
  expired: [ENDED_WORDS.expired, 'neutral'],
}

const STATUS_CHOICES = Object.entries(STATUS).map(([value, [word]]) => [value, word] as const)
const REASON_CHOICES = Object.values(REASONS).flatMap((reasons) =>
  reasons.map((value) => [value, ENDING_WORDS[value].short] as const),
)

/** Finds a check by anything that names it. */
function searchForm(typed = ''): Markup {
  return html`<form class="panel row" method="get" action="${PATH}" role="search" aria-label="Find a check by any reference">
  <div class="field grow"><label for="any-reference">Reference</label>
  <p class="hint" id="any-reference-hint">The consumer’s short reference, your reference, our id or the beginning of one of these, or a request id</p>
  <input class="input" id="any-reference" name="reference" type="search" value="${typed}" maxlength="200" autocomplete="off" spellcheck="false" aria-describedby="any-reference-hint"></div>
  <button class="button" type="submit">Find</button>
</form>`
}

/** As they are in the address; empty where nothing is chosen. */
type CheckFilters = { status: string; reason: string; from: string; to: string }

type ChecksView = { mode: Mode; filters: CheckFilters; list: ReportList; problem?: string }

export function checksBody({ mode, filters, list, problem }: ChecksView): Markup {
  const chosen = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ''))
  const isFiltered = chosen.size > 0
  const older = new URLSearchParams([...chosen, ['mode', mode], ['after', list.nextAfter ?? '']])
  return html`<h1>Checks</h1>
${alert(problem)}
${showModeSwitch(isFiltered ? `${PATH}?${chosen}` : PATH, mode)}
<form class="panel row" method="get" action="${PATH}" aria-label="Filter the checks">
  <input type="hidden" name="mode" value="${mode}">
  ${choice({ name: 'status', label: 'Status', chosen: filters.status, options: [['', 'Any'], ...STATUS_CHOICES] })}
  ${choice({ name: 'reason', label: 'Reason', chosen: filters.reason, options: [['', 'Any'], ...REASON_CHOICES] })}
  <div class="field"><label for="from">From</label><input class="input" id="from" name="from" type="date" value="${filters.from}"></div>
  <div class="field"><label for="to">To</label><input class="input" id="to" name="to" type="date" value="${filters.to}"></div>
  <button class="button" type="submit">Show</button>
  ${isFiltered ? html`<a href="${PATH}?mode=${mode}">Show all</a>` : ''}
</form>
${
  list.creditReports.length === 0
    ? html`<p class="lead">${isFiltered || problem ? 'No check matches.' : `No ${mode} check has been made yet.`}</p>`
    : checksTable(list.creditReports)
}
${list.nextAfter === undefined ? '' : html`<p><a href="${PATH}?${older}">Older checks</a></p>`}`
}

/** For what fits no check, or several. `limit`: how many are shown at most. */
export function foundBody({ typed, found, limit }: { typed: string; found: readonly ReportListItem[]; limit: number }) {
  const many = found.length >= limit ? html`<p class="lead">The first ${limit} are shown. Type more of it.</p>` : ''
  return html`<p><a href="${PATH}">All checks</a></p>
<h1>${found.length === 0 ? 'No check found' : 'Checks found'}</h1>
${found.length === 0 ? html`<p class="lead">No check of this lender has this reference. Where a letter may be wrong, type the first four alone.</p>` : ''}
${searchForm(typed)}
${found.length === 0 ? '' : html`${many}${checksTable(found)}`}`
}

export function unknownCheckBody(): Markup {
  return html`<h1>No such check</h1>
<p class="lead">No check of this lender has this id.</p>
${searchForm()}`
}

function checksTable(checks: readonly ReportListItem[]): Markup {
  return showTable({
    label: 'Checks, newest first',
    columns: ['Check', { wide: 'Your reference' }, 'Status', 'Time'],
    rows: checks.map(({ creditReportId, externalReference, status, reason, test, createdAt }) => [
      checkLink(creditReportId),
      externalReference ?? '',
      html`${showStatus(...STATUS[status])}${reason ? html` <span class="why">${ENDING_WORDS[reason].short}</span>` : ''}${test ? html` ${showStatus('Test', 'neutral')}` : ''}`,
      showTime(Date.parse(createdAt)),
    ]),
  })
}

/** `mayOpen`: whether to lead to the report itself, where there is one. */
export function checkBody(
  timeline: ReportTimeline,
  receipt: readonly Receipt[],
  { mayOpen, mayErase }: { mayOpen: boolean; mayErase: boolean },
): Markup {
  const { creditReportId, externalReference, requestId, test, status, reason, why, events } = timeline
  const short = spacedReference(creditReportId)
  return html`<p><a href="${PATH}${test ? '?mode=test' : ''}">All checks</a></p>
<h1>Check ${short}</h1>
<p class="row">${showStatus(...STATUS[status])}${reason ? html`<span>${ENDING_WORDS[reason].short}</span>` : ''}${showStatus(test ? 'Test' : 'Live', 'neutral')}</p>
<section class="panel" aria-labelledby="why"><h2 id="why">What to tell the consumer</h2><p>${why}</p></section>
${mayOpen && isKept(timeline) ? html`<p><a class="quiet" href="${PATH}/${creditReportId}/report">Open the report</a></p>` : ''}
<h2>Timeline</h2>
<ol class="timeline">${events.map(showEvent)}</ol>
<h2>References</h2>
<dl class="facts">
  ${reference('The consumer reads out', short)}
  ${externalReference === undefined ? '' : reference('Your reference', externalReference)}
  ${reference('Credit report id', creditReportId)}
  ${requestId === undefined ? '' : reference('Request id', requestId)}
</dl>
<h2>Charges</h2>
${receipt.length === 0 ? html`<p class="lead">${test ? 'A test check costs nothing.' : 'Nothing was held or charged.'}</p>` : receiptTable(receipt)}
<h2>Copy for support</h2>
<p class="hint">Nothing about the consumer. Times are in UTC.</p>
${showCopyLines(supportText(timeline, receipt), 'Copy for support')}
${mayErase && !events.some(({ type }) => type === 'erased') ? html`<p><a class="quiet danger" href="/console/checks/${creditReportId}/erase">Erase this check</a></p>` : ''}`
}

function isKept({ status, events }: ReportTimeline): boolean {
  return status === 'complete' && !events.some(({ type }) => type === 'erased' || type === 'closed')
}

function reference(name: string, value: string): Markup {
  return html`<dt>${name}</dt><dd>${showCode(value, name)}</dd>`
}

const EVENT: Record<TimelineEvent['type'], string> = {
  link: 'Link',
  created: 'Created',
  device: 'Device',
  risk: 'Risk',
  match: 'Match',
  text: 'Text',
  code: 'Code',
  agency: 'Agency',
  complete: 'Complete',
  blocked: 'Blocked',
  failed: 'Failed',
  expired: 'Expired',
  webhook: 'Webhook',
  given: 'Report',
  closed: 'Closed',
  erased: 'Erased',
}

const GOOD = ['verified', 'matched', 'delivered', 'right', 'answered', 'no-file']
const BAD = ['not-verified', 'not-matched', 'undelivered', 'wrong', 'unavailable', 'parked', 'block']

function toneOf({ type, outcome = '' }: TimelineEvent): Tone {
  if (type === 'complete' || GOOD.includes(outcome)) return 'good'
  if (type === 'blocked' || type === 'failed' || BAD.includes(outcome)) return 'bad'
  return outcome === 'queued' || outcome === 'accepted' ? 'waiting' : 'neutral'
}

function showEvent(event: TimelineEvent): Markup {
  const { type, at, nextAt, says } = event
  return html`<li><span class="at">${at === undefined ? '' : showTime(Date.parse(at))}</span>${showStatus(EVENT[type], toneOf(event))}<span class="says">${says}${nextAt === undefined ? '' : html` Next try ${showTime(Date.parse(nextAt))}.`}</span></li>`
}

function receiptTable(receipt: readonly Receipt[]): Markup {
  return showTable({
    label: 'Receipt',
    columns: [{ wide: 'Item' }, 'Outcome', { number: 'Charged' }, 'Time'],
    rows: receipt.map(({ atMs, item, outcome, chargedCredits }) => [
      item,
      outcome,
      showMoney(chargedCredits),
      showTime(atMs),
    ]),
    foot: ['Charged', '', showMoney(receiptCredits(receipt)), ''],
  })
}

function supportText(timeline: ReportTimeline, receipt: readonly Receipt[]): string {
  const { creditReportId, externalReference, requestId, test, status, reason, events } = timeline
  return [
    `Check ${spacedReference(creditReportId)} (${test ? 'test' : 'live'})`,
    `Credit report id: ${creditReportId}`,
    ...(externalReference === undefined ? [] : [`Your reference: ${externalReference}`]),
    ...(requestId === undefined ? [] : [`Request id: ${requestId}`]),
    `Status: ${status}${reason ? ` (${reason})` : ''}`,
    `Charged: ${receiptCredits(receipt)} credits`,
    '',
    ...events.map(({ at, says }) => `${at ?? '-'.padEnd(24)}  ${says}`),
  ].join('\n')
}
