// The routes of a consumer's browser: the page behind a link, the proxy below it, the state of the link, and the files
// of all pages.
//
//   new, opened ─▶ the form ─▶ started here ─▶ code ─▶ report
//                        └──▶ started on another device: the date of birth, three tries per link ─▶ code
//   complete: the proxy's own lock asks for the date of birth, out of the same tries
import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { PROXY_ERROR_STATUS } from '../contract/error.ts'
import { BODY_BYTES_MAX } from '../contract/limits.ts'
import { read } from '../contract/problems.ts'
import { HOUR_MS, MINUTE_MS } from '../kit/clock.ts'
import { tryParseJson } from '../kit/json-body.ts'
import { createCounter } from '../kit/limits.ts'
import { householdOf } from '../kit/network.ts'
import { mayWrite } from '../kit/same-origin.ts'
import { REQUEST_ID_HEADER } from '../kit/trace.ts'
import { clientAddress } from '../service/http/client-address.ts'
import type { ServiceEnv } from '../service/http/context.ts'
import type { AuthorisationTable } from '../service/http/protect.ts'
import { readBody } from '../service/http/read-body.ts'
import { readTenant } from '../service/ledger/tenants.ts'
import type { Core } from '../service/plugin.ts'
import { toResponse } from '../tenant-proxy/exchange.ts'
import { createWidgetFiles } from '../tenant-proxy/widget-files.ts'
import { logoType, readLenderPage } from './lender-page.ts'
import { beginWith, findWidgetFiles, type LenderProxies, MOUNT } from './lender-proxy.ts'
import { type Link, type Links, stateOf } from './links.ts'
import { isBorn } from './one-check.ts'
import style from './page.css?raw'
import script from './page.js?raw'
import { answerPage, askBirth, type Look, readBirth, showCheck, showEnd, showNoLink } from './pages.ts'
import type { HostedKeys, LinkCheckRow } from './tables.ts'
import { cookieHeader, type Visit, type Visits } from './visits.ts'

/** Tokens of no link that one household may ask for in a minute. */
const MISSES_MAX = 60
/** Checks that may be begun with one link, until one is complete. */
const CHECKS_MAX = 5
/** The proxy knows of a completed check so long. */
const SHOWN_MS = HOUR_MS

const anyone = { who: 'anyone' } as const
export const PAGE_ROUTES: AuthorisationTable = {
  // The token in the address is the proof.
  'GET /c/:token': anyone,
  'GET /c/:token/state': anyone,
  'GET /c/:token/logo': anyone,
  'POST /c/:token/open': anyone,
  'GET /c/:token/check/*': anyone,
  'POST /c/:token/check/*': anyone,
  'DELETE /c/:token/check/*': anyone,
  'GET /c/files/:name': anyone,
}

type PageOptions = Pick<Core, 'config' | 'database' | 'clock'> & {
  keys: HostedKeys
  links: Links
  visits: Visits
  proxyOf: LenderProxies
  pageUrl: string
}

/** A link that this browser may use, and what it has of it. */
type Opened = { link: Link; session: string | null; visit: Visit | null; isElsewhere: boolean; isOwn: boolean }

export function pageRoutes(options: PageOptions): Hono<ServiceEnv> {
  const { config, database, clock, keys, links, visits, proxyOf, pageUrl } = options
  const misses = createCounter({ windowMs: MINUTE_MS, clock })
  const files = createWidgetFiles({ current: findWidgetFiles(), previous: null })
  const routes = new Hono<ServiceEnv>()
  const fromPath = (context: Context<ServiceEnv>) => context.req.param('token') ?? ''

  /** Null, in the same words for a link that never was, has expired or was revoked: nothing tells them apart. */
  async function open(context: Context<ServiceEnv>): Promise<Opened | null> {
    const home = householdOf(clientAddress(context, config.trustedHops) ?? 'unknown')
    if (misses.waitSeconds(home, MISSES_MAX) > 0) return null
    const session = visits.sessionOf(context.req.raw)
    const row = await links.peek(fromPath(context))
    if (row === null) misses.take(home, MISSES_MAX)
    if (row === null || row.revoked_at_ms !== null || (row.expires_at_ms <= clock() && session === null)) return null
    const link = await links.withCheck(row)
    const { visit, isElsewhere } = await visits.find(session, link.id)
    const isOwn = link.check !== null && visit?.reportId === link.check.creditReportId
    if (link.expires_at_ms <= clock() && !isOwn) return null
    return { link, session, visit, isElsewhere, isOwn }
  }

  /** True when the link's check goes on, or was completed, in another browser. */
  const isOthers = ({ link, isOwn }: Opened) =>
    !isOwn && /^(?:started|complete)$/.test(stateOf(link, clock())) && hasReport(link)
  const hasReport = ({ check }: Link) => /^(?:pending|authentication-required|complete)$/.test(check?.status ?? '')

  async function lookOf({ link }: Pick<Opened, 'link'>, context: Context<ServiceEnv>): Promise<Look> {
    const [page, tenant] = await Promise.all([
      readLenderPage(database, link.tenant_id),
      readTenant(database, link.tenant_id, config),
    ])
    return {
      ...page,
      name: page.name ?? tenant?.name ?? '',
      path: `/c/${fromPath(context)}`,
      link,
      serviceUrl: config.publicUrl,
    }
  }

  routes.get('/c/:token', async (context) => {
    const opened = await open(context)
    if (opened === null) return answerPage(context, showNoLink(), 404)
    const { link, visit } = opened
    const look = await lookOf(opened, context)
    const isOver = link.check?.status === 'complete' && (link.check.endedAtMs ?? 0) + SHOWN_MS < clock()
    if (isOver || (isOthers(opened) && link.tries_left === 0)) return answerPage(context, showEnd(look))
    if (isOthers(opened) && link.check?.status !== 'complete') return answerPage(context, askBirth(look))
    const tickets = isOthers(opened) && link.check ? await visits.ticketsOf(link.id, link.check.creditReportId) : []
    // Complete, and no browser holds it: the process ended before it was kept.
    if (isOthers(opened) && tickets.length === 0) return answerPage(context, showEnd(look))
    const session = opened.session ?? visits.newSession()
    context.header('Set-Cookie', visits.cookie(session))
    const code = context.req.query('from')
    const isHanded = visit?.isHanded ?? (code !== undefined && (await visits.isHandedOff(code, link.id)))
    const start = links.startOf(link)
    const sealed = start && beginWith(proxyOf(link), start, link.external_reference)
    const handOff = `${pageUrl}${look.path}?from=${visits.handOff(session, link.id)}`
    const shown = {
      start: sealed,
      handOff: isHanded || hasReport(link) ? null : handOff,
      isElsewhere: !isHanded && opened.isElsewhere,
    }
    const kept = visit ?? { session, reportId: null, isHanded, jar: {} }
    if (isHanded || tickets.length > 0) await visits.keep(link.id, { ...kept, isHanded }, tickets)
    return answerPage(context, showCheck(look, shown))
  })

  routes.get('/c/:token/state', async (context) => {
    const opened = await open(context)
    context.header('Cache-Control', 'no-store')
    if (opened === null) return context.json({ status: 'over' }, 404)
    const { link, isOwn, isElsewhere } = opened
    return context.json({ status: stateOf(link, clock()), isOthers: isOthers(opened), isOwn, isElsewhere })
  })

  routes.get('/c/:token/logo', async (context) => {
    const opened = await open(context)
    const { logo } = opened ? await readLenderPage(database, opened.link.tenant_id) : { logo: null }
    const type = logo && logoType(logo)
    if (!logo || !type) return context.body(null, 404)
    return context.body(new Uint8Array(logo), 200, { 'Content-Type': type, 'Cache-Control': 'private, max-age=3600' })
  })

  routes.post('/c/:token/open', async (context) => {
    const opened = await open(context)
    if (opened === null) return answerPage(context, showNoLink(), 404)
    if (!mayWrite({ ...asked(context), allowedOrigins: [new URL(pageUrl).origin] }))
      return answerPage(context, showNoLink(), 403)
    const { link, visit } = opened
    const look = await lookOf(opened, context)
    const form = new URLSearchParams(Buffer.from(await readBody(context.req.raw, BODY_BYTES_MAX)).toString())
    if (link.check === null || !isOthers(opened)) return context.redirect(look.path, 303)
    const dateOfBirth = readBirth(form)
    if (dateOfBirth === null) return answerPage(context, askBirth(look, 'Enter a real date.'), 400)
    if (!(await links.takeTry(link.id))) return answerPage(context, showEnd(look))
    const sql = 'SELECT * FROM hosted_check WHERE report_id = ?'
    const check = await database.first<LinkCheckRow>(sql, link.check.creditReportId)
    if (check === null || !isBorn(keys, { reportId: check.report_id, born: check.born }, dateOfBirth)) {
      const left = link.tries_left - 1
      const words = left === 1 ? '1 try is left' : `${left} tries are left`
      return answerPage(context, left > 0 ? askBirth(look, `That is not the date of birth: ${words}.`) : showEnd(look))
    }
    await links.giveTryBack(link.id)
    const session = opened.session ?? visits.newSession()
    context.header('Set-Cookie', visits.cookie(session))
    const kept = { session, isHanded: visit?.isHanded ?? false, jar: visit?.jar ?? {}, reportId: check.report_id }
    await visits.keep(link.id, kept, await visits.ticketsOf(link.id, check.report_id))
    return context.redirect(look.path, 303)
  })

  routes.on(['GET', 'POST', 'DELETE'], '/c/:token/check/*', async (context) => {
    const opened = await open(context)
    if (opened === null) return refuse(context)
    const { link, session, visit } = opened
    // As the proxy reads it, to which a slash at the end is nothing: the rules here must mean the request it answers.
    const below = new URL(context.req.url).pathname.slice(`/c/${fromPath(context)}/check`.length).replace(/\/+$/, '')
    const isGenerate = context.req.method === 'POST' && below === ''
    const isOpening = context.req.method === 'POST' && below === '/current/open'
    const status = link.check?.status
    // A completed check shows itself only behind the proxy's lock, and no check of another browser goes on here.
    if (isOthers(opened) && (status !== 'complete' || !(isOpening || below === '/current'))) return refuse(context)
    if (isGenerate && (status === 'complete' || (await links.countChecks(link.id)) >= CHECKS_MAX))
      return refuse(context)
    if (isOpening && isOthers(opened) && !(await links.takeTry(link.id))) return refuse(context)
    const body = context.req.method === 'GET' ? null : await readBody(context.req.raw, BODY_BYTES_MAX)
    const response = await askProxy(context, { link, visit, below, body })
    if (session === null) return withoutCookies(response)
    const data = await dataOf(response)
    const isProved = response.ok && (isGenerate || (isOpening && data?.creditReport !== undefined))
    if (isOpening && isOthers(opened) && isProved) await links.giveTryBack(link.id)
    const reportId = (isProved && data?.creditReportId) || (visit?.reportId ?? null)
    const setCookies = response.headers.getSetCookie()
    if (visit === null || setCookies.length > 0 || reportId !== visit.reportId) {
      const kept = visit ?? { session, isHanded: false, jar: {} }
      if (!(await visits.keep(link.id, { ...kept, reportId }, setCookies))) return refuse(context)
    }
    if (link.opened_at_ms === null) await links.noteOpened(link.id)
    return withoutCookies(response)
  })

  /**
   * The same request below the proxy's own mount, with the cookies that are kept here; the link's id names the check at
   * the service.
   */
  function askProxy(
    context: Context<ServiceEnv>,
    { link, visit, below, body }: { link: Link; visit: Visit | null; below: string; body: Uint8Array | null },
  ): Promise<Response> {
    const { url, method, headers: received } = asked(context)
    const headers = new Headers(received)
    headers.set('Cookie', cookieHeader(visit?.jar ?? {}))
    headers.set('Host', new URL(pageUrl).host)
    headers.set(REQUEST_ID_HEADER, link.id)
    headers.delete('Content-Length')
    const to = new URL(MOUNT + below + new URL(url).search, pageUrl)
    const request = new Request(to, { method, headers, ...(body !== null && { body: new Uint8Array(body) }) })
    const remoteAddress = clientAddress(context, config.trustedHops) ?? undefined
    return proxyOf(link)(request, { remoteAddress, hostRequest: link })
  }

  routes.get('/c/files/:name', async (context) => {
    const { name = '' } = context.req.param()
    const own = { 'page.js': [script, 'text/javascript'], 'page.css': [style, 'text/css'] }[name]
    if (own) {
      const [text = '', type] = own
      return context.body(text, 200, { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'no-cache' })
    }
    const file = await files.serve(name, { method: 'GET', headers: context.req.raw.headers }, { compress: true })
    return file === null ? context.body(null, 404) : toResponse(file)
  })

  return routes
}

const asked = ({ req }: Context<ServiceEnv>) => ({ url: req.url, method: req.method, headers: req.raw.headers })

const Data = z.object({
  data: z.object({ creditReportId: z.optional(z.string()), creditReport: z.optional(z.unknown()) }),
})

async function dataOf(response: Response): Promise<z.infer<typeof Data>['data'] | null> {
  if (!response.headers.get('Content-Type')?.startsWith('application/json')) return null
  const reading = read(Data, tryParseJson(new Uint8Array(await response.clone().arrayBuffer())))
  return reading.ok ? reading.value.data : null
}

/** In the proxy's own words: the widget asks for the page to be loaded again, which then says how the link stands. */
function refuse(context: Context<ServiceEnv>): Response {
  const body = { code: 'start-refused', message: 'This link cannot be used so. Load the page again.' }
  return context.json(body, PROXY_ERROR_STATUS['start-refused'], { 'Cache-Control': 'no-store' })
}

function withoutCookies(response: Response): Response {
  const headers = new Headers(response.headers)
  headers.delete('Set-Cookie')
  return new Response(response.body, { status: response.status, headers })
}
