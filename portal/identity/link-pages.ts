// The pages behind one-time links.
import { html } from 'hono/html'
import { field, type Markup, type Page } from '../pages/layout.ts'
import type { Invitation } from './one-time-links.ts'
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from './password.ts'
import { PERSON_NAME_LENGTH_MAX } from './person-name.ts'

/** The path at which a person with an account accepts an invitation, by its id. */
export const ACCEPT_PATH = '/console/invitations'
export const SIGN_IN = '/v1/oauth/login?returnTo=/console'

/** By the name of the field. */
export type LinkProblems = { firstName?: string; lastName?: string; password?: string }

type NewAccountView = {
  invitation: Invitation
  /** False when another provider looks after passwords. */
  hasOwnLogin: boolean
  typed?: { firstName: string; lastName: string }
  problems?: LinkProblems
}

export function newAccountPage({ invitation, hasOwnLogin, typed, problems = {} }: NewAccountView): Page {
  return page(
    Object.keys(problems).length > 0 ? 'Error: join' : 'Join',
    html`<h1>Join ${invitation.tenantName}</h1>
${invited(invitation)}
<p>Make your account, then sign in with it.</p>
<form class="panel" method="post">
  ${field({ name: 'firstName', label: 'First name', autocomplete: 'given-name', lengthMax: PERSON_NAME_LENGTH_MAX, value: typed?.firstName ?? '', error: problems.firstName })}
  ${field({ name: 'lastName', label: 'Last name', autocomplete: 'family-name', lengthMax: PERSON_NAME_LENGTH_MAX, value: typed?.lastName ?? '', error: problems.lastName })}
  ${hasOwnLogin ? passwordFields(invitation.email, problems.password) : ''}
  <button class="button" type="submit">Make my account and join</button>
</form>`,
  )
}

/** The address has an account: the link alone is not enough to use it. */
export function haveAccountPage(invitation: Invitation, acceptPath: string): Page {
  return page(
    'Join',
    html`<h1>Join ${invitation.tenantName}</h1>
${invited(invitation)}
<p>There is an account with the address ${invitation.email}. Sign in with it to accept.</p>
<p><a class="button" href="${acceptPath}">Sign in and accept</a></p>`,
  )
}

export function newPasswordPage(email: string, problem?: string): Page {
  return page(
    problem ? 'Error: new password' : 'New password',
    html`<h1>Choose a new password</h1>
<p class="lead">For ${email}. Then you sign in with it.</p>
<form class="panel" method="post">
  ${passwordFields(email, problem)}
  <button class="button" type="submit">Set the password</button>
</form>`,
  )
}

type ForgottenView = { email?: string; problem?: string; isSent?: boolean; sendsMail: boolean }

/** The same words whether or not the address has an account. */
export function forgottenPage({ email = '', problem, isSent = false, sendsMail }: ForgottenView): Page {
  if (!sendsMail)
    return page(
      'Forgotten password',
      html`<h1>Forgotten your password?</h1>
<p class="lead">This service sends no mail. Ask its operator for a link that sets a new password.</p>`,
    )
  if (isSent)
    return page(
      'Look at your mail',
      html`<h1>Look at your mail</h1>
<p class="lead">If there is an account with that address, it gets a link that sets a new password. The link works once, for an hour.</p>
<p>Nothing came? Look among the unwanted mail, and whether you typed the address that your account has.</p>
<p><a href="${SIGN_IN}">Sign in</a></p>`,
    )
  return page(
    problem ? 'Error: forgotten password' : 'Forgotten password',
    html`<h1>Forgotten your password?</h1>
<p class="lead">Type the e-mail address of your account. We send it a link that sets a new password; two-step sign-in stays on.</p>
<form class="panel" method="post">
  ${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', inputmode: 'email', value: email, error: problem, autofocus: true })}
  <button class="button" type="submit">Send the link</button>
</form>`,
  )
}

/** The same for a link that was used, withdrawn, has expired or never was. */
export function overPage(): Page {
  return page(
    'This link does not work',
    html`<h1>This link does not work</h1>
<p class="lead">It was used, withdrawn, or is too old. Ask for a new one where you got it.</p>
<p>If you have used it, you can <a href="/console">sign in</a>.</p>`,
  )
}

/** The content of an invitation for the person it is for. */
export function invited({ invitedBy, tenantName, role, email }: Invitation): Markup {
  return html`<p class="lead">${invitedBy ?? 'The operator of this service'} invites ${email} to act for ${tenantName} as ${role}.</p>`
}

/** On a person's own pages: each open invitation, which they accept on a page of its own. */
export function openInvitations(invitations: readonly Invitation[]): Markup | '' {
  if (invitations.length === 0) return ''
  return html`<section class="panel" aria-labelledby="invitations">
  <h2 id="invitations">${invitations.length === 1 ? 'You are invited' : 'Your invitations'}</h2>
  ${invitations.map(
    (invitation) => html`${invited(invitation)}
  <p><a class="quiet" href="${ACCEPT_PATH}/${invitation.id}">Accept or leave it</a></p>`,
  )}
</section>`
}

function passwordFields(email: string, problem: string | undefined): Markup {
  // Password managers keep the new password under this name.
  return html`<input type="email" name="username" value="${email}" autocomplete="username" readonly hidden>
  ${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'new-password', hint: `At least ${PASSWORD_LENGTH_MIN} characters.`, error: problem, lengthMax: PASSWORD_LENGTH_MAX })}`
}

function page(title: string, body: Markup): Page {
  return { title, body, width: 'narrow' }
}
