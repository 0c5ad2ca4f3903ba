import type { Context, Hono, MiddlewareHandler } from 'hono'
import type { CustomFetch } from 'openid-client'
import { householdOf } from '../../contract/household.ts'
import type { Clock } from '../clock.ts'
import type { Authenticate } from '../http/caller.ts'
import type { ServiceEnv } from '../http/context.ts'
import { createSilentLog, type Log } from '../log.ts'
import type { Database } from '../store/database.ts'
import { createAccessTokens } from './access-token.ts'
import { createAuthenticate } from './authenticate.ts'
import { createBackOff } from './back-off.ts'
import { createBrowserSession, requirePage } from './browser-session.ts'
import { type Clients, createClients } from './clients.ts'
import { createCookies } from './cookies.ts'
import { deriveIdentityKeys, signInClientSecret } from './derive-keys.ts'
import { describeServer } from './discovery.ts'
import { createGuesses } from './guesses.ts'
import { CALLBACK_PATH, loginRoutes } from './login-routes.ts'
import { myRoutes } from './my-routes.ts'
import { STYLE_PATH } from './pages/layout.ts'
import style from './pages/style.css?raw'
import { type BuiltInProvider, createProvider, OWN_CLIENT_ID } from './provider/provider.ts'
import { createRelyingParty, type ProviderSettings } from './relying-party.ts'
import { identityRoutes } from './routes.ts'
import { createSecondFactor, type SecondFactor } from './second-factor.ts'
import { createSessions } from './sessions.ts'
import { signInRoutes } from './sign-in-routes.ts'
import { openSigningKeys, type SigningKeys } from './signing-keys.ts'
import { createUsers, type Users } from './users.ts'

export type IdentityOptions = {
  database: Database
  clock: Clock
  /** Seals the signing keys; every other key of identity is derived from it. */
  wrappingKey: Uint8Array
  /** The public address of the service, which its tokens name. */
  issuer: string
  clientAddress: (context: Context<ServiceEnv>) => string | null
  /** Where people sign in. @default here */
  externalProvider?: ProviderSettings | null
  /** @default a silent one */
  log?: Log
}

/** Everything the rest of the service knows about identity: who calls, who may, and the routes to become someone. */
export type Identity = {
  authenticate: Authenticate
  clients: Clients
  users: Users
  secondFactor: SecondFactor
  /** True when passwords and second factors are kept here. */
  hasOwnLogin: boolean
  /** Where signing out may lead besides here. */
  signOutOrigins: readonly string[]
  /** Lets people through to the console's pages and sends everyone else to sign in. */
  requirePage: MiddlewareHandler<ServiceEnv>
  routes: Hono<ServiceEnv>
}

export async function createIdentity(options: IdentityOptions): Promise<Identity> {
  const { database, clock, wrappingKey, issuer, externalProvider = null } = options
  // All it is used for here is to count guesses, and who guesses owns more than one address.
  const clientAddress = (context: Context<ServiceEnv>) => {
    const address = options.clientAddress(context)
    return address && householdOf(address)
  }
  const log = options.log ?? createSilentLog()
  const secrets = deriveIdentityKeys(wrappingKey)
  const keys = await openSigningKeys({ database, wrappingKey, clock })
  const clients = createClients({ database, clock })
  const users = createUsers({ database, clock })
  const sessions = createSessions({ database, clock })
  const guesses = createGuesses({ database, clock })
  const secondFactor = createSecondFactor({ database, clock, key: secrets.totp, guesses, issuer })
  const tokens = createAccessTokens({ keys, issuer, clock })
  const cookies = createCookies({ secure: issuer.startsWith('https:') })
  const browser = createBrowserSession({ sessions, tokens, cookies, clock })
  const authenticate = createAuthenticate({ tokens, clients, sessions, cookies, clock })
  const redirectUri = issuer + CALLBACK_PATH
  const isBuiltIn = externalProvider === null
  const own = createProvider({ issuer, redirectUri, keys, secrets, users, database, clock })
  const provider = isBuiltIn ? own : null
  const relyingParty = createRelyingParty({
    redirectUri,
    ...(externalProvider ?? {
      issuer,
      clientId: OWN_CLIENT_ID,
      clientSecret: signInClientSecret(secrets.signInClients, OWN_CLIENT_ID),
      builtIn: { metadata: describeServer(issuer, { signIn: true }), fetch: inProcess(own, keys) },
    }),
  })

  const backOff = createBackOff(clock)
  const routes = identityRoutes({ clients, tokens, keys, backOff, provider, issuer, clientAddress })
  routes.route('/', myRoutes({ database, users }))
  const cookieKey = secrets.loginCookie
  const login = { relyingParty, browser, cookies, users, cookieKey, isBuiltIn, publicUrl: issuer, clock, log }
  routes.route('/', loginRoutes(login))
  if (provider) {
    const indexKey = secrets.totp
    routes.route('/', signInRoutes({ provider, users, secondFactor, guesses, indexKey, clientAddress }))
  }
  routes.get(STYLE_PATH, (context) =>
    context.body(style, 200, { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': 'no-cache' }),
  )
  const page = requirePage({ authenticate, browser, sessions })
  return {
    authenticate,
    clients,
    users,
    secondFactor,
    hasOwnLogin: isBuiltIn,
    signOutOrigins: externalProvider === null ? [] : [new URL(externalProvider.issuer).origin],
    requirePage: page,
    routes,
  }
}

/** The way from our half of the protocol to the provider's, without a network between them. */
function inProcess(provider: BuiltInProvider, keys: SigningKeys): CustomFetch {
  return async (url, { method, headers, body }) => {
    if (url.endsWith('/.well-known/jwks.json')) return Response.json({ keys: await keys.publicKeys() })
    return provider.fetch(new Request(url, { method, headers, ...(body ? { body: String(body) } : {}) }))
  }
}
