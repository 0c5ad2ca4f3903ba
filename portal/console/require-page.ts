// Who gets a page of the console, and for which lender.
import type { Context } from 'hono'
import { type Caller, hasPermission, type UserCaller } from '../../service/http/caller.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import { type RequirePage, requireOwnPage } from '../../service/http/protect.ts'
import { SCOPES } from '../../service/tokens/clients.ts'
import type { BrowserSession } from '../identity/browser-session.ts'
import { readForm } from '../identity/read-form.ts'
import type { Sessions } from '../identity/sessions.ts'
import type { Users } from '../identity/users.ts'
import { answerPage } from '../pages/layout.ts'
import { notAllowedPage, otherLenderPage } from './frame.ts'
import type { Presses } from './presses.ts'

type RequirePageOptions = {
  authenticate: (request: Request) => Promise<Caller | null>
  browser: BrowserSession
  sessions: Pick<Sessions, 'find'>
  users: Pick<Users, 'listTenants'>
  presses: Presses
}

/**
 * Lets a person through, renewing their session on the way; sends everyone else to sign in and back again. Whom they act for
 * is decided here, once: the page that a form is on, the permission and the act are always about the same lender.
 */
export function requirePage({ authenticate, browser, sessions, users, presses }: RequirePageOptions): RequirePage {
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
    const form = await readForm(context.req.raw)
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

  return (permission) => async (context, next) => {
    const { raw, path, method } = context.req
    const known = await authenticate(new Request(raw.url, { headers: { Cookie: raw.headers.get('Cookie') ?? '' } }))
    const caller = known ?? (await renewed(context))
    if (caller?.kind !== 'user') {
      // A page can be opened again after signing in; what was in a form is lost.
      const returnTo = method === 'GET' ? path + new URL(raw.url).search : '/console'
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
    await next()
  }
}
