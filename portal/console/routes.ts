// The console: what a lender's staff see of their wallet, their API clients and themselves. Pages that work without a
// script.
import { Hono } from 'hono'
import type { Clock } from '../../kit/clock.ts'
import type { ManagedClients } from '../../plugins/clients/manage.ts'
import type { ActCore } from '../../service/act/act.ts'
import type { CheckSettings } from '../../service/check/check-options.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import type { Keys } from '../../service/keys.ts'
import type { Core } from '../../service/plugin.ts'
import type { Database } from '../../service/store/database.ts'
import type { Guesses } from '../identity/guesses.ts'
import type { Notify } from '../identity/notify.ts'
import type { SecondFactor } from '../identity/second-factor.ts'
import type { Sessions } from '../identity/sessions.ts'
import type { Users } from '../identity/users.ts'
import { answerPage, type Link, noSuchPage } from '../pages/layout.ts'
import { auditPageRoutes } from './audit-routes.ts'
import { capPageRoutes } from './cap-routes.ts'
import { checkPageRoutes } from './check-routes.ts'
import { clientPageRoutes } from './client-routes.ts'
import { type DataPageOptions, dataPageRoutes } from './data-routes.ts'
import { type HostedPageOptions, hostedPageRoutes } from './hosted-routes.ts'
import { acceptRoutes } from './invitation-routes.ts'
import type { KeptForms } from './kept-forms.ts'
import { moneyPageRoutes } from './money-routes.ts'
import { createVisits } from './page-context.ts'
import { type PeoplePageOptions, peoplePageRoutes } from './people-routes.ts'
import type { Presses } from './presses.ts'
import { profilePageRoutes } from './profile-routes.ts'
import type { RequestsFirst } from './requests-first.ts'
import { createSecretNotice } from './secret-mails.ts'
import { type SetUpPageOptions, setUpPageRoutes } from './setup-routes.ts'
import { todayPageRoutes } from './today-routes.ts'
import { type WebhookPageOptions, webhookPageRoutes } from './webhook-routes.ts'

type ConsoleOptions = {
  database: Database
  clock: Clock
  settings: CheckSettings
  /** That reports are sealed under. */
  keys: Pick<Keys, 'reports'>
  users: Users
  clients: ManagedClients
  sessions: Sessions
  guesses: Guesses
  secondFactor: SecondFactor
  core: ActCore
  presses: Presses
  keptForms: KeptForms
  requestsFirst: RequestsFirst
  people: Pick<PeoplePageOptions, 'links' | 'members' | 'invite' | 'sendsMail'>
  notify: Notify
  publicUrl: string
  /** True when passwords and second factors are kept here. */
  hasOwnLogin: boolean
  /** Other origins that signing out may redirect to. */
  signOutOrigins: readonly string[]
  /** Shown below the navigation. */
  links: readonly Link[]
  data: Pick<DataPageOptions, 'keys' | 'retentionMs' | 'plugins'>
  /** The steps of a check's timeline that plugins know of. */
  timeline: Core['timeline']
  setUp: Pick<SetUpPageOptions, 'versions' | 'refusals' | 'newest' | 'hasMatch'>
  webhooks: Pick<WebhookPageOptions, 'sender'>
  hosted: HostedPageOptions['hosted']
}

/** Behind the rule `page` of the authorisation table: there is always a person. */
export function consoleRoutes(options: ConsoleOptions): Hono<ServiceEnv> {
  const { database, clock, settings, users, sessions, guesses, clients, secondFactor, hasOwnLogin } = options
  const { presses, people, notify, publicUrl, signOutOrigins, links } = options
  const { members } = people
  const visits = createVisits({
    users,
    invitations: people.links,
    presses,
    keptForms: options.keptForms,
    requestsFirst: options.requestsFirst,
    signOutOrigins,
    links,
  })
  const { choose, personPages } = visits
  const notifyOfSecret = createSecretNotice({ notify, publicUrl, clock, members })
  const routes = new Hono<ServiceEnv>()
  const own = personPages()

  own.get('/console/tenants', (context, visit) => choose(context, visit))

  own.post('/console/tenants', '/console', async (context, visit, form) => {
    const selected = await users.selectTenant(visit.user.id, form.get('tenantId') ?? '')
    if (selected === null) return choose(context, visit, 'You are not a member of that lender.')
    return { notice: `You act for ${selected.name} now.` }
  })

  routes.route('/', own.routes)
  routes.route('/', acceptRoutes({ links: people.links, users, visits }))
  routes.route(
    '/',
    checkPageRoutes({ database, clock, settings, keys: options.keys, timeline: options.timeline, visits }),
  )
  routes.route('/', hostedPageRoutes({ core: options.core, hosted: options.hosted, visits }))
  routes.route('/', todayPageRoutes({ database, clock, settings, links: options.hosted.links, visits }))
  routes.route('/', moneyPageRoutes({ core: options.core, visits }))
  routes.route('/', auditPageRoutes({ database, members, visits }))
  routes.route('/', capPageRoutes({ core: options.core, visits }))
  routes.route('/', setUpPageRoutes({ database, clients, clock, settings, ...options.setUp, visits }))
  routes.route('/', clientPageRoutes({ core: options.core, clients, notifyOfSecret, visits }))
  routes.route(
    '/',
    peoplePageRoutes({ core: options.core, ...people, clients, notify, publicUrl, hasOwnLogin, visits }),
  )
  routes.route(
    '/',
    profilePageRoutes({
      notify,
      publicUrl,
      clock,
      users,
      links: people.links,
      sessions,
      guesses,
      secondFactor,
      hasOwnLogin,
      visits,
    }),
  )
  routes.route('/', dataPageRoutes({ database, clock, settings, ...options.data, visits }))
  routes.route('/', webhookPageRoutes({ core: options.core, ...options.webhooks, notifyOfSecret, visits }))

  // The address of a form that was opened in a new tab: the page it is on.
  routes.get('/console/*', (context) => {
    const { path } = context.req
    if (path === '/console/') return context.redirect('/console', 303)
    const nearest = SECTIONS.find((section) => path.startsWith(`${section}/`))
    return nearest === undefined ? answerPage(context, noSuchPage(), 404) : context.redirect(nearest, 303)
  })

  return routes
}

const SECTIONS = [
  '/console/money',
  '/console/checks',
  '/console/links',
  '/console/caps',
  '/console/setup',
  '/console/hosted-page',
  '/console/clients',
  '/console/data',
  '/console/webhooks',
  '/console/people',
  '/console/profile',
  '/console/tenants',
] as const
