// A lender's checks: found by its own reference, with nothing about the people in them.
import { html } from 'hono/html'
import type { ReportList, ReportListItem } from '../../contract/report-list.ts'
import { alert, type Markup } from '../pages/layout.ts'
import { showTable, showTime } from './show.ts'

const STATUS_WORDS: Record<ReportListItem['status'], string> = {
  pending: 'Under way',
  'authentication-required': 'Waits for the code',
  complete: 'Complete',
  blocked: 'Blocked',
  failed: 'Failed',
  expired: 'Expired',
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
    caption: 'Newest first',
    columns: ['Reference', 'Status', 'Mode', 'When', 'Check'],
    rows: creditReports.map(
      ({ externalReference, status, test, createdAt, creditReportId }) => html`
    <tr>
      <td>${externalReference ?? ''}</td>
      <td>${STATUS_WORDS[status]}</td>
      <td>${test ? 'Test' : 'Live'}</td>
      <td class="when">${showTime(Date.parse(createdAt))}</td>
      <td>${test ? html`<code>${creditReportId}</code>` : html`<a href="/console/checks/${creditReportId}">Receipt <span class="short"><code>${creditReportId}</code></span></a>`}</td>
    </tr>`,
    ),
  })
}
