// The only file that knows every part. `createApp` wires them and returns a `Request → Response` handler.
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { LookUpDevice } from './credit-reports/parts.ts'
import { creditReportRoutes } from './credit-reports/routes.ts'
import { demoRoutes } from './demo/routes.ts'
import { createAccess } from './http/access.ts'
import type { Authenticate } from './http/caller.ts'
import { createEdge } from './http/edge.ts'
import { createGate } from './http/gate.ts'
import { healthRoutes } from './http/health.ts'
import { metricsRoute } from './http/metrics-route.ts'
import { createRateLimiter } from './http/rate-limit.ts'
import type { Log } from './log.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import type { Providers } from './providers/providers.ts'
import type { SimulatedPhone } from './providers/simulated-sms.ts'
import { deriveKeys } from './secrets/keys.ts'
import type { Database } from './store/database.ts'
import { walletRoutes } from './wallet/routes.ts'

export type AppParts = {
  config: Config
  database: Database
  clock: Clock
  log: Log
  authenticate: Authenticate
  providers: Providers
  lookUpDevice: LookUpDevice
  /** The demo's phone, when texts land there; null with a real gateway. */
  phone: SimulatedPhone | null
  /** @default new ones */
  metrics?: Metrics
  /** True once the process is shutting down. @default never */
  isDraining?: () => boolean
}

export type App = { fetch(request: Request, env?: object): Promise<Response> | Response }

export function createApp(parts: AppParts): App {
  const { config, database, clock, log, authenticate, providers, lookUpDevice, phone } = parts
  const { metrics = createMetrics(), isDraining = () => false } = parts
  const gate = createGate()
  metrics.watchLoad(() => gate.load())
  const limiter = createRateLimiter({ database, clock, limitPerMinute: config.rateLimitPerMinute })
  const access = createAccess({ authenticate, limiter })
  const keys = deriveKeys(config.secretKey)

  const app = createEdge({ log, metrics, gate, https: config.publicUrl.startsWith('https:') })
  app.route('/', healthRoutes({ database, isDraining }))
  app.route('/', metricsRoute({ metrics, token: config.metricsToken }))
  if (config.demo && phone !== null) app.route('/demo', demoRoutes({ database, access, phone }))

  app.use('/:tenantId/v1/*', access.requireTenant())
  const reports = { database, clock, keys, providers, lookUpDevice, log, settings: config }
  app.route('/:tenantId/v1/credit-reports', creditReportRoutes(reports))
  app.route('/:tenantId/v1/wallet', walletRoutes({ database, prices: config }))
  return { fetch: (request, env) => app.fetch(request, env) }
}
