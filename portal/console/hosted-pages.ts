// Links to checks: made for a customer across the desk or on the phone, and what became of them.
import { html } from 'hono/html'
import { REFERENCE_LENGTH_MAX } from '../../contract/limits.ts'
import type { HostedLink, LinkState } from '../../contract/link.ts'
import { drawQr } from '../../hosted/qr-code.ts'
import { alert, choice, field, type Markup } from '../pages/layout.ts'
import type { Visit } from './frame.ts'
import { checkLink, showCopy, showMinute, showStatus, showTable, showTime, type Tone } from './show.ts'

const PATH = '/console/links'

const STATUS: Record<LinkState, [word: string, tone: Tone]> = {
  new: ['Not opened', 'neutral'],
  opened: ['Opened', 'waiting'],
  started: ['Check begun', 'waiting'],
  complete: ['Complete', 'good'],
  expired: ['Expired', 'neutral'],
  revoked: ['Revoked', 'bad'],
}

const LIFETIMES = [
  ['60', 'An hour'],
  ['1440', 'A day'],
  ['10080', 'A week'],
] as const

type LinksView = Pick<Visit, 'press'> & {
  links: readonly HostedLink[]
  /** The last of this page, when there are older ones. */
  nextAfter: string | undefined
  problem: string | undefined
}

export function linksBody({ links, nextAfter, problem, press }: LinksView): Markup {
  return html`<h1>Links</h1>
<p class="lead">A check on a page of ours, for a customer whom you send or show an address. One completed check for each link.</p>
${alert(problem)}
<form class="panel" method="post" action="${PATH}">
  <h2>New link</h2>
  ${field({ name: 'externalReference', label: 'Your reference', autocomplete: 'off', hint: 'For example an order number. It is on the report and in its webhooks.', lengthMax: REFERENCE_LENGTH_MAX, isOptional: true })}
  ${choice({
    name: 'mode',
    label: 'Mode',
    chosen: 'live',
    options: [
      ['live', 'Live: a completed check is charged'],
      ['test', 'Test: everything is invented, the code is 123456'],
    ],
  })}
  ${choice({ name: 'minutes', label: 'Works for', chosen: '1440', options: LIFETIMES })}
  ${press()}
  <button class="button" type="submit">Make the link</button>
</form>
${links.length === 0 ? html`<p class="lead">${nextAfter === undefined ? 'There are no links yet.' : 'There are no older links.'}</p>` : linksTable(links)}
${nextAfter === undefined ? '' : html`<p><a href="${PATH}?after=${nextAfter}">Older links</a></p>`}`
}

function linksTable(links: readonly HostedLink[]): Markup {
  return showTable({
    label: 'Links',
    columns: [{ wide: 'Reference' }, 'Status', 'Made', 'Check', 'Link'],
    rows: links.map(({ linkId, externalReference, status, test, createdAt, check }) => [
      `${externalReference ?? 'None'}${test ? ' (test)' : ''}`,
      showStatus(...STATUS[status]),
      showMinute(Date.parse(createdAt)),
      check ? checkLink(check.creditReportId) : '',
      html`<a href="${PATH}/${linkId}" aria-label="Show the link made ${createdAt}">Show</a>`,
    ]),
  })
}

type LinkView = Pick<Visit, 'press'> & { link: HostedLink; url: string | null }

export function linkBody({ link, url, press }: LinkView): Markup {
  const { linkId, externalReference, status, test, createdAt, openedAt, expiresAt, check } = link
  const isOpen = status === 'new' || status === 'opened' || status === 'started'
  return html`<h1>Link</h1>
<dl class="facts">
  <dt>Status</dt><dd>${showStatus(...STATUS[status])}${test ? ' Test mode' : ''}</dd>
  <dt>Reference</dt><dd>${externalReference ?? 'None'}</dd>
  <dt>Made</dt><dd>${showTime(Date.parse(createdAt))}</dd>
  <dt>Opened</dt><dd>${openedAt ? showTime(Date.parse(openedAt)) : 'Not yet'}</dd>
  <dt>Works until</dt><dd>${showMinute(Date.parse(expiresAt))}</dd>
  <dt>Check</dt><dd>${check ? checkLink(check.creditReportId) : 'None yet'}</dd>
  <dt>Link id</dt><dd>${showCopy(linkId, 'Link id')}</dd>
</dl>
${
  isOpen && url !== null
    ? html`<section class="panel" aria-labelledby="send">
  <h2 id="send">Send or show it</h2>
  <p>Anyone who has this address can do the check. Send it to one customer.</p>
  ${showCopy(url, 'Address of the check')}
  ${drawQr(url, 'QR code of the check')}
</section>
<form class="row" method="post" action="${PATH}/${linkId}/revoke">${press()}<button class="quiet danger" type="submit">Revoke the link</button></form>`
    : ''
}
<p><a href="${PATH}">Back to links</a></p>`
}

export function unknownLinkBody(): Markup {
  return html`<h1>No such link</h1>
<p>It may be too old to be listed.</p>
<p><a class="button" href="${PATH}">Back to links</a></p>`
}
