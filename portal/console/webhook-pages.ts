// Where a lender's events go, and what became of them.
import { html } from 'hono/html'
import type { Delivery } from '../../service/webhooks/deliveries.ts'
import type { Endpoint } from '../../service/webhooks/endpoints.ts'
import { alert, field, type Markup } from '../pages/layout.ts'
import { showSecret, showTable, showTime } from './show.ts'

export type WebhooksView = {
  endpoints: readonly Endpoint[]
  deliveries: readonly Delivery[]
  /** Shown once, after adding an address or replacing its secret. */
  secret?: string
  problem?: string
}

const STATUS_WORDS: Record<Delivery['status'], string> = {
  queued: 'On its way',
  delivered: 'Delivered',
  parked: 'Given up after three days',
}

export function webhooksBody({ endpoints, deliveries, secret, problem }: WebhooksView): Markup {
  return html`<h1>Webhooks</h1>
${alert(problem)}
${
  secret === undefined
    ? ''
    : html`<section class="panel" aria-labelledby="signing">
  <h2 id="signing">A new signing secret</h2>
  <p class="done" role="status">Copy it now: it cannot be shown again.</p>
  ${showSecret(secret, 'signing')}
</section>`
}
<p class="lead">Your server is told how each report ends, signed by the Standard Webhooks specification.</p>
${endpoints.map(
  ({ id, url }) => html`<div class="panel">
  <h2><code>${url}</code></h2>
  <p class="hint">With a new secret, the one before stays good until the next new one.</p>
  <div class="row">
    <form method="post" action="/console/webhooks/${id}/rotate"><button class="quiet" type="submit" aria-label="New secret for ${url}">New secret</button></form>
    <form method="post" action="/console/webhooks/${id}/remove"><button class="quiet danger" type="submit" aria-label="Remove ${url}">Remove</button></form>
  </div>
</div>`,
)}
<form class="panel" method="post" action="/console/webhooks">
  <h2>Add an address</h2>
  ${field({ name: 'url', label: 'Address of your server', type: 'url', autocomplete: 'off', hint: 'For example https://shop.example/webhook', lengthMax: 500 })}
  <button class="button" type="submit">Add</button>
</form>
<h2>Events</h2>
${deliveries.length === 0 ? html`<p class="lead">Nothing has been sent yet.</p>` : deliveriesTable(deliveries)}`
}

function deliveriesTable(deliveries: readonly Delivery[]): Markup {
  return showTable({
    label: 'Events',
    caption: 'Newest first',
    columns: ['Event', 'Status', { number: 'Attempts' }, 'Last answer', 'When', 'Again'],
    rows: deliveries.map(
      ({ id, type, status, attempts, lastOutcome, createdAtMs }) => html`
    <tr>
      <td>${type} <span class="short"><code>${id}</code></span></td>
      <td>${STATUS_WORDS[status]}</td>
      <td class="number">${attempts}</td>
      <td>${lastOutcome ?? ''}</td>
      <td class="when">${showTime(createdAtMs)}</td>
      <td>${status === 'queued' ? '' : html`<form method="post" action="/console/webhooks/events/${id}/resend"><button class="quiet" type="submit">Send again</button></form>`}</td>
    </tr>`,
    ),
  })
}
