// The machine half of identity: API clients, signing keys, access tokens and the routes that hand them out.
import { type Context, Hono } from 'hono'
import { type Clock, MINUTE_MS } from '../../kit/clock.ts'
import type { KeyList } from '../../kit/keys.ts'
import { createCounter } from '../../kit/limits.ts'
import { householdOf } from '../../kit/network.ts'
import type { ServiceEnv } from '../http/context.ts'
import { serve } from '../http/serve.ts'
import type { Database } from '../store/database.ts'
import { createAccessTokens } from './access-token.ts'
import { createClients, SCOPES } from './clients.ts'
import { tokenRows } from './operations.ts'
import { openSigningKeys, TOKEN_LIFETIME_SECONDS } from './signing-keys.ts'
import { invalidClient, OAuthError, readTokenRequest, type TokenRequest } from './token-request.ts'

/** Wrong secrets in a minute, after which no secret is checked until the first of them is a minute old. */
const FAILURES_MAX = 10
/** Time for which a verifier may cache our public keys. */
const PUBLIC_SECONDS = 300

const { operations } = tokenRows

type TokensOptions = {
  database: Database
  clock: Clock
  /** Seals the signing keys. */
  wrappingKeys: KeyList
  /** The public address of the service, which its tokens name. */
  issuer: string
}

type TokenRouteOptions = {
  /** The address of the request, as far as the service can trust it; null when it cannot know. */
  clientAddress: (context: Context<ServiceEnv>) => string | null
}

export type Tokens = Awaited<ReturnType<typeof createTokens>>

export async function createTokens({ database, clock, wrappingKeys, issuer }: TokensOptions) {
  const clients = createClients({ database, clock })
  const signingKeys = await openSigningKeys({ database, wrappingKeys, clock })
  const accessTokens = createAccessTokens({ keys: signingKeys, issuer, clock })
  const failures = createCounter({ windowMs: MINUTE_MS, clock })

  /** The token endpoint, the public keys and the discovery document. */
  function routes({ clientAddress }: TokenRouteOptions): Hono<ServiceEnv> {
    const app = new Hono<ServiceEnv>()

    serve(app, operations.createToken, async (context) => {
      try {
        const request = await readTokenRequest(context.req.raw)
        const headers = { 'Cache-Control': 'no-store', Pragma: 'no-cache' }
        return context.json(await grant(request, clientAddress(context)), 200, headers)
      } catch (error) {
        if (!(error instanceof OAuthError)) throw error
        return context.json({ error: error.error, error_description: error.message }, error.status, error.headers)
      }
    })

    const publicHeaders = { 'Cache-Control': `public, max-age=${PUBLIC_SECONDS}` }
    serve(app, operations.getJwks, async (context) =>
      context.json({ keys: await signingKeys.publicKeys() }, 200, publicHeaders),
    )
    serve(app, operations.getAuthorizationServerMetadata, (context) =>
      context.json(describeServer(issuer), 200, publicHeaders),
    )
    return app
  }

  async function grant({ clientId, clientSecret, scopes }: TokenRequest, address: string | null) {
    // Per client and network, so that guesses from elsewhere cannot lock a lender out.
    const guesser = `${clientId} from ${address && householdOf(address)}`
    const waitSeconds = failures.waitSeconds(guesser, FAILURES_MAX)
    if (waitSeconds > 0) {
      const headers = { 'Retry-After': String(waitSeconds) }
      throw new OAuthError('temporarily_unavailable', `too many wrong secrets: wait ${waitSeconds} seconds`, headers)
    }
    const client = await clients.verify(clientId, clientSecret)
    if (client === null) {
      failures.take(guesser, FAILURES_MAX)
      throw invalidClient()
    }
    failures.forget(guesser)
    const granted = scopes ?? client.scopes
    if (!granted.every((scope) => client.scopes.includes(scope))) {
      throw new OAuthError('invalid_scope', `this client may ask for ${client.scopes.join(' ')}`)
    }
    return {
      access_token: await accessTokens.issue(client, granted),
      token_type: 'Bearer',
      expires_in: TOKEN_LIFETIME_SECONDS,
      scope: granted.join(' '),
    }
  }

  return { clients, signingKeys, accessTokens, routes }
}

/** The metadata for clients that configure themselves (RFC 8414). */
function describeServer(issuer: string) {
  return {
    issuer,
    token_endpoint: `${issuer}/v1/oauth/token`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    grant_types_supported: ['client_credentials'],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    scopes_supported: [...SCOPES],
  }
}
