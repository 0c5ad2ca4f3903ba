// A lender's API clients, for programs.
import { Hono } from 'hono'
import type { ApiClient } from '../../contract/integration.ts'
import { notFound } from '../../service/http/api-error.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import { serve } from '../../service/http/serve.ts'
import type { Core } from '../../service/plugin.ts'
import { type ListedClient, manageClients } from './manage.ts'
import { clientRows } from './operations.ts'

const { operations } = clientRows

export function clientRoutes(core: Core): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>()

  serve(routes, operations.listApiClients, async (context) => {
    const listed = await manageClients(core).list(context.get('tenantId'))
    return { clients: listed.map(showClient) }
  })

  serve(routes, operations.getApiClient, async (context) => {
    const id = context.req.param('clientId')
    const listed = await manageClients(core).list(context.get('tenantId'))
    const client = listed.find((each) => each.id === id)
    if (client === undefined) throw notFound(`client "${id}"`)
    return showClient(client)
  })

  return routes
}

const at = (timeMs: number) => new Date(timeMs).toISOString()

function showClient(client: ListedClient): ApiClient {
  const { id, name, scopes, isTestOnly, maker, createdAtMs, lastUsedAtMs, disabledAtMs, secrets } = client
  return {
    id,
    name,
    scopes: [...scopes],
    testOnly: isTestOnly,
    ...(maker === null ? {} : { madeBy: maker.email }),
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
