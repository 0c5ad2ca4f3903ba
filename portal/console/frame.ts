// What is around every page of the console.
import { html } from 'hono/html'
import { ROLES, type Role } from '../../service/http/caller.ts'
import type { Page } from '../pages/layout.ts'
import { type Markup, SERVICE_NAME } from '../pages/layout.ts'
import type { Membership, User } from '../users.ts'

export type Visit = {
  user: User
  tenants: readonly Membership[]
  sessionId: string
  /** Whose wallet and clients are shown; null until one is chosen. */
  tenant: Membership | null
  /** Where the sign-out form may lead besides here. */
  formOrigins: readonly string[]
  /** What came of the form that led here. */
  notice: Markup | ''
}

export type TenantVisit = Visit & { tenant: Membership }

const TABS = [
  ['/console/money', 'Money', 'viewer'],
  ['/console/checks', 'Checks', 'viewer'],
  ['/console/caps', 'Spend caps', 'owner'],
  ['/console/clients', 'API clients', 'owner'],
  ['/console/webhooks', 'Webhooks', 'owner'],
  ['/console/people', 'People', 'owner'],
  ['/console/audit', 'Audit', 'owner'],
  ['/console/profile', 'Profile', 'viewer'],
] as const

export function consolePage(visit: Visit, { path, title, body }: { path: string; title: string; body: Markup }): Page {
  return {
    title,
    body: html`${visit.notice}${body}`,
    header: header(visit, path),
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

function header({ user, tenants, tenant }: Visit, path: string): Markup {
  const role = tenant?.role ?? 'viewer'
  const tabs = TABS.filter(([, , needed]) => ROLES.indexOf(needed) <= ROLES.indexOf(role))
  return html`<header class="top">
  <div class="bar">
    <p class="brand">${SERVICE_NAME}</p>
    <div class="whose">
      <span>${user.firstName} ${user.lastName}${tenant ? html` · ${tenant.name}` : ''}</span>
      ${tenant && tenants.length > 1 ? html`<a href="/console/tenants">Change lender</a>` : ''}
      <form method="post" action="/v1/oauth/logout"><button class="quiet" type="submit">Sign out</button></form>
    </div>
  </div>
  <nav class="tabs" aria-label="Console">
    ${tabs.map(([to, name]) => html`<a href="${to}"${to === path ? html` aria-current="page"` : ''}>${name}</a>`)}
  </nav>
</header>`
}
