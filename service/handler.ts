// The only file that knows every part of the machine API. `createApp` wires them and returns a `Request → Response` handler.
import type { Hono, MiddlewareHandler } from 'hono'
import type { Clock } from '../kit/clock.ts'
import { serviceOperations } from '../openapi/document.ts'
import type { Operations } from '../openapi/operation.ts'
import { createAuditRequests } from '../plugins/audit/audit-requests.ts'
import { auditRoutes } from '../plugins/audit/audit-routes.ts'
import { checkAuditChain, forgetOldAudit, linkAudit, publishAuditHead } from '../plugins/audit/chain.ts'
import { integrationRoutes } from '../plugins/clients/routes.ts'
import { createConsumerShare } from '../plugins/limits/consumer-share.ts'
import { createSearchLimit, forgetOldSearches, unlimitedSearches } from '../plugins/limits/searches.ts'
import { createGates, loadOf } from '../plugins/limits/shed.ts'
import { announceAlerts } from '../plugins/limits/spend-alerts.ts'
import { forgetOldClaims } from '../plugins/limits/text-claims.ts'
import { createTextGuard, unguardedTexts } from '../plugins/limits/text-guard.ts'
import { createMetrics, type Metrics } from '../plugins/metrics/metrics.ts'
import { metricsRoute } from '../plugins/metrics/metrics-route.ts'
import { createContentCheck } from '../plugins/people/check-contents.ts'
import { createRetention } from '../plugins/people/retention.ts'
import { createBooksCheck } from '../plugins/statement/check-books.ts'
import { statsRoutes } from '../plugins/stats/routes.ts'
import { createStats, forgetOldStats, type Stats } from '../plugins/stats/stats.ts'
import { createVersions, type Versions } from '../plugins/stats/versions.ts'
import { forgetOldDeliveries } from '../plugins/webhooks/deliveries.ts'
import { queueAuditHead, queueWebhook } from '../plugins/webhooks/queue.ts'
import { createWebhookSender, type WebhookSender } from '../plugins/webhooks/sender.ts'
import { SERVICE_ROUTES } from './authorisation.ts'
import type { ClaimDevice } from './check/check-options.ts'
import { createMobileNumberReader } from './check/content.ts'
import { forgetOldKeys } from './check/idempotency.ts'
import { creditReportRoutes, peopleRoutes } from './check/routes.ts'
import { expireChallenges, failAbandoned } from './check/sweep-checks.ts'
import { type Config, webhookRulesOf } from './config.ts'
import { deviceRoutes } from './devices/routes.ts'
import { loadScript, type Script } from './devices/script.ts'
import { createDeviceSessions } from './devices/sessions.ts'
import { createAccess } from './http/access.ts'
import type { Authenticate } from './http/caller.ts'
import { clientAddress } from './http/client-address.ts'
import type { ServiceEnv } from './http/context.ts'
import { createEdge } from './http/edge.ts'
import { createReadiness, healthRoutes } from './http/health.ts'
import { createOpenApi, openApiRoute } from './http/openapi-route.ts'
import { type AuthorisationTable, listRoutes, protect, type RequirePage } from './http/protect.ts'
import { createRateLimiter } from './http/rate-limit.ts'
import { createRequestLimit } from './http/request-limit.ts'
import { securityTxtRoute } from './http/security-txt.ts'
import { deriveKeys, type Keys } from './keys.ts'
import { walletRoutes } from './ledger/routes.ts'
import { createTenantLimits } from './ledger/tenants.ts'
import type { Log } from './log.ts'
import { createProviders, observeProviders, simulatedProviders } from './providers/create-providers.ts'
import { createMailbox, createSmtpMail, type Mail, type Mailbox } from './providers/mail.ts'
import type { Providers } from './providers/providers.ts'
import { createSimulatedPhone, type SimulatedPhone } from './providers/simulated/simulated.ts'
import type { Database } from './store/database.ts'
import { createSweeper, type Sweeper, type SweepTasks } from './sweeper.ts'
import type { OnText } from './texts/outbox.ts'
import { receiptRoutes } from './texts/routes.ts'
import { releaseUnacknowledged, sendQueued } from './texts/sweep-texts.ts'
import { createAuthenticate, type People } from './tokens/authenticate.ts'
import { createTokens, type Tokens } from './tokens/tokens.ts'

export type AppOptions = {
  config: Config
  database: Database
  log: Log
  /** What is served beside the machine API: the portal for people, the demo's routes. @default nothing */
  mounts?: readonly Mount[]
  /** @default Date.now */
  clock?: Clock
  /** @default new ones, without the process's own */
  metrics?: Metrics
  /** Where risk, bureaus and texts come from. @default what the settings name */
  providers?: Partial<Providers>
  /** Where simulated texts arrive. @default a new one */
  phone?: SimulatedPhone
  /** How mail leaves. @default what the settings name; in the demo, a mailbox */
  mail?: Mail
  /** The fingerprint script as it is served. @default the built one */
  script?: Script
  /** Who calls. @default the owner of an access token of this service */
  authenticate?: Authenticate
  /** @default the sessions this service minted */
  claimDevice?: ClaimDevice
  /** Why this process wants no new work, as a code; null when it does. @default never */
  refusal?: () => string | null
}

/** What a mount is built from. */
export type ServiceCore = {
  config: Config
  database: Database
  clock: Clock
  log: Log
  keys: Keys
  tokens: Tokens
  webhooks: WebhookSender
  versions: Versions
  phone: SimulatedPhone
  /** Null where none is sent. */
  mail: Mail | null
  /** Where the demo’s mails arrive. */
  mailbox: Mailbox
  /** What `/openapi.json` answers; known once every mount is there. */
  openApi: () => string
}

/** Something served beside the machine API, under the same edge, limits and authorisation. */
export type Mount = (core: ServiceCore) => Promise<Mounted>

export type Mounted = {
  routes: Hono<ServiceEnv>
  /** Who may use each of `routes`. */
  authorisation: AuthorisationTable
  /** Those of `routes` that programs call, for the OpenAPI document. @default none */
  operations?: Operations
  people?: People
  /** Lets people through to pages and sends everyone else to sign in. */
  requirePage?: (authenticate: Authenticate) => RequirePage
  /** Asks people on pages to prove who they are again. */
  requireProof?: MiddlewareHandler<ServiceEnv>
  /** What the mount's own tables need swept. @default nothing */
  sweeps?: SweepTasks
}

export type App = {
  /** `env` carries Node's own request, when there is one. */
  fetch(request: Request, env?: object): Promise<Response> | Response
  /** Finishes what crashes and time leave behind. The caller decides when. */
  sweeper: Sweeper
  /** Tells lenders what happened. The caller decides when. */
  webhooks: WebhookSender
  /** Writes the lenders' counters. The caller decides when. */
  stats: Pick<Stats, 'flush' | 'start'>
  /** Every route there is, as `METHOD /path`. */
  routes: readonly string[]
}

export async function createApp(options: AppOptions): Promise<App> {
  const { config, database, log, clock = Date.now, metrics = createMetrics(), refusal = () => null } = options
  const { providers: settings, bureaus, publicUrl, trustedHops } = config
  const keys = deriveKeys(config.secretKeys)
  const phone = options.phone ?? createSimulatedPhone(clock)
  const mailbox = createMailbox(clock)
  const ownMail = config.mail === null ? null : createSmtpMail(config.mail)
  const mail = options.mail ?? ownMail ?? (config.demo ? mailbox : null)
  const providers = observeProviders(
    { ...createProviders({ settings, bureaus, publicUrl, phone, log }), ...options.providers },
    metrics.providerCalled,
  )
  // Text limits are about money: a simulated text costs none.
  const textGuard =
    settings.sms === null ? unguardedTexts : createTextGuard({ key: keys.indexes[0], ...config.texts, log })
  // A simulated bureau marks no one's file.
  const searchLimit =
    settings.bureau === null
      ? unlimitedSearches
      : createSearchLimit({ clock, key: keys.indexes[0], max: config.searchesPerPersonPerDay })
  if (config.production)
    for (const provider of simulatedProviders(settings)) log.warn('provider is simulated', { provider })

  const webhooks = createWebhookSender({
    database,
    clock,
    log,
    keys: keys.webhooks,
    post: { rules: webhookRulesOf(config) },
    onAttempt: metrics.webhookAttempted,
  })
  const tokens = await createTokens({ database, clock, wrappingKeys: keys.signing, issuer: publicUrl })
  const mounted: Mounted[] = []
  const operations = () => Object.assign({}, serviceOperations, ...mounted.map((each) => each.operations))
  const openApi = createOpenApi({ publicUrl, bureaus, clock, operations })
  const versions = createVersions({ database, clock })
  const core: ServiceCore = {
    config,
    database,
    clock,
    log,
    keys,
    tokens,
    webhooks,
    versions,
    phone,
    mail,
    mailbox,
    openApi,
  }
  for (const mount of options.mounts ?? []) mounted.push(await mount(core))
  const first = <Key extends keyof Mounted>(key: Key) => mounted.find((each) => each[key])?.[key] ?? null

  const { clients, accessTokens } = tokens
  const authenticate =
    options.authenticate ?? createAuthenticate({ tokens: accessTokens, clients, people: first('people'), clock })
  const gates = createGates(config.gate)
  metrics.watchLoad(() => loadOf(gates))
  const limitOf = createTenantLimits({ database, clock, fallback: config.rateLimitPerMinute })
  const limit = createRequestLimit({
    limiter: createRateLimiter({ database, clock }),
    clock,
    limitOf,
    personLimit: config.rateLimitPerMinute,
  })
  const access = createAccess({ authenticate, limit })
  const sessions = createDeviceSessions({ database, clock, secretKeys: config.secretKeys })
  metrics.watchDatabase(database, clock)
  const stats = createStats({ database, clock, log })
  const onText: OnText = (tenantId, fate) => {
    if (fate !== 'accepted') metrics.textSettled(fate)
    // Test mode sends none.
    stats.count({ tenantId, test: false }, `text-${fate}`)
  }
  const reports = {
    database,
    clock,
    keys,
    providers,
    textGuard,
    searchLimit,
    consumerShare: createConsumerShare({ clock, limitOf }),
    claimDevice: options.claimDevice ?? sessions.claim,
    log,
    settings: config,
    onBureauMissing: metrics.bureauMissing,
    onAnswered: metrics.reportAnswered,
    onText,
    stats,
    onVersions: versions.see,
  }

  const app = createEdge({ log, metrics, gates, https: publicUrl.startsWith('https:') })
  const table = Object.assign({}, SERVICE_ROUTES, ...mounted.map(({ authorisation }) => authorisation))
  const checkRoutes = protect(app, {
    access,
    requirePage: first('requirePage')?.(authenticate),
    requireProof: first('requireProof') ?? undefined,
    table,
    audit: createAuditRequests({ database, clock, log, trustedHops }),
  })
  const readiness = createReadiness({ database, log, refusal })
  metrics.watchReadiness(async () => (await readiness()) === null)
  app.route('/', healthRoutes(readiness))
  app.route('/', metricsRoute({ metrics, token: config.metricsToken, publicUrl, trustedHops }))
  app.route('/', securityTxtRoute({ contact: config.securityContact, publicUrl, clock }))
  app.route('/', openApiRoute(openApi))
  app.route('/', tokens.routes({ clientAddress: (context) => clientAddress(context, trustedHops) }))
  const script = options.script ?? loadScript(publicUrl)
  app.route('/', deviceRoutes({ database, sessions, script, clock, trustedHops }))
  const { sms: gateway } = settings
  app.route('/', receiptRoutes({ database, clock, log, publicUrl, gateway, onText }))
  for (const { routes } of mounted) app.route('/', routes)
  app.route('/', creditReportRoutes(reports))
  app.route('/', peopleRoutes(reports))
  app.route('/', statsRoutes({ database, stats, onVersions: versions.see }))
  app.route('/', auditRoutes({ database }))
  app.route(
    '/',
    integrationRoutes({
      database,
      clock,
      clients,
      keys: keys.webhooks,
      rules: webhookRulesOf(config),
      sender: webhooks,
    }),
  )
  app.route(
    '/',
    walletRoutes({ database, clock, prices: config, matchPriceCredits: providers.match && config.matchPriceCredits }),
  )
  checkRoutes(operations())

  const retention = createRetention({ database, clock, reportRetentionMs: config.reportRetentionMs })
  const texts = { ...reports, mobileNumberOf: createMobileNumberReader(database, keys.reports) }
  const sweeper = createSweeper({
    database,
    clock,
    log,
    observer: metrics.sweeper,
    tasks: {
      async expiredChallenges() {
        const count = await expireChallenges(reports)
        metrics.challengesExpired(count)
        return count
      },
      abandonedReports: () => failAbandoned(reports),
      queuedTexts: () => sendQueued(texts),
      unacknowledgedTexts: () => releaseUnacknowledged(texts),
      books: createBooksCheck({ database, clock, log, onChecked: metrics.booksChecked }),
      unreadableReports: createContentCheck({
        database,
        keys,
        log,
        onUnreadable: metrics.reportsUnreadable,
      }),
      oldReports: retention.eraseOldReports,
      oldReportsOfTenants: retention.eraseOldOfTenants,
      oldTestReports: retention.deleteOldTestReports,
      oldKeys: () => forgetOldKeys(database, clock()),
      oldSearches: () => forgetOldSearches(database, clock()),
      oldTextClaims: () => forgetOldClaims(database, clock()),
      auditLinks: () => linkAudit(database),
      auditHead: () => publishAuditHead({ database, clock, log, queue: queueAuditHead }),
      auditChain: () => checkAuditChain({ database, clock, log }),
      oldAudit: () => forgetOldAudit(database, clock() - config.auditRetentionMs),
      spendAlerts: () => announceAlerts(database, queueWebhook, clock()),
      oldWebhooks: () => forgetOldDeliveries(database, clock()),
      oldSessions: sessions.sweep,
      oldStats: () => forgetOldStats(database, clock()),
      oldVersions: versions.forgetOld,
      ...Object.assign({}, ...mounted.map(({ sweeps }) => sweeps)),
    },
  })
  return { fetch: (request, env) => app.fetch(request, env), sweeper, webhooks, stats, routes: listRoutes(app) }
}
