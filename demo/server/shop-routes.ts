// The lender's server, as a lender would write it: a page, a mount of the proxy, and a decision by the report.
import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { BUREAUS } from '../../contract/credit-report.ts'
import { PROXY_PATH } from '../../contract/proxy-path.ts'
import { mayWrite } from '../../kit/same-origin.ts'
import { type CheckDecision, declineNotice, type TenantProxy } from '../../tenant-proxy/index.ts'
import { decide } from '../shop/decide.ts'
import { renderPrivacy, renderShop, shopPolicy } from '../shop/page.ts'
import type { OrderState, PhoneText, ShownDecision } from '../shop/wire.ts'
import type { Orders } from './orders.ts'
import { makeShopLink } from './send-link.ts'
import type { ServiceClient } from './service-client.ts'

type ShopOptions = {
  publicServiceUrl: string
  proxy: TenantProxy
  orders: Orders
  service: ServiceClient
}

export type DemoEnv = { Bindings: HttpBindings }

export function shopRoutes({ publicServiceUrl, proxy, orders, service }: ShopOptions): Hono<DemoEnv> {
  const routes = new Hono<DemoEnv>()

  routes.get('/', (context) => {
    if (orders.find(context.req.raw) === undefined) context.header('Set-Cookie', orders.begin())
    context.header('Content-Security-Policy', shopPolicy({ publicServiceUrl }))
    context.header('Cache-Control', 'no-store')
    return context.html(renderShop({ publicServiceUrl }))
  })

  routes.get('/privacy', (context) => {
    context.header('Content-Security-Policy', shopPolicy({ publicServiceUrl }))
    return context.html(renderPrivacy())
  })

  for (const path of [PROXY_PATH, `${PROXY_PATH}/*`]) {
    routes.all(path, ({ req, env }) =>
      orders.during(req.raw, () => proxy(req.raw, { remoteAddress: env.incoming.socket.remoteAddress })),
    )
  }

  routes.get('/order', async (context) => {
    const request = context.req.raw
    // The check behind the link that was sent, or the latest check of this browser for this order, by its sealed cookie
    // and the service's word: no form field and no address could say that.
    const link = orders.read(request)?.link
    const linked = link ? await proxy.decideLink(link.linkId) : null
    const own = () => proxy.decide(request, { externalReference: orders.find(request) })
    const check = linked?.status === 'complete' ? linked : await own()
    const locale = context.req.query('locale') ?? 'en-GB'
    return context.json({ decision: decideOn(check, locale) } satisfies OrderState)
  })
  routes.post('/order', (context) => {
    context.header('Set-Cookie', orders.begin())
    return context.json({ decision: null } satisfies OrderState)
  })

  routes.post('/link', async (context) => {
    const request = context.req.raw
    const order = orders.read(request)
    const externalReference = orders.find(request)
    if (!order || !externalReference || !mayWrite(request)) return context.json({ isSent: false }, 403)
    const { linkId, url } = await makeShopLink(service, new URL(request.url).origin, { externalReference })
    order.link = { linkId, url, sentAtMs: Date.now() }
    return context.json({ isSent: true })
  })

  // Receives the lender's events. A real shop verifies them and acts (docs/lender/webhooks.md); here it is enough that
  // they arrive.
  routes.post('/webhooks', (context) => context.body(null, 204))

  routes.get('/phone', async (context) => {
    const { creditReportIds: ids = new Set<string>(), link } = orders.read(context.req.raw) ?? {}
    const linked = link ? await proxy.decideLink(link.linkId) : null
    if (linked && linked.status !== 'none') ids.add(linked.creditReportId)
    const texts = ids.size === 0 ? [] : await service.listTexts()
    const invitations = link
      ? [{ id: link.linkId, body: 'Wrenfield: your credit check is here', sentAtMs: link.sentAtMs, url: link.url }]
      : []
    const shown: PhoneText[] = texts
      .filter(({ creditReportId }) => ids.has(creditReportId ?? ''))
      .map(({ creditReportId, body, sentAt }) => ({
        id: `${creditReportId} ${sentAt}`,
        body,
        sentAtMs: Date.parse(sentAt),
      }))
      .reverse()
    return context.json([...invitations, ...shown])
  })

  return routes
}

function decideOn(check: CheckDecision, locale: string): ShownDecision | null {
  if (check.status !== 'complete' || !check.report) return null
  const decision = decide(check.report)
  if (decision.outcome !== 'declined') return decision
  return { ...decision, notice: declineNotice({ locale, agencies: check.agencies ?? BUREAUS }) }
}
