import { html } from 'hono/html'
import type { ListedClient, ListedSecret } from '../../service/tokens/clients.ts'
import { alert, type Markup } from '../pages/layout.ts'
import { pressField } from './presses.ts'
import { showStatus, showTable, showTime } from './show.ts'

type ClientsView = { clients: readonly ListedClient[]; problem?: string }

export function clientsBody({ clients, problem }: ClientsView): Markup {
  return html`<h1>API clients</h1>
<p class="lead">Your servers show these credentials to get tokens. A secret is shown once, when it is made.</p>
${alert(problem)}
${
  clients.length === 0
    ? html`<p>There is no client yet.</p>`
    : showTable({
        label: 'API clients',
        columns: [{ wide: 'Client id' }, 'State', 'May', 'Secrets', 'Created', 'Revoke'],
        rows: clients.map(({ id, scopes, createdAtMs, disabledAtMs, secrets }) => [
          html`<code>${id}</code>`,
          disabledAtMs === null
            ? showStatus('Active', 'good')
            : html`${showStatus('Revoked', 'neutral')} ${showTime(disabledAtMs)}`,
          scopes.join(', '),
          disabledAtMs === null ? secretLinks(id, secrets) : '',
          showTime(createdAtMs),
          disabledAtMs === null
            ? html`<a class="quiet danger" href="${pathOf(id)}/revoke" aria-label="Revoke ${id}">Revoke</a>`
            : '',
        ]),
      })
}
<form class="panel" method="post" action="/console/clients">
  <h2>New client</h2>
  <fieldset class="checks"><legend>It may</legend>
    <label><input type="checkbox" name="scope" value="credit-reports" checked> run credit checks and read their reports</label>
    <label><input type="checkbox" name="scope" value="wallet" checked> read the wallet</label>
    <label><input type="checkbox" name="scope" value="settings"> change spend caps and the low-balance alert</label>
    <label><input type="checkbox" name="scope" value="audit"> read the audit trail</label>
  </fieldset>
  ${lifetimeField()}${pressField()}
  <button class="button" type="submit">Create client</button>
</form>`
}

export function lifetimeField(): Markup {
  return html`<div class="field"><label for="days">The secret ends</label>
    <select class="input" id="days" name="days"><option value="">never</option><option value="90">after 90 days</option><option value="365">after a year</option></select></div>`
}

function secretLinks(clientId: string, secrets: readonly ListedSecret[]): Markup {
  const path = `${pathOf(clientId)}/secrets`
  return html`<ul class="stack">${secrets.map(
    ({ id, createdAtMs, expiresAtMs }) => html`<li>
        <code>${id}</code> since ${showTime(createdAtMs)}${expiresAtMs === null ? '' : html`, until ${showTime(expiresAtMs)}`}
        <a class="quiet danger" href="${path}/${id}/end" aria-label="End secret ${id} of ${clientId}">End</a></li>`,
  )}<li><a class="quiet" href="${path}" aria-label="Add a secret to ${clientId}">Add a secret</a></li></ul>`
}

function pathOf(clientId: string): string {
  return `/console/clients/${encodeURIComponent(clientId)}`
}
