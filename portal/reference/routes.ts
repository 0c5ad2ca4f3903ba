import { type Context, Hono } from 'hono'
import type { ServiceEnv } from '../../service/http/context.ts'
import docsCss from './docs.css?raw'
import { renderPage } from './page.ts'
import { readDocument } from './read-document.ts'
import tryItScript from './try-it.js?raw'

export type DocsOptions = {
  /** Lets a reader send requests as a demo tenant. */
  tryIt: boolean
}

const POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const TRY_IT_POLICY = `${POLICY}; script-src 'self'; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'`
const CACHE_CONTROL = 'no-cache'

/** The API reference. */
export function docsRoutes({ tryIt }: DocsOptions): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>()
  // Made on the first visit: a service that nobody reads about starts as fast as before.
  let page: Promise<string> | undefined

  // Relative: a reverse proxy may have taken a prefix off.
  routes.get('/', (context) => context.redirect('docs'))
  routes.get('/docs', async (context) => {
    page ??= Promise.resolve(renderPage(readDocument(), { tryIt })).then(String)
    context.header('Content-Security-Policy', tryIt ? TRY_IT_POLICY : POLICY)
    context.header('Cache-Control', CACHE_CONTROL)
    return context.html(await page)
  })
  routes.get('/docs/docs.css', (context) => asset(context, docsCss, 'text/css; charset=utf-8'))
  if (tryIt) {
    routes.get('/docs/try-it.js', (context) => asset(context, tryItScript, 'text/javascript; charset=utf-8'))
  }
  return routes
}

function asset(context: Context, text: string, type: string) {
  return context.body(text, 200, { 'Content-Type': type, 'Cache-Control': CACHE_CONTROL })
}
