// A lender's checkout, with the widget in it as the README says. Invented from the first word to the last pound.
import { html } from 'hono/html'
import { showPence } from '../../contract/money.ts'
import { SERVICE_NAME } from '../../portal/pages/layout.ts'
import { type Plan, quote } from './quote.ts'

type ShopPage = {
  /** The service as browsers reach it. */
  publicServiceUrl: string
}

/** The page's content security policy. The widget needs nothing beyond it. */
export function shopPolicy({ publicServiceUrl }: ShopPage): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${publicServiceUrl}`,
    `connect-src 'self' ${publicServiceUrl}`,
    "style-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

const plan: Plan = { pricePence: 1_849_500, depositPence: 200_000, finalPence: 712_500, months: 48, aprPercent: 8.9 }

export function renderShop({ publicServiceUrl }: ShopPage) {
  return html`<!doctype html>
<html lang="en-GB">
<head>
${inEveryHead('Credit check')}
<script async src="${publicServiceUrl}/v1/fingerprints/device"></script>
<script async src="/credit-reports/widget.js"></script>
<script type="module" src="/assets/shop.js"></script>
</head>
<body>
<aside class="ribbon" aria-label="About this demonstration">
  <p><b>${SERVICE_NAME}</b> A demonstration: the lender, the car and the credit files are invented.</p>
  <nav aria-label="Elsewhere"><a href="/preview">Preview every flow</a> <a href="${publicServiceUrl}/docs">API reference</a> <a href="${publicServiceUrl}/console">Console</a></nav>
</aside>
<header>
<div class="top">
  <a class="brand" href="/">${mark}<span>Wrenfield</span></a>
  <p class="promise">Car finance, plainly put</p>
</div>
<ol class="progress" aria-label="Your application">
  <li class="done"><span class="dot">${tick}</span>Your car</li>
  <li class="done"><span class="dot">${tick}</span>Your plan</li>
  <li class="now" aria-current="step"><span class="dot">3</span>Credit check</li>
  <li id="last-step"><span class="dot">4</span>Decision</li>
</ol>
</header>
<main class="checkout">
  <section class="check" aria-labelledby="check-title">
    <h1 id="check-title">One check, then a decision</h1>
    <p class="lead">We ask the credit reference agencies for your report. You see everything we see.</p>
    <div id="decision" class="decision" role="status" hidden></div>
    <credit-report-widget endpoint="/credit-reports" search="soft" privacy-url="/privacy"></credit-report-widget>
    <p class="elsewhere" id="elsewhere"><span role="status">Rather do it on your phone?</span> <button type="button" id="send-link" class="quiet">Send me a link</button></p>
    <details class="guide">
      <summary>How to steer this demonstration</summary>
      <p>The last name decides how the check ends. Everything else can be anything that looks right. Every postcode has twelve invented
      addresses; one that ends like 0AA has none, 8AA one, 9AA a hundred.</p>
      <dl>
        <div><dt>Allow</dt><dd>the report comes at once</dd></div>
        <div><dt>Block</dt><dd>the check stops</dd></div>
        <div><dt>any other name</dt><dd>a code arrives on the phone beside this page</dd></div>
      </dl>
      <p><button type="button" id="fill" class="quiet">Fill the form for me</button></p>
    </details>
  </section>
  ${renderSummary(plan)}
</main>
${renderPhone()}
<footer class="bottom">
  <p>Wrenfield is not a company. Nothing you type here leaves this machine.</p>
</footer>
</body>
</html>`
}

/** A lender's own notice in a few lines: a real one is longer, and a lawyer's. */
export function renderPrivacy() {
  return html`<!doctype html>
<html lang="en-GB">
<head>
${inEveryHead('Privacy')}
</head>
<body>
<header class="top"><a class="brand" href="/">${mark}<span>Wrenfield</span></a></header>
<main>
  <h1>How Wrenfield uses your details</h1>
  <p>We ask the credit reference agencies for your report to decide whether to lend to you, and keep our copy for 30 days.</p>
  <p>To prevent fraud, our credit-check provider looks at a few technical details of your browser (such as its language, time zone and screen size). They are deleted within an hour. Scrambled traces that only show whether the same device is used for many names are kept for 30 days.</p>
  <p>You can ask us for a copy of what we hold, to correct it, or to have a person look at a decision.</p>
</main>
</body>
</html>`
}

const inEveryHead = (title: string) => html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Wrenfield car finance</title>
<link rel="stylesheet" href="/assets/shop.css">
<link rel="icon" href="/icon.svg">`

function renderSummary(plan: Plan) {
  const { borrowedPence, monthlyPence, creditChargePence, totalPence } = quote(plan)
  const rows: [label: string, pence: number][] = [
    ['Cash price', plan.pricePence],
    ['Your deposit', plan.depositPence],
    ['Amount of credit', borrowedPence],
    ['Optional final payment', plan.finalPence],
    ['Charge for credit', creditChargePence],
    ['Total amount payable', totalPence],
  ]
  return html`<section class="summary" aria-labelledby="summary-title">
    <div class="picture">${car}</div>
    <h2 id="summary-title">Halden Merrow Saloon</h2>
    <p class="trim">1.5 hybrid, 2024, 11,300 miles, moss green</p>
    <p class="monthly"><strong>${showPence(monthlyPence)}</strong> a month for ${plan.months} months</p>
    <p class="rate">${plan.aprPercent.toFixed(1)}% APR representative · personal contract purchase</p>
    <details>
      <summary>The whole plan</summary>
      <dl>${rows.map(([label, pence]) => html`<div><dt>${label}</dt><dd>${showPence(pence)}</dd></div>`)}</dl>
    </details>
  </section>`
}

function renderPhone() {
  return html`<aside class="phone" id="phone" aria-label="A phone, for this demonstration">
  <button type="button" class="phone-toggle" id="phone-toggle" aria-expanded="false" aria-controls="phone-screen">
    <span class="phone-island" aria-hidden="true"></span>
    <span class="phone-title">Your phone</span>
    <span class="phone-badge" id="phone-badge" hidden></span>
  </button>
  <div class="phone-screen" id="phone-screen">
    <p class="phone-clock" id="phone-clock" aria-hidden="true"></p>
    <ol class="texts" id="texts" role="log" aria-label="Text messages"></ol>
    <p class="phone-empty" id="phone-empty">Texts from the check arrive here. Tap one to copy its code.</p>
  </div>
</aside>`
}

// The shop's pictures, drawn by hand. They take their colours from the style sheet.

/** A wren on a line: the lender's mark. */
const mark = html`<svg class="mark" viewBox="0 0 40 40" width="36" height="36" aria-hidden="true">
<rect class="mark-ground" width="40" height="40" rx="11"/>
<path class="mark-bird" d="M8.5 12.5c3.6.4 6 2.3 7.6 5.2 1.2-3.3 4.3-5.7 8.1-5.7 3.1 0 5.6 1.5 6.9 3.8l3.4.9-3 1.7c0 5.6-4.3 10.1-10.2 10.1-6.6 0-11.4-5.4-12.8-16z"/>
<path class="mark-line" d="M17.6 28.2v3.3M22.6 28.5v3M9 31.9h22"/>
<circle class="mark-eye" cx="26.6" cy="16.6" r="1.2"/>
</svg>`

const car = html`<svg class="car" viewBox="0 0 340 150" role="img" aria-label="Side view of a green saloon car">
<ellipse class="car-shadow" cx="170" cy="126" rx="150" ry="9"/>
<path class="car-body" d="M22 108c-4-1-6-4-6-9l1-15c1-10 6-16 15-19l16-5c15-15 30-24 48-27 22-4 62-4 88 0 18 3 33 12 50 26l50 9c22 4 34 13 36 27l1 7c0 4-2 6-6 6h-29a28 28 0 0 0-56 0H112a28 28 0 0 0-56 0z"/>
<path class="car-shade" d="M17 92h303l1 10c0 4-2 6-6 6h-29a28 28 0 0 0-56 0H112a28 28 0 0 0-56 0H22c-4-1-6-4-6-9z"/>
<path class="car-glass" d="M64 59c11-9 22-15 34-17 8-1.500 18-2.200 28-2.400V60zM134 39.400c18-.3 36 .5 48 2.600 12 2 25 9 37 19l-85-.800z"/>
<path class="car-seam" d="M130 39v62M196 61c4 12 4 26-1 40M60 66h214"/>
<path class="car-handle" d="M110 73h12M176 73h12"/>
<path class="car-lamp" d="M296 71c10 2 16 6 19 11l-14-1c-4 0-7-5-5-10z"/>
<path class="car-tail" d="M20 78c2-6 6-10 13-12l2 9c0 3-2 5-5 5z"/>
<g class="car-wheel"><circle cx="84" cy="108" r="22"/><circle cx="258" cy="108" r="22"/></g>
<g class="car-rim"><circle cx="84" cy="108" r="13"/><circle cx="258" cy="108" r="13"/></g>
<g class="car-spokes"><path d="M84 96v24M73.600 102l20.800 12M94.400 102l-20.800 12M258 96v24M247.600 102l20.800 12M268.400 102l-20.800 12"/></g>
<g class="car-hub"><circle cx="84" cy="108" r="3.500"/><circle cx="258" cy="108" r="3.500"/></g>
</svg>`

const tick = html`<svg class="tick" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path d="M5 12.500l4.500 4.500L19 7.500"/></svg>`
