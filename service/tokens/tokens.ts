// The machine half of identity: API clients, signing keys, access tokens and the routes that hand them out.
import { type Context, Hono } from 'hono'
import { createBackOff } from '../../kit/back-off.ts'
import type { Clock } from '../../kit/clock.ts'
import type { KeyList } from '../../kit/keys.ts'
import { householdOf } from '../../kit/network.ts'
import type { ServiceEnv } from '../http/context.ts'
import type { Database } from '../store/database.ts'
import { createAccessTokens } from './access-token.ts'
import { createClients } from './clients.ts'
import { describeServer } from './discovery.ts'
import { openSigningKeys, TOKEN_LIFETIME_SECONDS } from './signing-keys.ts'
import { invalidClient, OAuthError, readClientCredentials, readTokenForm } from './token-request.ts'

/** How long a verifier may keep our public keys. */
const PUBLIC_SECONDS = 300

/** Trades an authorization code for tokens; the portal provides it. */
export type CodeGrant = (request: Request) => Promise<Response>

type TokensOptions = {
  database: Database
  clock: Clock
  /** Seals the signing keys. */
  wrappingKeys: KeyList
  /** The public address of the service, which its tokens name. */
  issuer: string
}

type TokenRouteOptions = {
  /** Null without the portal. */
  codeGrant: CodeGrant | null
  /** Where the request came from, as far as the service can trust it; null when it cannot know. */
  clientAddress: (context: Context<ServiceEnv>) => string | null
}

export type Tokens = Awaited<ReturnType<typeof createTokens>>

export async function createTokens({ database, clock, wrappingKeys, issuer }: TokensOptions) {
  const clients = createClients({ database, clock })
  const signingKeys = await openSigningKeys({ database, wrappingKeys, clock })
  const accessTokens = createAccessTokens({ keys: signingKeys, issuer, clock })
  const backOff = createBackOff(clock)

  /** The token endpoint, the public keys and the discovery documents. */
  function routes({ codeGrant, clientAddress }: TokenRouteOptions): Hono<ServiceEnv> {
    const app = new Hono<ServiceEnv>()

    app.post('/v1/oauth/token', async (context) => {
      try {
        const { raw } = context.req
        const { form, grantType } = await readTokenForm(raw)
        if (grantType === 'authorization_code' && codeGrant !== null) {
          const { url, method, headers } = raw
          return await codeGrant(new Request(url, { method, headers, body: form.toString() }))
        }
        return context.json(
          await grant(form, context.req.header('Authorization') ?? null, clientAddress(context)),
          200,
          { 'Cache-Control': 'no-store', Pragma: 'no-cache' },
        )
      } catch (error) {
        if (!(error instanceof OAuthError)) throw error
        return context.json({ error: error.error, error_description: error.message }, error.status, error.headers)
      }
    })

    const publicHeaders = { 'Cache-Control': `public, max-age=${PUBLIC_SECONDS}` }
    app.get('/.well-known/jwks.json', async (context) =>
      context.json({ keys: await signingKeys.publicKeys() }, 200, publicHeaders),
    )
    for (const path of ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']) {
      app.get(path, (context) =>
        context.json(describeServer(issuer, { signIn: codeGrant !== null }), 200, publicHeaders),
      )
    }
    return app
  }

  async function grant(form: URLSearchParams, authorization: string | null, address: string | null) {
    const { clientId, clientSecret, scopes } = readClientCredentials(form, authorization)
    // Per client and network, so that guesses from elsewhere cannot lock a lender out.
    const guesser = `${clientId} from ${address && householdOf(address)}`
    const waitSeconds = backOff.waitSeconds(guesser)
    if (waitSeconds !== null) {
      const headers = { 'Retry-After': String(waitSeconds) }
      throw new OAuthError('temporarily_unavailable', `too many wrong secrets: wait ${waitSeconds} seconds`, headers)
    }
    const client = await clients.verify(clientId, clientSecret)
    if (client === null) {
      backOff.failed(guesser)
      throw invalidClient()
    }
    backOff.succeeded(guesser)
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
