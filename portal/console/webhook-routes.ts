// The console's page about webhooks.
import type { Hono } from 'hono'
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
import { readForm } from '../read-form.ts'
import type { TenantVisit } from './frame.ts'
import type { PageContext, Visits } from './page-context.ts'
import { type WebhooksView, webhooksBody } from './webhook-pages.ts'

const EVENTS_SHOWN = 50

export type WebhookPageOptions = {
  database: Database
  clock: Clock
  /** Seals the signing secrets. */
  keys: KeyList
  rules: TargetRules
  visits: Visits
}

export function webhookPageRoutes({ database, clock, keys, rules, visits }: WebhookPageOptions): Hono<ServiceEnv> {
  const { show, tenantPages } = visits
  const { routes, get, post } = tenantPages()
  const path = '/console/webhooks'

  type Extra = Pick<WebhooksView, 'secret' | 'problem'>
  async function showWebhooks(context: PageContext, visit: TenantVisit, extra: Extra = {}) {
    const { id: tenantId } = visit.tenant
    const endpoints = await listEndpoints(database, tenantId)
    const deliveries = await listDeliveries(database, { tenantId, limit: EVENTS_SHOWN })
    const body = webhooksBody({ endpoints, deliveries, ...extra })
    return show(context, visit, { path, title: 'Webhooks', body }, extra.problem === undefined ? 200 : 400)
  }

  get(path, showWebhooks)

  post(path, async (context, visit) => {
    const url = ((await readForm(context.req.raw)).get('url') ?? '').trim()
    const problem = problemOfTarget(url, rules)
    if (problem !== null) return showWebhooks(context, visit, { problem: `That cannot be added: ${problem}.` })
    const added = await addEndpoint(context.get('act'), keys, { tenantId: visit.tenant.id, url, nowMs: clock() })
    const full = `There are ${ENDPOINTS_MAX} addresses already. Remove one first.`
    return showWebhooks(context, visit, added === null ? { problem: full } : { secret: added.secret })
  })

  post(`${path}/:webhookId/rotate`, async (context, visit) => {
    const secret = await rotateSecret(context.get('act'), keys, nameOf(context, visit))
    const problem = 'That address is not here any more.'
    return showWebhooks(context, visit, secret === null ? { problem } : { secret })
  })

  post(`${path}/:webhookId/remove`, async (context, visit) => {
    await removeEndpoint(context.get('act'), nameOf(context, visit))
    return context.redirect(path, 303)
  })

  post(`${path}/events/:eventId/resend`, async (context, visit) => {
    const id = context.req.param('eventId') ?? ''
    await resend(context.get('act'), { tenantId: visit.tenant.id, id, nowMs: clock() })
    return context.redirect(path, 303)
  })

  return routes
}

function nameOf(context: PageContext, { tenant }: TenantVisit): { tenantId: string; id: string } {
  return { tenantId: tenant.id, id: context.req.param('webhookId') ?? '' }
}
