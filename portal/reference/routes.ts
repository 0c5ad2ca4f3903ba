import { type Context, Hono } from 'hono'
import type { ServiceEnv } from '../../service/http/context.ts'
import docsCss from './docs.css?raw'
import { type PublicClient, renderPage } from './page.ts'
import { readDocument } from './read-document.ts'
import referenceScript from './reference.js?raw'
import tryItScript from './try-it.js?raw'

type DocsOptions = {
  /** The document this service serves. */
  openApi: () => string
  publicClients: readonly PublicClient[]
}

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')
const CACHE_CONTROL = 'no-cache'

/** The API reference. */
export function docsRoutes({ openApi, publicClients }: DocsOptions): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>()
  // Rendered on the first visit, so that it costs nothing at start.
  let made: { from: string; page: string } | null = null

  // Relative: a reverse proxy may have taken a prefix off.
  routes.get('/', (context) => context.redirect('docs'))
  routes.get('/docs', async (context) => {
    const from = openApi()
    if (made?.from !== from) made = { from, page: String(await renderPage(readDocument(from), publicClients)) }
    context.header('Content-Security-Policy', POLICY)
    context.header('Cache-Control', CACHE_CONTROL)
    return context.html(made.page)
  })
  routes.get('/docs/docs.css', (context) => asset(context, docsCss, 'text/css; charset=utf-8'))
  for (const [name, script] of Object.entries({ reference: referenceScript, 'try-it': tryItScript })) {
    routes.get(`/docs/${name}.js`, (context) => asset(context, script, 'text/javascript; charset=utf-8'))
  }
  return routes
}

function asset(context: Context, body: string, type: string) {
  return context.body(body, 200, { 'Content-Type': type, 'Cache-Control': CACHE_CONTROL })
}
