// A lender's checks: found by its own reference, with nothing about the people in them.
import { html } from 'hono/html'
import type { ReportList, ReportListItem } from '../../contract/report-list.ts'
import { alert, type Markup } from '../pages/layout.ts'
import { receiptLink, showStatus, showTable, showTime, type Tone } from './show.ts'

const STATUS: Record<ReportListItem['status'], [word: string, tone: Tone]> = {
  pending: ['In progress', 'waiting'],
  'authentication-required': ['Waits for the code', 'waiting'],
  complete: ['Complete', 'good'],
  blocked: ['Blocked', 'bad'],
  failed: ['Failed', 'bad'],
  expired: ['Expired', 'neutral'],
}

type ChecksView = { reference: string; list: ReportList; problem?: string }

export function checksBody({ reference, list, problem }: ChecksView): Markup {
  return html`<h1>Checks</h1>
${alert(problem)}
<form method="get" action="/console/checks" role="search">
  <p><label for="reference">Your reference</label>
  <input id="reference" name="reference" value="${reference}" autocomplete="off" maxlength="200"></p>
  <button type="submit">Find</button>
</form>
${list.creditReports.length === 0 ? html`<p class="lead">No check ${reference ? 'has this reference' : 'has been made yet'}.</p>` : checksTable(list)}
${list.nextAfter === undefined ? '' : html`<p><a href="/console/checks?reference=${encodeURIComponent(reference)}&after=${list.nextAfter}">Older checks</a></p>`}`
}

function checksTable({ creditReports }: ReportList): Markup {
  return showTable({
    label: 'Checks',
    columns: [{ wide: 'Reference' }, 'Status', 'Mode', 'When', 'Check'],
    rows: creditReports.map(({ externalReference, status, test, createdAt, creditReportId }) => [
      externalReference ?? '',
      showStatus(...STATUS[status]),
      test ? 'Test' : 'Live',
      showTime(Date.parse(createdAt)),
      test ? html`<code class="short" title="${creditReportId}">${creditReportId}</code>` : receiptLink(creditReportId),
    ]),
  })
}
