// The only file that knows every part. `createApp` wires them and returns a `Request → Response` handler.
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import { consoleRoutes } from './console/routes.ts'
import type { LookUpDevice } from './credit-reports/parts.ts'
import { creditReportRoutes } from './credit-reports/routes.ts'
import { demoRoutes } from './demo/routes.ts'
import { seedDemo } from './demo/seed.ts'
import { deviceRoutes } from './devices/routes.ts'
import { loadScript, type Script } from './devices/script.ts'
import { createDeviceSessions } from './devices/sessions.ts'
import { docsRoutes } from './docs/routes.ts'
import { createAccess } from './http/access.ts'
import type { Authenticate } from './http/caller.ts'
import { clientAddress } from './http/client-address.ts'
import { createEdge } from './http/edge.ts'
import { createGate } from './http/gate.ts'
import { healthRoutes } from './http/health.ts'
import { metricsRoute } from './http/metrics-route.ts'
import { createRateLimiter } from './http/rate-limit.ts'
import { createIdentity } from './identity/identity.ts'
import { listRoutes, protect } from './identity/protect.ts'
import type { Log } from './log.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { createProviders, receiptSecretsOf, simulatedParts } from './providers/create-providers.ts'
import { shownOnPhone } from './providers/faulty-gateway/demo-gateway.ts'
import type { FaultyGateway } from './providers/faulty-gateway/gateway.ts'
import { gatewayRoutes } from './providers/faulty-gateway/routes.ts'
import type { Providers } from './providers/providers.ts'
import { createSimulatedPhone } from './providers/simulated-sms.ts'
import { deriveKeys } from './secrets/keys.ts'
import type { Database } from './store/database.ts'
import { createSweeper, type Sweeper } from './sweeper.ts'
import { receiptRoutes } from './texts/routes.ts'
import { createTextGuard, unguardedTexts } from './texts/text-guard.ts'
import { walletRoutes } from './wallet/routes.ts'

export type AppParts = {
  config: Config
  database: Database
  log: Log
  /** @default Date.now */
  clock?: Clock
  /** @default new ones, without the process's own */
  metrics?: Metrics
  /** Where risk, bureaus and texts come from. @default what the settings name */
  providers?: Partial<Providers>
  /** The demo's network peers, when it has any: their texts are shown on its phone, their manners can be set. */
  gateway?: FaultyGateway
  /** The fingerprint script as it is served. @default the built one */
  script?: Script
  /** Who calls. @default whoever shows a token of this service */
  authenticate?: Authenticate
  /** @default the sessions this service minted */
  lookUpDevice?: LookUpDevice
  /** True once the process is shutting down. @default never */
  isDraining?: () => boolean
}

export type App = {
  /** `env` carries Node's own request, when there is one. */
  fetch(request: Request, env?: object): Promise<Response> | Response
  /** Finishes what crashes and time leave behind. The caller decides when. */
  sweeper: Sweeper
  /** Every route there is, as `METHOD /path`. */
  routes: readonly string[]
}

export async function createApp(parts: AppParts): Promise<App> {
  const { config, database, log, clock = Date.now, metrics = createMetrics(), isDraining = () => false } = parts
  const keys = deriveKeys(config.secretKey)
  const phone = createSimulatedPhone(clock)
  const { providers: settings, bureaus, publicUrl } = config
  const providers = { ...createProviders({ settings, bureaus, publicUrl, phone, log }), ...parts.providers }
  if (parts.gateway) providers.sms = shownOnPhone(providers.sms, phone)
  // Text limits are about money: a text that only appears on the demo's phone costs none.
  const textGuard =
    settings.sms === null
      ? unguardedTexts
      : createTextGuard({
          key: keys.indexes,
          limits: settings.textLimits,
          destinations: settings.textDestinations,
          log,
        })
  if (config.production)
    for (const provider of simulatedParts(settings)) log.warn('provider is simulated', { provider })
  const identity = await createIdentity({
    database,
    clock,
    wrappingKey: keys.signing,
    issuer: config.publicUrl,
    clientAddress: (context) => clientAddress(context, config.trustedHops),
    externalProvider: config.externalProvider,
    log,
  })
  if (config.demo) await seedDemo(database, identity, clock())

  const gate = createGate()
  metrics.watchLoad(() => gate.load())
  const limiter = createRateLimiter({ database, clock, limitPerMinute: config.rateLimitPerMinute })
  const access = createAccess({ authenticate: parts.authenticate ?? identity.authenticate, limiter })
  const sessions = createDeviceSessions({ database, clock, secretKey: config.secretKey })
  const { lookUpDevice = sessions.claim } = parts
  metrics.watchWallets(database)
  const { bureauMissing: onBureauMissing, textSettled: onSettled, reportAnswered: onAnswered } = metrics
  const heard = { onBureauMissing, onAnswered, onTextSettled: onSettled }
  const reports = { database, clock, keys, providers, textGuard, lookUpDevice, log, settings: config, ...heard }

  const app = createEdge({ log, metrics, gate, https: config.publicUrl.startsWith('https:') })
  const checkRoutes = protect(app, { access, requirePage: identity.requirePage })
  app.route('/', healthRoutes({ database, isDraining }))
  app.route('/', metricsRoute({ metrics, token: config.metricsToken, publicUrl, trustedHops: config.trustedHops }))
  app.route('/', docsRoutes({ tryIt: config.demo }))
  app.route('/', identity.routes)
  app.route('/', consoleRoutes({ database, prices: config, identity }))
  const { script = loadScript(config.publicUrl), trustedHops } = { ...config, ...parts }
  app.route('/', deviceRoutes({ database, sessions, script, clock, trustedHops }))
  app.route('/', receiptRoutes({ database, clock, log, publicUrl, secrets: receiptSecretsOf(settings), onSettled }))
  if (config.demo) app.route('/demo', demoRoutes({ database, phone }))
  if (config.demo && parts.gateway) app.route('/demo/gateway', gatewayRoutes(parts.gateway))

  app.route('/:tenantId/v1/credit-reports', creditReportRoutes(reports))
  app.route('/:tenantId/v1/wallet', walletRoutes({ database, prices: config }))

  checkRoutes()

  const { challengesExpired: onExpired } = metrics
  const sweeper = createSweeper({ ...reports, sessions, reportRetentionMs: config.reportRetentionMs, onExpired })
  return { fetch: (request, env) => app.fetch(request, env), sweeper, routes: listRoutes(app) }
}
