// The console: what a lender's staff see of their wallet, their API clients and themselves. Pages without a script.
import { randomBytes } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { read } from '../../contract/problems.ts'
import { ReportListQuery } from '../../contract/report-list.ts'
import type { Clock } from '../../kit/clock.ts'
import { listAudit } from '../../service/audit/store.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import { readReports } from '../../service/reports/read-report.ts'
import type { ReportSettings } from '../../service/reports/report-options.ts'
import type { Database } from '../../service/store/database.ts'
import { readTenant } from '../../service/tenants/store.ts'
import { newClientSecret } from '../../service/tokens/client-secret.ts'
import type { Clients } from '../../service/tokens/clients.ts'
import { readSpend } from '../../service/wallet/spend.ts'
import { listLines } from '../../service/wallet/store.ts'
import { answerPage, type Markup } from '../pages/layout.ts'
import { readForm } from '../read-form.ts'
import type { SecondFactor } from '../second-factor.ts'
import type { Users } from '../users.ts'
import { auditBody } from './audit-page.ts'
import { checksBody } from './check-pages.ts'
import { clientsBody } from './client-pages.ts'
import { consolePage, type Visit } from './frame.ts'
import { enrolBody, profileBody, recoveryBody } from './profile-pages.ts'
import { writeReceipt } from './receipt.ts'
import { receiptBody, tenantsBody, walletBody } from './wallet-pages.ts'
import { type WebhookPageOptions, webhookPageRoutes } from './webhook-routes.ts'

const LINES_SHOWN = 50
const AUDIT_SHOWN = 200
const CHECKS_SHOWN = 50
/** More than any check can have: a report and three texts, each held and settled. */
const RECEIPT_LINES_MAX = 20

export type ConsoleOptions = {
  database: Database
  clock: Clock
  settings: ReportSettings
  users: Users
  clients: Clients
  secondFactor: SecondFactor
  /** True when passwords and second factors are kept here. */
  hasOwnLogin: boolean
  /** Where signing out may lead besides here. */
  signOutOrigins: readonly string[]
  webhooks: Pick<WebhookPageOptions, 'keys' | 'rules'>
}

type PageContext = Context<ServiceEnv>

/** Behind the rule `page` of the authorisation table: there is always a person. */
export function consoleRoutes(options: ConsoleOptions): Hono<ServiceEnv> {
  const { database, clock, settings, users, clients, secondFactor, hasOwnLogin, signOutOrigins, webhooks } = options
  const routes = new Hono<ServiceEnv>()

  async function visitOf(context: PageContext): Promise<Visit> {
    const caller = context.get('caller')
    const user = caller.kind === 'user' ? await users.find(caller.userId) : null
    if (user === null) throw new Error('a page without a person')
    const tenants = await users.listTenants(user.id)
    // Membership is asked now: what was selected once grants nothing.
    const selected = tenants.find(({ id }) => id === user.selectedTenantId)
    const only = tenants.length === 1 ? tenants[0] : undefined
    const tenant = selected ?? only ?? null
    // For the audit trail: whom they act for.
    if (tenant !== null) context.set('tenantId', tenant.id)
    return { user, tenants, tenant, formOrigins: signOutOrigins }
  }

  const show = (
    context: PageContext,
    visit: Visit,
    page: { path: string; title: string; body: Markup },
    status?: Parameters<typeof answerPage>[2],
  ) => answerPage(context, consolePage(visit, page), status)

  const choose = (context: PageContext, visit: Visit, problem?: string) =>
    show(
      context,
      visit,
      { path: '/console/tenants', title: 'Choose a lender', body: tenantsBody(visit.tenants, problem) },
      problem ? 403 : 200,
    )

  routes.get('/console', async (context) => {
    const visit = await visitOf(context)
    const account = visit.tenant && (await readTenant(database, visit.tenant.id, settings))
    if (account === null) return choose(context, visit)
    const before = context.req.query('before') ?? null
    // One more than shown says whether there is an older page.
    const wanted = { tenantId: account.id, before, creditReportId: null, limit: LINES_SHOWN + 1 }
    const found = await listLines(database, wanted)
    if (found === null) return context.redirect('/console', 303)
    const lines = found.slice(0, LINES_SHOWN)
    const spend = await readSpend(database, account.id, clock())
    const older = found.length > LINES_SHOWN ? (lines.at(-1)?.id ?? null) : null
    return show(context, visit, {
      path: '/console',
      title: 'Wallet',
      body: walletBody({ account, spend, lines, older }),
    })
  })

  routes.get('/console/checks', async (context) => {
    const visit = await visitOf(context)
    if (visit.tenant === null) return choose(context, visit)
    const reference = (context.req.query('reference') ?? '').trim()
    const asked = { ...(reference === '' ? {} : { externalReference: reference }), limit: CHECKS_SHOWN }
    const after = context.req.query('after')
    const query = read(ReportListQuery, { ...asked, ...(after === undefined ? {} : { after }) })
    const page = { path: '/console/checks', title: 'Checks' }
    const none = { reference, list: { creditReports: [] }, problem: 'That cannot be searched for.' }
    // Only what somebody typed into the address itself can be wrong.
    if (!query.ok) return show(context, visit, { ...page, body: checksBody(none) }, 400)
    const list = await readReports({ database, clock, settings }, { tenantId: visit.tenant.id, ...query.value })
    return show(context, visit, { ...page, body: checksBody({ reference, list }) })
  })

  routes.get('/console/checks/:creditReportId', async (context) => {
    const visit = await visitOf(context)
    const creditReportId = context.req.param('creditReportId')
    const lines =
      visit.tenant &&
      (await listLines(database, { tenantId: visit.tenant.id, before: null, creditReportId, limit: RECEIPT_LINES_MAX }))
    if (!lines?.length) return context.redirect('/console', 303)
    const body = receiptBody({ creditReportId, reference: lines[0]?.externalReference ?? null }, writeReceipt(lines))
    return show(context, visit, { path: '/console', title: 'Receipt', body })
  })

  routes.get('/console/tenants', async (context) => choose(context, await visitOf(context)))

  routes.post('/console/tenants', async (context) => {
    const tenantId = (await readForm(context.req.raw)).get('tenantId') ?? ''
    const visit = await visitOf(context)
    const selected = await users.selectTenant(visit.user.id, tenantId)
    if (selected === null) return choose(context, visit, 'You are not a member of that lender.')
    return context.redirect('/console', 303)
  })

  async function showClients(context: PageContext, visit: Visit, extra: object = {}, status: 200 | 409 = 200) {
    if (visit.tenant === null) return choose(context, visit)
    const view = { clients: await clients.list(visit.tenant.id), nextId: newClientId(visit.tenant.id), ...extra }
    const page = { path: '/console/clients', title: 'API clients', body: clientsBody(view) }
    return show(context, visit, page, status)
  }

  routes.get('/console/clients', async (context) => showClients(context, await visitOf(context)))

  routes.post('/console/clients', async (context) => {
    const visit = await visitOf(context)
    const id = (await readForm(context.req.raw)).get('id') ?? ''
    if (visit.tenant === null) return choose(context, visit)
    // An id of ours, for this tenant: another's name cannot be taken.
    if (!isClientIdOf(visit.tenant.id, id)) {
      return showClients(context, visit, { problem: 'That form was out of date. Here is a new one.' }, 409)
    }
    const secret = newClientSecret()
    const isNew = await clients.create({ id, tenantId: visit.tenant.id, secret })
    const problem = `${id} exists already. Its secret was shown once and cannot be shown again.`
    return isNew
      ? showClients(context, visit, { created: { id, secret } })
      : showClients(context, visit, { problem }, 409)
  })

  routes.post('/console/clients/:clientId/revoke', async (context) => {
    const visit = await visitOf(context)
    if (visit.tenant === null) return choose(context, visit)
    const id = context.req.param('clientId')
    await clients.disable(id, visit.tenant.id)
    // Sent twice is fine. Sent from a page of another lender, it did nothing, and that must not look like success.
    const isTheirs = (await clients.list(visit.tenant.id)).some((client) => client.id === id)
    if (isTheirs) return context.redirect('/console/clients', 303)
    const problem = `Nothing was revoked: ${id} is not a client of ${visit.tenant.name}, for whom you act now.`
    return showClients(context, visit, { problem }, 409)
  })

  type Extra = { problem?: string; done?: string }
  const showProfile = (context: PageContext, visit: Visit, extra: Extra = {}, status: 200 | 400 | 429 = 200) => {
    const body = profileBody({ user: visit.user, hasOwnLogin, ...extra })
    return show(context, visit, { path: '/console/profile', title: 'Profile', body }, status)
  }

  routes.get('/console/audit', async (context) => {
    const visit = await visitOf(context)
    if (visit.tenant === null) return choose(context, visit)
    const actorIds = await users.listMembers(visit.tenant.id)
    const events = await listAudit(database, { tenantId: visit.tenant.id, actorIds, limit: AUDIT_SHOWN })
    return show(context, visit, { path: '/console/audit', title: 'Audit', body: auditBody(events) })
  })

  routes.get('/console/profile', async (context) => showProfile(context, await visitOf(context)))

  routes.post('/console/profile/totp', async (context) => {
    const visit = await visitOf(context)
    const enrolment = hasOwnLogin ? await secondFactor.begin(visit.user) : null
    if (enrolment === null) return showProfile(context, visit)
    const page = { path: '/console/profile', title: 'Set up an authenticator app', body: enrolBody(enrolment) }
    return show(context, visit, page)
  })

  routes.post('/console/profile/totp/confirm', async (context) => {
    const visit = await visitOf(context)
    const code = (await readForm(context.req.raw)).get('code') ?? ''
    const enrolment = await secondFactor.pending(visit.user)
    if (enrolment === null) return context.redirect('/console/profile', 303)
    const verdict = await secondFactor.confirm(visit.user.id, code)
    if ('recoveryCodes' in verdict) {
      const body = recoveryBody(verdict.recoveryCodes)
      return show(context, visit, { path: '/console/profile', title: 'Recovery codes', body })
    }
    const body = enrolBody(enrolment, problemOf(verdict))
    const page = { path: '/console/profile', title: 'Error: set up an authenticator app', body }
    return show(context, visit, page, verdict.outcome === 'wait' ? 429 : 400)
  })

  routes.post('/console/profile/totp/off', async (context) => {
    const visit = await visitOf(context)
    const code = (await readForm(context.req.raw)).get('code') ?? ''
    if (!visit.user.totpEnabled) return context.redirect('/console/profile', 303)
    const verdict = await secondFactor.disable(visit.user.id, code)
    if (verdict.outcome === 'right') {
      return showProfile(context, await visitOf(context), { done: 'Two-step sign-in is off.' })
    }
    return showProfile(context, visit, { problem: problemOf(verdict) }, verdict.outcome === 'wait' ? 429 : 400)
  })

  routes.route('/', webhookPageRoutes({ database, clock, ...webhooks, visitOf }))

  // People type addresses, open a form's in a new tab, add a slash: they get the page nearest to it, not a machine's answer.
  routes.get('/console/*', (context) => {
    const nearest = SECTIONS.find((section) => context.req.path.startsWith(`${section}/`))
    return context.redirect(nearest ?? '/console', 303)
  })

  return routes
}

const SECTIONS = ['/console/clients', '/console/webhooks', '/console/profile', '/console/tenants'] as const

function problemOf(verdict: { outcome: 'wrong' } | { outcome: 'wait'; seconds: number }): string {
  return verdict.outcome === 'wrong'
    ? 'That code is wrong, too old or was used before.'
    : `Too many wrong codes. Wait ${verdict.seconds} seconds, then try again.`
}

const ID_BYTES = 5

function newClientId(tenantId: string): string {
  return `${tenantId}-${randomBytes(ID_BYTES).toString('hex')}`
}

function isClientIdOf(tenantId: string, id: string): boolean {
  return id.startsWith(`${tenantId}-`) && /^[0-9a-f]{10}$/.test(id.slice(tenantId.length + 1))
}
