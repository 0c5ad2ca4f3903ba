import { html } from 'hono/html'
import qrcode from 'qrcode-generator'
import { field, type Markup } from '../pages/layout.ts'
import { PASSWORD_LENGTH_MIN } from '../password.ts'
import type { Enrolment } from '../second-factor.ts'
import type { OpenSession } from '../sessions.ts'
import type { User } from '../users.ts'
import { showTable, showTime } from './show.ts'

export type ProfileView = {
  user: User
  /** False when another provider looks after passwords and second factors. */
  hasOwnLogin: boolean
  sessionId: string
  sessions: readonly OpenSession[]
  /** By the name of the field. */
  problems?: { [field: string]: string }
  done?: string | undefined
}

export function profileBody({ user, hasOwnLogin, sessionId, sessions, problems = {}, done }: ProfileView): Markup {
  return html`<h1>Profile</h1>
${done ? html`<p class="done" role="status">${done}</p>` : ''}
<div class="panel">
  <dl class="facts">
    <dt>Name</dt><dd>${user.firstName} ${user.lastName}</dd>
    <dt>E-mail</dt><dd>${user.email}</dd>
    <dt>Member since</dt><dd>${showTime(user.createdAtMs)}</dd>
    <dt>Two-step sign-in</dt><dd>${hasOwnLogin ? (user.totpEnabled ? 'On' : 'Off') : 'Looked after by your identity provider'}</dd>
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
  <button class="button" type="submit">Set up an authenticator app</button>
</form>`
}

function changePassword(problems: { [field: string]: string }): Markup {
  return html`<form class="panel" method="post" action="/console/profile/password">
  <h2>Change your password</h2>
  ${field({ name: 'current', label: 'Current password', type: 'password', autocomplete: 'current-password', error: problems.current })}
  ${field({ name: 'new', label: 'New password', type: 'password', autocomplete: 'new-password', hint: `At least ${PASSWORD_LENGTH_MIN} characters. You are signed out everywhere else.`, error: problems.new })}
  <button class="button" type="submit">Change password</button>
</form>`
}

function sessionsPanel(sessions: readonly OpenSession[], own: string): Markup {
  const end = (id: string | null, label: string) => html`<form method="post" action="/console/profile/sessions/end">
    ${id === null ? '' : html`<input type="hidden" name="id" value="${id}">`}<button class="quiet danger" type="submit">${label}</button></form>`
  return html`<section class="panel" aria-labelledby="sessions">
  <h2 id="sessions">Where you are signed in</h2>
  ${showTable({
    label: 'Open sessions',
    columns: ['Since', 'Last used', 'End'],
    rows: sessions.map(
      ({ id, createdAtMs, seenAtMs }) => html`
      <tr><td class="when">${showTime(createdAtMs)}</td><td class="when">${showTime(seenAtMs)}</td><td>${id === own ? 'This browser' : end(id, 'Sign out')}</td></tr>`,
    ),
  })}
  ${sessions.length > 1 ? end(null, 'Sign out everywhere else') : ''}
</section>`
}

function turnOff(problem: string | undefined): Markup {
  return html`<form class="panel" method="post" action="/console/profile/totp/off">
  <h2>Turn off two-step sign-in</h2>
  ${field({ name: 'code', label: 'Security code', autocomplete: 'one-time-code', hint: 'From your authenticator app, or a recovery code.', error: problem, lengthMax: 20 })}
  <button class="quiet danger" type="submit">Turn off</button>
</form>`
}

export function enrolBody({ secret, uri }: Enrolment, problem?: string): Markup {
  return html`<h1>Set up an authenticator app</h1>
<ol class="panel steps">
  <li>Scan this picture with the app.</li>
  <li>Or type this key into it: <code class="secret">${secret.replace(/.{4}(?=.)/g, '$& ')}</code></li>
  <li>Then type the six digits the app shows.</li>
</ol>
${drawQr(uri)}
<form class="panel" method="post" action="/console/profile/totp/confirm">
  ${field({ name: 'code', label: 'Security code', autocomplete: 'one-time-code', inputmode: 'numeric', hint: 'Six digits from the app.', error: problem, lengthMax: 20 })}
  <button class="button" type="submit">Turn on</button>
</form>
<p><a href="/console/profile">Not now</a></p>`
}

export function recoveryBody(codes: readonly string[]): Markup {
  return html`<h1>Two-step sign-in is on</h1>
<p class="done" role="status">Keep these recovery codes somewhere safe: they are shown this once.</p>
<section class="panel" aria-labelledby="codes">
  <h2 id="codes">Recovery codes</h2>
  <p>Each signs you in once when you do not have your phone.</p>
  <ul class="codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
</section>
<p><a class="button" href="/console/profile">I have kept them</a></p>`
}

const QUIET_MODULES = 4

/** The address as a QR code: one path, drawn in the page itself. */
function drawQr(uri: string): Markup {
  const code = qrcode(0, 'M')
  code.addData(uri)
  code.make()
  const count = code.getModuleCount()
  const size = count + 2 * QUIET_MODULES
  const squares: string[] = []
  for (let row = 0; row < count; row += 1) {
    for (let column = 0; column < count; column += 1) {
      if (code.isDark(row, column)) squares.push(`M${column + QUIET_MODULES} ${row + QUIET_MODULES}h1v1h-1z`)
    }
  }
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="QR code for your authenticator app" shape-rendering="crispEdges"><path fill="#000" d="${squares.join('')}"/></svg>`
}
