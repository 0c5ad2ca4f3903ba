// The handler: wires the rooms of the core, calls plugins by moment, and returns a `Request → Response` function.
import type { MiddlewareHandler } from 'hono'
import type { Clock } from '../kit/clock.ts'
import { operationsOf, type Rows } from '../openapi/operation.ts'
import { forgetOldAnswers } from './act/once.ts'
import { actRoutes } from './act/serve-act.ts'
import type { ClaimDevice } from './check/check-options.ts'
import { createMobileNumberReader } from './check/content.ts'
import { forgetOldKeys } from './check/idempotency.ts'
import { checkRows } from './check/operations.ts'
import { createTestReportGuard } from './check/read-report.ts'
import { creditReportRoutes } from './check/routes.ts'
import { expireChallenges, failAbandoned } from './check/sweep-checks.ts'
import type { Config } from './config.ts'
import { deviceRows } from './devices/operations.ts'
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
import { httpRows } from './http/operations.ts'
import { type AuthorisationTable, listRoutes, protect, type Rule, rulesOf } from './http/protect.ts'
import { createRateLimiter, createRequestLimit } from './http/rate-limit.ts'
import { createRequestActing } from './http/request-acting.ts'
import { securityTxtRoute } from './http/security-txt.ts'
import { deriveKeys } from './keys.ts'
import { walletRows } from './ledger/operations.ts'
import { walletRoutes } from './ledger/routes.ts'
import { createTenantLimits } from './ledger/tenants.ts'
import type { Log } from './log.ts'
import { type Core, joinPlugins, type Mounted, type Plugin } from './plugin.ts'
import { observeProviders, type Providers } from './providers/providers.ts'
import { createSimulatedPhone, createSimulatedProviders, type SimulatedPhone } from './providers/simulated/simulated.ts'
import { coreTables } from './schema.ts'
import type { Database } from './store/database.ts'
import { createSweeper, type Sweeper, type SweepTasks } from './sweeper.ts'
import { silent, type Telemetry } from './telemetry.ts'
import { releaseUnacknowledged, sendQueued } from './texts/sweep-texts.ts'
import { createAuthenticate } from './tokens/authenticate.ts'
import { tokenRows } from './tokens/operations.ts'
import { createTokens } from './tokens/tokens.ts'

export type HandlerOptions = {
  config: Config
  /** Open, with the tables of the core and of the plugins. */
  database: Database
  log: Log
  /** @default Date.now */
  clock?: Clock
  /** @default nothing is measured */
  telemetry?: Telemetry
  /** @default simulated ones, in this process */
  providers?: Partial<Providers>
  /** Receives simulated texts. @default a new one */
  phone?: SimulatedPhone
  /** The fingerprint script as it is served. @default the built one */
  script?: Script
  /** Identifies callers. @default by an access token of this service */
  authenticate?: Authenticate
  /** @default the sessions this service minted */
  claimDevice?: ClaimDevice
  /** Why this process wants no new work, as a code; null when it does. @default never */
  refusal?: () => string | null
}

export type App = {
  /** `env` carries Node's own request, when there is one. */
  fetch(request: Request, env?: object): Promise<Response> | Response
  /** Finishes what crashes and time leave behind. The caller decides when. */
  sweeper: Sweeper
  /** Starts the background work of plugins; resolves to what ends it. */
  start(): () => Promise<void>
  /** Every route there is, as `METHOD /path`. */
  routes: readonly string[]
}

/** The operations of the core. */
export const coreRows: readonly Rows[] = [checkRows, walletRows, deviceRows, tokenRows, httpRows]

const CORE_ROUTES: AuthorisationTable = {
  'ALL /v1/fingerprints/device/sessions': { who: 'anyone' }, // adds headers to its two operations
  'GET /.well-known/security.txt': { who: 'anyone' },
}

/**
 * @example
 * const { fetch } = await createHandler({ config, database, log })
 * const answer = await fetch(new Request('https://service.example/healthz'))
 */
export async function createHandler(options: HandlerOptions, plugins: readonly Plugin[] = []): Promise<App> {
  const { config, database, log, clock = Date.now, telemetry = silent, refusal = () => null } = options
  const { bureaus, publicUrl, trustedHops } = config
  const joined = joinPlugins(plugins, coreTables)
  const keys = deriveKeys(config.secretKeys)
  const phone = options.phone ?? createSimulatedPhone(clock)
  const chosen = { ...createSimulatedProviders(phone), ...options.providers }
  const providers = observeProviders(chosen, telemetry.providerCalled)
  const tokens = await createTokens({ database, clock, wrappingKeys: keys.signing, issuer: publicUrl })

  const mounted: Mounted[] = []
  const rows = () => [...coreRows, ...mounted.flatMap((each) => each.rows ?? [])]
  const openApi = createOpenApi({ publicUrl, bureaus, clock, rows })
  const { announce, erase, heard } = joined
  const timeline: Core['timeline'] = async (check) =>
    (await Promise.all(plugins.map((plugin) => plugin.timeline?.(database, check) ?? []))).flat()
  const shared = { config, database, clock, log, keys, tokens, providers, telemetry, phone, openApi }
  const fetch: Core['fetch'] = (request) => app.fetch(request)
  const core: Core = { ...shared, announce, erase, heard, timeline, fetch }
  for (const plugin of plugins) if (plugin.serve) mounted.push(await plugin.serve(core))
  const first = <Key extends keyof Mounted>(key: Key) => mounted.find((each) => each[key])?.[key] ?? null

  const { clients, accessTokens } = tokens
  const authenticate =
    options.authenticate ?? createAuthenticate({ tokens: accessTokens, clients, people: first('people'), clock })
  const limit = createRequestLimit({
    limiter: createRateLimiter({ database, clock }),
    limitOf: createTenantLimits({ database, clock, fallback: config.rateLimitPerMinute }),
    personLimit: config.rateLimitPerMinute,
    count: joined.count,
  })
  const sessions = createDeviceSessions({ database, clock, secretKeys: config.secretKeys })
  const claimDevice = options.claimDevice ?? sessions.claim
  const check = { database, clock, keys, providers, plugins: joined, claimDevice, log, settings: config }

  const https = publicUrl.startsWith('https:')
  const app = createEdge({ log, telemetry, https, around: plugins.flatMap((plugin) => plugin.edge?.(core) ?? []) })
  const actingOf = createRequestActing({ database, tell: joined.act, clock, trustedHops })
  const setAct =
    ({ audit }: Rule): MiddlewareHandler<ServiceEnv> =>
    (context, next) => {
      const actAs = actingOf(context)
      context.set('actAs', actAs)
      if (audit !== undefined) context.set('act', actAs(audit))
      return next()
    }
  const checkRoutes = protect(app, {
    access: createAccess({ authenticate, limit, requireTestReport: createTestReportGuard(database) }),
    requirePage: first('requirePage')?.(authenticate),
    requireProof: first('requireProof') ?? undefined,
    table: Object.assign(rulesOf(operationsOf(rows())), CORE_ROUTES, ...mounted.map((each) => each.authorisation)),
    around: (rule: Rule) => [setAct(rule), ...plugins.flatMap((plugin) => plugin.request?.(core, rule) ?? [])],
  })
  const readiness = createReadiness({ database, log, refusal })
  telemetry.watch('ready', '1 when /readyz would say yes', async () => ((await readiness()) === null ? 1 : 0))
  app.route('/', healthRoutes(readiness))
  app.route('/', securityTxtRoute({ contact: config.securityContact, publicUrl, clock }))
  app.route('/', openApiRoute(openApi))
  app.route('/', tokens.routes({ clientAddress: (context) => clientAddress(context, trustedHops) }))
  const script = options.script ?? loadScript(publicUrl)
  app.route('/', deviceRoutes({ database, sessions, script, clock, trustedHops }))
  app.route('/', creditReportRoutes(check))
  const matchPriceCredits = providers.match && config.matchPriceCredits
  const simulated = (['bureau', 'sms'] as const).filter((name) => !config.demo && chosen[name].simulated)
  app.route('/', walletRoutes({ database, prices: config, matchPriceCredits, bureaus, simulated }))
  for (const { routes } of mounted) app.route('/', routes)
  const acts = plugins.flatMap((plugin) => plugin.acts ?? [])
  const served = mounted.flatMap(({ routes }) => listRoutes(routes))
  app.route('/', actRoutes(core, { acts, operations: operationsOf(rows()), served }))
  checkRoutes(operationsOf(rows()))

  const texts = { ...check, mobileNumberOf: createMobileNumberReader(database, keys.reports) }
  const tasks: SweepTasks = {
    async expiredChallenges() {
      const count = await expireChallenges(check)
      telemetry.count('challenges_expired_total', {}, count)
      return count
    },
    abandonedReports: () => failAbandoned(check),
    queuedTexts: () => sendQueued(texts),
    unacknowledgedTexts: () => releaseUnacknowledged(texts),
    oldKeys: async () => (await forgetOldKeys(database, clock())) + (await forgetOldAnswers(database, clock())),
    oldSessions: sessions.sweep,
    ...Object.assign({}, ...plugins.map((plugin) => plugin.sweeps?.(core)), ...mounted.map(({ sweeps }) => sweeps)),
  }
  return {
    fetch: (request, env) => app.fetch(request, env),
    sweeper: createSweeper({ database, clock, log, observer: telemetry.sweeper, tasks }),
    start() {
      const stops = plugins.flatMap((plugin) => plugin.start?.() ?? [])
      return async () => {
        await Promise.all(stops.map((stop) => stop()))
      }
    },
    routes: listRoutes(app),
  }
}
