import { html } from 'hono/html'
import type { ListedClient, ListedSecret } from '../../service/tokens/clients.ts'
import { alert, type Markup } from '../pages/layout.ts'
import { showSecret, showTable, showTime } from './show.ts'

export type ClientsView = {
  clients: readonly ListedClient[]
  /** The id the next client will get: a form that is sent twice makes one client. */
  nextId: string
  created?: { id: string; secret: string }
  problem?: string
}

export function clientsBody({ clients, nextId, created, problem }: ClientsView): Markup {
  return html`<h1>API clients</h1>
<p class="lead">Your servers show these credentials to get tokens. A secret is shown once, when it is made.</p>
${alert(problem)}
${
  created
    ? html`<section class="panel" aria-labelledby="created">
  <h2 id="created">A new secret</h2>
  <p class="done" role="status">Copy the secret now: it is not kept and cannot be shown again.</p>
  <dl class="facts"><dt>Client id</dt><dd><code>${created.id}</code></dd></dl>
  <p><span id="secret-label">Client secret</span> ${showSecret(created.secret, 'secret-label')}</p>
</section>`
    : ''
}
${
  clients.length === 0
    ? html`<p>There is no client yet.</p>`
    : showTable({
        label: 'API clients',
        caption: 'Oldest first',
        columns: ['Client id', 'State', 'May', 'Secrets', 'Created'],
        rows: clients.map(
          ({ id, scopes, createdAtMs, disabledAtMs, secrets }) => html`
    <tr>
      <td><code>${id}</code></td>
      <td>${disabledAtMs === null ? revokeForm(id) : html`Revoked ${showTime(disabledAtMs)}`}</td>
      <td>${scopes.join(', ')}</td><td>${disabledAtMs === null ? secretForms(id, secrets) : ''}</td><td class="when">${showTime(createdAtMs)}</td>
    </tr>`,
        ),
      })
}
<form class="panel" method="post" action="/console/clients">
  <h2>New client</h2>
  <p class="hint">It will be called <code>${nextId}</code>.</p>
  <fieldset><legend>It may</legend>
    <label><input type="checkbox" name="scope" value="credit-reports" checked> run credit checks and read their reports</label>
    <label><input type="checkbox" name="scope" value="wallet" checked> read the wallet</label>
  </fieldset>
  ${lifetime('new')}
  <input type="hidden" name="id" value="${nextId}">
  <button class="button" type="submit">Create client</button>
</form>`
}

function lifetime(id: string): Markup {
  return html`<div class="field"><label for="days-${id}">The secret ends</label>
    <select class="input" id="days-${id}" name="days"><option value="">never</option><option value="90">after 90 days</option><option value="365">after a year</option></select></div>`
}

function secretForms(clientId: string, secrets: readonly ListedSecret[]): Markup {
  const path = `/console/clients/${encodeURIComponent(clientId)}/secrets`
  return html`${secrets.map(
    ({ id, createdAtMs, expiresAtMs }) => html`<form method="post" action="${path}/${id}/end">
        <code>${id}</code> since ${showTime(createdAtMs)}${expiresAtMs === null ? '' : html`, until ${showTime(expiresAtMs)}`}
        <button class="quiet danger" type="submit" aria-label="End secret ${id} of ${clientId}">End</button>
      </form>`,
  )}<details class="sure"><summary class="quiet" aria-label="Add a secret to ${clientId}">Add a secret</summary>
        <form method="post" action="${path}">${lifetime(clientId)}<button class="quiet" type="submit">Add</button></form></details>`
}

/** Two steps, because there is no way back and a shop may depend on it. */
function revokeForm(id: string): Markup {
  return html`<details class="sure">
        <summary class="quiet danger" aria-label="Revoke ${id}">Revoke</summary>
        <form method="post" action="/console/clients/${encodeURIComponent(id)}/revoke">
          <p>Servers that use it stop working within a minute. It cannot be undone.</p>
          <button class="quiet danger" type="submit" aria-label="Revoke ${id} for good">Revoke for good</button>
        </form>
      </details>`
}
