// What is around every page of the console.
import { html } from 'hono/html'
import { ROLES, type Role } from '../../service/http/caller.ts'
import type { Page } from '../pages/layout.ts'
import { brand, type Link, type Markup } from '../pages/layout.ts'
import type { Membership, User } from '../users.ts'

export type Visit = {
  user: User
  tenants: readonly Membership[]
  sessionId: string
  /** Whose wallet and clients are shown; null until one is chosen. */
  tenant: Membership | null
  /** Where the sign-out form may lead besides here. */
  formOrigins: readonly string[]
  /** Below the navigation. */
  links: readonly Link[]
  /** What came of the form that led here. */
  notice: Markup | ''
}

export type TenantVisit = Visit & { tenant: Membership }

type Place = {
  to: string
  name: string
  role: Role /** Pages that are reached from this one. */
  within?: readonly string[]
}

const PLACES: readonly { title: string; places: readonly Place[] }[] = [
  {
    title: 'Overview',
    places: [
      { to: '/console', name: 'Today', role: 'viewer' },
      { to: '/console/checks', name: 'Checks', role: 'viewer' },
      { to: '/console/money', name: 'Money', role: 'viewer', within: ['/console/caps'] },
    ],
  },
  {
    title: 'Integration',
    places: [
      { to: '/console/setup', name: 'Set-up', role: 'owner' },
      { to: '/console/clients', name: 'API clients', role: 'owner' },
      { to: '/console/webhooks', name: 'Webhooks', role: 'owner' },
    ],
  },
  {
    title: 'Access',
    places: [
      { to: '/console/people', name: 'People', role: 'owner' },
      { to: '/console/audit', name: 'Audit', role: 'owner' },
      { to: '/console/profile', name: 'Profile', role: 'viewer' },
    ],
  },
]

export function consolePage(visit: Visit, { path, title, body }: { path: string; title: string; body: Markup }): Page {
  return {
    title,
    body: html`${visit.notice}${body}`,
    header: header(visit),
    side: navigation(visit, { path, title }),
    formOrigins: visit.formOrigins,
  }
}

/** Instead of a page that the person's role does not include. */
export function notAllowedPage(role: Role): Page {
  const body = html`<h1>Not for your role</h1>
<p>This needs the role <strong>${role}</strong> at the lender you act for. An owner there can give it to you.</p>
<p><a class="button" href="/console">Back to the console</a></p>`
  return { title: 'Not for your role', body, width: 'narrow' }
}

function header({ user, tenants, tenant }: Visit): Markup {
  return html`<header class="top">
  ${brand('/console')}
  ${tenant ? findForm : ''}
  <div class="whose">
    <p class="who">${tenant ? html`<b>${tenant.name}</b> ` : ''}<span>${user.firstName} ${user.lastName}</span></p>
    ${tenant && tenants.length > 1 ? html`<a href="/console/tenants">Change lender</a>` : ''}
    <form method="post" action="/v1/oauth/logout"><button class="quiet" type="submit">Sign out</button></form>
  </div>
</header>`
}

const findForm = html`<form class="find" method="get" action="/console/checks" role="search" aria-label="Checks">
    <input class="input" name="reference" type="search" maxlength="200" autocomplete="off" spellcheck="false" aria-label="Find a check" placeholder="Find a check by any reference">
  </form>`

/** The same links twice: beside the page on a desk, in a menu that names the present page on a phone. The stylesheet shows one. */
function navigation({ tenant, links }: Visit, { path, title }: { path: string; title: string }): Markup {
  const role = tenant?.role ?? 'viewer'
  const groups = PLACES.map((group) => ({
    title: group.title,
    links: group.places
      .filter((place) => ROLES.indexOf(place.role) <= ROLES.indexOf(role))
      .map(({ to, name, within = [] }) => {
        const current = to === path ? 'page' : within.includes(path) ? 'true' : null
        return html`<a href="${to}"${current && html` aria-current="${current}"`}>${name}</a>`
      }),
  })).filter((group) => group.links.length > 0)
  const elsewhere = links.map(({ href, name }) => html`<a href="${href}">${name}</a>`)
  const list = [...groups, { title: 'Elsewhere', links: elsewhere }].map(
    (group) => html`<div class="group"><p>${group.title}</p>${group.links}</div>`,
  )
  return html`<nav class="side" aria-label="Console">${list}</nav>
<details class="menu"><summary>Menu: <b>${title}</b></summary><nav aria-label="Console">${list}</nav></details>`
}
