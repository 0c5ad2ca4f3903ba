// The built-in provider's pages: password, then the code of an authenticator app for those who have one.
import { type Context, Hono } from 'hono'
import { keyedIndex } from '../kit/keys.ts'
import { mayWrite } from '../kit/same-origin.ts'
import { ApiError } from '../service/http/api-error.ts'
import type { ServiceEnv } from '../service/http/context.ts'
import { errorBody } from '../service/http/errors.ts'
import type { Guesses } from './guesses.ts'
import { wantsPage } from './login-routes.ts'
import { answerPage } from './pages/layout.ts'
import { brokenPage, codePage, passwordPage } from './pages/sign-in-pages.ts'
import { PASSWORD_LENGTH_MAX } from './password.ts'
import { AUTHORIZE_PATH, type BuiltInProvider, SIGN_IN_PATH, type SignIn } from './provider/provider.ts'
import { readForm } from './read-form.ts'
import { problemOfCode, type SecondFactor } from './second-factor.ts'
import { normaliseEmail, type Users } from './users.ts'

/** For one address at one account: guesses from elsewhere do not lock the account. */
const ACCOUNT_TRIES = { triesMax: 10, windowMs: 60_000 }
/** For one address at all accounts together. */
const ADDRESS_TRIES = { triesMax: 60, windowMs: 60_000 }

/** Sign-ins one address may begin: each is a row for ten minutes, before any proof of identity. */
const BEGINNINGS = { triesMax: 300, windowMs: 60_000 }

const NOT_OFFERED = 'the service that sent you here asked for something we do not offer'

type SignInOptions = {
  provider: BuiltInProvider
  users: Users
  secondFactor: SecondFactor
  guesses: Guesses
  indexKey: Uint8Array
  clientAddress: (context: Context<ServiceEnv>) => string | null
}

export function signInRoutes(options: SignInOptions): Hono<ServiceEnv> {
  const { provider, users, secondFactor, guesses, indexKey, clientAddress } = options
  const routes = new Hono<ServiceEnv>()

  for (const path of [AUTHORIZE_PATH, `${AUTHORIZE_PATH}/:uid`]) {
    routes.get(path, async (context) => {
      const seconds = await guesses.take(`begin from ${indexOf(String(clientAddress(context)))}`, BEGINNINGS)
      if (seconds !== null) {
        const wait = `wait ${seconds} seconds`
        throw new ApiError('rate-limited', `too many sign-ins were begun: ${wait}`, { 'Retry-After': String(seconds) })
      }
      // The library knows more response modes than discovery names.
      if (context.req.queries('response_mode')?.some((mode) => mode !== 'query')) return refuse(context, NOT_OFFERED)
      const answer = await provider.fetch(context.req.raw)
      if (answer.status < 400) return answer
      return refuse(context, NOT_OFFERED)
    })
  }

  routes.get(`${SIGN_IN_PATH}/:uid`, async (context) => {
    const signIn = await provider.read(context.req.raw)
    if (signIn === null) return gone(context)
    return show(context, signIn, signIn.passedUserId === null ? passwordPage({}) : codePage({}))
  })

  routes.post(`${SIGN_IN_PATH}/:uid`, async (context) => {
    if (!mayWrite(context.req.raw)) throw new ApiError('forbidden', 'sign in on the page of this service')
    const form = await readForm(context.req.raw)
    const signIn = await provider.read(context.req.raw)
    if (signIn === null) return gone(context)
    return signIn.passedUserId === null
      ? tryPassword(context, signIn, form)
      : tryCode(context, signIn, signIn.passedUserId, form.get('code') ?? '')
  })

  return routes

  async function tryPassword(context: Context<ServiceEnv>, signIn: SignIn, form: URLSearchParams) {
    const email = normaliseEmail(form.get('email') ?? '')
    const password = (form.get('password') ?? '').slice(0, PASSWORD_LENGTH_MAX)
    const again = async (problem: string, status: 400 | 429 = 400) => {
      context.set('account', await users.findAccount('email', email))
      return show(context, signIn, passwordPage({ email, problem }), status)
    }
    const address = clientAddress(context)
    const subject = `password ${indexOf(`${email}\n${address}`)}`
    const waits = [
      await guesses.take(subject, ACCOUNT_TRIES),
      await guesses.take(`sign-in from ${indexOf(String(address))}`, ADDRESS_TRIES),
    ]
    const seconds = Math.max(...waits.map((wait) => wait ?? 0))
    if (seconds > 0) {
      context.header('Retry-After', String(seconds))
      return again(`Too many attempts. Wait ${seconds} seconds, then try again.`, 429)
    }
    const user = await users.verifyPassword(email, password, context.req.raw.signal)
    // The same words whether the person exists or not.
    if (user === null) return again('The e-mail address and the password do not go together.')
    await guesses.forget(subject)
    if (!user.totpEnabled) return context.redirect(await provider.finish(context.req.raw, user.id, ['pwd']), 303)
    await provider.passPassword(context.req.raw, user.id)
    return context.redirect(context.req.path, 303)
  }

  async function tryCode(context: Context<ServiceEnv>, signIn: SignIn, userId: string, code: string) {
    const verdict = await secondFactor.check(userId, code)
    if (verdict.outcome === 'right') {
      return context.redirect(await provider.finish(context.req.raw, userId, ['pwd', 'otp']), 303)
    }
    context.set('account', await users.findAccount('id', userId))
    if (verdict.outcome === 'wait') context.header('Retry-After', String(verdict.seconds))
    const page = codePage({ problem: problemOfCode(verdict) })
    return show(context, signIn, page, verdict.outcome === 'wait' ? 429 : 400)
  }

  /** Neither e-mail nor network addresses are kept, only what tells them apart. */
  function indexOf(value: string): string {
    return keyedIndex(indexKey, 'sign-in', value)
  }
}

/** The form redirects back to the client, which the page's `form-action` must allow. */
function show(
  context: Context,
  { redirectOrigin }: SignIn,
  page: ReturnType<typeof codePage>,
  status: 200 | 400 | 429 = 200,
) {
  return answerPage(context, { ...page, formOrigins: [redirectOrigin] }, status)
}

function gone(context: Context) {
  return refuse(context, 'this sign-in is over, or belongs to another browser')
}

function refuse(context: Context, why: string) {
  if (!wantsPage(context)) return errorBody(context, new ApiError('validation-error', why))
  return answerPage(context, brokenPage({ title: 'This did not work', why: `Sorry: ${why}.` }), 400)
}
