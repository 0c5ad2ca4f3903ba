// The guard of console pages.
import type { Context } from 'hono'
import { routePath } from 'hono/route'
import { mayWrite } from '../../kit/same-origin.ts'
import { type Caller, hasPermission, type UserCaller } from '../../service/http/caller.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import { type AuthorisationTable, type RequirePage, requireOwnPage } from '../../service/http/protect.ts'
import { SCOPES } from '../../service/tokens/clients.ts'
import type { BrowserSession } from '../identity/browser-session.ts'
import { readForm } from '../identity/read-form.ts'
import type { Sessions } from '../identity/sessions.ts'
import type { Users } from '../identity/users.ts'
import { answerPage } from '../pages/layout.ts'
import { notAllowedPage, otherLenderPage } from './frame.ts'
import type { KeptForms } from './kept-forms.ts'
import type { Presses } from './presses.ts'
import type { RequestsFirst } from './requests-first.ts'

type RequirePageOptions = {
  authenticate: (request: Request) => Promise<Caller | null>
  browser: BrowserSession
  sessions: Pick<Sessions, 'find'>
  users: Pick<Users, 'listTenants'>
  presses: Presses
  keptForms: KeptForms
  requestsFirst: Pick<RequestsFirst, 'wait'>
  /** `METHOD /path` of every page. */
  routes: AuthorisationTable
}

/**
 * Lets a person through, renewing their session on the way; sends everyone else to sign in and back again. Whom they
 * act for is decided here, once: the page that a form is on, the permission and the act are always about the same
 * lender.
 */
export function requirePage(options: RequirePageOptions): RequirePage {
  const { authenticate, browser, sessions, users, presses, keptForms, requestsFirst, routes } = options

  async function renewed(context: Context<ServiceEnv>): Promise<Caller | null> {
    const session = await browser.renew(context)
    const found = session && (await sessions.find(session.id))
    return found && { kind: 'user', ...found, scopes: SCOPES }
  }

  /** The refusal of a form whose page shows another lender than the one selected; null for any other request. */
  async function refuseOtherLender(
    context: Context<ServiceEnv>,
    { userId, sessionId }: UserCaller,
    selectedId: string | undefined,
  ): Promise<Response | null> {
    if (context.req.method !== 'POST') return null
    requireOwnPage(context)
    const form = await readForm(context.req.raw, { files: true })
    const tenants = await users.listTenants(userId)
    const press = presses.read(form.get('press'), { sessionId, tenantIds: tenants.map(({ id }) => id) })
    const shown = tenants.find(({ id }) => id === press?.tenantId)
    if (shown === undefined || shown.id === selectedId) return null
    const selected = tenants.find(({ id }) => id === selectedId) ?? null
    // Neither lender's audit trail has a line: nothing was asked of either.
    context.set('isAsked', true)
    const page = otherLenderPage({ shown, selected, press: presses.field({ sessionId, tenantId: null }) })
    return answerPage(context, page, 409)
  }

  /** The page that the form is on, which is filled in after the sign-in. */
  async function keepForm(context: Context<ServiceEnv>): Promise<string> {
    const { path: action, raw } = context.req
    // A question is asked at the address of its form; other forms are on the page of their section.
    const isAsked = `GET ${routePath(context)}` in routes
    const page = isAsked ? action : action.split('/').slice(0, 3).join('/')
    if (mayWrite(raw)) await keptForms.keep(context, { page, action })
    return page
  }

  return (permission) => async (context, next) => {
    const { raw, path, method } = context.req
    const known = await authenticate(new Request(raw.url, { headers: { Cookie: raw.headers.get('Cookie') ?? '' } }))
    const caller = known ?? (await renewed(context))
    if (caller?.kind !== 'user') {
      const returnTo = method === 'GET' ? path + new URL(raw.url).search : await keepForm(context)
      return context.redirect(`/v1/oauth/login?returnTo=${encodeURIComponent(returnTo)}`, 303)
    }
    context.set('caller', caller)
    const { tenantIds, selectedTenantId } = caller
    const tenantId = tenantIds.length === 1 ? tenantIds[0] : tenantIds.find((id) => id === selectedTenantId)
    if (permission !== null) {
      const refused = await refuseOtherLender(context, caller, tenantId)
      if (refused !== null) return refused
    }
    if (tenantId !== undefined) {
      context.set('tenantId', tenantId)
      if (permission !== null && !hasPermission(caller, tenantId, permission))
        return answerPage(context, notAllowedPage(permission, caller.roles[tenantId]), 403)
    }
    await requestsFirst.wait()
    await next()
  }
}
