// What the console's pages about API clients and webhooks do, for programs.
import { Hono } from 'hono'
import {
  type ApiClient,
  type ApiClients,
  type MadeClientSecret,
  type MadeWebhook,
  OVERLAP_DEFAULT_SECONDS,
  type WebhookDeliveries,
  type WebhookDelivery,
  type Webhooks,
} from '../../contract/integration.ts'
import { type Clock, DAY_MS } from '../../kit/clock.ts'
import type { KeyList } from '../../kit/keys.ts'
import { integrationOperations as operations } from '../../openapi/integration-operations.ts'
import { notFound, RateLimited, validationError } from '../../service/http/api-error.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import { serve } from '../../service/http/serve.ts'
import type { Database } from '../../service/store/database.ts'
import { pageOf } from '../../service/store/page.ts'
import { type Clients, type ListedClient, SECRETS_MAX } from '../../service/tokens/clients.ts'
import { writeDoctorReport } from '../stats/doctor.ts'
import { findDelivery, type ListedDelivery, listDeliveries, resend } from '../webhooks/deliveries.ts'
import {
  addEndpoint,
  ENDPOINTS_MAX,
  findEndpoint,
  listEndpoints,
  removeEndpoint,
  rotateSecret,
} from '../webhooks/endpoints.ts'
import type { WebhookSender } from '../webhooks/sender.ts'
import { problemOfTarget, type TargetRules } from '../webhooks/target.ts'

type IntegrationOptions = {
  database: Database
  clock: Clock
  clients: Clients
  /** Seals the signing secrets. */
  keys: KeyList
  rules: TargetRules
  sender: Pick<WebhookSender, 'sendTest'>
}

export function integrationRoutes(options: IntegrationOptions): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>()
  serveClients(routes, options)
  serveWebhooks(routes, options)
  serveDeliveries(routes, options)
  serve(routes, operations.reportDoctor, async (context, { test, findings }) => {
    const { database, clock } = options
    await writeDoctorReport(database, { tenantId: context.get('tenantId'), test, findings, nowMs: clock() })
    return context.body(null, 204)
  })
  return routes
}

function serveClients(routes: Hono<ServiceEnv>, { clients, clock }: IntegrationOptions): void {
  const expiryOf = (days: number | undefined) => (days === undefined ? undefined : clock() + days * DAY_MS)

  serve(routes, operations.listApiClients, async (context) => {
    const listed = await clients.list(context.get('tenantId'))
    return context.json({ clients: listed.map(showClient) } satisfies ApiClients)
  })

  serve(routes, operations.createApiClient, async (context, { name, scopes, secretEndsInDays }) => {
    const wanted = { tenantId: context.get('tenantId'), name, scopes: [...new Set(scopes)] }
    const expiresAtMs = expiryOf(secretEndsInDays)
    const { secret, ...made } = await clients.make(context.get('act'), { ...wanted, expiresAtMs })
    return context.json({ ...made, clientSecret: secret } satisfies MadeClientSecret, 201)
  })

  serve(routes, operations.renameApiClient, async (context, { name }) => {
    const client = { clientId: context.req.param('clientId'), tenantId: context.get('tenantId') }
    if (!(await clients.rename(context.get('act'), { ...client, name }))) throw notFound()
    return context.body(null, 204)
  })

  serve(routes, operations.revokeApiClient, async (context) => {
    const id = context.req.param('clientId')
    if (!(await clients.disable(context.get('act'), id, context.get('tenantId')))) throw notFound()
    return context.body(null, 204)
  })

  serve(routes, operations.replaceClientSecret, async (context, body) => {
    const { othersEndInSeconds = OVERLAP_DEFAULT_SECONDS, secretEndsInDays } = body
    const client = { clientId: context.req.param('clientId'), tenantId: context.get('tenantId') }
    const replaced = await clients.replaceSecret(context.get('act'), {
      ...client,
      othersEndAtMs: clock() + othersEndInSeconds * 1_000,
      expiresAtMs: expiryOf(secretEndsInDays),
    })
    if (replaced === null) {
      const known = (await clients.list(client.tenantId)).find(({ id }) => id === client.clientId)
      if (!known || known.disabledAtMs !== null) throw notFound()
      const expected = `must be 0: ${SECRETS_MAX} secrets of this client work already`
      throw validationError([{ path: 'othersEndInSeconds', expected }])
    }
    const { secretId, secret } = replaced
    return context.json({ clientId: client.clientId, secretId, clientSecret: secret } satisfies MadeClientSecret, 201)
  })

  serve(routes, operations.endClientSecret, async (context) => {
    const { clientId, secretId } = context.req.param()
    const name = { clientId, secretId, tenantId: context.get('tenantId') }
    if (!(await clients.endSecret(context.get('act'), name))) throw notFound()
    return context.body(null, 204)
  })
}

function serveWebhooks(routes: Hono<ServiceEnv>, options: IntegrationOptions): void {
  const { database, clock, keys, rules, sender } = options

  serve(routes, operations.listWebhooks, async (context) => {
    const endpoints = await listEndpoints(database, context.get('tenantId'))
    return context.json({ webhooks: endpoints.map(({ id, url }) => ({ id, url })) } satisfies Webhooks)
  })

  serve(routes, operations.addWebhook, async (context, { url }) => {
    const problem = problemOfTarget(url, rules)
    if (problem !== null) throw validationError([{ path: 'url', expected: problem }])
    const tenantId = context.get('tenantId')
    const added = await addEndpoint(context.get('act'), keys, { tenantId, url, nowMs: clock() })
    if (added === null)
      throw validationError([{ path: 'url', expected: `cannot be added: there are ${ENDPOINTS_MAX} already` }])
    return context.json({ id: added.id, url, signingSecret: added.secret } satisfies MadeWebhook, 201)
  })

  serve(routes, operations.rotateWebhookSecret, async (context) => {
    const id = context.req.param('webhookId')
    const endpoint = await findEndpoint(database, { tenantId: context.get('tenantId'), id })
    const secret = endpoint && (await rotateSecret(context.get('act'), keys, endpoint))
    if (!endpoint || !secret) throw notFound()
    return context.json({ id, url: endpoint.url, signingSecret: secret } satisfies MadeWebhook, 201)
  })

  serve(routes, operations.testWebhook, async (context) => {
    const endpoint = { tenantId: context.get('tenantId'), id: context.req.param('webhookId') }
    const sent = await sender.sendTest(context.get('act'), endpoint)
    if (sent === null) throw notFound()
    if (typeof sent === 'number')
      throw new RateLimited('requests', `too many test events: wait ${sent} seconds`, { 'Retry-After': String(sent) })
    return context.json(showDelivery(sent))
  })

  serve(routes, operations.removeWebhook, async (context) => {
    const endpoint = { tenantId: context.get('tenantId'), id: context.req.param('webhookId') }
    if (!(await removeEndpoint(context.get('act'), endpoint))) throw notFound()
    return context.body(null, 204)
  })
}

function serveDeliveries(routes: Hono<ServiceEnv>, { database, clock }: IntegrationOptions): void {
  async function find(tenantId: string, id: string): Promise<WebhookDelivery> {
    const delivery = await findDelivery(database, { tenantId, id })
    if (delivery === null) throw notFound()
    return showDelivery(delivery)
  }

  serve(routes, operations.listWebhookDeliveries, async (context, _body, { limit, ...wanted }) => {
    const found = await listDeliveries(database, { tenantId: context.get('tenantId'), ...wanted, limit: limit + 1 })
    const { rows, last } = pageOf(found, limit)
    const deliveries = rows.map(showDelivery)
    return context.json({ deliveries, ...(last && { nextBefore: last.id }) } satisfies WebhookDeliveries)
  })

  serve(routes, operations.getWebhookDelivery, async (context) =>
    context.json(await find(context.get('tenantId'), context.req.param('deliveryId'))),
  )

  serve(routes, operations.resendWebhookDelivery, async (context) => {
    const wanted = { tenantId: context.get('tenantId'), id: context.req.param('deliveryId') }
    if ((await resend(context.get('act'), { ...wanted, nowMs: clock() })) === 0) throw notFound()
    return context.json(await find(wanted.tenantId, wanted.id))
  })
}

const at = (timeMs: number) => new Date(timeMs).toISOString()

function showClient({ id, name, scopes, createdAtMs, lastUsedAtMs, disabledAtMs, secrets }: ListedClient): ApiClient {
  return {
    id,
    name,
    scopes: [...scopes],
    createdAt: at(createdAtMs),
    ...(lastUsedAtMs === null ? {} : { lastUsedAt: at(lastUsedAtMs) }),
    ...(disabledAtMs === null ? {} : { revokedAt: at(disabledAtMs) }),
    secrets: secrets.map((secret) => ({
      id: secret.id,
      createdAt: at(secret.createdAtMs),
      ...(secret.lastUsedAtMs === null ? {} : { lastUsedAt: at(secret.lastUsedAtMs) }),
      ...(secret.expiresAtMs === null ? {} : { endsAt: at(secret.expiresAtMs) }),
    })),
  }
}

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
    newestAttempts: log.map(({ atMs, outcome, tookMs }) => ({ at: at(atMs), outcome, tookMs })),
  }
}
