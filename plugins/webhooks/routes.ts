// A lender's webhook addresses and the events sent there, for programs.
import { Hono } from 'hono'
import type { Webhook } from '../../contract/integration.ts'
import { notFound, RateLimited, unknownCursor, validationError } from '../../service/http/api-error.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import { serve } from '../../service/http/serve.ts'
import type { Database } from '../../service/store/database.ts'
import { pageOf } from '../../service/store/rows.ts'
import { noWebhook } from './acts.ts'
import { findDelivery, listDeliveries, showDelivery } from './deliveries.ts'
import { type Endpoint, findEndpoint, listEndpoints } from './endpoints.ts'
import { webhookRows } from './operations.ts'
import type { WebhookSender } from './sender.ts'

const { operations } = webhookRows

type WebhookRouteOptions = {
  database: Database
  sender: Pick<WebhookSender, 'sendTest'>
}

export function webhookRoutes({ database, sender }: WebhookRouteOptions): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>()

  serve(routes, operations.listWebhooks, async (context) => {
    const endpoints = await listEndpoints(database, context.get('tenantId'))
    return { webhooks: endpoints.map(showWebhook) }
  })

  serve(routes, operations.getWebhook, async (context) => {
    const id = context.req.param('webhookId')
    const endpoint = await findEndpoint(database, { tenantId: context.get('tenantId'), id })
    if (endpoint === null) throw noWebhook(id)
    return showWebhook(endpoint)
  })

  serve(routes, operations.testWebhook, async (context) => {
    const endpoint = { tenantId: context.get('tenantId'), id: context.req.param('webhookId') }
    const sent = await sender.sendTest(context.get('act'), endpoint)
    if (sent === null) throw noWebhook(endpoint.id)
    if (typeof sent === 'number')
      throw new RateLimited('requests', `too many test events: wait ${sent} seconds`, { 'Retry-After': String(sent) })
    return showDelivery(sent)
  })

  serve(routes, operations.listWebhookDeliveries, async (context, _body, { limit, after: before, ...wanted }) => {
    const tenantId = context.get('tenantId')
    // A damaged cursor would answer with the first page, and a loop over pages would never end.
    if (before !== undefined && (await findDelivery(database, { tenantId, id: before })) === null) throw unknownCursor()
    const { webhookId } = wanted
    if (webhookId !== undefined && (await findEndpoint(database, { tenantId, id: webhookId })) === null)
      throw validationError([{ path: 'webhookId', expected: 'must be the id of one of your webhooks' }])
    const found = await listDeliveries(database, { tenantId, ...wanted, before, limit: limit + 1 })
    const { rows, last } = pageOf(found, limit)
    const deliveries = rows.map(showDelivery)
    return { deliveries, ...(last && { nextAfter: last.id }) }
  })

  serve(routes, operations.getWebhookDelivery, async (context) => {
    const wanted = { tenantId: context.get('tenantId'), id: context.req.param('deliveryId') }
    const delivery = await findDelivery(database, wanted)
    if (delivery === null) throw notFound('event with this id, or it is no longer listed')
    return showDelivery(delivery)
  })

  return routes
}

function showWebhook({ id, url, types }: Endpoint): Webhook {
  return { id, url, ...(types && { types: [...types] }) }
}
