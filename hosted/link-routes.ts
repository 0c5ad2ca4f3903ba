// Links and the look of their page, for programs.
import { Hono } from 'hono'
import { LOGO_BYTES_MAX } from '../contract/lender-page.ts'
import { actorOf } from '../service/act/serve-act.ts'
import { requireMode } from '../service/http/access.ts'
import { notFound, unknownCursor } from '../service/http/api-error.ts'
import { isTestOnly } from '../service/http/caller.ts'
import type { ServiceEnv } from '../service/http/context.ts'
import { readIdempotencyKey } from '../service/http/idempotency-key.ts'
import { readBody } from '../service/http/read-body.ts'
import { serve } from '../service/http/serve.ts'
import type { Core } from '../service/plugin.ts'
import { pageOf } from '../service/store/rows.ts'
import { revokeLink, setLogo } from './acts.ts'
import { readLenderPage, showLenderPage } from './lender-page.ts'
import { type Links, showLink } from './links.ts'
import type { MakeLink } from './make-link.ts'
import { hostedRows } from './operations.ts'

const { operations } = hostedRows

type LinkRouteOptions = { core: Core; links: Links; makeLink: MakeLink }

export function linkRoutes({ core, links, makeLink }: LinkRouteOptions): Hono<ServiceEnv> {
  const { database, clock, keys } = core
  const routes = new Hono<ServiceEnv>()

  serve(routes, operations.makeLink, (context, link) => {
    requireMode(context, { test: link.test === true })
    const tenantId = context.get('tenantId')
    const key = readIdempotencyKey(context.req.raw, keys.indexes, { tenantId, operation: 'make link', body: link })
    const made = key && { key: key.scope, body: key.fingerprint }
    return makeLink(context.get('act'), { tenantId, link, made })
  })

  serve(routes, operations.listLinks, async (context, _body, query) => {
    const { limit, ...wanted } = query
    if (wanted.after !== undefined && (await links.find(context.get('tenantId'), wanted.after)) === null)
      throw unknownCursor()
    const found = await links.list({ tenantId: context.get('tenantId'), ...wanted, limit: limit + 1 })
    const { rows, last } = pageOf(found, limit)
    const seen = isTestOnly(context.get('caller')) ? rows.filter(({ test }) => test === 1) : rows
    return { links: seen.map((link) => showLink(link, clock())), ...(last && { nextAfter: last.id }) }
  })

  serve(routes, operations.getLink, async (context) => {
    const link = await links.find(context.get('tenantId'), context.req.param('linkId'))
    if (link === null) throw notFound('link with this id')
    requireMode(context, { test: link.test === 1 })
    return showLink(link, clock())
  })

  serve(routes, operations.revokeLink, async (context) => {
    const linkId = context.req.param('linkId')
    const link = await links.find(context.get('tenantId'), linkId)
    if (link !== null) requireMode(context, { test: link.test === 1 })
    await revokeLink.run(core, actorOf(context), { linkId })
  })

  serve(routes, operations.getLenderPage, async (context) =>
    showLenderPage(await readLenderPage(database, context.get('tenantId'))),
  )

  serve(routes, operations.setLogo, async (context) => {
    const logo = Buffer.from(await readBody(context.req.raw, LOGO_BYTES_MAX)).toString('base64')
    await setLogo.run(core, actorOf(context), { logo })
  })

  return routes
}
