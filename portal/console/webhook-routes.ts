// The console's page about webhooks.
import { type Context, Hono } from 'hono'
import type { Clock } from '../../kit/clock.ts'
import type { KeyList } from '../../kit/keys.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import type { Database } from '../../service/store/database.ts'
import { listDeliveries, resend } from '../../service/webhooks/deliveries.ts'
import {
  addEndpoint,
  ENDPOINTS_MAX,
  listEndpoints,
  removeEndpoint,
  rotateSecret,
} from '../../service/webhooks/endpoints.ts'
import { problemOfTarget, type TargetRules } from '../../service/webhooks/target.ts'
import { answerPage } from '../pages/layout.ts'
import { readForm } from '../read-form.ts'
import { consolePage, type Visit } from './frame.ts'
import { type WebhooksView, webhooksBody } from './webhook-pages.ts'

const EVENTS_SHOWN = 50

export type WebhookPageOptions = {
  database: Database
  clock: Clock
  /** Seals the signing secrets. */
  keys: KeyList
  rules: TargetRules
  visitOf(context: Context<ServiceEnv>): Promise<Visit>
}

export function webhookPageRoutes({ database, clock, keys, rules, visitOf }: WebhookPageOptions): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>()

  /** Null: no lender is chosen yet, and the first page asks for one. */
  async function tenantOf(context: Context<ServiceEnv>) {
    const visit = await visitOf(context)
    return visit.tenant === null ? null : { visit, tenantId: visit.tenant.id }
  }

  async function show(
    context: Context<ServiceEnv>,
    { visit, tenantId }: { visit: Visit; tenantId: string },
    extra: Pick<WebhooksView, 'secret' | 'problem'> = {},
  ) {
    const endpoints = await listEndpoints(database, tenantId)
    const deliveries = await listDeliveries(database, { tenantId, limit: EVENTS_SHOWN })
    const body = webhooksBody({ endpoints, deliveries, ...extra })
    const page = consolePage(visit, { path: '/console/webhooks', title: 'Webhooks', body })
    return answerPage(context, page, extra.problem === undefined ? 200 : 400)
  }

  routes.get('/console/webhooks', async (context) => {
    const whose = await tenantOf(context)
    return whose === null ? context.redirect('/console', 303) : show(context, whose)
  })

  routes.post('/console/webhooks', async (context) => {
    const url = ((await readForm(context.req.raw)).get('url') ?? '').trim()
    const whose = await tenantOf(context)
    if (whose === null) return context.redirect('/console', 303)
    const problem = problemOfTarget(url, rules)
    if (problem !== null) return show(context, whose, { problem: `That cannot be added: ${problem}.` })
    const added = await addEndpoint(database, keys, { tenantId: whose.tenantId, url, nowMs: clock() })
    const full = `There are ${ENDPOINTS_MAX} addresses already. Remove one first.`
    return show(context, whose, added === null ? { problem: full } : { secret: added.secret })
  })

  routes.post('/console/webhooks/:webhookId/rotate', async (context) => {
    const whose = await tenantOf(context)
    if (whose === null) return context.redirect('/console', 303)
    const name = { tenantId: whose.tenantId, id: context.req.param('webhookId') }
    const secret = await rotateSecret(database, keys, name)
    return show(context, whose, secret === null ? { problem: 'That address is not here any more.' } : { secret })
  })

  routes.post('/console/webhooks/:webhookId/remove', async (context) => {
    const whose = await tenantOf(context)
    const id = context.req.param('webhookId')
    if (whose !== null) await removeEndpoint(database, { tenantId: whose.tenantId, id })
    return context.redirect('/console/webhooks', 303)
  })

  routes.post('/console/webhooks/events/:eventId/resend', async (context) => {
    const whose = await tenantOf(context)
    const id = context.req.param('eventId')
    if (whose !== null) await resend(database, { tenantId: whose.tenantId, id, nowMs: clock() })
    return context.redirect('/console/webhooks', 303)
  })

  return routes
}
