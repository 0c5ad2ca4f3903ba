// Links and the look of their page, for programs.
import { type Context, Hono } from 'hono'
import { type LenderPageResponse, type LinkListResponse, type LinkResponse, LOGO_BYTES_MAX } from '../contract/link.ts'
import { readIdempotencyKey } from '../service/check/idempotency-key.ts'
import { requireMode } from '../service/http/access.ts'
import { notFound, validationError } from '../service/http/api-error.ts'
import { isTestOnly } from '../service/http/caller.ts'
import { type ServiceEnv, timeTakenMs } from '../service/http/context.ts'
import { readBody } from '../service/http/read-body.ts'
import { serve } from '../service/http/serve.ts'
import type { Core } from '../service/plugin.ts'
import { pageOf } from '../service/store/page.ts'
import { type LenderPage, problemsOfPage, readLenderPage, setLenderPage } from './lender-page.ts'
import { type Links, showLink } from './links.ts'
import type { MakeLink } from './make-link.ts'
import { hostedRows } from './operations.ts'

const { operations } = hostedRows

type LinkRouteOptions = Pick<Core, 'database' | 'clock' | 'keys'> & {
  links: Links
  makeLink: MakeLink
  httpsOnly: boolean
}

const metaOf = (context: Context<ServiceEnv>) => ({ request: { timeTakenMs: timeTakenMs(context) } })

export function linkRoutes({ database, clock, keys, links, makeLink, httpsOnly }: LinkRouteOptions): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>()

  serve(routes, operations.makeLink, async (context, link) => {
    requireMode(context, { test: link.test === true })
    const tenantId = context.get('tenantId')
    const key = readIdempotencyKey(context.req.raw, keys.indexes, { tenantId, operation: 'make link', body: link })
    const made = key && { key: key.scope, body: key.fingerprint }
    const data = await makeLink(context.get('act'), { tenantId, link, made })
    return context.json({ meta: metaOf(context), data }, 201)
  })

  serve(routes, operations.listLinks, async (context, _body, query) => {
    const { limit, ...wanted } = query
    const found = await links.list({ tenantId: context.get('tenantId'), ...wanted, limit: limit + 1 })
    const { rows, last } = pageOf(found, limit)
    const seen = isTestOnly(context.get('caller')) ? rows.filter(({ test }) => test === 1) : rows
    const data = { links: seen.map((link) => showLink(link, clock())), ...(last && { nextAfter: last.id }) }
    return context.json({ meta: metaOf(context), data } satisfies LinkListResponse)
  })

  serve(routes, operations.getLink, async (context) => {
    const link = await links.find(context.get('tenantId'), context.req.param('linkId'))
    if (link === null) throw notFound()
    requireMode(context, { test: link.test === 1 })
    return context.json({ meta: metaOf(context), data: showLink(link, clock()) } satisfies LinkResponse)
  })

  serve(routes, operations.revokeLink, async (context) => {
    const link = { tenantId: context.get('tenantId'), id: context.req.param('linkId') }
    const found = await links.find(link.tenantId, link.id)
    if (found !== null) requireMode(context, { test: found.test === 1 })
    if (!(await links.revoke(context.get('act'), link))) throw notFound()
    return context.body(null, 204)
  })

  async function showPage(context: Context<ServiceEnv>) {
    const { name, accent, privacyUrl, logo, returnUrls } = await readLenderPage(database, context.get('tenantId'))
    const data = {
      ...(name !== null && { name }),
      ...(accent !== null && { accentColour: accent }),
      ...(privacyUrl !== null && { privacyUrl }),
      returnUrls: [...returnUrls],
      logo: logo !== null,
    }
    return context.json({ meta: metaOf(context), data } satisfies LenderPageResponse)
  }

  async function change(context: Context<ServiceEnv>, changed: Partial<LenderPage>) {
    const problems = problemsOfPage(changed, { httpsOnly })
    if (problems.length > 0) throw validationError(problems)
    await setLenderPage(context.get('act'), context.get('tenantId'), changed)
  }

  serve(routes, operations.getLenderPage, showPage)

  serve(routes, operations.setLenderPage, async (context, { accentColour, ...rest }) => {
    const given = { ...rest, ...(accentColour !== undefined && { accent: accentColour }) }
    await change(context, Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)))
    return showPage(context)
  })

  serve(routes, operations.setLogo, async (context) => {
    const bytes = await readBody(context.req.raw, LOGO_BYTES_MAX)
    await change(context, { logo: bytes.byteLength === 0 ? null : bytes })
    return context.body(null, 204)
  })

  return routes
}
