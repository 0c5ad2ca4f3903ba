// What people use: sign-in, sessions, second factor, profile and tenants, the console, the API reference. An optional mount of the service.
import { householdOf } from '../kit/network.ts'
import { portalOperations } from '../openapi/portal-operations.ts'
import type { Mount } from '../service/app.ts'
import { webhookRulesOf } from '../service/config.ts'
import { clientAddress } from '../service/http/client-address.ts'
import { PORTAL_ROUTES } from './authorisation.ts'
import { createBrowserSession, requirePage } from './browser-session.ts'
import { createPresses } from './console/presses.ts'
import { consoleRoutes } from './console/routes.ts'
import { createCookies } from './cookies.ts'
import { derivePortalKeys } from './derive-keys.ts'
import { createGuesses } from './guesses.ts'
import { createKnownDevices } from './known-devices.ts'
import { linkRoutes } from './link-routes.ts'
import { loginRoutes } from './login-routes.ts'
import { createLoginStates } from './login-state.ts'
import { myRoutes } from './my-routes.ts'
import { createOneTimeLinks } from './one-time-links.ts'
import { CALLBACK_PATH, createOwnLogin } from './own-login.ts'
import { STYLE_PATH } from './pages/layout.ts'
import style from './pages/style.css?raw'
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
  return async ({ config, database, clock, log, keys, tokens, mail, openApi }) => {
    const issuer = config.publicUrl
    const isBuiltIn = externalProvider === null
    const { clients, accessTokens } = tokens
    const secrets = derivePortalKeys(keys.signing)
    const users = createUsers({ database, clock })
    const links = createOneTimeLinks({ database, clock, users })
    const sessions = createSessions({ database, clock, hasOwnLogin: isBuiltIn })
    const guesses = createGuesses({ database, clock })
    const secondFactor = createSecondFactor({ database, clock, keys: secrets.totp, guesses, issuer })
    const cookies = createCookies({ secure: issuer.startsWith('https:') })
    const browser = createBrowserSession({ sessions, tokens: accessTokens, cookies, clock })
    const loginStates = createLoginStates({ cookies, keys: secrets.loginCookie, clock })
    const knownDevices = createKnownDevices({ cookies, keys: secrets.knownDevices, clock })
    const own = createOwnLogin({ database, clock })
    const provider = isBuiltIn ? own : createRelyingParty({ ...externalProvider, redirectUri: issuer + CALLBACK_PATH })

    const routes = docsRoutes({ openApi, publicClients })
    routes.route('/', myRoutes({ database, users }))
    routes.route(
      '/',
      loginRoutes({ provider, loginStates, browser, knownDevices, users, isBuiltIn, publicUrl: issuer, log }),
    )
    if (isBuiltIn) {
      routes.route(
        '/',
        signInRoutes({
          login: own,
          loginStates,
          knownDevices,
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
    const { trustedHops } = config
    const passwords = isBuiltIn ? { mail, publicUrl: issuer, guesses, indexKey: secrets.totp[0], log } : null
    routes.route('/', linkRoutes({ database, clock, trustedHops, links, users, passwords }))
    routes.get(STYLE_PATH, (context) =>
      context.body(style, 200, { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': 'no-cache' }),
    )
    const presses = createPresses({ database, clock, keys: secrets.presses })
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
        presses,
        invitations: { links, mail, publicUrl: issuer, log },
        trustedHops,
        hasOwnLogin: isBuiltIn,
        signOutOrigins: externalProvider === null ? [] : [new URL(externalProvider.issuer).origin],
        webhooks: { keys: keys.webhooks, rules: webhookRulesOf(config) },
      }),
    )

    return {
      routes,
      authorisation: PORTAL_ROUTES,
      operations: portalOperations,
      people: {
        tokenOf: (request) => cookies.read(request, 'access'),
        async find({ sessionId, scopes }) {
          const session = await sessions.find(sessionId)
          return session && { kind: 'user', ...session, scopes }
        },
      },
      requirePage: (authenticate) => requirePage({ authenticate, browser, sessions }),
      sweeps: {
        oldLinks: links.forgetOld,
        oldForms: presses.forgetOld,
        oldPeopleSessions: sessions.forgetOld,
        oldSignIns: own.forgetOld,
      },
    }
  }
}
