import { html } from 'hono/html'
import { type ListedClient, SCOPES, type Scope, USUAL_SCOPES } from '../../service/tokens/clients.ts'
import { alert, type Markup } from '../pages/layout.ts'
import { pressField } from './presses.ts'
import { showStatus, showTable, showTime } from './show.ts'

type ClientsView = { clients: readonly ListedClient[]; mayChange: boolean; problem?: string }

const SCOPE_WORDS: Record<Scope, string> = {
  'credit-reports': 'run credit checks and read their reports',
  wallet: 'read the wallet',
  settings: 'change spend caps and the low-balance alert',
  audit: 'read the audit trail',
}

export function clientsBody({ clients, mayChange, problem }: ClientsView): Markup {
  const active = clients.filter(({ disabledAtMs }) => disabledAtMs === null)
  return html`<h1>API clients</h1>
<p class="lead">Your servers show these credentials to get tokens. A secret is shown once, when it is made.</p>
${alert(problem)}
${active.length === 0 ? html`<p>There is no client yet.</p>` : active.map((client) => clientPanel(client, mayChange))}
${mayChange ? newClientForm() : ''}
${revokedTable(clients.filter(({ disabledAtMs }) => disabledAtMs !== null))}`
}

function newClientForm(): Markup {
  return html`<form class="panel" method="post" action="/console/clients">
  <h2>New client</h2>
  <fieldset class="checks"><legend>It may</legend>
    ${SCOPES.map((scope) => html`<label><input type="checkbox" name="scope" value="${scope}"${USUAL_SCOPES.includes(scope) ? html` checked` : ''}> ${SCOPE_WORDS[scope]}</label>`)}
  </fieldset>
  ${lifetimeField()}${pressField()}
  <button class="button" type="submit">Create client</button>
</form>`
}

export function lifetimeField(): Markup {
  return html`<div class="field"><label for="days">The secret ends</label>
    <select class="input" id="days" name="days"><option value="">never</option><option value="90">after 90 days</option><option value="365">after a year</option></select></div>`
}

function clientPanel({ id, scopes, createdAtMs, secrets }: ListedClient, mayChange: boolean): Markup {
  const path = `${pathOf(id)}/secrets`
  const may = SCOPES.filter((scope) => scopes.includes(scope)).map((scope) => SCOPE_WORDS[scope])
  return html`<section class="panel" aria-label="Client ${id}">
  <div class="row"><h2><code>${id}</code></h2> ${showStatus('Active', 'good')}</div>
  <dl class="facts"><dt>May</dt><dd>${may.join('; ')}</dd><dt>Created</dt><dd>${showTime(createdAtMs)}</dd></dl>
  ${showTable({
    label: `Secrets of ${id}`,
    columns: [{ wide: 'Secret' }, 'Since', 'Until', ...(mayChange ? ['End'] : [])],
    rows: secrets.map((secret) => [
      html`<code>${secret.id}</code>`,
      showTime(secret.createdAtMs),
      secret.expiresAtMs === null ? 'No end' : showTime(secret.expiresAtMs),
      ...(mayChange
        ? [
            html`<a class="quiet danger" href="${path}/${secret.id}/end" aria-label="End secret ${secret.id} of ${id}">End</a>`,
          ]
        : []),
    ]),
  })}
  ${
    mayChange
      ? html`<div class="row">
    <a class="quiet" href="${path}" aria-label="Add a secret to ${id}">Add a secret</a>
    <a class="quiet danger" href="${pathOf(id)}/revoke" aria-label="Revoke ${id}">Revoke</a>
  </div>`
      : ''
  }
</section>`
}

function revokedTable(clients: readonly ListedClient[]): Markup | '' {
  if (clients.length === 0) return ''
  return showTable({
    title: 'Revoked clients',
    label: 'Revoked clients',
    columns: [{ wide: 'Client id' }, 'State', 'Created', 'Revoked'],
    rows: clients.map(({ id, createdAtMs, disabledAtMs }) => [
      html`<code>${id}</code>`,
      showStatus('Revoked', 'neutral'),
      showTime(createdAtMs),
      disabledAtMs === null ? '' : showTime(disabledAtMs),
    ]),
  })
}

function pathOf(clientId: string): string {
  return `/console/clients/${encodeURIComponent(clientId)}`
}
