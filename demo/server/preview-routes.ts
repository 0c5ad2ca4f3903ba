// The developers' preview: its pages, and everything below them.
import { Hono } from 'hono'
import { html } from 'hono/html'
import { PROXY_PATH } from '../../contract/proxy-path.ts'
import { SERVICE_NAME } from '../../portal/pages/layout.ts'
import earlyScript from '../host/early.js?raw'
import hostileCss from '../host/hostile.css?raw'
import { TAG_ATTRIBUTES } from '../host/lender-parts.ts'
import { type HostPage, hostPolicy, renderHost } from '../host/page.ts'
import { isPreset } from '../host/presets.ts'
import { journeys } from '../journeys/journeys.ts'
import { STAGES_PATH } from '../stages.ts'
import { type PanelOptions, panelRoutes } from './panel-routes.ts'
import { makeShopLink } from './send-link.ts'
import type { DemoEnv } from './shop-routes.ts'

/** Mounted below `/preview`. */
export function previewRoutes(parts: PanelOptions): Hono<DemoEnv> {
  const { publicServiceUrl } = parts
  const routes = new Hono<DemoEnv>()

  routes.get('/', (context) => {
    context.header('Content-Security-Policy', PREVIEW_POLICY)
    return context.html(renderPreview({ publicServiceUrl }))
  })
  routes.get('/host', (context) => {
    const page = readHostPage(new URL(context.req.url).searchParams, publicServiceUrl)
    const [, label] = page.endpoint.split(`${STAGES_PATH}/known/`)
    const start = label && parts.stageMounts.begin('known', label, context.req.raw)
    if (start) page.attributes = [...page.attributes, ['start', start]]
    context.header('Content-Security-Policy', hostPolicy(page))
    context.header('Cache-Control', 'no-store')
    return context.html(renderHost(page))
  })
  routes.get('/early.js', () => text(earlyScript, 'text/javascript; charset=utf-8'))
  routes.get('/hostile.css', () => text(hostileCss, 'text/css; charset=utf-8'))
  // The page behind a link cannot be framed: it opens in a tab of its own, in test mode.
  routes.get('/link', async (context) => {
    const { origin } = new URL(context.req.url)
    const { url } = await makeShopLink(parts.clients['demo-lender'], origin, { test: true })
    context.header('Cache-Control', 'no-store')
    return context.redirect(url, 303)
  })
  routes.get('/journeys.json', (context) => context.json(journeys))
  routes.route('/', panelRoutes(parts))
  return routes
}

function readHostPage(query: URLSearchParams, publicServiceUrl: string): HostPage {
  const preset = query.get('preset') ?? ''
  return {
    publicServiceUrl,
    endpoint: query.get('endpoint') ?? PROXY_PATH,
    preset: isPreset(preset) ? preset : 'plain',
    fingerprint: query.get('fingerprint') === 'blocked' ? 'blocked' : 'allowed',
    direction: query.get('dir') === 'rtl' ? 'rtl' : 'ltr',
    isRequired: query.get('form') === 'required',
    attributes: TAG_ATTRIBUTES.flatMap((name) => (query.has(name) ? [[name, query.get(name) ?? ''] as const] : [])),
  }
}

function text(body: string, type: string): Response {
  return new Response(body, { headers: { 'Content-Type': type, 'Cache-Control': 'no-cache' } })
}

const PREVIEW_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

function renderPreview({ publicServiceUrl }: { publicServiceUrl: string }) {
  return html`<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Preview · ${SERVICE_NAME}</title>
<link rel="stylesheet" href="/assets/preview.css">
<link rel="icon" href="/icon.svg">
<script type="module" src="/assets/preview.js"></script>
</head>
<body data-service="${publicServiceUrl}" data-product="${SERVICE_NAME}">
<noscript>The preview needs JavaScript.</noscript>
</body>
</html>`
}
