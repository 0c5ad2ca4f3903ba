// Who looks at a page of the console, and for which lender; and how pages are answered.
import { type Context, Hono } from 'hono'
import type { ServiceEnv } from '../../service/http/context.ts'
import { answerPage, type Markup } from '../pages/layout.ts'
import type { Users } from '../users.ts'
import { consolePage, type TenantVisit, type Visit } from './frame.ts'
import { tenantsBody } from './wallet-pages.ts'

export type PageContext = Context<ServiceEnv>
export type Visits = ReturnType<typeof createVisits>

type Status = Parameters<typeof answerPage>[2]

/** `signOutOrigins`: where signing out may lead besides here. */
export function createVisits({ users, signOutOrigins }: { users: Users; signOutOrigins: readonly string[] }) {
  const show = (
    context: PageContext,
    visit: Visit,
    page: { path: string; title: string; body: Markup },
    status?: Status,
  ) => answerPage(context, consolePage(visit, page), status)

  /** Behind the rule `page` of the authorisation table, which has set the person and the lender they act for. */
  async function visitOf(context: PageContext): Promise<Visit> {
    const caller = context.get('caller')
    const user = caller.kind === 'user' ? await users.find(caller.userId) : null
    if (caller.kind !== 'user' || user === null) throw new Error('a page without a person')
    const tenants = await users.listTenants(user.id)
    const tenant = tenants.find(({ id }) => id === context.get('tenantId')) ?? null
    return { user, tenants, tenant, sessionId: caller.sessionId, formOrigins: signOutOrigins }
  }

  /** For those who act for no lender yet. */
  function choose(context: PageContext, visit: Visit, problem?: string) {
    const closed = visit.tenants.find(({ secondFactorRequired }) => secondFactorRequired && !visit.user.totpEnabled)
    const why = closed && `${closed.name} needs two-step sign-in: turn it on in your profile.`
    const body = tenantsBody(visit.tenants, problem ?? why)
    return show(context, visit, { path: '/console/tenants', title: 'Choose a lender', body }, problem ? 403 : 200)
  }

  /** Pages about a lender. A person who has not chosen one sees the choice instead. */
  function tenantPages() {
    const routes = new Hono<ServiceEnv>()
    const withTenant = (answer: TenantPage) => async (context: PageContext) => {
      const visit = await visitOf(context)
      return visit.tenant === null ? choose(context, visit) : answer(context, { ...visit, tenant: visit.tenant })
    }
    return {
      routes,
      get: (path: string, answer: TenantPage) => routes.get(path, withTenant(answer)),
      post: (path: string, answer: TenantPage) => routes.post(path, withTenant(answer)),
    }
  }

  return { show, visitOf, choose, tenantPages }
}

type TenantPage = (context: PageContext, visit: TenantVisit) => Response | Promise<Response>
