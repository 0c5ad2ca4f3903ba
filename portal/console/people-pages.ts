import { html } from 'hono/html'
import { ROLES } from '../../service/http/caller.ts'
import type { Member } from '../members.ts'
import { alert, field, type Markup } from '../pages/layout.ts'
import { showSecret, showTable } from './show.ts'

export type PeopleView = {
  members: readonly Member[]
  userId: string
  isSecondFactorRequired: boolean
  /** False when another provider looks after passwords and second factors. */
  hasOwnLogin: boolean
  created?: { email: string; password: string | null }
  problem?: string
}

const ROLE_WORDS = {
  viewer: 'sees the wallet and the checks',
  operator: 'also runs checks and reads reports',
  owner: 'also looks after clients, webhooks, spend caps and people',
}

export function peopleBody({
  members,
  userId,
  isSecondFactorRequired,
  hasOwnLogin,
  created,
  problem,
}: PeopleView): Markup {
  return html`<h1>People</h1>
<p class="lead">Who may act for this lender, and as what.</p>
<dl class="facts">${ROLES.map((role) => html`<dt>${role}</dt><dd>${ROLE_WORDS[role]}</dd>`)}</dl>
${alert(problem)}
${created ? createdPanel(created) : ''}
${showTable({
  label: 'People',
  columns: ['Name', 'E-mail', 'Two-step sign-in', 'Role', 'Remove'],
  rows: members.map(
    (member) => html`
    <tr><td>${member.name}${member.id === userId ? ' (you)' : ''}</td><td>${member.email}</td><td>${member.totpEnabled ? 'On' : 'Off'}</td>
      <td><form class="inline" method="post" action="/console/people/${member.id}/role">${roleSelect(member)} <button class="quiet" type="submit" aria-label="Change the role of ${member.email}">Change</button></form></td>
      <td><form method="post" action="/console/people/${member.id}/remove"><button class="quiet danger" type="submit" aria-label="Remove ${member.email}">Remove</button></form></td>
    </tr>`,
  ),
})}
${hasOwnLogin ? secondFactorForm(isSecondFactorRequired) : ''}
<form class="panel" method="post" action="/console/people">
  <h2>Add a person</h2>
  ${field({ name: 'email', label: 'E-mail', type: 'email', autocomplete: 'off', inputmode: 'email' })}
  ${field({ name: 'firstName', label: 'First name', autocomplete: 'off', lengthMax: 100 })}
  ${field({ name: 'lastName', label: 'Last name', autocomplete: 'off', lengthMax: 100 })}
  <div class="field"><label for="role-new">Role</label> ${roleSelect({ id: 'new', email: 'the new person', role: 'viewer' })}</div>
  <button class="button" type="submit">Add</button>
</form>`
}

function roleSelect({ id, email, role }: Pick<Member, 'id' | 'email' | 'role'>): Markup {
  return html`<select class="input" id="role-${id}" name="role" aria-label="Role of ${email}">${ROLES.map(
    (each) => html`<option value="${each}"${each === role ? html` selected` : ''}>${each}</option>`,
  )}</select>`
}

function createdPanel({ email, password }: { email: string; password: string | null }): Markup {
  return html`<section class="panel" aria-labelledby="added">
  <h2 id="added">${email} was added</h2>
  ${
    password === null
      ? html`<p class="done" role="status">They sign in as they do already.</p>`
      : html`<p class="done" role="status">Hand over the password now: it is not kept and cannot be shown again.</p>
  <p><span id="password-label">Password</span> ${showSecret(password, 'password-label')}</p>`
  }
</section>`
}

function secondFactorForm(isRequired: boolean): Markup {
  return html`<form class="panel" method="post" action="/console/people/second-factor">
  <h2>Two-step sign-in is ${isRequired ? 'required' : 'optional'}</h2>
  <p>${isRequired ? 'Those who have not turned it on cannot act for this lender.' : 'When it is required, those who have not turned it on cannot act for this lender until they do.'}</p>
  <input type="hidden" name="required" value="${isRequired ? '0' : '1'}">
  <button class="quiet" type="submit">${isRequired ? 'Make it optional' : 'Require it'}</button>
</form>`
}
