import type { Context, Hono } from 'hono'
import type { Clock } from '../clock.ts'
import type { Authenticate } from '../http/caller.ts'
import type { ServiceEnv } from '../http/context.ts'
import type { Database } from '../store/database.ts'
import { createAccessTokens } from './access-token.ts'
import { createAuthenticate } from './authenticate.ts'
import { createBackOff } from './back-off.ts'
import { type Clients, createClients } from './clients.ts'
import { myRoutes } from './my-routes.ts'
import { identityRoutes } from './routes.ts'
import { openSigningKeys } from './signing-keys.ts'
import { createUsers, type Users } from './users.ts'

export type IdentityOptions = {
  database: Database
  clock: Clock
  /** Seals the signing keys. */
  wrappingKey: Uint8Array
  /** The public address of the service, which its tokens name. */
  issuer: string
  clientAddress: (context: Context<ServiceEnv>) => string | null
}

/** Everything the rest of the service knows about identity: who calls, who may, and the routes to become someone. */
export type Identity = { authenticate: Authenticate; clients: Clients; users: Users; routes: Hono<ServiceEnv> }

export async function createIdentity({
  database,
  clock,
  wrappingKey,
  issuer,
  clientAddress,
}: IdentityOptions): Promise<Identity> {
  const keys = await openSigningKeys({ database, wrappingKey, clock })
  const clients = createClients({ database, clock })
  const tokens = createAccessTokens({ keys, issuer, clock })
  const users = createUsers({ database, clock })
  const routes = identityRoutes({ clients, tokens, keys, backOff: createBackOff(clock), issuer, clientAddress })
  routes.route('/', myRoutes({ database, users }))
  return { authenticate: createAuthenticate({ tokens, clients, clock }), clients, users, routes }
}
