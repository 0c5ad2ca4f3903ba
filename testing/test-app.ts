// Test support: the whole service on a real database, with a clock that stands still and a caller per tenant.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Branch, GenerateRequest } from '../contract/generate.ts'
import { sampleRequest } from '../contract/samples.ts'
import type { Wallet, WalletLines } from '../contract/wallet.ts'
import type { Metrics } from '../plugins/metrics/metrics.ts'
import { readConfig } from '../plugins/settings.ts'
import type { ClaimDevice } from '../service/check/check-options.ts'
import { prepareScript } from '../service/devices/script.ts'
import { topUp } from '../service/ledger/ledger.ts'
import { createTenant } from '../service/ledger/tenants.ts'
import { createSilentLog, type Log } from '../service/log.ts'
import type { Providers } from '../service/providers/providers.ts'
import type { Database } from '../service/store/database.ts'
import type { SqliteOptions } from '../service/store/sqlite.ts'
import { SCOPES } from '../service/tokens/clients.ts'
import { createApp } from './create-app.ts'
import { dataOf } from './data-of.ts'
import { openTestDatabase } from './open-database.ts'

export const TEST_SECRET_KEY = 'a secret key for tests that is long enough'
const TEST_START_MS = Date.UTC(2026, 10, 15, 9, 0, 0)

export type TestAppOptions = {
  environment?: { [name: string]: string }
  /** Absent: a new folder, gone with the app. */
  dataDir?: string
  databaseUrl?: string | null
  role?: SqliteOptions['role']
  providers?: Partial<Providers>
  claimDevice?: ClaimDevice
  log?: Log
  metrics?: Metrics
}

const { test: _test, challengeOptions: _options, ...consumer } = sampleRequest

/** A live request. The last name decides: `Allow`, `Block`, anyone else is challenged. */
export function liveRequest(lastName = 'Example'): GenerateRequest {
  return { ...consumer, lastName, sessionId: KNOWN_SESSION }
}

export function testRequest(status: Branch, email = 'anyone@example.com'): GenerateRequest {
  return { ...sampleRequest, email, challengeOptions: { status } }
}

/** The session the service knows; every other one is unknown. */
export const KNOWN_SESSION = 'known-session'

export type TestApp = Awaited<ReturnType<typeof createTestApp>>

export async function createTestApp(options: TestAppOptions = {}) {
  const folder = options.dataDir ?? mkdtempSync(join(tmpdir(), 'service-'))
  try {
    return await startTestApp(folder, options)
  } catch (error) {
    if (options.dataDir === undefined) rmSync(folder, { recursive: true })
    throw error
  }
}

async function startTestApp(folder: string, options: TestAppOptions) {
  const config = readConfig({
    DEMO: '1',
    DATA_DIR: folder,
    SECRET_KEY: TEST_SECRET_KEY,
    RATE_LIMIT_PER_MINUTE: '100000000',
    // No test fails because PostgreSQL or the machine is slow.
    DATABASE_TIMEOUT_MS: '60000',
    ...(options.databaseUrl ? { DATABASE_URL: options.databaseUrl } : {}),
    ...options.environment,
  })
  const time = { nowMs: TEST_START_MS }
  const clock = () => time.nowMs
  const database: Database = await openTestDatabase(config, options.role)
  const { fetch, sweeper, webhooks, stats } = await createApp({
    config,
    database,
    clock,
    log: options.log ?? createSilentLog(),
    ...(options.metrics ? { metrics: options.metrics } : {}),
    script: prepareScript('/* the fingerprint script */'),
    // The token is the tenant, or `tenant~client`: what a token proves is identity's to test.
    async authenticate(request: Request) {
      const [, tenantId, clientId = tenantId] =
        /^Bearer ([\w-]+)(?:~([\w-]+))?$/.exec(request.headers.get('Authorization') ?? '') ?? []
      return tenantId && clientId ? { kind: 'client', clientId, tenantIds: [tenantId], scopes: SCOPES } : null
    },
    ...(options.providers ? { providers: options.providers } : {}),
    claimDevice: options.claimDevice ?? lookUpKnown,
  })

  async function call(
    path: string,
    body?: unknown,
    { token = 'demo-lender', method = 'POST', ...headers }: CallHeaders = {},
  ) {
    const response = await fetch(
      new Request(`http://service.test${path}`, {
        ...(body === undefined ? {} : { method, body: JSON.stringify(body) }),
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}`, ...headers },
      }),
    )
    return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
  }

  /** The same; the body is `data` where the answer has one. */
  async function read(...given: Parameters<typeof call>) {
    const answer = await call(...given)
    return { ...answer, body: dataOf(answer.body) }
  }

  let tenants = 0
  const reportsOf = (tenantId: string) => `/${tenantId}/v1/credit-reports`

  return {
    config,
    database,
    time,
    fetch,
    sweeper,
    webhooks,
    stats,
    call,
    read,
    generate: (body: unknown, { token = 'demo-lender', ...headers }: CallHeaders = {}) =>
      call(reportsOf(token), body, { token, ...headers }),
    submit: ({ creditReportId, challenge }: Started, code: unknown, { token = 'demo-lender' }: CallHeaders = {}) =>
      call(`${reportsOf(token)}/${creditReportId}/otp-challenge`, { ...challenge, code }, { token }),
    resend: ({ creditReportId, challenge }: Started, { token = 'demo-lender', ...headers }: CallHeaders = {}) =>
      call(`${reportsOf(token)}/${creditReportId}/resend-sms`, challenge, { token, ...headers }),
    wallet: async (tenantId = 'demo-lender') =>
      (await read(`/${tenantId}/v1/wallet`, undefined, { token: tenantId })).body as Wallet,
    /** A tenant of its own, with so many credits. */
    async newTenant(credits: number): Promise<string> {
      tenants += 1
      const id = `tenant-${tenants}`
      await database.transaction(async (queries) => {
        await createTenant(queries, { id, name: 'Tenant', nowMs: clock() })
        if (credits > 0) await topUp(queries, { tenantId: id, credits, reference: 'first', nowMs: clock() })
      })
      return id
    },
    /** The lines of one report, oldest first, as `kind purpose credits`, without the sign: the kind says it. */
    async lines(creditReportId: string, tenantId = 'demo-lender'): Promise<string[]> {
      const path = `/${tenantId}/v1/wallet/lines?creditReportId=${creditReportId}`
      const { lines } = (await read(path, undefined, { token: tenantId })).body as WalletLines
      return lines.map(({ kind, purpose, credits }) => `${kind} ${purpose} ${Math.abs(credits)}`).toReversed()
    },
    /** The codes texted for a report, oldest first. */
    async codes(creditReportId: string): Promise<string[]> {
      const texts = (await call('/demo/sms')).body as { creditReportId: string; body: string }[]
      const own = texts.filter((text) => text.creditReportId === creditReportId)
      return own.map((text) => /^\d{6}/.exec(text.body)?.[0] ?? '').toReversed()
    },
    async close() {
      await database.close()
      if (options.dataDir === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Started = { creditReportId: string; challenge: { challengeId: string } }
type CallHeaders = {
  /** Of a call with a body. @default 'POST' */
  method?: 'POST' | 'PUT' | 'PATCH'
  token?: string
  'Idempotency-Key'?: string
  'Idempotency-Ignore'?: string
  'Idempotency-Owner'?: string
  'User-Agent'?: string
  'X-Credit-Report-Widget'?: string
}

const lookUpKnown: ClaimDevice = async ({ sessionId }) =>
  sessionId === KNOWN_SESSION ? { profiled: true, seenSecondsAgo: 1, signals: {} } : null
