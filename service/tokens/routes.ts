import { type Context, Hono } from 'hono'
import type { BackOff } from '../../kit/back-off.ts'
import { householdOf } from '../../kit/network.ts'
import type { ServiceEnv } from '../http/context.ts'
import type { AccessTokens } from './access-token.ts'
import type { Clients } from './clients.ts'
import { describeServer } from './discovery.ts'
import { OAuthError } from './oauth-error.ts'
import type { SigningKeys } from './signing-keys.ts'
import { TOKEN_LIFETIME_SECONDS } from './token-lifetime.ts'
import { invalidClient, readClientCredentials, readTokenForm } from './token-request.ts'

/** How long a verifier may keep our public keys. */
const PUBLIC_SECONDS = 300

/** Trades an authorization code for tokens; whoever signs people in has it. */
export type CodeGrant = (request: Request) => Promise<Response>

export type TokenRouteOptions = {
  clients: Clients
  tokens: AccessTokens
  keys: SigningKeys
  backOff: BackOff
  /** Null when nobody signs in here. */
  codeGrant: CodeGrant | null
  issuer: string
  /** Where the request came from, as far as the service can trust it; null when it cannot know. */
  clientAddress: (context: Context<ServiceEnv>) => string | null
}

export function tokenRoutes({
  clients,
  tokens,
  keys,
  backOff,
  codeGrant,
  issuer,
  clientAddress,
}: TokenRouteOptions): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>()

  routes.post('/v1/oauth/token', async (context) => {
    try {
      const { raw } = context.req
      const { form, grantType } = await readTokenForm(raw)
      if (grantType === 'authorization_code' && codeGrant !== null) {
        const { url, method, headers } = raw
        return await codeGrant(new Request(url, { method, headers, body: form.toString() }))
      }
      return context.json(await grant(context, form), 200, { 'Cache-Control': 'no-store', Pragma: 'no-cache' })
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error
      return context.json({ error: error.error, error_description: error.message }, error.status, error.headers)
    }
  })

  const publicHeaders = { 'Cache-Control': `public, max-age=${PUBLIC_SECONDS}` }
  routes.get('/.well-known/jwks.json', async (context) =>
    context.json({ keys: await keys.publicKeys() }, 200, publicHeaders),
  )
  for (const path of ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']) {
    routes.get(path, (context) =>
      context.json(describeServer(issuer, { signIn: codeGrant !== null }), 200, publicHeaders),
    )
  }
  return routes

  async function grant(context: Context<ServiceEnv>, form: URLSearchParams) {
    const authorization = context.req.header('Authorization') ?? null
    const { clientId, clientSecret, scopes } = readClientCredentials(form, authorization)
    // By network too, so that a stranger's guesses cannot lock a lender out; one guesser owns more than one address.
    const address = clientAddress(context)
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
      access_token: await tokens.issue(client, granted),
      token_type: 'Bearer',
      expires_in: TOKEN_LIFETIME_SECONDS,
      scope: granted.join(' '),
    }
  }
}
