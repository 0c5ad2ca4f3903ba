// A lender's webhook addresses and the events sent there, for programs.
import { Hono } from 'hono'
import type { WebhookDelivery } from '../../contract/integration.ts'
import type { Clock } from '../../kit/clock.ts'
import type { KeyList } from '../../kit/keys.ts'
import { notFound, RateLimited, validationError } from '../../service/http/api-error.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import { serve } from '../../service/http/serve.ts'
import type { Database } from '../../service/store/database.ts'
import { pageOf } from '../../service/store/page.ts'
import { findDelivery, type ListedDelivery, listDeliveries, resend } from './deliveries.ts'
import { addEndpoint, ENDPOINTS_MAX, findEndpoint, listEndpoints, removeEndpoint, rotateSecret } from './endpoints.ts'
import { webhookRows } from './operations.ts'
import type { WebhookSender } from './sender.ts'
import { problemOfTarget, type TargetRules } from './target.ts'

const { operations } = webhookRows

type WebhookRouteOptions = {
  database: Database
  clock: Clock
  /** Seals the signing secrets. */
  keys: KeyList
  rules: TargetRules
  sender: Pick<WebhookSender, 'sendTest'>
}

export function webhookRoutes(options: WebhookRouteOptions): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>()
  serveWebhooks(routes, options)
  serveDeliveries(routes, options)
  return routes
}

function serveWebhooks(routes: Hono<ServiceEnv>, options: WebhookRouteOptions): void {
  const { database, clock, keys, rules, sender } = options

  serve(routes, operations.listWebhooks, async (context) => {
    const endpoints = await listEndpoints(database, context.get('tenantId'))
    return { webhooks: endpoints.map(({ id, url }) => ({ id, url })) }
  })

  serve(routes, operations.addWebhook, async (context, { url }) => {
    const problem = problemOfTarget(url, rules)
    if (problem !== null) throw validationError([{ path: 'url', expected: problem }])
    const tenantId = context.get('tenantId')
    const added = await addEndpoint(context.get('act'), keys, { tenantId, url, nowMs: clock() })
    if (added === null)
      throw validationError([{ path: 'url', expected: `cannot be added: there are ${ENDPOINTS_MAX} already` }])
    return { id: added.id, url, signingSecret: added.secret }
  })

  serve(routes, operations.rotateWebhookSecret, async (context) => {
    const id = context.req.param('webhookId')
    const endpoint = await findEndpoint(database, { tenantId: context.get('tenantId'), id })
    const secret = endpoint && (await rotateSecret(context.get('act'), keys, endpoint))
    if (!endpoint || !secret) throw notFound()
    return { id, url: endpoint.url, signingSecret: secret }
  })

  serve(routes, operations.testWebhook, async (context) => {
    const endpoint = { tenantId: context.get('tenantId'), id: context.req.param('webhookId') }
    const sent = await sender.sendTest(context.get('act'), endpoint)
    if (sent === null) throw notFound()
    if (typeof sent === 'number')
      throw new RateLimited('requests', `too many test events: wait ${sent} seconds`, { 'Retry-After': String(sent) })
    return showDelivery(sent)
  })

  serve(routes, operations.removeWebhook, async (context) => {
    const endpoint = { tenantId: context.get('tenantId'), id: context.req.param('webhookId') }
    if (!(await removeEndpoint(context.get('act'), endpoint))) throw notFound()
  })
}

function serveDeliveries(routes: Hono<ServiceEnv>, { database, clock }: WebhookRouteOptions): void {
  async function find(tenantId: string, id: string): Promise<WebhookDelivery> {
    const delivery = await findDelivery(database, { tenantId, id })
    if (delivery === null) throw notFound()
    return showDelivery(delivery)
  }

  serve(routes, operations.listWebhookDeliveries, async (context, _body, { limit, after: before, ...wanted }) => {
    const tenantId = context.get('tenantId')
    // A damaged cursor would answer with the first page, and a loop over pages would never end.
    if (before !== undefined && (await findDelivery(database, { tenantId, id: before })) === null)
      throw validationError([{ path: 'after', expected: 'must be the nextAfter of an earlier page' }])
    const found = await listDeliveries(database, { tenantId, ...wanted, before, limit: limit + 1 })
    const { rows, last } = pageOf(found, limit)
    const deliveries = rows.map(showDelivery)
    return { deliveries, ...(last && { nextAfter: last.id }) }
  })

  serve(routes, operations.getWebhookDelivery, (context) =>
    find(context.get('tenantId'), context.req.param('deliveryId')),
  )

  serve(routes, operations.resendWebhookDelivery, async (context) => {
    const wanted = { tenantId: context.get('tenantId'), id: context.req.param('deliveryId') }
    if ((await resend(context.get('act'), { ...wanted, nowMs: clock() })) === 0) throw notFound()
    return find(wanted.tenantId, wanted.id)
  })
}

const at = (timeMs: number) => new Date(timeMs).toISOString()

function showDelivery(delivery: ListedDelivery): WebhookDelivery {
  const { id, endpointId, url, type, status, attempts, lastOutcome, createdAtMs, dueAtMs, payload, log } = delivery
  return {
    id,
    webhookId: endpointId,
    url,
    type,
    status,
    attempts,
    ...(lastOutcome === null ? {} : { lastOutcome }),
    createdAt: at(createdAtMs),
    ...(status === 'queued' ? { nextTryAt: at(dueAtMs) } : {}),
    body: payload,
    newestAttempts: log.map(({ atMs, outcome, tookMs }) => ({ startedAt: at(atMs), outcome, tookMs })),
  }
}
