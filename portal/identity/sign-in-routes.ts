// The built-in login's pages: password, then the code of an authenticator app for those who have one.
import { type Context, Hono } from 'hono'
import { keyedIndex } from '../../kit/keys.ts'
import { mayWrite } from '../../kit/same-origin.ts'
import { describeError } from '../../service/describe-error.ts'
import { ApiError } from '../../service/http/api-error.ts'
import type { Account, ServiceEnv } from '../../service/http/context.ts'
import type { Log } from '../../service/log.ts'
import { answerPage } from '../pages/layout.ts'
import type { FailedSignIns } from './failed-sign-ins.ts'
import type { Guesses } from './guesses.ts'
import type { KnownDevices } from './known-devices.ts'
import { signInIsOver } from './login-routes.ts'
import type { Checks, LoginStates } from './login-state.ts'
import { type OwnLogin, SIGN_IN_PATH } from './own-login.ts'
import { PASSWORD_LENGTH_MAX } from './password.ts'
import { readForm } from './read-form.ts'
import type { ReadyAccount, ReadyAccounts } from './ready-accounts.ts'
import { problemOfCode, type SecondFactor } from './second-factor.ts'
import { codePage, passwordPage } from './sign-in-pages.ts'
import { normaliseEmail, type Users } from './users.ts'

/**
 * For one address at one account: guesses from elsewhere do not lock the account. Also for all known devices of an
 * account together.
 */
const ACCOUNT_TRIES = { triesMax: 10, windowMs: 60_000 }
/** For one address at all accounts together. */
const ADDRESS_TRIES = { triesMax: 60, windowMs: 60_000 }

const OTHER_WAY = ' A browser in which you have signed in before need not wait.'

type SignInOptions = {
  login: OwnLogin
  loginStates: LoginStates
  knownDevices: KnownDevices
  users: Users
  secondFactor: SecondFactor
  guesses: Guesses
  failedSignIns: FailedSignIns
  readyAccounts: ReadyAccounts
  log: Log
  indexKey: Uint8Array
  clientAddress: (context: Context<ServiceEnv>) => string | null
}

export function signInRoutes(options: SignInOptions): Hono<ServiceEnv> {
  const {
    login,
    loginStates,
    knownDevices,
    users,
    secondFactor,
    guesses,
    failedSignIns,
    readyAccounts,
    log,
    indexKey,
    clientAddress,
  } = options
  const routes = new Hono<ServiceEnv>()

  routes.get(`${SIGN_IN_PATH}/:uid`, async (context) => {
    const begun = await loginStates.read(context, context.req.param('uid'))
    if (begun === null) return signInIsOver(context)
    const progress = await login.find(begun.verifier)
    if (progress?.isProven) return context.redirect(login.callbackOf(begun), 303)
    if (progress !== null) return answerPage(context, codePage({}))
    const ready = await readyAccounts.read(context)
    return answerPage(context, passwordPage(ready === null ? {} : { email: ready.email, notice: noticeOf(ready) }))
  })

  routes.post(`${SIGN_IN_PATH}/:uid`, async (context) => {
    if (!mayWrite(context.req.raw)) throw new ApiError('forbidden', 'sign in on the page of this service')
    const form = await readForm(context.req.raw)
    const begun = await loginStates.read(context, context.req.param('uid'))
    if (begun === null) return signInIsOver(context)
    const code = form.get('code')
    return code === null ? tryPassword(context, begun, form) : tryCode(context, begun, code)
  })

  return routes

  async function tryPassword(context: Context<ServiceEnv>, begun: Checks, form: URLSearchParams) {
    const email = normaliseEmail(form.get('email') ?? '')
    const password = (form.get('password') ?? '').slice(0, PASSWORD_LENGTH_MAX)
    const again = async (problem: string, status: 400 | 429 = 400) => {
      failed(context, await users.findAccount('email', email))
      return answerPage(context, passwordPage({ email, problem }), status)
    }
    const isKnown = knownDevices.isKnown(context, email)
    const { subject, seconds } = await countPassword(context, email, isKnown)
    if (seconds > 0) {
      context.header('Retry-After', String(seconds))
      return again(`Too many attempts. Wait ${seconds} seconds, then try again.`, 429)
    }
    const user = await users.verifyPassword(email, password, { signal: context.req.raw.signal, isKnown })
    const progress = user && (await login.passPassword(begun.verifier, user))
    // The same words whether the person exists or not.
    if (progress === null) return again('The e-mail address and the password do not go together.')
    await guesses.forget(subject)
    readyAccounts.drop(context)
    return context.redirect(progress.isProven ? login.callbackOf(begun) : context.req.path, 303)
  }

  async function countPassword(context: Context<ServiceEnv>, email: string, isKnown: boolean) {
    const address = clientAddress(context)
    const subject = `password ${indexOf(isKnown ? `known ${email}` : `${email}\n${address}`)}`
    const waits = [await guesses.take(subject, ACCOUNT_TRIES)]
    if (!isKnown) waits.push(await guesses.take(`sign-in from ${indexOf(String(address))}`, ADDRESS_TRIES))
    return { subject, seconds: Math.max(...waits.map((wait) => wait ?? 0)) }
  }

  async function tryCode(context: Context<ServiceEnv>, begun: Checks, code: string) {
    const attempt = await login.takeCodeTry(begun.verifier)
    const user = attempt && (await users.find(attempt.userId))
    if (attempt === null || user === null) return goOn(context, begun)
    const from = knownDevices.isKnown(context, user.email) ? 'known device' : 'new device'
    const verdict = await secondFactor.check(user.id, code, from)
    if (verdict.outcome === 'right') {
      await login.passCode(begun.verifier, user.id)
      return goOn(context, begun)
    }
    if (verdict.outcome === 'wrong' && attempt.isLast) {
      await login.forgetPassword(begun.verifier)
      return goOn(context, begun)
    }
    // The form was sent twice, and this is the second time.
    if ((await login.find(begun.verifier))?.isProven) return goOn(context, begun)
    failed(context, await users.findAccount('id', user.id))
    if (verdict.outcome === 'wait') context.header('Retry-After', String(verdict.seconds))
    const otherWay = verdict.outcome === 'wait' && from === 'new device' ? OTHER_WAY : ''
    const page = codePage({ problem: problemOfCode(verdict) + otherWay })
    return answerPage(context, page, verdict.outcome === 'wait' ? 429 : 400)
  }

  function failed(context: Context<ServiceEnv>, account: Account | undefined): void {
    context.set('account', account)
    if (account === undefined) return
    // Not waited for: the time of the answer must not tell whether there is such an account.
    void failedSignIns
      .count(account)
      .catch((error: unknown) => log.error('failed sign-in not counted', describeError(error)))
  }

  /** To the callback once everything is proven, else back to the password. */
  async function goOn(context: Context<ServiceEnv>, begun: Checks) {
    const progress = await login.find(begun.verifier)
    if (progress?.isProven) return context.redirect(login.callbackOf(begun), 303)
    const problem = 'Too many wrong codes, or too long a wait. Type your password again.'
    return answerPage(context, passwordPage({ problem }), 400)
  }

  /** Neither e-mail nor network addresses are kept, only what tells them apart. */
  function indexOf(value: string): string {
    return keyedIndex(indexKey, 'sign-in', value)
  }
}

function noticeOf({ isNew }: ReadyAccount): string {
  return isNew ? 'Your account is ready. Sign in with it.' : 'Your password is set. Sign in with it.'
}
