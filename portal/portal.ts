// What people use: sign-in, sessions, second factor, profile and tenants, the console, the API reference. An optional mount of the service.
import type { CustomFetch } from 'openid-client'
import { householdOf } from '../kit/network.ts'
import type { Mount } from '../service/app.ts'
import { webhookRulesOf } from '../service/config.ts'
import { clientAddress } from '../service/http/client-address.ts'
import { describeServer } from '../service/tokens/discovery.ts'
import type { SigningKeys } from '../service/tokens/signing-keys.ts'
import { PORTAL_ROUTES } from './authorisation.ts'
import { createBrowserSession, requirePage } from './browser-session.ts'
import { consoleRoutes } from './console/routes.ts'
import { createCookies } from './cookies.ts'
import { derivePortalKeys, signInClientSecret } from './derive-keys.ts'
import { createGuesses } from './guesses.ts'
import { CALLBACK_PATH, loginRoutes } from './login-routes.ts'
import { myRoutes } from './my-routes.ts'
import { STYLE_PATH } from './pages/layout.ts'
import style from './pages/style.css?raw'
import { type BuiltInProvider, createProvider, OWN_CLIENT_ID } from './provider/provider.ts'
import type { PublicClient } from './reference/page.ts'
import { docsRoutes } from './reference/routes.ts'
import { createRelyingParty, type ProviderSettings } from './relying-party.ts'
import { createSecondFactor } from './second-factor.ts'
import { createSessions } from './sessions.ts'
import { signInRoutes } from './sign-in-routes.ts'
import { createUsers } from './users.ts'

export type PortalOptions = {
  /** Where people sign in. @default here */
  externalProvider?: ProviderSettings | null
  /** Clients whose secrets are public, offered to readers of the reference. @default none: they type their own */
  publicClients?: readonly PublicClient[]
}

export function createPortal({ externalProvider = null, publicClients = [] }: PortalOptions = {}): Mount {
  return async ({ config, database, clock, log, keys, tokens, openApi }) => {
    const issuer = config.publicUrl
    const isBuiltIn = externalProvider === null
    const { clients, accessTokens, signingKeys } = tokens
    const secrets = derivePortalKeys(keys.signing)
    const users = createUsers({ database, clock })
    const sessions = createSessions({ database, clock, hasOwnLogin: isBuiltIn })
    const guesses = createGuesses({ database, clock })
    const secondFactor = createSecondFactor({ database, clock, keys: secrets.totp, guesses, issuer })
    const cookies = createCookies({ secure: issuer.startsWith('https:') })
    const browser = createBrowserSession({ sessions, tokens: accessTokens, cookies, clock })
    const redirectUri = issuer + CALLBACK_PATH
    const own = createProvider({ issuer, redirectUri, keys: signingKeys, secrets, users, database, clock })
    const relyingParty = createRelyingParty({
      redirectUri,
      ...(externalProvider ?? {
        issuer,
        clientId: OWN_CLIENT_ID,
        clientSecret: signInClientSecret(secrets.signInClients, OWN_CLIENT_ID),
        builtIn: { metadata: describeServer(issuer, { signIn: true }), fetch: inProcess(own, signingKeys) },
      }),
    })

    const routes = docsRoutes({ openApi, publicClients })
    routes.route('/', myRoutes({ database, users }))
    const cookieKeys = secrets.loginCookie
    const login = { relyingParty, browser, cookies, users, cookieKeys, isBuiltIn, publicUrl: issuer, clock, log }
    routes.route('/', loginRoutes(login))
    if (isBuiltIn) {
      routes.route(
        '/',
        signInRoutes({
          provider: own,
          users,
          secondFactor,
          guesses,
          indexKey: secrets.totp[0],
          // Guesses are counted per network: one guesser owns more than one address.
          clientAddress: (context) => {
            const address = clientAddress(context, config.trustedHops)
            return address && householdOf(address)
          },
        }),
      )
    }
    routes.get(STYLE_PATH, (context) =>
      context.body(style, 200, { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': 'no-cache' }),
    )
    routes.route(
      '/',
      consoleRoutes({
        database,
        clock,
        settings: config,
        users,
        clients,
        sessions,
        guesses,
        secondFactor,
        hasOwnLogin: isBuiltIn,
        signOutOrigins: externalProvider === null ? [] : [new URL(externalProvider.issuer).origin],
        webhooks: { keys: keys.webhooks, rules: webhookRulesOf(config) },
      }),
    )

    return {
      routes,
      authorisation: PORTAL_ROUTES,
      people: {
        tokenOf: (request) => cookies.read(request, 'access'),
        async find({ sessionId, scopes }) {
          const session = await sessions.find(sessionId)
          return session && { kind: 'user', ...session, scopes }
        },
      },
      requirePage: (authenticate) => requirePage({ authenticate, browser, sessions }),
      codeGrant: isBuiltIn ? (request) => own.fetch(request) : null,
    }
  }
}

/** Our half of the protocol calls the provider's half in this process, without a network. */
function inProcess(provider: BuiltInProvider, keys: SigningKeys): CustomFetch {
  return async (url, { method, headers, body }) => {
    if (url.endsWith('/.well-known/jwks.json')) return Response.json({ keys: await keys.publicKeys() })
    return provider.fetch(new Request(url, { method, headers, ...(body ? { body: String(body) } : {}) }))
  }
}
