// The pages for people: sign-in, sessions, second factor, profile and tenants, the console, the API reference. An
// optional plugin.

import { Hono, type MiddlewareHandler } from 'hono'
import type { Tenant } from '../contract/account.ts'
import { VERSION } from '../contract/versions.ts'
import type { Hosted } from '../hosted/index.ts'
import { householdOf } from '../kit/network.ts'
import { manageClients } from '../plugins/clients/manage.ts'
import type { Refusals } from '../plugins/refusals/refusals.ts'
import type { Versions } from '../plugins/stats/versions.ts'
import type { WebhookSender } from '../plugins/webhooks/sender.ts'
import { forbidden } from '../service/http/access.ts'
import type { Caller } from '../service/http/caller.ts'
import { clientAddress } from '../service/http/client-address.ts'
import type { ServiceEnv } from '../service/http/context.ts'
import { serve } from '../service/http/serve.ts'
import type { Core, Mounted, Plugin } from '../service/plugin.ts'
import type { Queries } from '../service/store/database.ts'
import { PORTAL_ROUTES } from './authorisation.ts'
import { createKeptForms } from './console/kept-forms.ts'
import { createPresses } from './console/presses.ts'
import { createRequestsFirst, type RequestsFirst } from './console/requests-first.ts'
import { requirePage } from './console/require-page.ts'
import { consoleRoutes } from './console/routes.ts'
import chartStyle from './console/today.css?raw'
import { derivePortalKeys } from './derive-keys.ts'
import { createBrowserSession } from './identity/browser-session.ts'
import { createCookies } from './identity/cookies.ts'
import { createFailedSignIns } from './identity/failed-sign-ins.ts'
import { createGuesses } from './identity/guesses.ts'
import { createInvite } from './identity/invite.ts'
import { createKnownDevices } from './identity/known-devices.ts'
import { linkRoutes } from './identity/link-routes.ts'
import { loginRoutes } from './identity/login-routes.ts'
import { createLoginStates } from './identity/login-state.ts'
import type { Mail } from './identity/mail.ts'
import { createMembers } from './identity/members.ts'
import { createNotices } from './identity/notices.ts'
import { createNotify } from './identity/notify.ts'
import { createOneTimeLinks } from './identity/one-time-links.ts'
import { portalRows } from './identity/operations.ts'
import { CALLBACK_PATH, createOwnLogin } from './identity/own-login.ts'
import { createProof } from './identity/proof.ts'
import { createReadyAccounts } from './identity/ready-accounts.ts'
import type { ProviderSettings, RelyingPartyOptions } from './identity/relying-party.ts'
import { createSecondFactor, portalSealedTables } from './identity/second-factor.ts'
import { createSessions } from './identity/sessions.ts'
import { signInRoutes } from './identity/sign-in-routes.ts'
import { createUsers, profileOf, type Users } from './identity/users.ts'
import { answerPage, type Link, noSuchPage, STYLE_PATH } from './pages/layout.ts'
import look from './pages/look.css?raw'
import style from './pages/style.css?raw'
import type { PublicClient } from './reference/page.ts'
import { docsRoutes } from './reference/routes.ts'
import { portalTables } from './tables.ts'

export type PortalOptions = {
  /** Sends test events. */
  sender: WebhookSender
  /** The versions that lenders run. */
  versions: Versions
  /** To a lender's people; null: none is sent. */
  mail: Mail | null
  /** Refused calls of the lender’s clients. @default none are shown */
  refusals?: Refusals
  /** Makes links to checks. */
  hosted: Pick<Hosted, 'links' | 'makeLink'>
  /** The provider that signs people in. @default the built-in login */
  externalProvider?: ProviderSettings | null
  /** Clients whose secrets are public, offered to readers of the reference. @default none: they type their own */
  publicClients?: readonly PublicClient[]
  /** Further links in the header of the reference and the console's navigation. @default none */
  links?: readonly Link[]
}

export function createPortal(options: PortalOptions): Plugin {
  const requestsFirst = createRequestsFirst()
  return {
    name: 'portal',
    tables: portalTables,
    sealed: portalSealedTables,
    request: (_core, rule) => (rule.who === 'page' ? null : requestsFirst.count),
    serve: (core) => servePortal(core, { ...options, requestsFirst }),
  }
}

async function servePortal(core: Core, options: PortalOptions & { requestsFirst: RequestsFirst }): Promise<Mounted> {
  const { config, database, clock, log, keys, tokens, providers, openApi } = core
  const {
    mail,
    externalProvider = null,
    publicClients = [],
    links: elsewhere = [],
    sender,
    versions,
    refusals,
    hosted,
    requestsFirst,
  } = options
  const { publicUrl: issuer, trustedHops } = config
  const isBuiltIn = externalProvider === null
  const { accessTokens } = tokens
  const clients = manageClients(core)
  const secrets = derivePortalKeys(keys.signing)
  const users = createUsers({ database, clock })
  const members = createMembers({ database })
  const links = createOneTimeLinks({ database, clock, users })
  const sessions = createSessions({ database, clock, hasOwnLogin: isBuiltIn })
  const guesses = createGuesses({ database, clock })
  const secondFactor = createSecondFactor({ database, clock, keys: secrets.totp, guesses, issuer })
  const failedSignIns = createFailedSignIns({ database, clock, users })
  const cookies = createCookies({ secure: issuer.startsWith('https:') })
  const browser = createBrowserSession({ sessions, tokens: accessTokens, cookies, clock, trustedHops })
  const loginStates = createLoginStates({ cookies, keys: secrets.loginCookie, clock })
  const readyAccounts = createReadyAccounts({ cookies, keys: secrets.readyAccounts, clock })
  const knownDevices = createKnownDevices({ cookies, keys: secrets.knownDevices, clock })
  const own = createOwnLogin({ database, clock })
  const provider = isBuiltIn ? own : await loginElsewhere({ ...externalProvider, redirectUri: issuer + CALLBACK_PATH })

  const routes = docsRoutes({ openApi, publicClients, links: elsewhere })
  routes.use(pageForBrowsers)
  routes.route('/', myRoutes({ database, users }))
  routes.route(
    '/',
    loginRoutes({
      provider,
      loginStates,
      browser,
      knownDevices,
      users,
      isBuiltIn,
      publicUrl: issuer,
      mail,
      clock,
      log,
    }),
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
        failedSignIns,
        readyAccounts,
        log,
        indexKey: secrets.totp[0],
        // Guesses are counted per network: one guesser owns more than one address.
        clientAddress: (context) => {
          const address = clientAddress(context, trustedHops)
          return address && householdOf(address)
        },
      }),
    )
  }
  const notify = createNotify({ mail, guesses, log })
  const passwords = isBuiltIn
    ? { mail, publicUrl: issuer, guesses, indexKey: secrets.totp[0], readyAccounts, notify, log }
    : null
  routes.route('/', linkRoutes({ clock, trustedHops, links, users, passwords }))
  routes.get(STYLE_PATH, (context) =>
    context.body(look + style + chartStyle, 200, {
      'Content-Type': 'text/css; charset=utf-8',
      'Cache-Control': 'no-cache',
    }),
  )
  const invite = createInvite({ links, mail, publicUrl: issuer, log, members, guesses })
  const presses = createPresses({ database, clock, keys: secrets.presses })
  const keptForms = createKeptForms({ cookies, keys: secrets.keptForms, clock, sessions, users, presses })
  routes.route(
    '/',
    consoleRoutes({
      core,
      database,
      clock,
      settings: config,
      keys,
      users,
      clients,
      sessions,
      guesses,
      secondFactor,
      presses,
      keptForms,
      requestsFirst,
      people: { links, members, invite, sendsMail: mail !== null },
      notify,
      publicUrl: issuer,
      hasOwnLogin: isBuiltIn,
      signOutOrigins: externalProvider === null ? [] : [new URL(externalProvider.issuer).origin],
      links: [{ href: '/docs', name: 'API reference' }, ...elsewhere],
      data: { keys, retentionMs: config.reportRetentionMs, plugins: { erase: core.erase } },
      timeline: core.timeline,
      setUp: { versions, refusals, newest: VERSION, hasMatch: providers.match !== null },
      hosted,
      webhooks: { sender },
    }),
  )

  return {
    routes,
    authorisation: PORTAL_ROUTES,
    rows: [portalRows],
    people: {
      tokenOf: (request) => cookies.read(request, 'access'),
      async find({ sessionId, scopes }) {
        const session = await sessions.find(sessionId)
        return session && { kind: 'user', ...session, scopes }
      },
    },
    requireProof: createProof({ users, sessions, guesses, secondFactor, hasOwnLogin: isBuiltIn }),
    requirePage: (authenticate) =>
      requirePage({
        authenticate,
        browser,
        sessions,
        users,
        presses,
        keptForms,
        requestsFirst,
        routes: PORTAL_ROUTES,
      }),
    sweeps: {
      failedSignIns: failedSignIns.reportOver,
      oldLinks: links.forgetOld,
      oldForms: presses.forgetOld,
      oldPeopleSessions: sessions.forgetOld,
      oldSignIns: own.forgetOld,
      ...(mail === null ? {} : { notices: createNotices({ database, clock, log, mail, publicUrl: issuer, members }) }),
    },
  }
}

/** A person who opens an address without a page reads so in words; programs and the API get the error as JSON. */
const pageForBrowsers: MiddlewareHandler<ServiceEnv> = async (context, next) => {
  await next()
  const { path, method } = context.req
  const isBrowser = method === 'GET' && (context.req.header('Accept') ?? '').includes('text/html')
  const isError = context.res.headers.get('Content-Type')?.startsWith('application/json') === true
  if (context.res.status !== 404 || !isBrowser || !isError || path.includes('/v1/')) return
  context.res = await answerPage(context, noSuchPage(), 404)
}

// The caller's own profile and tenants.
function myRoutes({ database, users }: { database: Queries; users: Users }): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>()

  async function tenantsOf(caller: Caller): Promise<Tenant[]> {
    if (caller.kind === 'user') return (await users.listTenants(caller.userId)).map(({ id, name }) => ({ id, name }))
    const row = await database.first<{ id: string; name: string }>(
      'SELECT id, name FROM tenant WHERE id = ?',
      caller.tenantIds[0],
    )
    return row === null ? [] : [row]
  }

  serve(routes, portalRows.operations.getProfile, async (context) => {
    const caller = context.get('caller')
    const user = caller.kind === 'user' ? await users.find(caller.userId) : null
    if (user === null) throw forbidden()
    return context.json(profileOf(user))
  })

  serve(routes, portalRows.operations.listTenants, async (context) =>
    context.json(await tenantsOf(context.get('caller'))),
  )

  serve(routes, portalRows.operations.selectTenant, async (context, { tenantId }) => {
    const caller = context.get('caller')
    // A machine has one tenant and nothing to remember.
    const selected =
      caller.kind === 'user'
        ? await users.selectTenant(caller.userId, tenantId)
        : (await tenantsOf(caller)).find(({ id }) => id === tenantId)
    if (!selected) throw forbidden()
    return context.json(selected)
  })

  return routes
}

/** Loaded where it is used: it takes longer than the rest of the portal. */
async function loginElsewhere(options: RelyingPartyOptions) {
  const { createRelyingParty } = await import('./identity/relying-party.ts')
  return createRelyingParty(options)
}
