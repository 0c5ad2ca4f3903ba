import { html } from 'hono/html'
import { CLIENT_NAME_LENGTH_MAX, OVERLAP_DEFAULT_HOURS } from '../../contract/integration.ts'
import type { ListedClient } from '../../plugins/clients/manage.ts'
import { SCOPES, type Scope, USUAL_SCOPES } from '../../service/tokens/clients.ts'
import { alert, choice, field, type Markup } from '../pages/layout.ts'
import type { Visit } from './frame.ts'
import { showCode, showMinute, showStatus, showTable, showTime } from './show.ts'

/** The typed values of a new client, and their problems. */
type TypedClient = {
  name: string
  scopes: readonly string[]
  testOnly: boolean
  nameProblem?: string
  problem?: string
}

type ClientsView = Pick<Visit, 'press'> & {
  clients: readonly ListedClient[]
  mayChange: boolean
  /** Otherwise they make test-only clients, unless the scopes show no reports. */
  mayReadReports: boolean
  typed?: TypedClient
}

const SCOPE_WORDS: Record<Scope, string> = {
  'credit-reports': 'run credit checks, read their reports, and make links',
  'people-export': 'export everything that is kept about a person',
  'people-erase': 'erase everything that is kept about a person, or one report',
  wallet: 'read the wallet',
  settings: 'change spend caps, the low-balance alert, webhooks and the page behind links',
  audit: 'read the audit trail',
}

export function clientsBody({ clients, mayChange, mayReadReports, typed, press }: ClientsView): Markup {
  const active = clients.filter(({ disabledAtMs }) => disabledAtMs === null)
  return html`<h1>API clients</h1>
<p class="lead">Your servers show these credentials to get tokens. A secret is shown once, when it is made.</p>
${active.length === 0 ? html`<p>There is no client yet.</p>` : active.map((client) => clientPanel(client, mayChange))}
${mayChange ? newClientForm(typed ?? { ...NEW, testOnly: !mayReadReports }, press) : ''}
${revokedTable(clients.filter(({ disabledAtMs }) => disabledAtMs !== null))}`
}

const NEW = { name: '', scopes: USUAL_SCOPES }

function newClientForm(typed: TypedClient, press: Visit['press']): Markup {
  const { name, scopes, testOnly, nameProblem, problem } = typed
  return html`<form class="panel split" method="post" action="/console/clients">
  <div><h2>New client</h2>
  <p class="hint">One for each server: then one can be replaced or revoked while the others go on. Give it no more than it needs.</p></div>
  <div>
  ${nameField(name, nameProblem)}
  ${alert(problem)}
  <fieldset class="checks"><legend>It may</legend>
    ${SCOPES.map((scope) => html`<label><input type="checkbox" name="scopes" value="${scope}"${scopes.includes(scope) ? html` checked` : ''}> ${SCOPE_WORDS[scope]}</label>`)}
  </fieldset>
  ${modeField(testOnly)}${lifetimeField('The secret ends')}${press()}
  <button class="button" type="submit">Create client</button>
  </div>
</form>`
}

export function nameField(value: string, error?: string): Markup {
  const hint = 'The program that uses it, for example Webshop.'
  return field({
    name: 'name',
    label: 'Name',
    autocomplete: 'off',
    hint,
    lengthMax: CLIENT_NAME_LENGTH_MAX,
    value,
    error,
  })
}

function modeField(testOnly: boolean): Markup {
  const options = [
    ['false', 'live and test checks'],
    ['true', 'test checks alone'],
  ] as const
  return choice({ name: 'testOnly', label: 'It works with', chosen: String(testOnly), options })
}

export function lifetimeField(label: string): Markup {
  const options = [
    ['', 'never'],
    ['90', 'after 90 days'],
    ['365', 'after a year'],
  ] as const
  return choice({ name: 'secretEndsInDays', label, chosen: '', options })
}

export function overlapField(): Markup {
  const options = [
    ['0', 'now'],
    ['1', 'in 1 hour'],
    ['24', 'in 24 hours'],
    ['168', 'in 7 days'],
  ] as const
  return choice({
    name: 'overlapHours',
    label: 'The other secrets end',
    chosen: String(OVERLAP_DEFAULT_HOURS),
    options,
  })
}

function clientPanel(client: ListedClient, mayChange: boolean): Markup {
  const { id, name, scopes, isTestOnly, maker, createdAtMs, lastUsedAtMs, secrets } = client
  const path = pathOf(id)
  const may = SCOPES.filter((scope) => scopes.includes(scope)).map((scope) => SCOPE_WORDS[scope])
  return html`<section class="panel" aria-label="Client ${name} ${id}">
  <div class="row"><h2>${name}</h2> ${secrets.length > 0 ? showStatus('Active', 'good') : showStatus('No secret', 'bad')}</div>
  <dl class="facts"><dt>Client id</dt><dd>${showCode(id, 'client id')}</dd><dt>May</dt><dd>${may.join('; ')}</dd><dt>Works with</dt><dd>${isTestOnly ? 'test checks alone' : 'live and test checks'}</dd><dt>Made by</dt><dd>${maker === null ? 'the operator' : `${maker.name} (${maker.email})`}</dd><dt>Last token</dt><dd>${showUse(lastUsedAtMs)}</dd><dt>Created</dt><dd>${showTime(createdAtMs)}</dd></dl>
  ${
    secrets.length === 0
      ? html`<p>It has no secret that works: no server can use it.</p>`
      : showTable({
          label: `Secrets of ${name}`,
          columns: ['Secret', 'Since', 'Last token', 'Until', ...(mayChange ? ['End'] : [])],
          rows: secrets.map((secret) => [
            html`<code>${secret.id}</code>`,
            showTime(secret.createdAtMs),
            showUse(secret.lastUsedAtMs),
            secret.expiresAtMs === null ? 'No end' : html`ends ${showMinute(secret.expiresAtMs)}`,
            ...(mayChange
              ? [
                  html`<a class="plain danger" href="${path}/secrets/${secret.id}/end" aria-label="End secret ${secret.id} of ${name}">End</a>`,
                ]
              : []),
          ]),
        })
  }
  ${
    mayChange
      ? html`<div class="row">
    <a class="quiet" href="${path}/secrets" aria-label="Replace the secret of ${name}">Replace the secret</a>
    <a class="quiet" href="${path}/name" aria-label="Rename ${name}">Rename</a>
    <a class="quiet danger" href="${path}/revoke" aria-label="Revoke ${name}">Revoke</a>
  </div>`
      : ''
  }
</section>`
}

function showUse(usedAtMs: number | null): Markup | string {
  return usedAtMs === null ? 'None recorded' : showMinute(usedAtMs)
}

function revokedTable(clients: readonly ListedClient[]): Markup | '' {
  if (clients.length === 0) return ''
  return showTable({
    title: 'Revoked clients',
    label: 'Revoked clients',
    columns: [{ wide: 'Client' }, 'State', 'Created', 'Revoked'],
    rows: clients.map(({ id, name, createdAtMs, disabledAtMs }) => [
      html`${name} <code>${id}</code>`,
      showStatus('Revoked', 'neutral'),
      showTime(createdAtMs),
      disabledAtMs === null ? '' : showTime(disabledAtMs),
    ]),
  })
}

function pathOf(clientId: string): string {
  return `/console/clients/${encodeURIComponent(clientId)}`
}
