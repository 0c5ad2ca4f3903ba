// The console's page about oneself: password, second factor, sessions.
import type { Hono } from 'hono'
import { html } from 'hono/html'
import type { Clock } from '../../kit/clock.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import type { Guesses } from '../identity/guesses.ts'
import { openInvitations } from '../identity/link-pages.ts'
import { passwordChangedMail, secondFactorOffMail } from '../identity/mails.ts'
import type { Notify } from '../identity/notify.ts'
import type { Invitation, OneTimeLinks } from '../identity/one-time-links.ts'
import { hashPassword, PASSWORD_LENGTH_MIN, problemOfNewPassword } from '../identity/password.ts'
import { checkPassword } from '../identity/proof.ts'
import { problemOfCode, type SecondFactor } from '../identity/second-factor.ts'
import type { OpenSession, Sessions } from '../identity/sessions.ts'
import type { Users } from '../identity/users.ts'
import { field, type Markup } from '../pages/layout.ts'
import type { Visit } from './frame.ts'
import type { PageContext, Visits } from './page-context.ts'
import { showStatus, showTable, showTime } from './show.ts'

type ProfilePageOptions = {
  notify: Notify
  publicUrl: string
  clock: Clock
  users: Users
  links: OneTimeLinks
  sessions: Sessions
  guesses: Guesses
  secondFactor: SecondFactor
  /** True when passwords and second factors are kept here. */
  hasOwnLogin: boolean
  visits: Visits
}

export function profilePageRoutes(options: ProfilePageOptions): Hono<ServiceEnv> {
  const { notify, publicUrl, clock, users, links, sessions, guesses, secondFactor, hasOwnLogin, visits } = options
  const { show, personPages } = visits
  const { routes, get, post } = personPages()
  const path = '/console/profile'

  type Problems = NonNullable<ProfileView['problems']>
  async function showProfile(
    context: PageContext,
    visit: Visit,
    problems: Problems = {},
    status: 200 | 400 | 429 = 200,
  ) {
    const { user, sessionId, press } = visit
    const open = await sessions.list(user.id)
    const invitations = await links.listFor(user.email)
    const body = profileBody({ user, hasOwnLogin, invitations, sessionId, sessions: open, problems, press })
    return show(context, visit, { path, title: status === 200 ? 'Profile' : 'Error: profile', body }, status)
  }

  /** Null when the password is theirs; else what to say. */
  async function wrongPassword(context: PageContext, { user }: Visit, given: string | null): Promise<string | null> {
    const wrong = await checkPassword({ users, guesses }, user, given ?? '', context.req.raw.signal)
    return wrong === null ? null : wrong.problem
  }

  get(path, (context, visit) => showProfile(context, visit))

  post(`${path}/password`, path, async (context, visit, form) => {
    if (!hasOwnLogin) return ELSEWHERE
    const next = form.get('new') ?? ''
    const { email, firstName, lastName } = visit.user
    const weak = problemOfNewPassword(next, [email, firstName, lastName])
    if (weak !== null) return showProfile(context, visit, { new: weak }, 400)
    const problem = await wrongPassword(context, visit, form.get('current'))
    if (problem !== null) return showProfile(context, visit, { current: problem }, 400)
    const passwordHash = await hashPassword(next)
    await users.changePassword(context.get('act'), { userId: visit.user.id, passwordHash, sessionId: visit.sessionId })
    notify([visit.user], passwordChangedMail({ publicUrl }, clock()))
    return { notice: 'Your password was changed. You were signed out everywhere else.' }
  })

  post(`${path}/sessions/end`, path, async (context, visit, form) => {
    const ended = await sessions.endOf(context.get('act'), visit.user.id, {
      id: form.get('id'),
      except: visit.sessionId,
    })
    return ended > 0 ? { notice: 'Signed out there.' } : { refused: 'That session was over already.', status: 404 }
  })

  get(`${path}/totp`, async (context, visit) => {
    if (!hasOwnLogin || (await secondFactor.pending(visit.user)) === null) return context.redirect(path, 303)
    return show(context, visit, { path, title: 'Set up an authenticator app', body: enrolBody(visit.press) })
  })

  post(`${path}/totp`, `${path}/totp`, async (context, visit, form) => {
    if (!hasOwnLogin) return ELSEWHERE
    if (visit.user.totpEnabled) return IS_ON
    const problem = await wrongPassword(context, visit, form.get('password'))
    if (problem !== null) return showProfile(context, visit, { password: problem }, 400)
    const enrolment = await secondFactor.begin(context.get('act'), visit.user)
    if (enrolment === null) return IS_ON
    return {
      notice: 'Add this key to your authenticator app now: it is shown this once.',
      secret: {
        title: 'The key for your app',
        hint: 'Scan the picture with the app, or type the key into it.',
        label: 'Key',
        values: [enrolment.secret.replace(/.{4}(?=.)/g, '$& ')],
        qr: enrolment.uri,
      },
    }
  })

  post(`${path}/totp/confirm`, path, async (context, visit, form) => {
    if ((await secondFactor.pending(visit.user)) === null)
      return { refused: 'There is no key to confirm. Start again.' }
    const { user, sessionId } = visit
    const confirmed = { userId: user.id, sessionId, code: form.get('code') ?? '' }
    const verdict = await secondFactor.confirm(context.get('act'), confirmed)
    if ('recoveryCodes' in verdict) {
      return {
        notice: 'Two-step sign-in is on. Keep these recovery codes somewhere safe: they are shown this once.',
        secret: {
          title: 'Recovery codes',
          hint: 'Each signs you in once when you do not have your phone.',
          label: 'Recovery codes',
          values: verdict.recoveryCodes,
          file: 'recovery-codes.txt',
        },
      }
    }
    const page = {
      path,
      title: 'Error: set up an authenticator app',
      body: enrolBody(visit.press, problemOfCode(verdict)),
    }
    return show(context, visit, page, verdict.outcome === 'wait' ? 429 : 400)
  })

  post(`${path}/totp/off`, path, async (context, visit, form) => {
    if (!visit.user.totpEnabled) return { refused: 'Two-step sign-in is off.' }
    const verdict = await secondFactor.disable(context.get('act'), visit.user.id, form.get('code') ?? '')
    if (verdict.outcome === 'right') {
      notify([visit.user], secondFactorOffMail({ publicUrl }, clock()))
      return { notice: 'Two-step sign-in is off.' }
    }
    return showProfile(context, visit, { code: problemOfCode(verdict) }, verdict.outcome === 'wait' ? 429 : 400)
  })

  return routes
}

const IS_ON = { refused: 'Two-step sign-in is on.' }
const ELSEWHERE = { refused: 'Your identity provider looks after your password and second factor.' }

type ProfileView = Pick<Visit, 'user' | 'press'> & {
  /** False when another provider looks after passwords and second factors. */
  hasOwnLogin: boolean
  /** Those that wait for the person. */
  invitations: readonly Invitation[]
  sessionId: string
  sessions: readonly OpenSession[]
  /** By the name of the field. */
  problems?: { [field: string]: string }
}

function profileBody(view: ProfileView): Markup {
  const { user, hasOwnLogin, invitations, sessionId, sessions, problems = {}, press } = view
  return html`<h1>Profile</h1>
${openInvitations(invitations)}
<div class="panel">
  <dl class="facts">
    <dt>Name</dt><dd>${user.firstName} ${user.lastName}</dd>
    <dt>E-mail</dt><dd>${user.email}</dd>
    <dt>Member since</dt><dd>${showTime(user.createdAtMs)}</dd>
    <dt>Two-step sign-in</dt><dd>${hasOwnLogin ? (user.totpEnabled ? showStatus('On', 'good') : showStatus('Off', 'neutral')) : 'Looked after by your identity provider'}</dd>
  </dl>
</div>
${hasOwnLogin ? html`${user.totpEnabled ? turnOff(press, problems.code) : turnOn(press, problems.password)}${changePassword(press, problems)}` : ''}
${sessionsPanel(press, sessions, sessionId)}
<div class="panel checks" hidden><label><input type="checkbox" data-shortcut><span>Press <kbd>/</kbd> on any page to go to the search</span></label></div>`
}

function turnOn(press: Visit['press'], problem: string | undefined): Markup {
  return html`<form class="panel split" method="post" action="/console/profile/totp">
  <div><h2>Turn on two-step sign-in</h2>
  <p class="hint">After your password, you type a code from an authenticator app on your phone. Someone who learns your password alone cannot sign in.</p></div>
  <div>
  ${field({ name: 'password', label: 'Your password', type: 'password', autocomplete: 'current-password', error: problem })}
  ${press()}<button class="button" type="submit">Set up an authenticator app</button>
  </div>
</form>`
}

function changePassword(press: Visit['press'], problems: { [field: string]: string }): Markup {
  return html`<form class="panel split" method="post" action="/console/profile/password">
  <div><h2>Change your password</h2>
  <p class="hint">At least ${PASSWORD_LENGTH_MIN} characters; three words that do not belong together are good. You are signed out everywhere else.</p></div>
  <div>
  ${field({ name: 'current', label: 'Current password', type: 'password', autocomplete: 'current-password', error: problems.current })}
  ${field({ name: 'new', label: 'New password', type: 'password', autocomplete: 'new-password', error: problems.new })}
  ${press()}<button class="button" type="submit">Change password</button>
  </div>
</form>`
}

function sessionsPanel(press: Visit['press'], sessions: readonly OpenSession[], own: string): Markup {
  const end = (id: string | null, label: string) => html`<form method="post" action="/console/profile/sessions/end">
    ${id === null ? '' : html`<input type="hidden" name="id" value="${id}">`}${press()}<button class="plain danger" type="submit">${label}</button></form>`
  return html`<section class="panel" aria-labelledby="sessions">
  <h2 id="sessions">Where you are signed in</h2>
  ${showTable({
    label: 'Open sessions',
    columns: ['Browser', 'Network', 'Since', 'Last used', 'End'],
    rows: sessions.map(({ id, createdAtMs, seenAtMs, browser, network }) => [
      browser ?? 'Unknown',
      // The last part of an IPv4 address is not stored.
      network?.replace('.0/24', '.x') ?? 'Unknown',
      showTime(createdAtMs),
      showTime(seenAtMs),
      id === own ? 'This browser' : end(id, 'Sign out'),
    ]),
  })}
  ${sessions.length > 1 ? end(null, 'Sign out everywhere else') : ''}
</section>`
}

function turnOff(press: Visit['press'], problem: string | undefined): Markup {
  return html`<form class="panel split" method="post" action="/console/profile/totp/off">
  <div><h2>Turn off two-step sign-in</h2>
  <p class="hint">Your password alone then signs in. Lenders that require two-step sign-in are closed to you.</p></div>
  <div>
  ${field({ name: 'code', label: 'Security code', autocomplete: 'one-time-code', hint: 'From your authenticator app, or a recovery code.', error: problem, lengthMax: 20 })}
  ${press()}<button class="quiet danger" type="submit">Turn off</button>
  </div>
</form>`
}

/** The key itself is shown once, above; who comes back from their app types its code here. */
function enrolBody(press: Visit['press'], problem?: string): Markup {
  return html`<h1>Set up an authenticator app</h1>
<p class="lead">Add the key to your app, then type the six digits it shows. Without the key, <a href="/console/profile">start again</a>.</p>
<form class="panel" method="post" action="/console/profile/totp/confirm">
  ${field({ name: 'code', label: 'Security code', autocomplete: 'one-time-code', inputmode: 'numeric', hint: 'Six digits from the app.', error: problem, lengthMax: 20 })}${press()}
  <button class="button" type="submit">Turn on</button>
</form>
<p><a href="/console/profile">Not now</a></p>`
}
