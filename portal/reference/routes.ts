import { Hono } from 'hono'
import agents from '../../packages/AGENTS-widget.md?raw'
import llms from '../../packages/llms.txt?raw'
import type { ServiceEnv } from '../../service/http/context.ts'
import { type PreparedText, prepareText, RUN_TIME_QUALITY, sendPrepared } from '../../service/http/prepared-text.ts'
import type { Link } from '../pages/layout.ts'
import look from '../pages/look.css?raw'
import docsCss from './docs.css?raw'
import { type PublicClient, type Reference, readReference, renderPage } from './page.ts'
import referenceScript from './reference.js?raw'
import searchScript from './search.js?raw'
import { listEntries } from './search-entries.ts'
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

/** The guides as they are written, for programs that read before they write. */
const GUIDES: { [path: string]: string } = import.meta.glob(['../../docs/lender/*.md', '../../docs/auditor/*.md'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** The API reference, and every guide as Markdown. */
export function docsRoutes({ openApi, publicClients, links }: DocsOptions): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>()
  // Rendered on the first visit, so that it costs nothing at start.
  let made: { from: string; reference: Reference; texts: Map<string, PreparedText> } | null = null

  /** The page of this name, or the entries of the search. Null: there is none. */
  async function prepare(name: string): Promise<PreparedText | null> {
    const from = openApi()
    if (made?.from !== from) made = { from, reference: readReference(from), texts: new Map() }
    const { reference, texts } = made
    const known = texts.get(name)
    if (known) return known
    const isSearch = name === SEARCH
    const markup = isSearch ? null : renderPage(reference, name, { publicClients, links })
    if (!isSearch && !markup) return null
    const text = prepareText(isSearch ? JSON.stringify(listEntries(reference)) : String(await markup), RUN_TIME_QUALITY)
    texts.set(name, text)
    return text
  }

  // Relative: a reverse proxy may have taken a prefix off.
  routes.get('/', (context) => context.redirect('docs'))
  for (const [path, type, text] of ASSETS) {
    const prepared = prepareText(text, RUN_TIME_QUALITY)
    routes.get(path, (context) => sendPrepared(context, prepared, headersOf(type)))
  }
  for (const path of ['/docs', '/docs/:page']) {
    routes.get(path, async (context) => {
      const name = context.req.param('page') ?? ''
      const text = await prepare(name)
      if (!text) return context.notFound()
      context.header('Content-Security-Policy', POLICY)
      return sendPrepared(context, text, headersOf(name === SEARCH ? 'application/json' : 'text/html'))
    })
  }
  routes.get('/docs/:room/:page', (context) => {
    const { room, page } = context.req.param()
    const guide = GUIDES[`../../docs/${room}/${page}`]
    if (guide === undefined) return context.notFound()
    return context.body(guide, 200, headersOf('text/markdown'))
  })
  return routes
}

const SEARCH = 'search.json'

const ASSETS = [
  ['/docs/docs.css', 'text/css', look + docsCss],
  ['/docs/reference.js', 'text/javascript', referenceScript],
  ['/docs/search.js', 'text/javascript', searchScript],
  ['/docs/try-it.js', 'text/javascript', tryItScript],
  // Its links are those of the lender's package.
  ['/llms.txt', 'text/plain', llms],
  ['/AGENTS.md', 'text/markdown', agents],
] as const

const headersOf = (type: string) => ({ 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'no-cache' })
