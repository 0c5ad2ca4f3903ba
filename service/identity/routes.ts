import { type Context, Hono } from 'hono'
import type { ServiceEnv } from '../http/context.ts'
import type { AccessTokens } from './access-token.ts'
import type { BackOff } from './back-off.ts'
import type { Clients } from './clients.ts'
import { describeServer } from './discovery.ts'
import { OAuthError } from './oauth-error.ts'
import type { BuiltInProvider } from './provider/provider.ts'
import type { SigningKeys } from './signing-keys.ts'
import { TOKEN_LIFETIME_SECONDS } from './token-lifetime.ts'
import { invalidClient, readClientCredentials, readTokenForm } from './token-request.ts'

/** How long a verifier may keep our public keys. */
const PUBLIC_SECONDS = 300

export type IdentityRouteParts = {
  clients: Clients
  tokens: AccessTokens
  keys: SigningKeys
  backOff: BackOff
  /** Answers for codes of people who signed in here; null when they sign in elsewhere. */
  provider: Pick<BuiltInProvider, 'fetch'> | null
  issuer: string
  /** Where the request came from, as far as the service can trust it; null when it cannot know. */
  clientAddress: (context: Context<ServiceEnv>) => string | null
}

export function identityRoutes({
  clients,
  tokens,
  keys,
  backOff,
  provider,
  issuer,
  clientAddress,
}: IdentityRouteParts): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>()

  routes.post('/v1/oauth/token', async (context) => {
    try {
      const { raw } = context.req
      const { form, grantType } = await readTokenForm(raw)
      if (grantType === 'authorization_code' && provider !== null) {
        const { url, method, headers } = raw
        return await provider.fetch(new Request(url, { method, headers, body: form.toString() }))
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
      context.json(describeServer(issuer, { signIn: provider !== null }), 200, publicHeaders),
    )
  }
  return routes

  async function grant(context: Context<ServiceEnv>, form: URLSearchParams) {
    const authorization = context.req.header('Authorization') ?? null
    const { clientId, clientSecret, scopes } = readClientCredentials(form, authorization)
    // By address too, so that a stranger's guesses cannot lock a lender out.
    const guesser = `${clientId} from ${clientAddress(context)}`
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
