// The pages behind links: one stylesheet, one script, the widget and the fingerprint script; nothing of anyone else.
import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { html, raw } from 'hono/html'
import { isCalendarDate } from '../contract/calendar-date.ts'
import type { LenderPage } from './lender-page.ts'
import type { Link } from './links.ts'
import { drawQr } from './qr-code.ts'

type Markup = ReturnType<typeof html>

export type Look = Pick<LenderPage, 'accentColour' | 'privacyUrl' | 'logo'> & {
  name: string
  /** `/c/{token}`. */
  path: string
  link: Link
  /** The address of the fingerprint script. */
  serviceUrl: string
}

type Page = { title: string; body: Markup; look?: Look; hasWidget?: boolean; wide?: Markup | '' }

export function answerPage(context: Context, page: Page, status: 200 | 400 | 403 | 404 = 200) {
  const { look, hasWidget = false } = page
  const accent = styleOf(look)
  const service = look ? new URL(look.serviceUrl).origin : ''
  const policy = [
    `default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; img-src 'self'`,
    `style-src 'self'${accent && ` 'sha256-${createHash('sha256').update(accent).digest('base64')}'`}`,
    ...(hasWidget ? [`script-src 'self' ${service}; connect-src 'self' ${service}`] : []),
  ]
  context.header('Content-Security-Policy', policy.join('; '))
  context.header('Cache-Control', 'no-store')
  context.header('Cross-Origin-Opener-Policy', 'same-origin')
  // The address is the proof: it goes nowhere.
  context.header('Referrer-Policy', 'no-referrer')
  context.header('X-Robots-Tag', 'noindex')
  return context.html(render(page, accent), status)
}

/** In the dark our own accent stays: the lender's is known to be readable on white alone. */
function styleOf(look: Look | undefined): string {
  if (!look?.accentColour) return ''
  const { accentColour: accent } = look
  return `@media (prefers-color-scheme: light) { :root { --accent: ${accent}; --credit-report-accent: ${accent}; --credit-report-accent-hover: color-mix(in srgb, ${accent}, #000 20%); } }`
}

function render({ title, body, look, hasWidget = false, wide = '' }: Page, accent: string): Markup {
  const logo = look?.logo && html`<img class="logo" src="${look.path}/logo" alt="">`
  return html`<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="format-detection" content="telephone=no">
<title>${title}</title>
<link rel="stylesheet" href="/c/files/page.css">
${look?.logo ? html`<link rel="icon" href="${look.path}/logo">` : ''}
${accent ? html`<style>${raw(accent)}</style>` : ''}
${
  hasWidget && look
    ? html`<script async src="${look.serviceUrl}/v1/fingerprints/device"></script>
<script async src="/c/files/widget.js"></script>
<script defer src="/c/files/page.js"></script>`
    : ''
}
</head>
<body>
${look ? html`<header>${logo || ''}<p>${look.name}</p></header>` : ''}
<div class="frame">
<main id="main">
${body}
</main>
${wide}
</div>
</body>
</html>`
}

/** For a link that never was, has expired or was revoked: always the same. */
export function showNoLink(): Page {
  const body = html`<h1>This link does not work</h1>
<p>It may have expired, or a part of it may be missing.</p>
<p>Ask the company that sent it to you for a new one. Nothing was checked and nothing was charged.</p>`
  return { title: 'This link does not work', body }
}

export function showEnd(look: Look): Page {
  const isComplete = look.link.check?.status === 'complete'
  const body = html`<h1>${isComplete ? 'Your check is complete' : 'This check cannot be opened here'}</h1>
<p>${
    isComplete
      ? html`${look.name} has the result. You can close this page.`
      : html`Go on with it on the device it was begun on, or ask ${look.name} for a new link.`
  }</p>
${isComplete ? backLink(look) : ''}`
  return { title: isComplete ? 'Check complete' : 'Check not shown', body, look }
}

const DATE_PARTS = [
  ['day', 'Day', 2],
  ['month', 'Month', 2],
  ['year', 'Year', 4],
] as const

/** The date that the form above sends, as `1985-03-27`; null for anything that is no date. */
export function readBirth(form: URLSearchParams): string | null {
  const [day = '', month = '', year = ''] = DATE_PARTS.map(([name]) => (form.get(name) ?? '').trim())
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isCalendarDate(date) ? date : null
}

/** The check was begun on another device. */
export function askBirth(look: Look, problem?: string): Page {
  const body = html`<h1>Is this your check?</h1>
<p>It was begun on another device. To go on here, give the date of birth that was entered there.</p>
<form method="post" action="${look.path}/open">
  <fieldset${problem ? html` aria-describedby="problem"` : ''}><legend>Date of birth</legend>
  ${problem ? html`<p class="error" id="problem" role="alert">${problem}</p>` : ''}
  <div class="date">${DATE_PARTS.map(
    ([name, label, length]) =>
      html`<p><label for="${name}">${label}</label><input id="${name}" name="${name}" inputmode="numeric" maxlength="${length}" size="${length}" required autocomplete="off"${problem ? html` aria-invalid="true"` : ''}></p>`,
  )}</div></fieldset>
  <button type="submit">Continue</button>
</form>
<p>If you did not begin a check, ask ${look.name} about it.</p>`
  return { title: problem ? 'Error: is this your check?' : 'Is this your check?', body, look }
}

type Shown = {
  /** Of `proxy.begin()`. */
  start: string | null
  /** The address of the QR code; null where this is the second device, or the check has begun. */
  handOff: string | null
  isElsewhere: boolean
}

export function showCheck(look: Look, { start, handOff, isElsewhere }: Shown): Page {
  const { name, link, privacyUrl, logo, path } = look
  const back = link.return_url === null ? null : backOf(link)
  const openedElsewhere = `This link was also opened on another device. If that was not you, ask ${name} for a new link.`
  const widget = html`<credit-report-widget endpoint="${path}/check" heading-level="2"${start && html` start="${start}"`}${
    privacyUrl && html` privacy-url="${privacyUrl}"`
  }${back && html` next-label="Back to ${name}"`}><p slot="intro">${name} asks for this check. It takes about three minutes, and you need your phone. If you did not expect it, ask ${name} before you fill it in.</p>
<div slot="letterhead">${logo && html`<img src="${path}/logo" height="40" alt="">`}<p>${name}</p></div></credit-report-widget>`
  const body = html`<h1>Credit check for ${name}</h1>
<p class="notice" id="elsewhere" role="status">${isElsewhere ? openedElsewhere : ''}</p>
<div id="check" data-path="${path}" data-lender="${name}"${back && html` data-back="${back}"`} data-elsewhere="${openedElsewhere}">${widget}</div>
<section id="away" tabindex="-1" hidden><h2>Go on with your other device</h2>
<p>The check was begun there. This page follows by itself.</p>
<p><a href="${path}">Use this device instead</a></p></section>
<section id="done" tabindex="-1" hidden><h2>The check is complete</h2>
<p>${back ? html`You can close this page, or go <a href="${back}">back to ${name}</a>.` : 'You can close this page.'}</p></section>
<noscript><p>This page needs JavaScript. Open the link in another browser.</p></noscript>`
  const wide = handOff === null ? '' : handOffPanel(handOff)
  return { title: `Credit check for ${name}`, body, look, hasWidget: true, wide }
}

function handOffPanel(address: string): Markup {
  return html`<aside id="hand-off" aria-labelledby="hand-off-title"><h2 id="hand-off-title">Continue on your phone</h2>
${drawQr(address, 'QR code that opens this check on your phone')}
<p>Point your phone’s camera at it. This page follows by itself.</p></aside>`
}

function backLink(look: Look): Markup | '' {
  return look.link.return_url === null
    ? ''
    : html`<p><a class="button" href="${backOf(look.link)}">Back to ${look.name}</a></p>`
}

function backOf({ id, return_url }: Link): string {
  const url = new URL(return_url ?? '')
  url.searchParams.set('linkId', id)
  return url.href
}
