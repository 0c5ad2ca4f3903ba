// The most sensitive changes ask a person to authenticate again, unless they did so in the last minutes:
//
//   form ──POST──▶ session is fresh ─────────────────────────────▶ carried out
//              └─▶ 403: the same form once more, and a field for the password or a code
//                    └──POST──▶ right: the session is fresh, and what was sent is carried out
//                           └─▶ wrong, or too many tries: the question again
import type { MiddlewareHandler } from 'hono'
import { html } from 'hono/html'
import type { UserCaller } from '../../service/http/caller.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import { answerPage, field, type Page } from '../pages/layout.ts'
import type { Guesses } from './guesses.ts'
import { PASSWORD_LENGTH_MAX } from './password.ts'
import { readForm } from './read-form.ts'
import { problemOfCode, type SecondFactor } from './second-factor.ts'
import type { Sessions } from './sessions.ts'
import type { Users } from './users.ts'

/** Against guessing the password at an unlocked screen. */
const PASSWORD_TRIES = { triesMax: 5, windowMs: 300_000 }

/** The message for a proof that failed; `wait`: it was not checked. */
export type Wrong = { problem: string; wait?: number }

/** Null when the password is the user's. */
export async function checkPassword(
  { users, guesses }: { users: Users; guesses: Guesses },
  user: { id: string; email: string },
  given: string,
  signal: AbortSignal,
): Promise<Wrong | null> {
  const subject = `password again ${user.id}`
  const seconds = await guesses.take(subject, PASSWORD_TRIES)
  if (seconds !== null) return { problem: `Too many tries. Wait ${seconds} seconds, then try again.`, wait: seconds }
  const password = given.slice(0, PASSWORD_LENGTH_MAX)
  const found = await users.verifyPassword(user.email, password, { signal, isKnown: true })
  if (found === null) return { problem: 'That is not your password.' }
  await guesses.forget(subject)
  return null
}

type ProofOptions = {
  users: Users
  sessions: Sessions
  guesses: Guesses
  secondFactor: SecondFactor
  /** False when another provider looks after passwords and second factors. */
  hasOwnLogin: boolean
}

/** Behind the rule `page`, for those of its routes that are `fresh`. */
export function createProof({ users, sessions, guesses, secondFactor, hasOwnLogin }: ProofOptions) {
  async function check(caller: UserCaller, given: string, signal: AbortSignal): Promise<Wrong | null> {
    const user = await users.find(caller.userId)
    if (user === null) return { problem: 'Your account is gone.' }
    if (!user.totpEnabled) return checkPassword({ users, guesses }, user, given, signal)
    const verdict = await secondFactor.check(user.id, given, 'session')
    if (verdict.outcome === 'right') return null
    return { problem: problemOfCode(verdict), ...(verdict.outcome === 'wait' ? { wait: verdict.seconds } : {}) }
  }

  const requireProof: MiddlewareHandler<ServiceEnv> = async (context, next) => {
    const caller = context.get('caller')
    if (caller.kind !== 'user' || caller.isFresh) return next()
    const { path, raw } = context.req
    // The page that the form is on.
    const back = path.split('/').slice(0, 3).join('/')
    context.set('isAsked', true)
    if (!hasOwnLogin) return answerPage(context, signInAgainPage(back), 403)
    const form = await readForm(raw)
    const given = form.get(PROOF_FIELD)
    const ask = async (problem?: string) => {
      const user = await users.find(caller.userId)
      return proofPage({ form, action: path, back, needsCode: user?.totpEnabled === true, problem })
    }
    if (given === null) return answerPage(context, await ask(), 403)

    const act = context.get('actAs')('sign-in.again')
    const wrong = await check(caller, given, raw.signal)
    // Of a form that was sent twice at once, the second finds its code used, and the session proven by the first.
    const isProven =
      wrong === null
        ? await sessions.prove(act, caller.sessionId)
        : (await sessions.find(caller.sessionId))?.isFresh === true
    if (isProven) {
      context.set('isAsked', undefined)
      return next()
    }
    const status = wrong?.wait === undefined ? 400 : 429
    if (wrong?.wait !== undefined) context.header('Retry-After', String(wrong.wait))
    await act.note(String(status), { isFailure: true })
    return answerPage(context, await ask(wrong?.problem ?? 'This session is over.'), status)
  }
  return requireProof
}

/** The name of the field with the password or the code. No form of the console has another of this name. */
const PROOF_FIELD = 'proof'

type ProofView = {
  /** The form that was sent, to be sent again. */
  form: URLSearchParams
  action: string
  /** The address to go to instead. */
  back: string
  needsCode: boolean
  problem: string | undefined
}

function proofPage({ form, action, back, needsCode, problem }: ProofView): Page {
  const kept = [...form].filter(([name]) => name !== PROOF_FIELD)
  const shared = { name: PROOF_FIELD, error: problem, autofocus: true }
  return {
    title: problem ? 'Error: confirm that it is you' : 'Confirm that it is you',
    width: 'narrow',
    body: html`<h1>Confirm that it is you</h1>
<p class="lead">You signed in a while ago. ${needsCode ? 'Type a code from your authenticator app' : 'Type your password'} to go on; nothing has been changed yet.</p>
<form class="panel" method="post" action="${action}">
  ${
    needsCode
      ? field({
          ...shared,
          label: 'Security code',
          autocomplete: 'one-time-code',
          hint: 'Six digits, or one of your recovery codes.',
          lengthMax: 20,
        })
      : field({ ...shared, label: 'Your password', type: 'password', autocomplete: 'current-password' })
  }
  <div class="row"><button class="button" type="submit">Go on</button> <a href="${back}">Cancel</a></div>
  ${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
</form>`,
  }
}

/** If another provider signs people in, only it can ask for a password. */
function signInAgainPage(back: string): Page {
  const again = `/v1/oauth/login?${new URLSearchParams({ prompt: 'login', returnTo: back })}`
  return {
    title: 'Sign in again',
    width: 'narrow',
    body: html`<h1>Sign in again</h1>
<p class="lead">This needs a sign-in of the last 15 minutes. Nothing has been changed; what you typed is not kept.</p>
<p><a class="button" href="${again}">Sign in again</a> <a href="${back}">Cancel</a></p>`,
  }
}
