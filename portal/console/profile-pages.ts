import { html } from 'hono/html'
import { field, type Markup } from '../pages/layout.ts'
import { PASSWORD_LENGTH_MIN } from '../password.ts'
import type { OpenSession } from '../sessions.ts'
import type { User } from '../users.ts'
import { pressField } from './presses.ts'
import { showStatus, showTable, showTime } from './show.ts'

export type ProfileView = {
  user: User
  /** False when another provider looks after passwords and second factors. */
  hasOwnLogin: boolean
  sessionId: string
  sessions: readonly OpenSession[]
  /** By the name of the field. */
  problems?: { [field: string]: string }
}

export function profileBody({ user, hasOwnLogin, sessionId, sessions, problems = {} }: ProfileView): Markup {
  return html`<h1>Profile</h1>
<div class="panel">
  <dl class="facts">
    <dt>Name</dt><dd>${user.firstName} ${user.lastName}</dd>
    <dt>E-mail</dt><dd>${user.email}</dd>
    <dt>Member since</dt><dd>${showTime(user.createdAtMs)}</dd>
    <dt>Two-step sign-in</dt><dd>${hasOwnLogin ? (user.totpEnabled ? showStatus('On', 'good') : showStatus('Off', 'neutral')) : 'Looked after by your identity provider'}</dd>
  </dl>
</div>
${hasOwnLogin ? html`${user.totpEnabled ? turnOff(problems.code) : turnOn(problems.password)}${changePassword(problems)}` : ''}
${sessionsPanel(sessions, sessionId)}`
}

function turnOn(problem: string | undefined): Markup {
  return html`<form class="panel" method="post" action="/console/profile/totp">
  <h2>Turn on two-step sign-in</h2>
  <p>After your password, you type a code from an authenticator app on your phone. Someone who learns your password alone cannot sign in.</p>
  ${field({ name: 'password', label: 'Your password', type: 'password', autocomplete: 'current-password', error: problem })}
  ${pressField()}<button class="button" type="submit">Set up an authenticator app</button>
</form>`
}

function changePassword(problems: { [field: string]: string }): Markup {
  return html`<form class="panel" method="post" action="/console/profile/password">
  <h2>Change your password</h2>
  ${field({ name: 'current', label: 'Current password', type: 'password', autocomplete: 'current-password', error: problems.current })}
  ${field({ name: 'new', label: 'New password', type: 'password', autocomplete: 'new-password', hint: `At least ${PASSWORD_LENGTH_MIN} characters. You are signed out everywhere else.`, error: problems.new })}
  ${pressField()}<button class="button" type="submit">Change password</button>
</form>`
}

function sessionsPanel(sessions: readonly OpenSession[], own: string): Markup {
  const end = (id: string | null, label: string) => html`<form method="post" action="/console/profile/sessions/end">
    ${id === null ? '' : html`<input type="hidden" name="id" value="${id}">`}${pressField()}<button class="quiet danger" type="submit">${label}</button></form>`
  return html`<section class="panel" aria-labelledby="sessions">
  <h2 id="sessions">Where you are signed in</h2>
  ${showTable({
    label: 'Open sessions',
    columns: [{ wide: 'Browser' }, 'Network', 'Since', 'Last used', 'End'],
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

function turnOff(problem: string | undefined): Markup {
  return html`<form class="panel" method="post" action="/console/profile/totp/off">
  <h2>Turn off two-step sign-in</h2>
  ${field({ name: 'code', label: 'Security code', autocomplete: 'one-time-code', hint: 'From your authenticator app, or a recovery code.', error: problem, lengthMax: 20 })}
  ${pressField()}<button class="quiet danger" type="submit">Turn off</button>
</form>`
}

/** The key itself is shown once, above; who comes back from their app types its code here. */
export function enrolBody(problem?: string): Markup {
  return html`<h1>Set up an authenticator app</h1>
<p class="lead">Add the key to your app, then type the six digits it shows. Without the key, <a href="/console/profile">start again</a>.</p>
<form class="panel" method="post" action="/console/profile/totp/confirm">
  ${field({ name: 'code', label: 'Security code', autocomplete: 'one-time-code', inputmode: 'numeric', hint: 'Six digits from the app.', error: problem, lengthMax: 20 })}${pressField()}
  <button class="button" type="submit">Turn on</button>
</form>
<p><a href="/console/profile">Not now</a></p>`
}
