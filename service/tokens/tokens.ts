// The machine half of identity: API clients, signing keys, access tokens and the routes that hand them out.
import type { Context } from 'hono'
import { createBackOff } from '../../kit/back-off.ts'
import type { Clock } from '../../kit/clock.ts'
import type { KeyList } from '../../kit/keys.ts'
import type { ServiceEnv } from '../http/context.ts'
import type { Database } from '../store/database.ts'
import { type AccessTokens, createAccessTokens } from './access-token.ts'
import { type Clients, createClients } from './clients.ts'
import { type CodeGrant, tokenRoutes } from './routes.ts'
import { openSigningKeys, type SigningKeys } from './signing-keys.ts'

export type TokensOptions = {
  database: Database
  clock: Clock
  /** Seals the signing keys. */
  wrappingKeys: KeyList
  /** The public address of the service, which its tokens name. */
  issuer: string
}

export type Tokens = {
  clients: Clients
  signingKeys: SigningKeys
  accessTokens: AccessTokens
  /** The token endpoint, the public keys and the discovery documents. */
  routes(options: {
    clientAddress: (context: Context<ServiceEnv>) => string | null
    codeGrant: CodeGrant | null
  }): ReturnType<typeof tokenRoutes>
}

export async function createTokens({ database, clock, wrappingKeys, issuer }: TokensOptions): Promise<Tokens> {
  const clients = createClients({ database, clock })
  const signingKeys = await openSigningKeys({ database, wrappingKeys, clock })
  const accessTokens = createAccessTokens({ keys: signingKeys, issuer, clock })
  return {
    clients,
    signingKeys,
    accessTokens,
    routes: (options) =>
      tokenRoutes({
        clients,
        tokens: accessTokens,
        keys: signingKeys,
        backOff: createBackOff(clock),
        issuer,
        ...options,
      }),
  }
}
