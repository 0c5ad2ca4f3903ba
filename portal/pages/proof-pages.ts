import { html } from 'hono/html'
import { field, type Page } from './layout.ts'

/** The name of the field with the password or the code. No form of the console has another of this name. */
export const PROOF_FIELD = 'proof'

type ProofView = {
  /** What was sent, to be sent again. */
  form: URLSearchParams
  action: string
  /** Where to go instead. */
  back: string
  needsCode: boolean
  problem: string | undefined
}

export function proofPage({ form, action, back, needsCode, problem }: ProofView): Page {
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

/** Where another provider signs people in, only it can ask for a password. */
export function signInAgainPage(back: string): Page {
  const again = `/v1/oauth/login?${new URLSearchParams({ prompt: 'login', returnTo: back })}`
  return {
    title: 'Sign in again',
    width: 'narrow',
    body: html`<h1>Sign in again</h1>
<p class="lead">This needs a sign-in of the last 15 minutes. Nothing has been changed; what you typed is not kept.</p>
<p><a class="button" href="${again}">Sign in again</a> <a href="${back}">Cancel</a></p>`,
  }
}
