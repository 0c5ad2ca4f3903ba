// What `npm run bench service` measures against: the service's own edge, caller, limit and validation, and then an echo of
// what was read. Whatever a report costs beyond this is storage, sealing and invention. No part of the built service.
import { Hono } from 'hono'
import { OtpSubmit } from '../../contract/challenge.ts'
import { generateRequest } from '../../contract/generate.ts'
import { readConfig } from '../config.ts'
import { seedDemo } from '../demo/seed.ts'
import { createAccess } from '../http/access.ts'
import type { ServiceEnv } from '../http/context.ts'
import { createEdge } from '../http/edge.ts'
import { createGate } from '../http/gate.ts'
import { metricsRoute } from '../http/metrics-route.ts'
import { startNodeServer } from '../http/node-server.ts'
import { createRateLimiter } from '../http/rate-limit.ts'
import { readJson } from '../http/read-json.ts'
import { createIdentity } from '../identity/identity.ts'
import { protect } from '../identity/protect.ts'
import { createLog } from '../log.ts'
import { createMetrics } from '../metrics.ts'
import { deriveKeys } from '../secrets/keys.ts'
import { openDatabase } from '../store/open-database.ts'

const config = readConfig(process.env)
const clock = Date.now
const log = createLog({ level: config.logLevel })
const metrics = createMetrics({ process: true })
const database = await openDatabase(config)
const wrappingKey = deriveKeys(config.secretKey).signing
const issuer = config.publicUrl
const identity = await createIdentity({ database, clock, wrappingKey, issuer, clientAddress: () => null, log })
await seedDemo(database, identity, clock())

const limiter = createRateLimiter({ database, clock, limitPerMinute: config.rateLimitPerMinute })
const app = createEdge({ log, metrics, gate: createGate(), https: false })
const { authenticate, requirePage } = identity
protect(app, { access: createAccess({ authenticate, limiter }), requirePage })
app.route('/', metricsRoute({ metrics, token: null, publicUrl: issuer, trustedHops: 0 }))
app.route('/', identity.routes)

const Generate = generateRequest({ bureaus: config.bureaus, nowMs: clock })
const echoes = new Hono<ServiceEnv>()
echoes.post('/', async (context) => context.json(await readJson(context.req.raw, Generate)))
echoes.post('/:creditReportId/otp-challenge', async (context) =>
  context.json(await readJson(context.req.raw, OtpSubmit)),
)
app.route('/:tenantId/v1/credit-reports', echoes)

const server = await startNodeServer({ fetch: app.fetch, host: config.host, port: config.port })
process.on('SIGTERM', () => process.exit(0))
process.stdout.write(`service: http://localhost:${server.port}\n`)
