// Where a lender's events go, and what became of them.
import { html } from 'hono/html'
import type { Delivery } from '../../service/webhooks/deliveries.ts'
import type { Endpoint } from '../../service/webhooks/endpoints.ts'
import { field, type Markup } from '../pages/layout.ts'
import { pressField } from './presses.ts'
import { showStatus, showTable, showTime, type Tone } from './show.ts'

type WebhooksView = {
  endpoints: readonly Endpoint[]
  deliveries: readonly Delivery[]
  mayChange: boolean
  /** The address that was refused, and why. */
  typed?: { url: string; problem: string }
}

const STATUS: Record<Delivery['status'], [word: string, tone: Tone]> = {
  queued: ['On its way', 'waiting'],
  delivered: ['Delivered', 'good'],
  parked: ['Given up after three days', 'bad'],
}

export function webhooksBody({ endpoints, deliveries, mayChange, typed }: WebhooksView): Markup {
  return html`<h1>Webhooks</h1>
<p class="lead">How each report ends is sent to your server, signed by the Standard Webhooks specification.</p>
${endpoints.map(
  ({ id, url }) => html`<div class="panel">
  <h2><code>${url}</code></h2>
  ${
    mayChange
      ? html`<p class="hint">With a new secret, the one before stays good until the next new one.</p>
  <div class="row">
    <a class="quiet" href="/console/webhooks/${id}/rotate" aria-label="New secret for ${url}">New secret</a>
    <a class="quiet danger" href="/console/webhooks/${id}/remove" aria-label="Remove ${url}">Remove</a>
  </div>`
      : ''
  }
</div>`,
)}
${mayChange ? addForm(typed) : ''}
<h2>Events</h2>
${deliveries.length === 0 ? html`<p class="lead">Nothing has been sent yet.</p>` : deliveriesTable(deliveries, mayChange)}`
}

function addForm(typed: WebhooksView['typed']): Markup {
  return html`<form class="panel" method="post" action="/console/webhooks">
  <h2>Add an address</h2>
  ${field({ name: 'url', label: 'Address of your server', type: 'url', autocomplete: 'off', hint: 'For example https://shop.example/webhook', lengthMax: 500, value: typed?.url ?? '', error: typed?.problem })}${pressField()}
  <button class="button" type="submit">Add</button>
</form>`
}

function deliveriesTable(deliveries: readonly Delivery[], mayChange: boolean): Markup {
  return showTable({
    label: 'Events',
    columns: [
      { wide: 'Event' },
      'Status',
      { number: 'Attempts' },
      'Last answer',
      'When',
      ...(mayChange ? ['Again'] : []),
    ],
    rows: deliveries.map(({ id, type, status, attempts, lastOutcome, createdAtMs }) => [
      html`${type} <code class="short" title="${id}">${id}</code>`,
      showStatus(...STATUS[status]),
      String(attempts),
      lastOutcome ?? '',
      showTime(createdAtMs),
      ...(mayChange ? [status === 'queued' ? '' : resendForm(id)] : []),
    ]),
  })
}

function resendForm(id: string): Markup {
  return html`<form method="post" action="/console/webhooks/events/${id}/resend">${pressField()}<button class="quiet" type="submit">Send again</button></form>`
}
