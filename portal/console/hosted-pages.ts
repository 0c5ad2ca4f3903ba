// Links to checks: made for a customer across the desk or on the phone, and what became of them.
import { html } from 'hono/html'
import { PAGE_URL_LENGTH_MAX } from '../../contract/lender-page.ts'
import { REFERENCE_LENGTH_MAX } from '../../contract/limits.ts'
import type { HostedLink, LinkState } from '../../contract/link.ts'
import type { LenderPage } from '../../hosted/lender-page.ts'
import { drawQr } from '../../hosted/qr-code.ts'
import { alert, choice, field, type Markup, textArea } from '../pages/layout.ts'
import { problemWith, type Refusal } from './act-form.ts'
import type { Visit } from './frame.ts'
import { checkLink, showCode, showCopy, showMinute, showStatus, showTable, showTime, type Tone } from './show.ts'

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
<p class="lead">A check on a page of ours, for a customer whom you send or show an address.</p>
${alert(problem)}
<form class="panel split" method="post" action="${PATH}">
  <div><h2>New link</h2>
  <p class="hint">One completed check for each link.</p></div>
  <div>
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
  </div>
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
      html`<a class="plain" href="${PATH}/${linkId}" aria-label="Show the link made ${createdAt}">Show</a>`,
    ]),
  })
}

type LinkView = Pick<Visit, 'press'> & { link: HostedLink; url: string | null }

export function linkBody({ link, url, press }: LinkView): Markup {
  const { linkId, externalReference, status, test, createdAt, openedAt, expiresAt, check } = link
  const isOpen = status === 'new' || status === 'opened' || status === 'started'
  return html`<p><a href="${PATH}">Links</a></p>
<h1>Link</h1>
<dl class="facts">
  <dt>Status</dt><dd>${showStatus(...STATUS[status])}${test ? ' Test mode' : ''}</dd>
  <dt>Reference</dt><dd>${externalReference ?? 'None'}</dd>
  <dt>Made</dt><dd>${showTime(Date.parse(createdAt))}</dd>
  <dt>Opened</dt><dd>${openedAt ? showTime(Date.parse(openedAt)) : 'Not yet'}</dd>
  <dt>Works until</dt><dd>${showMinute(Date.parse(expiresAt))}</dd>
  <dt>Check</dt><dd>${check ? checkLink(check.creditReportId) : 'None yet'}</dd>
  <dt>Link id</dt><dd>${showCode(linkId, 'Link id')}</dd>
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
}`
}

/** Fields of one word or one address. */
export const LOOK_WORDS = ['name', 'accentColour', 'privacyUrl'] as const

type LookView = Pick<Visit, 'press'> & {
  page: LenderPage
  /** Its name at the service. */
  lender: string
  mayChange: boolean
  refused: (Refusal & { form: URLSearchParams }) | undefined
}

export function lookBody({ page, lender, mayChange, refused, press }: LookView): Markup {
  const { name, accentColour, privacyUrl, returnUrls, logo } = page
  const lead = html`<h1>Hosted page</h1>
<p class="lead">The page that your links open: its design, and the addresses it may lead back to.</p>`
  if (!mayChange)
    return html`${lead}
<dl class="facts">
  <dt>Name</dt><dd>${name ?? lender}</dd>
  <dt>Colour</dt><dd>${accentColour ?? 'Ours'}</dd>
  <dt>Logo</dt><dd>${logo ? 'Set' : 'None'}</dd>
  <dt>Privacy notice</dt><dd>${privacyUrl ?? 'None'}</dd>
  <dt>Return addresses</dt><dd>${returnUrls.join(', ') || 'None'}</dd>
</dl>`
  const isTyped = refused?.form.has('returnUrls') === true
  const shared = (field: (typeof LOOK_WORDS)[number] | 'returnUrls', now: string | null) => ({
    name: field,
    autocomplete: 'off',
    isOptional: true,
    value: isTyped ? (refused.form.get(field) ?? '') : (now ?? ''),
    error: refused && problemWith(field, refused),
  })
  return html`${lead}
${alert(refused && !isTyped ? refused.refused : undefined)}
<form class="panel split" method="post" action="/console/hosted-page">
  <div><h2>Look and addresses</h2>
  <p class="hint">All of it may stay empty.</p></div>
  <div>
  ${field({ ...shared('name', name), label: 'Name', hint: `What customers read at the top; ${lender} when empty.` })}
  ${field({ ...shared('accentColour', accentColour), label: 'Colour', hint: 'Of buttons and bars, such as #0b5cad. White words must be readable on it. In the dark the page keeps our own.' })}
  ${field({ ...shared('privacyUrl', privacyUrl), type: 'url', label: 'Your privacy notice', lengthMax: PAGE_URL_LENGTH_MAX })}
  ${textArea({ ...shared('returnUrls', returnUrls.join('\n')), label: 'Return addresses', hint: 'One on each line. A link may lead back to one of these, or below it.' })}
  ${press()}
  <button class="button" type="submit">Change the page</button>
  </div>
</form>
<form class="panel split" method="post" action="/console/hosted-page/logo" enctype="multipart/form-data">
  <div><h2>Logo</h2>
  <p class="hint">${logo ? 'The page shows your logo.' : 'The page has no logo.'} A PNG or WebP picture of at most 100 kB; it stands on white, and on a dark ground in the dark.</p></div>
  <div>
  <div class="field"><label for="logo">New logo</label><input class="input" id="logo" name="logo" type="file" required accept="image/png,image/webp"></div>
  ${press()}
  <button class="button" type="submit">Set the logo</button>
  </div>
</form>
${
  logo
    ? html`<form class="row" method="post" action="/console/hosted-page/logo">${press()}<button class="quiet danger" type="submit">Take the logo away</button></form>`
    : ''
}`
}

export function unknownLinkBody(): Markup {
  return html`<h1>No such link</h1>
<p>It may be too old to be listed.</p>
<p><a class="button" href="${PATH}">Back to links</a></p>`
}
