// The document the previewed widget lives in. Its own, so that style sheets and policies of a preset apply to it alone.
import { html, raw } from 'hono/html'
import { PRESETS, type Preset } from './presets.ts'

type HtmlPart = ReturnType<typeof html>

export type HostPage = {
  publicServiceUrl: string
  endpoint: string
  preset: Preset
  fingerprint: 'allowed' | 'blocked'
  direction: 'ltr' | 'rtl'
  /** Inside a form that cannot be sent before the check is complete. */
  isRequired: boolean
  /** More attributes of the element. */
  attributes: readonly (readonly [name: string, value: string])[]
}

export function hostPolicy({ preset, fingerprint, publicServiceUrl }: HostPage): string {
  const isBlocked = fingerprint === 'blocked'
  const service = isBlocked ? '' : ` ${publicServiceUrl}`
  const framing = "frame-ancestors 'self'"
  if (!PRESETS[preset].isStrict) return isBlocked ? `script-src 'self'; connect-src 'self'; ${framing}` : framing
  return [
    "default-src 'none'",
    `script-src 'self'${service}`,
    `connect-src 'self'${service}`,
    "style-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    framing,
  ].join('; ')
}

export function renderHost({ publicServiceUrl, endpoint, preset, direction, isRequired, attributes }: HostPage) {
  const tag = [['endpoint', endpoint], ...attributes].map(([name, value]) => html` ${raw(name)}="${value}"`)
  return html`<!doctype html>
<html lang="en-GB" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>A host page of the preview</title>
<script src="/preview/early.js"></script>
<link rel="stylesheet" href="/assets/host.css">
${PRESETS[preset].sheets.map((href) => html`<link rel="stylesheet" href="${href}">`)}
<script async src="${publicServiceUrl}/v1/fingerprints/device"></script>
<script async src="/credit-reports/widget.js"></script>
<script type="module" src="/assets/host.js"></script>
</head>
<body>
${preset === 'bootstrap' ? bootstrapAround : ''}
${preset === 'tailwind' || preset === 'hostile' ? headingAround : ''}
${isRequired ? inForm(tag) : html`<credit-report-widget${tag}></credit-report-widget>`}
</body>
</html>`
}

const inForm = (tag: HtmlPart[]) => html`<form>
<credit-report-widget${tag} name="creditReportId" required></credit-report-widget>
<p><button>Place the order</button> <output></output></p>
</form>`

const bootstrapAround =
  raw(`<nav class="navbar bg-body-tertiary mb-3 px-3"><span class="navbar-brand">A Bootstrap shop</span>
<button type="button" class="btn btn-primary">Basket</button></nav>`)

const headingAround = raw('<h1>The page’s own heading</h1>')
