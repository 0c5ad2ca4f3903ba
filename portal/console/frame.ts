// What is around every page of the console.
import { html } from 'hono/html'
import type { Tenant } from '../../contract/account.ts'
import type { Page } from '../pages/layout.ts'
import { type Markup, SERVICE_NAME } from '../pages/layout.ts'
import type { User } from '../users.ts'

export type Visit = {
  user: User
  tenants: readonly Tenant[]
  /** Whose wallet and clients are shown; null until one is chosen. */
  tenant: Tenant | null
  /** Where the sign-out form may lead besides here. */
  formOrigins: readonly string[]
}

const TABS = [
  ['/console', 'Wallet'],
  ['/console/checks', 'Checks'],
  ['/console/clients', 'API clients'],
  ['/console/webhooks', 'Webhooks'],
  ['/console/audit', 'Audit'],
  ['/console/profile', 'Profile'],
] as const

export function consolePage(visit: Visit, { path, title, body }: { path: string; title: string; body: Markup }): Page {
  return { title, body, header: header(visit, path), formOrigins: visit.formOrigins }
}

function header({ user, tenants, tenant }: Visit, path: string): Markup {
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
    ${TABS.map(([to, name]) => html`<a href="${to}"${to === path ? html` aria-current="page"` : ''}>${name}</a>`)}
  </nav>
</header>`
}
