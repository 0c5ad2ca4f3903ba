// The frame of every console page.
import { html, raw } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'
import type { Tenant } from '../../contract/account.ts'
import { PERMISSIONS, type Permission, type Role, rolesWith } from '../../contract/roles.ts'
import type { Membership, User } from '../identity/users.ts'
import { alert, brand, type Link, type Markup, type Page, prepareScript } from '../pages/layout.ts'
import consoleScript from './console.js?raw'
import type { KeptForm } from './kept-forms.ts'

const SCRIPT = prepareScript(consoleScript)

export type Visit = {
  user: User
  tenants: readonly Membership[]
  sessionId: string
  /** The lender whose data is shown; null until one is chosen. */
  tenant: Membership | null
  /** Other origins that the sign-out form may redirect to. */
  formOrigins: readonly string[]
  /** Below the navigation. */
  links: readonly Link[]
  /** The result of the form that led here. */
  notice: Markup | ''
  /** The id of what that form lets them see, this once. */
  opened: string | null
  /** The values typed into a form of this page before the sign-in; the page's script fills them in. */
  kept: Pick<KeptForm, 'action' | 'fields'> | null
  /** Goes into every form of the page: its id, sealed with the lender that the page shows. */
  press: () => Markup
}

export type TenantVisit = Visit & { tenant: Membership }

type Place = {
  to: string
  name: string
  permission: Permission
  /** Pages that are reached from this one. */
  within?: readonly string[]
}

const PLACES: readonly { title: string; places: readonly Place[] }[] = [
  {
    title: 'Overview',
    places: [
      { to: '/console', name: 'Today', permission: 'look' },
      { to: '/console/checks', name: 'Checks', permission: 'look' },
      { to: '/console/links', name: 'Links', permission: 'links' },
      { to: '/console/money', name: 'Money', permission: 'look', within: ['/console/caps'] },
    ],
  },
  {
    title: 'Integration',
    places: [
      { to: '/console/setup', name: 'Set-up', permission: 'connections' },
      { to: '/console/hosted-page', name: 'Hosted page', permission: 'connections' },
      { to: '/console/clients', name: 'API clients', permission: 'connections' },
      { to: '/console/webhooks', name: 'Webhooks', permission: 'connections' },
    ],
  },
  {
    title: 'Access',
    places: [
      { to: '/console/people', name: 'People', permission: 'members' },
      { to: '/console/data', name: 'Data requests', permission: 'data' },
      { to: '/console/audit', name: 'Audit', permission: 'audit' },
      { to: '/console/profile', name: 'Profile', permission: 'look' },
    ],
  },
]

export function consolePage(visit: Visit, { path, title, body }: { path: string; title: string; body: Markup }): Page {
  return {
    title,
    body: withNotice(body, visit.notice),
    header: header(visit),
    side: navigation(visit, { path, title }),
    formOrigins: visit.formOrigins,
    script: SCRIPT,
    kept: visit.kept && JSON.stringify({ action: visit.kept.action, fields: visit.kept.fields }),
  }
}

/** The result of a form stands below the page's heading and the sentence under it. */
async function withNotice(body: Markup, notice: Markup | ''): Promise<HtmlEscapedString> {
  const text = String(await body)
  const heading = HEADING.exec(text)
  const end = heading === null ? 0 : heading.index + heading[0].length
  return html`${raw(text.slice(0, end))}${notice}${raw(text.slice(end))}`
}

const HEADING = /<\/h1>(?:\s*<p class="lead">[^<]*<\/p>)?/

/** True when the person has the permission at the lender they act for. */
export function may({ tenant }: Visit, permission: Permission): boolean {
  return tenant !== null && PERMISSIONS[tenant.role].includes(permission)
}

/** Instead of a page that the person's role does not include. */
export function notAllowedPage(permission: Permission, role: Role | undefined): Page {
  const body = html`<h1>Not for your role</h1>
<p>You are <strong>${role}</strong> at the lender you act for. This needs the role <strong>${rolesWith(permission)}</strong>. An owner there can change your role.</p>
<p><a class="button" href="/console">Back to the console</a></p>`
  return { title: 'Not for your role', body, width: 'narrow' }
}

/** Instead of carrying out a form whose page shows a lender that is not the one selected now. */
export function otherLenderPage({ shown, selected, press }: OtherLender): Page {
  const now = selected === null ? 'you have not chosen a lender' : `you act for ${selected.name} now`
  const body = html`<h1>Nothing was changed</h1>
${alert(`This page shows ${shown.name}, and ${now}.`)}
<form class="panel" method="post" action="/console/tenants">
  <p>To send the form, act for ${shown.name} again, go back to its page and press once more.</p>
  <input type="hidden" name="tenantId" value="${shown.id}">${press}
  <div class="row"><button class="button" type="submit">Act for ${shown.name}</button> <a href="/console">Back to the console</a></div>
</form>`
  return { title: 'Nothing was changed', body, width: 'narrow' }
}

type OtherLender = {
  /** The lender of the page that the form is on. */
  shown: Tenant
  selected: Tenant | null
  press: Markup
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

/**
 * The same links twice: beside the page on a desk, in a menu that names the present page on a phone. The stylesheet
 * shows one.
 */
function navigation(visit: Visit, { path, title }: { path: string; title: string }): Markup {
  const groups = PLACES.map((group) => ({
    title: group.title,
    links: group.places
      .filter((place) => place.permission === 'look' || may(visit, place.permission))
      .map(({ to, name, within = [] }) => {
        const current = to === path ? 'page' : within.includes(path) ? 'true' : null
        return html`<a href="${to}"${current && html` aria-current="${current}"`}>${name}</a>`
      }),
  })).filter((group) => group.links.length > 0)
  const elsewhere = visit.links.map(({ href, name }) => html`<a href="${href}">${name}</a>`)
  const list = [...groups, { title: 'Elsewhere', links: elsewhere }].map(
    (group) => html`<div class="group"><p>${group.title}</p>${group.links}</div>`,
  )
  return html`<nav class="side" aria-label="Console">${list}</nav>
<details class="menu"><summary>Menu: <b>${title}</b></summary><nav aria-label="Console">${list}</nav></details>`
}
