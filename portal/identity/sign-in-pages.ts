import { html } from 'hono/html'
import { alert, field, type Page, SERVICE_NAME } from '../pages/layout.ts'
import { PASSWORD_PATH } from './mails.ts'

type PasswordView = { email?: string; notice?: string; problem?: string | undefined }

export function passwordPage({ email = '', notice, problem }: PasswordView): Page {
  return {
    title: problem ? 'Error: sign in' : 'Sign in',
    width: 'narrow',
    body: html`<h1>Sign in</h1>
<p class="lead">To the console of ${SERVICE_NAME}.</p>
${notice === undefined ? '' : html`<p class="done" role="status">${notice}</p>`}
<form class="panel" method="post">
  ${alert(problem)}
  ${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', inputmode: 'email', value: email, autofocus: email === '' })}
  ${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', autofocus: email !== '' })}
  <button class="button" type="submit">Continue</button>
</form>
<p><a href="${PASSWORD_PATH}">Forgotten your password?</a></p>`,
  }
}

export function codePage({ problem }: { problem?: string | undefined }): Page {
  return {
    title: problem ? 'Error: security code' : 'Security code',
    width: 'narrow',
    body: html`<h1>Security code</h1>
<p class="lead">Open your authenticator app and type the six digits it shows for ${SERVICE_NAME}.</p>
<form class="panel" method="post">
  ${field({
    name: 'code',
    label: 'Security code',
    autocomplete: 'one-time-code',
    hint: 'Six digits, or one of your recovery codes.',
    error: problem,
    autofocus: true,
    lengthMax: 20,
  })}
  <button class="button" type="submit">Sign in</button>
</form>`,
  }
}

export function signedOutPage(): Page {
  return {
    title: 'Signed out',
    width: 'narrow',
    body: html`<h1>You are signed out</h1>
<p class="lead">This browser no longer has access.</p>
<p><a class="button" href="/v1/oauth/login">Sign in again</a></p>`,
  }
}

/** Signing in failed, and can only be started again. */
export function brokenPage({ title, why }: { title: string; why: string }): Page {
  return {
    title,
    width: 'narrow',
    body: html`<h1>${title}</h1>
<p class="lead">${why}</p>
<p><a class="button" href="/v1/oauth/login">Start again</a></p>`,
  }
}
