// Signing in, as a browser sees it. This half is the same for every provider:
//
//   /v1/oauth/login ──▶ the provider ──▶ /v1/oauth/callback ──▶ returnTo, with cookies
import { type Context, Hono } from 'hono'
import type { Clock } from '../kit/clock.ts'
import type { KeyList } from '../kit/keys.ts'
import { describeError } from '../service/describe-error.ts'
import { unauthorized } from '../service/http/access.ts'
import { ApiError } from '../service/http/api-error.ts'
import type { ServiceEnv } from '../service/http/context.ts'
import { errorBody, unavailable } from '../service/http/errors.ts'
import { requireOwnPage } from '../service/http/protect.ts'
import type { Log } from '../service/log.ts'
import type { BrowserSession } from './browser-session.ts'
import type { Cookies } from './cookies.ts'
import { LOGIN_SECONDS, openLoginState, sealLoginState } from './login-state.ts'
import { answerPage } from './pages/layout.ts'
import { brokenPage, signedOutPage } from './pages/sign-in-pages.ts'
import type { RelyingParty } from './relying-party.ts'
import { readReturnTo } from './return-to.ts'
import type { Users } from './users.ts'

export const CALLBACK_PATH = '/v1/oauth/callback'
const SIGNED_OUT_PATH = '/v1/oauth/signed-out'
const LOGINS_MAX = 8
const NOT_BEGUN = 'this sign-in was not begun in this browser, or too long ago'

type LoginRouteOptions = {
  relyingParty: RelyingParty
  browser: BrowserSession
  cookies: Cookies
  users: Users
  cookieKeys: KeyList
  /** True when the provider is the one built in: its subjects are our users' ids. */
  isBuiltIn: boolean
  publicUrl: string
  clock: Clock
  log: Log
}

export function loginRoutes(options: LoginRouteOptions): Hono<ServiceEnv> {
  const { relyingParty, browser, cookies, users, cookieKeys, isBuiltIn, publicUrl, clock, log } = options
  const routes = new Hono<ServiceEnv>()

  routes.get('/v1/oauth/login', async (context) => {
    const returnTo = readReturnTo(context.req.query('returnTo'))
    const { url, checks } = await reach(context, () => relyingParty.begin())
    // Several tabs may sign in at once. The oldest cookies are dropped: sign-ins that never end must not fill the header.
    for (const state of cookies.logins(context).slice(0, 1 - LOGINS_MAX)) cookies.clear(context, `login-${state}`)
    const sealed = await sealLoginState(cookieKeys, { ...checks, returnTo }, clock)
    cookies.set(context, `login-${checks.state}`, sealed, LOGIN_SECONDS)
    // Relative where it can be, so that it works by whatever name the service is reached.
    return context.redirect(url.startsWith(`${publicUrl}/`) ? url.slice(publicUrl.length) : url, 303)
  })

  routes.get(CALLBACK_PATH, async (context) => {
    const name = `login-${context.req.query('state')}` as const
    const sealed = cookies.read(context.req.raw, name)
    if (sealed === undefined) return refuse(context, NOT_BEGUN)
    // Each sign-in has one answer, right or wrong.
    cookies.clear(context, name)
    const state = await openLoginState(cookieKeys, sealed, clock)
    if (state === null) return refuse(context, NOT_BEGUN)
    const { search } = new URL(context.req.url)
    const login = await reach(context, () => relyingParty.finish(search, state))
    if (login === null) return refuse(context, 'the answer does not belong to this sign-in, or was used before')
    const user = isBuiltIn ? await users.find(login.subject) : await users.findByLogin(login)
    if (user === null) return refuse(context, 'there is no account here for the person who signed in', 'forbidden')
    // Known from here on: the audit trail names them.
    const account = await users.findAccount('id', user.id)
    const notYet = { roles: {}, selectedTenantId: null, sessionId: '', scopes: [] }
    if (account) context.set('caller', { kind: 'user', ...account, ...notYet })
    await browser.begin(context, user.id)
    return context.redirect(state.returnTo, 303)
  })

  routes.post('/v1/oauth/refresh', async (context) => {
    requireOwnPage(context)
    if (!(await browser.renew(context))) {
      browser.clear(context)
      throw unauthorized()
    }
    return context.body(null, 204)
  })

  routes.post('/v1/oauth/logout', async (context) => {
    requireOwnPage(context)
    await browser.end(context)
    // The session here is over whether or not the provider can be told.
    const elsewhere = isBuiltIn ? null : await relyingParty.signOutUrl(publicUrl + SIGNED_OUT_PATH).catch(() => null)
    return context.redirect(elsewhere ?? SIGNED_OUT_PATH, 303)
  })

  routes.get(SIGNED_OUT_PATH, (context) => answerPage(context, signedOutPage()))

  return routes

  /** A foreign provider that does not answer is a 503, not a bug of ours. */
  async function reach<T>(context: Context<ServiceEnv>, call: () => Promise<T>): Promise<T> {
    try {
      return await call()
    } catch (error) {
      if (isBuiltIn) throw error
      log.warn('identity provider unavailable', { requestId: context.get('requestId'), ...describeError(error) })
      throw unavailable()
    }
  }
}

function refuse(context: Context, why: string, code: 'validation-error' | 'forbidden' = 'validation-error') {
  if (!wantsPage(context)) return errorBody(context, new ApiError(code, why))
  const page = brokenPage({ title: 'You are not signed in', why: `We could not sign you in: ${why}.` })
  return answerPage(context, page, code === 'forbidden' ? 403 : 400)
}

export function wantsPage(context: Context): boolean {
  return (context.req.header('Accept') ?? '').includes('text/html')
}
