// The console: what a lender's staff see of their wallet, their API clients and themselves. Pages without a script.
import type { Hono } from 'hono'
import { html } from 'hono/html'
import { read } from '../../contract/problems.ts'
import { ReportListQuery } from '../../contract/report-list.ts'
import type { Clock } from '../../kit/clock.ts'
import { type AuditEvent, listAudit } from '../../service/audit/store.ts'
import { ApiError } from '../../service/http/api-error.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import { readReports } from '../../service/reports/read-report.ts'
import type { ReportSettings } from '../../service/reports/report-options.ts'
import type { Database } from '../../service/store/database.ts'
import { readTenant } from '../../service/tenants/store.ts'
import type { Clients } from '../../service/tokens/clients.ts'
import { readSpend } from '../../service/wallet/spend.ts'
import { listLines } from '../../service/wallet/store.ts'
import type { Guesses } from '../guesses.ts'
import { createMembers } from '../members.ts'
import type { Markup } from '../pages/layout.ts'
import type { SecondFactor } from '../second-factor.ts'
import type { Sessions } from '../sessions.ts'
import type { Users } from '../users.ts'
import { capPageRoutes } from './cap-routes.ts'
import { checksBody } from './check-pages.ts'
import { clientPageRoutes } from './client-routes.ts'
import { acceptRoutes } from './invitation-routes.ts'
import { createVisits } from './page-context.ts'
import { type InvitationOptions, peoplePageRoutes } from './people-routes.ts'
import type { Presses } from './presses.ts'
import { profilePageRoutes } from './profile-routes.ts'
import { writeReceipt } from './receipt.ts'
import { showTable, showTime } from './show.ts'
import { receiptBody, walletBody } from './wallet-pages.ts'
import { type WebhookPageOptions, webhookPageRoutes } from './webhook-routes.ts'

const LINES_SHOWN = 50
const AUDIT_SHOWN = 200
const CHECKS_SHOWN = 50
/** More than any check can have: a report and three texts, each held and settled. */
const RECEIPT_LINES_MAX = 20

type ConsoleOptions = {
  database: Database
  clock: Clock
  settings: ReportSettings
  users: Users
  clients: Clients
  sessions: Sessions
  guesses: Guesses
  secondFactor: SecondFactor
  presses: Presses
  invitations: InvitationOptions
  trustedHops: number
  /** True when passwords and second factors are kept here. */
  hasOwnLogin: boolean
  /** Where signing out may lead besides here. */
  signOutOrigins: readonly string[]
  webhooks: Pick<WebhookPageOptions, 'keys' | 'rules'>
}

/** Behind the rule `page` of the authorisation table: there is always a person. */
export function consoleRoutes(options: ConsoleOptions): Hono<ServiceEnv> {
  const { database, clock, settings, users, sessions, guesses, clients, secondFactor, hasOwnLogin } = options
  const { presses, invitations, trustedHops, signOutOrigins } = options
  const members = createMembers({ database })
  const visits = createVisits({ users, presses, signOutOrigins })
  const { show, choose, tenantPages, personPages } = visits
  const { routes, get } = tenantPages()
  const own = personPages()

  get('/console', async (context, visit) => {
    const account = await readTenant(database, visit.tenant.id, settings)
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
      body: walletBody({ account, spend, lines, older, mayChangeCaps: visit.tenant.role === 'owner' }),
    })
  })

  get('/console/checks', async (context, visit) => {
    const reference = (context.req.query('reference') ?? '').trim()
    const asked = { ...(reference === '' ? {} : { externalReference: reference }), limit: CHECKS_SHOWN }
    const after = context.req.query('after')
    const query = read(ReportListQuery, { ...asked, ...(after === undefined ? {} : { after }) })
    const page = { path: '/console/checks', title: 'Checks' }
    const none = { reference, list: { creditReports: [] }, problem: 'That cannot be searched for.' }
    // Only an address that was edited by hand can be wrong.
    const list = query.ok
      ? await readReports({ database, clock, settings }, { tenantId: visit.tenant.id, ...query.value }).catch(
          nullWhenRefused,
        )
      : null
    if (list === null) return show(context, visit, { ...page, body: checksBody(none) }, 400)
    return show(context, visit, { ...page, body: checksBody({ reference, list }) })
  })

  get('/console/checks/:creditReportId', async (context, visit) => {
    const creditReportId = context.req.param('creditReportId') ?? ''
    const wanted = { tenantId: visit.tenant.id, before: null, creditReportId, limit: RECEIPT_LINES_MAX }
    const lines = await listLines(database, wanted)
    if (!lines?.length) return context.redirect('/console', 303)
    const body = receiptBody({ creditReportId, reference: lines[0]?.externalReference ?? null }, writeReceipt(lines))
    return show(context, visit, { path: '/console', title: 'Receipt', body })
  })

  own.get('/console/tenants', (context, visit) => choose(context, visit))

  own.post('/console/tenants', '/console', async (context, visit, form) => {
    const selected = await users.selectTenant(visit.user.id, form.get('tenantId') ?? '')
    if (selected === null) return choose(context, visit, 'You are not a member of that lender.')
    return { notice: `You act for ${selected.name} now.` }
  })

  get('/console/audit', async (context, visit) => {
    const people = new Map((await members.list(visit.tenant.id)).map(({ id, name }) => [id, name]))
    const wanted = { tenantId: visit.tenant.id, actorIds: [...people.keys()], limit: AUDIT_SHOWN }
    const body = auditBody(await listAudit(database, wanted), people)
    return show(context, visit, { path: '/console/audit', title: 'Audit', body })
  })

  routes.route('/', own.routes)
  routes.route('/', acceptRoutes({ database, clock, trustedHops, links: invitations.links, visits }))
  routes.route('/', capPageRoutes({ database, clock, visits }))
  routes.route('/', clientPageRoutes({ clients, clock, visits }))
  routes.route('/', peoplePageRoutes({ ...invitations, members, guesses, hasOwnLogin, visits }))
  routes.route('/', profilePageRoutes({ users, sessions, guesses, secondFactor, hasOwnLogin, visits }))
  routes.route('/', webhookPageRoutes({ database, clock, ...options.webhooks, visits }))

  // For an address that was typed, or a form's that was opened in a new tab: the nearest page, not a JSON error.
  routes.get('/console/*', (context) => {
    const nearest = SECTIONS.find((section) => context.req.path.startsWith(`${section}/`))
    return context.redirect(nearest ?? '/console', 303)
  })

  return routes
}

const SECTIONS = [
  '/console/caps',
  '/console/clients',
  '/console/webhooks',
  '/console/people',
  '/console/profile',
  '/console/tenants',
] as const

function nullWhenRefused(error: unknown): null {
  if (error instanceof ApiError && error.code === 'validation-error') return null
  throw error
}

/** `people`: the names of those who act for the lender now, by id. */
function auditBody(events: readonly AuditEvent[], people: ReadonlyMap<string, string>): Markup {
  return html`<h1>Audit</h1>
<p class="lead">Who signed in, changed something or read a report. Nothing here can be changed.</p>
${
  events.length === 0
    ? html`<p>Nothing has been written down yet.</p>`
    : showTable({
        label: 'Audit events',
        caption: 'Newest first',
        columns: ['When', 'Who', 'What', 'On what', 'From', 'Outcome'],
        rows: events.map(
          ({ atMs, actorKind, actorId, action, object, address, outcome }) => html`
    <tr><td class="when">${showTime(atMs)}</td><td class="when">${people.get(actorId ?? '') ?? html`${actorKind} <code>${actorId ?? ''}</code>`}</td><td>${action}</td><td><code>${object ?? ''}</code></td><td>${address ?? ''}</td><td>${wordsOf(outcome)}</td></tr>`,
        ),
      })
}`
}

/** A request that changed nothing is recorded with its HTTP status. */
function wordsOf(outcome: string): string {
  const status = Number(outcome)
  if (Number.isNaN(status)) return outcome
  return status < 400 ? 'answered' : `refused (${status})`
}
