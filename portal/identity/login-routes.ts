// Signing in, as a browser sees it. This half is the same for the built-in login and for another provider:
//
//   /v1/oauth/login ──▶ pages that ask who it is ──▶ /v1/oauth/callback ──▶ returnTo, with cookies
import { type Context, Hono } from 'hono'
import type { Clock } from '../../kit/clock.ts'
import { describeError } from '../../service/describe-error.ts'
import { unauthorized } from '../../service/http/access.ts'
import { ApiError, errorBody, unavailable } from '../../service/http/api-error.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import { requireOwnPage } from '../../service/http/protect.ts'
import { serve } from '../../service/http/serve.ts'
import type { Log } from '../../service/log.ts'
import { answerPage, type Page } from '../pages/layout.ts'
import { type BrowserSession, nameBrowser } from './browser-session.ts'
import type { KnownDevices } from './known-devices.ts'
import type { Checks, LoginStates } from './login-state.ts'
import type { Mail } from './mail.ts'
import { mailNewSignIn } from './mails.ts'
import { portalRows } from './operations.ts'
import type { Login } from './relying-party.ts'
import { readReturnTo } from './return-to.ts'
import { brokenPage, signedOutPage } from './sign-in-pages.ts'
import type { Users } from './users.ts'

const { operations } = portalRows

const SIGNED_OUT_PATH = '/v1/oauth/signed-out'

/** Authenticates people: the built-in login, or another provider. */
type IdentityProvider = {
  /**
   * The address to redirect the browser to, and the state to compare its return with. `asksAgain`: also those whom it
   * knows from before.
   */
  begin(options: { asksAgain: boolean }): Promise<{ url: string; checks: Checks }>
  /** The person who came back; null when it does not answer this sign-in. */
  finish(search: string, checks: Checks): Promise<Login | { userId: string } | null>
  /** The address that signs the browser out there too; null when there is nothing to end. */
  signOutUrl(returnTo: string): Promise<string | null>
}

type LoginRouteOptions = {
  provider: IdentityProvider
  loginStates: LoginStates
  browser: BrowserSession
  knownDevices: KnownDevices
  users: Users
  /** True when the provider is the one built in. */
  isBuiltIn: boolean
  publicUrl: string
  mail: Mail | null
  clock: Clock
  log: Log
}

export function loginRoutes(options: LoginRouteOptions): Hono<ServiceEnv> {
  const { provider, loginStates, browser, knownDevices, users, isBuiltIn, publicUrl, mail, clock, log } = options
  const routes = new Hono<ServiceEnv>()

  serve(routes, operations.signIn, async (context) => {
    const returnTo = readReturnTo(context.req.query('returnTo'))
    const asksAgain = context.req.query('prompt') === 'login'
    const { url, checks } = await reach(context, () => provider.begin({ asksAgain }))
    await loginStates.keep(context, { ...checks, returnTo })
    return context.redirect(url, 303)
  })

  serve(routes, operations.finishSignIn, async (context) => {
    const state = context.req.query('state') ?? ''
    const begun = await loginStates.read(context, state)
    // Each sign-in has one answer, right or wrong.
    loginStates.drop(context, state)
    if (begun === null) return signInIsOver(context)
    const { search } = new URL(context.req.url)
    const login = await reach(context, () => provider.finish(search, begun))
    if (login === null) return signInIsOver(context)
    const user = 'userId' in login ? await users.find(login.userId) : await users.findByLogin(login)
    if (user === null) return noAccount(context)
    // Known from here on: the audit trail names them.
    const account = await users.findAccount('id', user.id)
    const notYet = { roles: {}, selectedTenantId: null, sessionId: '', isFresh: false, scopes: [] }
    if (account) context.set('caller', { kind: 'user', ...account, ...notYet })
    await browser.begin(context, user.id, 'userId' in login ? undefined : login.authenticatedAtMs)
    if (isBuiltIn) {
      if (!knownDevices.isKnown(context, user.email)) mailSignIn(context, user.email)
      knownDevices.remember(context, user.email)
    }
    return context.redirect(begun.returnTo, 303)
  })

  serve(routes, operations.refreshSession, async (context) => {
    requireOwnPage(context)
    if (!(await browser.renew(context))) {
      browser.clear(context)
      throw unauthorized()
    }
    return context.body(null, 204)
  })

  serve(routes, operations.signOut, async (context) => {
    requireOwnPage(context)
    await browser.end(context)
    // The session here is over whether or not the provider can be reached.
    const elsewhere = await provider.signOutUrl(publicUrl + SIGNED_OUT_PATH).catch(() => null)
    return context.redirect(elsewhere ?? SIGNED_OUT_PATH, 303)
  })

  routes.get(SIGNED_OUT_PATH, (context) => answerPage(context, signedOutPage()))

  return routes

  /** The browser does not wait for the mail. */
  function mailSignIn(context: Context<ServiceEnv>, to: string): void {
    if (mail === null) return
    const signIn = { to, browser: nameBrowser(context.req.header('User-Agent')), atMs: clock() }
    mailNewSignIn(mail, { publicUrl }, signIn).catch((error: unknown) => {
      log.warn('sign-in not mailed', { requestId: context.get('requestId'), ...describeError(error) })
    })
  }

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

/** Not the one answer to a sign-in that this browser began: it can only be started again. */
export function signInIsOver(context: Context) {
  const why = 'has expired, was finished before, or was begun in another browser'
  const page = brokenPage({ title: 'This sign-in is over', why: `It ${why}.` })
  return refuse(context, new ApiError('validation-error', `this sign-in ${why}`), page)
}

function noAccount(context: Context) {
  const why = 'there is no account here for the person who signed in'
  const page = brokenPage({ title: 'You are not signed in', why: `We could not sign you in: ${why}.` })
  return refuse(context, new ApiError('forbidden', why), page)
}

/** A page for a browser, JSON for other clients. */
function refuse(context: Context, error: ApiError, page: Page) {
  const wantsPage = (context.req.header('Accept') ?? '').includes('text/html')
  return wantsPage ? answerPage(context, page, error.code === 'forbidden' ? 403 : 400) : errorBody(context, error)
}
