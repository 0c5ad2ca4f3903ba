// The built-in OpenID provider: authorization code with PKCE, and nothing else. The protocol is oidc-provider's; the
// pages, the people and the database are ours.
//
//   /v1/oauth/authorize ──▶ /v1/oauth/sign-in/{uid} ──▶ /v1/oauth/authorize/{uid} ──▶ redirect_uri?code=…
//        checks the request     our pages: password, code      issues the code            /v1/oauth/token: once
import type { Provider } from 'oidc-provider'
import * as z from 'zod/mini'
import type { Clock } from '../../kit/clock.ts'
import type { Database } from '../../service/store/database.ts'
import type { SigningKeys } from '../../service/tokens/signing-keys.ts'
import { type PortalKeys, signInClientSecret } from '../derive-keys.ts'
import type { Users } from '../users.ts'
import { callNode, type NodeHandler } from './call-node.ts'
import { createRecords } from './records.ts'
import { createSignInClients } from './sign-in-clients.ts'

export const AUTHORIZE_PATH = '/v1/oauth/authorize'
export const SIGN_IN_PATH = '/v1/oauth/sign-in'
/** This service, as a client of its own provider. */
export const OWN_CLIENT_ID = 'console'

const INTERACTION_SECONDS = 600
const CODE_SECONDS = 60
const TOKEN_SECONDS = 60

/** How far a sign-in has come. */
export type SignIn = { passedUserId: string | null; redirectOrigin: string }

type ProviderOptions = {
  issuer: string
  redirectUri: string
  keys: SigningKeys
  secrets: PortalKeys
  users: Users
  database: Database
  clock: Clock
}

export type BuiltInProvider = ReturnType<typeof createProvider>

export function createProvider(options: ProviderOptions) {
  const origin = new URL(options.issuer)
  let made: { keyId: string; clients: string; provider: Promise<Provider> } | null = null

  /** Made anew when the signing key or the clients have changed: the library reads both once. */
  async function current(): Promise<Provider> {
    const { id: keyId, privateJwk } = await options.keys.current()
    const registered = await createSignInClients({ ...options, key: options.secrets.signInClients }).list()
    const clients = JSON.stringify(registered)
    if (made === null || made.keyId !== keyId || made.clients !== clients) {
      made = { keyId, clients, provider: build(options, { ...privateJwk, kid: keyId }, registered) }
    }
    return made.provider
  }

  const call = (handler: NodeHandler, request: Request) => callNode(handler, request, origin)

  /** Runs `work` with Node's view of the request, which the library insists on. Null when there is no sign-in under way. */
  async function within<T>(
    request: Request,
    work: (provider: Provider, ...node: Parameters<NodeHandler>) => Promise<T>,
  ): Promise<T | null> {
    const provider = await current()
    const { errors } = await import('oidc-provider')
    let outcome: Promise<T> | undefined
    await call(
      (incoming, outgoing) => {
        outcome = work(provider, incoming, outgoing)
        outcome.then(
          () => outgoing.end(),
          () => outgoing.end(),
        )
      },
      new Request(request.url, { headers: request.headers }),
    )
    try {
      return (await outcome) ?? null
    } catch (error) {
      if (error instanceof errors.SessionNotFound) return null
      throw error
    }
  }

  return {
    /** Answers the protocol's own requests: authorize, resume, token. */
    async fetch(request: Request): Promise<Response> {
      const answer = await call((await current()).callback(), request)
      // The provider keeps no session of its own: the one that counts is at the service that asked.
      const cookies = answer.headers.getSetCookie().filter((cookie) => !cookie.includes(SESSION_COOKIE))
      answer.headers.delete('Set-Cookie')
      for (const cookie of cookies) answer.headers.append('Set-Cookie', cookie)
      // Relative, so that signing in works by whatever name this service is reached.
      const location = answer.headers.get('Location')
      if (location?.startsWith(`${options.issuer}/`)) {
        answer.headers.set('Location', location.slice(options.issuer.length))
      }
      return answer
    },

    /** The sign-in this browser is in the middle of; null when there is none, or it is another browser's. */
    read: (request: Request): Promise<SignIn | null> =>
      within(request, async (provider, incoming, outgoing) => {
        const { params, result } = await provider.interactionDetails(incoming, outgoing)
        const passed = Passed.safeParse(result)
        return {
          // The library has compared it with those registered.
          redirectOrigin: new URL(String(params.redirect_uri)).origin,
          passedUserId: passed.success ? passed.data.passed.userId : null,
        }
      }),

    /** Remembers that the password was right; the code of the second factor is still to come. */
    async passPassword(request: Request, userId: string): Promise<void> {
      await within(request, (provider, incoming, outgoing) =>
        provider.interactionResult(incoming, outgoing, { passed: { userId } }, { mergeWithLastSubmission: false }),
      )
    },

    /** The person is who they say; resolves to where their browser goes next. */
    async finish(request: Request, userId: string, methods: readonly string[]): Promise<string> {
      const login = { accountId: userId, amr: methods, remember: false }
      const next = await within(request, (provider, incoming, outgoing) =>
        provider.interactionResult(incoming, outgoing, { login }, { mergeWithLastSubmission: false }),
      )
      if (next === null) throw new Error('the sign-in ended while it was being finished')
      const { pathname, search } = new URL(next)
      return pathname + search
    },
  }
}

const Passed = z.object({ passed: z.object({ userId: z.string() }) })
const SESSION_COOKIE = 'provider-session'

async function build(
  { issuer, redirectUri, secrets, users, database, clock }: ProviderOptions,
  jwk: object,
  registered: readonly { id: string; secret: string; redirectUris: readonly string[] }[],
): Promise<Provider> {
  // Only now: a service whose people sign in elsewhere never loads it.
  const { Provider, interactionPolicy, errors } = await import('oidc-provider')
  const policy = interactionPolicy.base()
  // Every client is the operator's own; there is nothing to consent to.
  policy.remove('consent')
  const secure = issuer.startsWith('https:')
  const cookie = { httpOnly: true, sameSite: 'lax', secure, signed: true }
  const own = { id: OWN_CLIENT_ID, secret: signInClientSecret(secrets.signInClients, OWN_CLIENT_ID) }
  const prefixed = (prefix: string, name: string) => (secure ? `${prefix}${name}` : name)

  const provider = new Provider(issuer, {
    adapter: createRecords({
      database,
      clock,
      keys: secrets.providerRecords,
      alreadyUsed: () => new errors.InvalidGrant('used before'),
    }),
    clients: [{ ...own, redirectUris: [redirectUri] }, ...registered].map((client) => ({
      client_id: client.id,
      client_secret: client.secret,
      redirect_uris: client.redirectUris,
      response_types: ['code'],
      grant_types: ['authorization_code'],
      token_endpoint_auth_method: 'client_secret_basic',
      id_token_signed_response_alg: 'ES256',
    })),
    jwks: { keys: [{ ...jwk, alg: 'ES256', use: 'sig' }] },
    cookies: {
      keys: [...secrets.providerCookies],
      names: {
        session: prefixed('__Host-', SESSION_COOKIE),
        interaction: prefixed('__Secure-', 'sign-in'),
        resume: prefixed('__Secure-', 'sign-in-resume'),
      },
      short: cookie,
      long: cookie,
    },
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    scopes: ['openid'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    responseTypes: ['code'],
    // The token response carries all there is to know; there is no other endpoint to ask.
    conformIdTokenClaims: false,
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
    },
    interactions: {
      policy,
      url: (_context: unknown, { uid }: { uid: string }) => `${SIGN_IN_PATH}/${uid}`,
    },
    routes: { authorization: AUTHORIZE_PATH, token: '/v1/oauth/token', jwks: '/.well-known/jwks.json' },
    ttl: {
      Interaction: INTERACTION_SECONDS,
      Session: INTERACTION_SECONDS,
      Grant: INTERACTION_SECONDS,
      AuthorizationCode: CODE_SECONDS,
      AccessToken: TOKEN_SECONDS,
      IdToken: TOKEN_SECONDS,
    },
    async findAccount(_context: unknown, id: string) {
      const user = await users.find(id)
      if (user === null) return undefined
      return {
        accountId: id,
        claims: async () => ({ sub: id, email: user.email, email_verified: true }),
      }
    },
    async loadExistingGrant(context: GrantContext) {
      const { oidc } = context
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
      grant.addOIDCScope('openid email')
      await grant.save()
      return grant
    },
    async renderError(context: { type: string; body: unknown }, out: { error: string }) {
      context.type = 'json'
      context.body = { error: out.error }
    },
  })
  // The library reads the scheme from forwarding headers: callNode sets them, and drops those of the caller.
  provider.proxy = true
  // Without a listener the library prints these to the console.
  for (const event of ['server_error', 'authorization.error', 'grant.error']) provider.on(event, () => {})
  return provider
}

type Grant = { addOIDCScope(scope: string): void; save(): Promise<string> }

type GrantContext = {
  oidc: {
    client: { clientId: string }
    session: { accountId: string }
    provider: { Grant: new (of: { clientId: string; accountId: string }) => Grant }
  }
}
