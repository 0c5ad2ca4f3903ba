// The console's page about oneself: password, second factor, sessions.
import { Hono } from 'hono'
import type { ServiceEnv } from '../../service/http/context.ts'
import type { Guesses } from '../guesses.ts'
import { hashPassword, PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '../password.ts'
import { readForm } from '../read-form.ts'
import { problemOfCode, type SecondFactor } from '../second-factor.ts'
import type { Sessions } from '../sessions.ts'
import type { Users } from '../users.ts'
import type { Visit } from './frame.ts'
import type { PageContext, Visits } from './page-context.ts'
import { enrolBody, type ProfileView, profileBody, recoveryBody } from './profile-pages.ts'

/** Against guessing the password at an unlocked screen. */
const PASSWORD_TRIES = { triesMax: 5, windowMs: 300_000 }

type ProfilePageOptions = {
  users: Users
  sessions: Sessions
  guesses: Guesses
  secondFactor: SecondFactor
  /** True when passwords and second factors are kept here. */
  hasOwnLogin: boolean
  visits: Visits
}

export function profilePageRoutes(options: ProfilePageOptions): Hono<ServiceEnv> {
  const { users, sessions, guesses, secondFactor, hasOwnLogin, visits } = options
  const { visitOf, show } = visits
  const routes = new Hono<ServiceEnv>()
  const path = '/console/profile'

  type Extra = Partial<Pick<ProfileView, 'problems' | 'done'>>
  async function showProfile(context: PageContext, visit: Visit, extra: Extra = {}, status: 200 | 400 | 429 = 200) {
    const { user, sessionId } = visit
    const body = profileBody({ user, hasOwnLogin, sessionId, sessions: await sessions.list(user.id), ...extra })
    return show(context, visit, { path, title: 'Profile', body }, status)
  }

  /** Null when the password is theirs; else what to say. */
  async function wrongPassword(context: PageContext, { user }: Visit, given: string | null): Promise<string | null> {
    const subject = `password again ${user.id}`
    const seconds = await guesses.take(subject, PASSWORD_TRIES)
    if (seconds !== null) return `Too many tries. Wait ${seconds} seconds, then try again.`
    const password = (given ?? '').slice(0, PASSWORD_LENGTH_MAX)
    const turn = { signal: context.req.raw.signal, isKnown: true }
    if ((await users.verifyPassword(user.email, password, turn)) === null) return 'That is not your password.'
    await guesses.forget(subject)
    return null
  }

  routes.get(path, async (context) => showProfile(context, await visitOf(context)))

  routes.post(`${path}/password`, async (context) => {
    const form = await readForm(context.req.raw)
    const visit = await visitOf(context)
    if (!hasOwnLogin) return context.redirect(path, 303)
    const next = form.get('new') ?? ''
    if ([...next].length < PASSWORD_LENGTH_MIN || next.length > PASSWORD_LENGTH_MAX) {
      const problem = `The new password must have ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters.`
      return showProfile(context, visit, { problems: { new: problem } }, 400)
    }
    const problem = await wrongPassword(context, visit, form.get('current'))
    if (problem !== null) return showProfile(context, visit, { problems: { current: problem } }, 400)
    const passwordHash = await hashPassword(next)
    await users.changePassword(context.get('act'), { userId: visit.user.id, passwordHash, sessionId: visit.sessionId })
    return showProfile(context, visit, { done: 'Your password was changed. You were signed out everywhere else.' })
  })

  routes.post(`${path}/sessions/end`, async (context) => {
    const id = (await readForm(context.req.raw)).get('id')
    const visit = await visitOf(context)
    await sessions.endOf(context.get('act'), visit.user.id, { id, except: visit.sessionId })
    return context.redirect(path, 303)
  })

  routes.post(`${path}/totp`, async (context) => {
    const form = await readForm(context.req.raw)
    const visit = await visitOf(context)
    if (!hasOwnLogin || visit.user.totpEnabled) return context.redirect(path, 303)
    const problem = await wrongPassword(context, visit, form.get('password'))
    if (problem !== null) return showProfile(context, visit, { problems: { password: problem } }, 400)
    const enrolment = await secondFactor.begin(context.get('act'), visit.user)
    if (enrolment === null) return showProfile(context, visit)
    return show(context, visit, { path, title: 'Set up an authenticator app', body: enrolBody(enrolment) })
  })

  routes.post(`${path}/totp/confirm`, async (context) => {
    const code = (await readForm(context.req.raw)).get('code') ?? ''
    const visit = await visitOf(context)
    const enrolment = await secondFactor.pending(visit.user)
    if (enrolment === null) return context.redirect(path, 303)
    const { user, sessionId } = visit
    const verdict = await secondFactor.confirm(context.get('act'), { userId: user.id, sessionId, code })
    if ('recoveryCodes' in verdict) {
      return show(context, visit, { path, title: 'Recovery codes', body: recoveryBody(verdict.recoveryCodes) })
    }
    const body = enrolBody(enrolment, problemOfCode(verdict))
    const page = { path, title: 'Error: set up an authenticator app', body }
    return show(context, visit, page, verdict.outcome === 'wait' ? 429 : 400)
  })

  routes.post(`${path}/totp/off`, async (context) => {
    const code = (await readForm(context.req.raw)).get('code') ?? ''
    const visit = await visitOf(context)
    if (!visit.user.totpEnabled) return context.redirect(path, 303)
    const verdict = await secondFactor.disable(context.get('act'), visit.user.id, code)
    if (verdict.outcome === 'right') {
      return showProfile(context, await visitOf(context), { done: 'Two-step sign-in is off.' })
    }
    const status = verdict.outcome === 'wait' ? 429 : 400
    return showProfile(context, visit, { problems: { code: problemOfCode(verdict) } }, status)
  })

  return routes
}
