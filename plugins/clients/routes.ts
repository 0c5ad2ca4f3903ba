// A lender's API clients, for programs.
import { Hono } from 'hono'
import {
  type ApiClient,
  type ApiClients,
  type MadeClientSecret,
  OVERLAP_DEFAULT_SECONDS,
} from '../../contract/integration.ts'
import { type Clock, DAY_MS } from '../../kit/clock.ts'
import { notFound, validationError } from '../../service/http/api-error.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import { serve } from '../../service/http/serve.ts'
import { type Clients, type ListedClient, SECRETS_MAX } from '../../service/tokens/clients.ts'
import { clientRows } from './operations.ts'

const { operations } = clientRows

export function clientRoutes({ clients, clock }: { clients: Clients; clock: Clock }): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>()
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

  return routes
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
