// The developers' preview: its pages, and everything below them.
import { Hono } from 'hono'
import { PROXY_PATH } from '../../contract/proxy-path.ts'
import earlyScript from '../host/early.js?raw'
import hostileCss from '../host/hostile.css?raw'
import { type HostPage, hostPolicy, renderHost } from '../host/page.ts'
import { isPreset } from '../host/presets.ts'
import { journeys } from '../journeys/journeys.ts'
import { PREVIEW_POLICY, renderPreview } from '../preview/page.ts'
import { type PanelOptions, panelRoutes } from './panel-routes.ts'
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
    context.header('Content-Security-Policy', hostPolicy(page))
    context.header('Cache-Control', 'no-store')
    return context.html(renderHost(page))
  })
  routes.get('/early.js', () => text(earlyScript, 'text/javascript; charset=utf-8'))
  routes.get('/hostile.css', () => text(hostileCss, 'text/css; charset=utf-8'))
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
  }
}

function text(body: string, type: string): Response {
  return new Response(body, { headers: { 'Content-Type': type, 'Cache-Control': 'no-cache' } })
}
