import { Hono } from 'hono'
import type { ServiceEnv } from '../../service/http/context.ts'
import { type PreparedText, prepareText, RUN_TIME_QUALITY, sendPrepared } from '../../service/http/prepared-text.ts'
import type { Link } from '../pages/layout.ts'
import look from '../pages/look.css?raw'
import docsCss from './docs.css?raw'
import { type PublicClient, renderPage } from './page.ts'
import { readDocument } from './read-document.ts'
import referenceScript from './reference.js?raw'
import tryItScript from './try-it.js?raw'

type DocsOptions = {
  /** The document this service serves. */
  openApi: () => string
  publicClients: readonly PublicClient[]
  links: readonly Link[]
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

/** The API reference. */
export function docsRoutes({ openApi, publicClients, links }: DocsOptions): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>()
  // Rendered on the first visit, so that it costs nothing at start.
  let made: { from: string; page: PreparedText } | null = null

  // Relative: a reverse proxy may have taken a prefix off.
  routes.get('/', (context) => context.redirect('docs'))
  routes.get('/docs', async (context) => {
    const from = openApi()
    if (made?.from !== from) {
      const page = String(await renderPage(readDocument(from), { publicClients, links }))
      made = { from, page: prepareText(page, RUN_TIME_QUALITY) }
    }
    context.header('Content-Security-Policy', POLICY)
    return sendPrepared(context, made.page, headersOf('text/html'))
  })
  for (const [name, type, text] of ASSETS) {
    const prepared = prepareText(text, RUN_TIME_QUALITY)
    routes.get(`/docs/${name}`, (context) => sendPrepared(context, prepared, headersOf(type)))
  }
  return routes
}

const ASSETS = [
  ['docs.css', 'text/css', look + docsCss],
  ['reference.js', 'text/javascript', referenceScript],
  ['try-it.js', 'text/javascript', tryItScript],
] as const

const headersOf = (type: string) => ({ 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'no-cache' })
