// The comparison of `npm run bench service`: the service's own edge, caller, limit and validation, and then an echo of
// what was read. Whatever a report costs beyond this is storage, sealing and invention. No part of the built service.
import { Hono } from 'hono'
import { OtpSubmit } from '../contract/challenge.ts'
import { generateRequest } from '../contract/generate.ts'
import { seedDemo } from '../demo/service/seed.ts'
import { operationsOf } from '../openapi/operation.ts'
import { createGates, shed } from '../plugins/limits/shed.ts'
import { createMetrics } from '../plugins/metrics/metrics.ts'
import { metricsRoute } from '../plugins/metrics/metrics-route.ts'
import { readConfig } from '../service/config.ts'
import { coreRows } from '../service/handler.ts'
import { createAccess } from '../service/http/access.ts'
import type { ServiceEnv } from '../service/http/context.ts'
import { createEdge } from '../service/http/edge.ts'
import { startNodeServer } from '../service/http/node-server.ts'
import { protect, rulesOf } from '../service/http/protect.ts'
import { createRateLimiter, createRequestLimit } from '../service/http/rate-limit.ts'
import { readJson } from '../service/http/read-body.ts'
import { deriveKeys } from '../service/keys.ts'
import { createLog } from '../service/log.ts'
import { createAuthenticate } from '../service/tokens/authenticate.ts'
import { createTokens } from '../service/tokens/tokens.ts'
import { openTestDatabase } from './open-database.ts'

const config = readConfig(process.env)
const clock = Date.now
const log = createLog({ level: config.logLevel })
const metrics = createMetrics({ process: true })
const database = await openTestDatabase(config)
const wrappingKeys = deriveKeys(config.secretKeys).signing
const issuer = config.publicUrl
const tokens = await createTokens({ database, clock, wrappingKeys, issuer })
await seedDemo(database, { past: null, nowMs: clock() })

const limiter = createRateLimiter({ database, clock })
const personLimit = config.rateLimitPerMinute
const limit = createRequestLimit({ limiter, limitOf: async () => personLimit, personLimit, count: async () => null })
const app = createEdge({ log, telemetry: metrics, https: false, around: [shed(createGates(), metrics)] })
const authenticate = createAuthenticate({ tokens: tokens.accessTokens, clients: tokens.clients, people: null, clock })
protect(app, {
  access: createAccess({ authenticate, limit }),
  table: { ...rulesOf(operationsOf(coreRows)), 'GET /metrics': { who: 'anyone' } },
})
app.route('/', metricsRoute({ metrics, token: null, publicUrl: issuer, trustedHops: 0 }))
app.route('/', tokens.routes({ clientAddress: () => null }))

const Generate = generateRequest({ bureaus: config.bureaus, nowMs: clock })
const echoes = new Hono<ServiceEnv>()
echoes.post('/', async (context) => context.json(await readJson(context.req.raw, Generate)))
echoes.post('/:creditReportId/otp-challenge', async (context) =>
  context.json(await readJson(context.req.raw, OtpSubmit)),
)
app.route('/:tenantId/v1/credit-reports', echoes)

const server = await startNodeServer({ fetch: app.fetch, host: config.host, port: config.port })
process.on('SIGTERM', () => process.exit(0))
process.stdout.write(`${JSON.stringify({ event: 'serving', url: `http://localhost:${server.port}` })}\n`)
