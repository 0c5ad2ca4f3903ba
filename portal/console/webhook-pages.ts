// A lender's webhook addresses and deliveries.
import { html } from 'hono/html'
import { DELIVERY_STATUSES, WEBHOOK_URL_LENGTH_MAX } from '../../contract/integration.ts'
import { CHOSEN_EVENT_TYPES, WEBHOOK_EVENT_TYPES } from '../../contract/webhook-event.ts'
import type { Attempt, DeliveriesWanted, Delivery, ListedDelivery } from '../../plugins/webhooks/deliveries.ts'
import type { Endpoint } from '../../plugins/webhooks/endpoints.ts'
import { choice, field, type Markup } from '../pages/layout.ts'
import type { Visit } from './frame.ts'
import {
  checkLink,
  showActions,
  showCode,
  showCopyLines,
  showNumber,
  showStatus,
  showTable,
  showTime,
  type Tone,
} from './show.ts'

type WebhooksView = Pick<Visit, 'press'> & {
  endpoints: readonly Endpoint[]
  filters: Pick<DeliveriesWanted, 'status' | 'type' | 'webhookId'>
  deliveries: readonly ListedDelivery[]
  /** Not a later page. */
  isNewest: boolean
  /** The last of this page, when there are older ones. */
  nextBefore: string | undefined
  /** The number of undelivered events, whatever the filters. */
  failed: number
  mayChange: boolean
  /** The address that was refused, and why. */
  typed?: { url: string; problem: string }
}

const STATUS: Record<Delivery['status'], [word: string, tone: Tone]> = {
  queued: ['On its way', 'waiting'],
  delivered: ['Delivered', 'good'],
  parked: ['Given up', 'bad'],
}

export function webhooksBody(view: WebhooksView): Markup {
  const { endpoints, filters, deliveries, isNewest, nextBefore, failed, mayChange, typed, press } = view
  const chosen = { status: filters.status, type: filters.type, webhook: filters.webhookId }
  const query = new URLSearchParams(Object.entries(chosen).flatMap(([name, value]) => (value ? [[name, value]] : [])))
  return html`<h1>Webhooks</h1>
<p class="lead">The end of each report is sent to your server, signed as the Standard Webhooks specification says.</p>
${endpoints.map(
  ({ id, url, types }) => html`<div class="panel">
  <h2><code>${url}</code></h2>
  <p>${types === null ? 'All events go there.' : html`Only ${types.map((type, index) => html`${index === 0 ? '' : ', '}<code>${type}</code>`)}.`}</p>
  ${
    mayChange
      ? html`<div class="row">
    <form method="post" action="/console/webhooks/${id}/test">${press()}<button class="quiet" type="submit" aria-label="Send a test event to ${url}">Send a test event</button></form>
    <a class="quiet" href="/console/webhooks/${id}/rotate" aria-label="New secret for ${url}">New secret</a>
    <a class="quiet danger" href="/console/webhooks/${id}/remove" aria-label="Remove ${url}">Remove</a>
  </div>`
      : ''
  }
</div>`,
)}
${mayChange ? addForm(press, typed) : ''}
<h2>Events</h2>
<p class="hint">Delivered events are listed for 7 days, others for 30.</p>
${
  failed === 0
    ? ''
    : html`<div class="row"><p>${failed === 1 ? 'One event' : `${showNumber(failed)} events`} could not be delivered so far. <a href="${PATH}?status=parked">Those given up</a></p>
  ${mayChange ? html`<form method="post" action="${PATH}/resend-failed">${press()}<button class="quiet" type="submit">Send all failed events again</button></form>` : ''}</div>`
}
${filterForm(endpoints, filters)}
${
  deliveries.length > 0
    ? deliveriesTable(deliveries, mayChange ? press : null)
    : html`<p class="lead">${query.size > 0 ? 'No event matches.' : isNewest ? 'Nothing has been sent yet.' : 'There are no older events.'}</p>`
}
<p class="row">${isNewest ? '' : html`<a href="${PATH}?${query}">Newest events</a>`} ${nextBefore === undefined ? '' : html`<a href="${PATH}?${new URLSearchParams([...query, ['before', nextBefore]])}">Older events</a>`}</p>`
}

const PATH = '/console/webhooks'

function filterForm(endpoints: readonly Endpoint[], { status, type, webhookId }: WebhooksView['filters']) {
  const any = ['', 'Any'] as const
  const states = DELIVERY_STATUSES.map((each) => [each, STATUS[each][0]] as const)
  const types = WEBHOOK_EVENT_TYPES.map((each) => [each, each] as const)
  const addresses = endpoints.map(({ id, url }) => [id, url] as const)
  return html`<form class="panel row" method="get" action="${PATH}" aria-label="Filter the events">
  ${choice({ name: 'status', label: 'Status', chosen: status ?? '', options: [any, ...states] })}
  ${choice({ name: 'type', label: 'Event', chosen: type ?? '', options: [any, ...types] })}
  ${endpoints.length < 2 ? '' : choice({ name: 'webhook', label: 'Address', chosen: webhookId ?? '', options: [any, ...addresses] })}
  <button class="button" type="submit">Show</button>
</form>`
}

function addForm(press: Visit['press'], typed: WebhooksView['typed']): Markup {
  return html`<form class="panel split" method="post" action="/console/webhooks">
  <div><h2>Add an address</h2>
  <p class="hint">Your server answers with a status from 200 to 299 within 10 seconds; anything else is tried again for three days. The signing secret is shown once.</p></div>
  <div>
  ${field({ name: 'url', label: 'Address of your server', type: 'url', autocomplete: 'off', hint: 'For example https://shop.example/webhook', lengthMax: WEBHOOK_URL_LENGTH_MAX, value: typed?.url ?? '', error: typed?.problem })}
  <details><summary>Only some events</summary><fieldset class="checks"><legend class="hint">All events go there unless you tick some.</legend>
  ${CHOSEN_EVENT_TYPES.map((type) => html`<label><input type="checkbox" name="types" value="${type}"> ${type}</label>`)}</fieldset></details>
  ${press()}<button class="button" type="submit">Add</button>
  </div>
</form>`
}

/** `press`: null for those who may not send again. */
function deliveriesTable(deliveries: readonly ListedDelivery[], press: Visit['press'] | null): Markup {
  return showTable({
    label: 'Events',
    columns: [{ wide: 'Event' }, 'Status', { number: 'Attempts' }, 'Last answer', 'Time', ...(press ? [''] : [])],
    rows: deliveries.map((delivery) => [
      html`<a href="${pathOf(delivery)}">${delivery.type}</a><br><small class="address" title="${delivery.url}">${delivery.url}</small>`,
      html`${showStatus(...STATUS[delivery.status])}${nextTry(delivery)}`,
      showNumber(delivery.attempts),
      answerWords(delivery.lastOutcome),
      showTime(delivery.createdAtMs),
      ...(press ? [rowMenu(delivery, press)] : []),
    ]),
  })
}

function rowMenu(delivery: ListedDelivery, press: Visit['press']): Markup | '' {
  const form = resendForm(delivery, press)
  return form === '' ? '' : showActions(`What to do with ${delivery.type}`, [form])
}

function pathOf({ id }: Delivery): string {
  return `/console/webhooks/events/${id}`
}

function nextTry({ status, attempts, dueAtMs }: Delivery): Markup | '' {
  return status === 'queued' && attempts > 0 ? html`<br><small>next try ${showTime(dueAtMs)}</small>` : ''
}

function resendForm(delivery: Delivery, press: Visit['press']): Markup | '' {
  if (delivery.status === 'queued' && delivery.attempts === 0) return ''
  return html`<form method="post" action="${pathOf(delivery)}/resend">${press()}<button class="plain" type="submit">Send again</button></form>`
}

/** One event to one address: what was sent, and every attempt that is recorded. */
export function deliveryBody(delivery: ListedDelivery, press: Visit['press'] | null): Markup {
  const { id, type, url, creditReportId, status, attempts, lastOutcome, lastAnswer, createdAtMs, log } = delivery
  return html`<p><a href="${PATH}">Webhooks</a></p>
<h1>${type}</h1>
<dl class="facts">
  <dt>Status</dt><dd>${showStatus(...STATUS[status])}${nextTry(delivery)}</dd>
  ${creditReportId === null ? '' : html`<dt>Check</dt><dd>${checkLink(creditReportId)}</dd>`}
  <dt>Address</dt><dd><code>${url}</code></dd>
  <dt>Last answer</dt><dd>${answerWords(lastOutcome) || 'None yet. Reload this page in a moment.'}</dd>
  <dt>Attempts</dt><dd>${showNumber(attempts)}</dd>
  <dt>Time</dt><dd>${showTime(createdAtMs)}</dd>
  <dt>webhook-id</dt><dd>${showCode(id, 'webhook-id')}</dd>
</dl>
${press ? resendForm(delivery, press) : ''}
${log.length === 0 ? '' : attemptsTable(log)}
${lastAnswer ? html`<h2>Your server’s answer</h2><p class="hint">The first kilobyte of the last answer.</p>${showCopyLines(lastAnswer, 'Answer')}` : ''}
<h2>Body</h2>
<p class="hint">As it is sent, with line breaks added. Nothing about a person is in it but your own reference.</p>
${showCopyLines(pretty(delivery), 'Body')}`
}

function attemptsTable(log: readonly Attempt[]): Markup {
  return showTable({
    title: 'Newest attempts',
    label: 'Newest attempts',
    columns: [{ wide: 'Answer' }, 'Time', { number: 'Took' }],
    rows: log
      .toReversed()
      .map(({ atMs, outcome, tookMs }) => [answerWords(outcome), showTime(atMs), `${showNumber(tookMs)} ms`]),
  })
}

function pretty({ payload }: Delivery): string {
  return JSON.stringify(JSON.parse(payload), null, 2)
}

export function unknownDeliveryBody(): Markup {
  return html`<h1>No such event</h1>
<p>It may be too old to be listed, or its address was removed.</p>
<p><a class="button" href="/console/webhooks">Back to webhooks</a></p>`
}

const ANSWERS: { readonly [outcome: string]: string } = {
  delivered: 'Accepted',
  redirect: 'A redirect, which is not followed',
  'time-out': 'No answer within 10 seconds',
  disconnected: 'The connection was closed',
  unreachable: 'Not reachable',
  'not https': 'Not an https address',
  'forbidden address': 'An address of a private network, which is refused',
  'answer too large': 'An answer above 64 KiB',
  ECONNREFUSED: 'Connection refused',
  ECONNRESET: 'The connection was closed',
  ENOTFOUND: 'No such host',
  CERT_HAS_EXPIRED: 'The certificate has expired',
}

/** The outcome of an attempt; one without words of its own is a code of the network or of TLS. */
function answerWords(outcome: string | null): string {
  if (outcome === null) return ''
  return Object.hasOwn(ANSWERS, outcome) ? (ANSWERS[outcome] ?? outcome) : outcome.replace(/^status /, 'HTTP ')
}
