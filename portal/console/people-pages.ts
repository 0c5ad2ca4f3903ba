import { html } from 'hono/html'
import { ROLES, type Role } from '../../contract/roles.ts'
import type { ListedClient } from '../../plugins/clients/manage.ts'
import type { Member } from '../identity/members.ts'
import type { Invitation } from '../identity/one-time-links.ts'
import { LINK_HOURS } from '../identity/one-time-links.ts'
import { choice, field, type Markup } from '../pages/layout.ts'
import type { Visit } from './frame.ts'
import { showActions, showStatus, showTable, showTime } from './show.ts'

type PeopleView = Pick<Visit, 'press'> & {
  members: readonly Member[]
  invitations: readonly Invitation[]
  tenantId: string
  userId: string
  isSecondFactorRequired: boolean
  /** False for those who only see the list. */
  mayChange: boolean
  /** False when another provider looks after passwords and second factors. */
  hasOwnLogin: boolean
  /** False where the service sends no mail: only the operator can hand over an invitation. */
  sendsMail: boolean
  /** An invitation that was refused, and why. */
  typed?: { email: string; problem: string }
}

export const ROLE_WORDS: Record<Role, string> = {
  owner: 'everything: also people, and running checks, opening and erasing reports',
  developer: 'sees checks and money; changes API clients, webhooks and the page behind links',
  support: 'sees checks and money; makes and revokes links',
  finance: 'sees checks and money; changes spend caps and the low-balance alert',
  auditor: 'sees checks and money, API clients, webhooks and people; reads the audit trail',
}

export function peopleBody(view: PeopleView): Markup {
  const { members, invitations, userId, isSecondFactorRequired, hasOwnLogin, mayChange } = view
  return html`<h1>People</h1>
<p class="lead">The people who may act for this lender, and their roles.</p>
${mayChange ? '' : html`<dl class="facts">${ROLES.map((role) => html`<dt>${role}</dt><dd>${ROLE_WORDS[role]}</dd>`)}</dl>`}
${showTable({
  label: 'People',
  columns: ['Name', 'E-mail', 'Role', 'Two-step sign-in', ...(mayChange ? ['Change'] : [])],
  rows: members.map((member) => [
    `${member.name}${member.id === userId ? ' (you)' : ''}`,
    member.email,
    member.role,
    member.totpEnabled ? showStatus('On', 'good') : showStatus('Off', 'neutral'),
    ...(mayChange ? [changesOf(member)] : []),
  ]),
})}
${invitations.length === 0 ? '' : invitationsTable(invitations, mayChange)}
${mayChange ? invitePanel(view) : ''}
${hasOwnLogin ? secondFactorPanel(isSecondFactorRequired, mayChange) : ''}`
}

function changesOf({ id, email, role }: Member): Markup {
  const path = `/console/people/${id}`
  return showActions(`Change ${email}`, [
    ...ROLES.filter((each) => each !== role).map(
      (each) => html`<a href="${path}/role?role=${each}">Make ${each}<span class="unseen">: ${email}</span></a>`,
    ),
    html`<a class="danger" href="${path}/remove">Remove<span class="unseen"> ${email}</span></a>`,
  ])
}

/** Credentials outlive the person who made them and may know their secrets. */
export function clientChoice(clients: readonly ListedClient[]): Markup {
  if (clients.length === 0) return html``
  return html`<fieldset class="checks"><legend>API clients that they made go on. Revoke those whose secret they may have kept:</legend>
    ${clients.map(({ id, name, isTestOnly, scopes }) => html`<label><input type="checkbox" name="revoke" value="${id}"> ${name} (${id}): ${isTestOnly ? 'test checks alone' : 'live'}; ${scopes.join(', ')}</label>`)}
  </fieldset>`
}

function invitationsTable(invitations: readonly Invitation[], mayChange: boolean): Markup {
  return showTable({
    title: 'Open invitations',
    label: 'Open invitations',
    columns: ['E-mail', 'Role', 'Invited by', 'Until', ...(mayChange ? ['Withdraw'] : [])],
    rows: invitations.map(({ id, email, role, invitedBy, expiresAtMs }) => [
      email,
      role,
      invitedBy ?? 'the operator of this service',
      showTime(expiresAtMs),
      ...(mayChange
        ? [
            html`<a class="plain danger" href="/console/people/invitations/${id}/withdraw" aria-label="Withdraw the invitation of ${email}">Withdraw</a>`,
          ]
        : []),
    ]),
  })
}

function invitePanel({ sendsMail, tenantId, typed, press }: PeopleView): Markup {
  if (!sendsMail) {
    return html`<section class="panel" aria-labelledby="invite">
  <h2 id="invite">Invite a person</h2>
  <p>This service sends no mail. Ask its operator for an invitation; they print the link with</p>
  <p><code class="secret">npm run admin -- user invite ${tenantId} EMAIL --role support</code></p>
</section>`
  }
  const about = html`<p class="hint">They get a mail with a link that works once, for ${LINK_HOURS} hours, and choose their password themselves. A new invitation replaces an open one.</p>
  <dl class="facts">${ROLES.map((role) => html`<dt>${role}</dt><dd>${ROLE_WORDS[role]}</dd>`)}</dl>`
  return html`<form class="panel split" method="post" action="/console/people">
  <div><h2>Invite a person</h2>
  ${about}</div>
  <div>
  ${field({ name: 'email', label: 'E-mail', type: 'email', autocomplete: 'off', inputmode: 'email', value: typed?.email ?? '', error: typed?.problem })}
  ${choice({ name: 'role', label: 'Role', chosen: 'support', options: ROLES.map((role) => [role, role] as const) })}
  ${press()}<button class="button" type="submit">Send the invitation</button>
  </div>
</form>`
}

function secondFactorPanel(isRequired: boolean, mayChange: boolean): Markup {
  return html`<section class="panel" aria-labelledby="second-factor">
  <h2 id="second-factor">Two-step sign-in is ${isRequired ? 'required' : 'optional'}</h2>
  <p>${isRequired ? 'Those who have not turned it on cannot act for this lender.' : 'When it is required, those who have not turned it on cannot act for this lender until they do.'}</p>
  ${mayChange ? html`<p><a class="quiet" href="/console/people/second-factor">${isRequired ? 'Make it optional' : 'Require it'}</a></p>` : ''}
</section>`
}
