// Test support: the whole service on a real database, with a clock that stands still and a caller per tenant.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from './app.ts'
import { type Config, readConfig } from './config.ts'
import type { LookUpDevice } from './credit-reports/parts.ts'
import { prepareScript } from './devices/script.ts'
import { SCOPES } from './identity/scopes.ts'
import { createSilentLog, type Log } from './log.ts'
import type { Providers } from './providers/providers.ts'
import { createSimulatedPhone } from './providers/simulated-sms.ts'
import type { Database } from './store/database.ts'
import { openDatabase } from './store/open-database.ts'
import type { SqliteOptions } from './store/sqlite.ts'

export const TEST_SECRET_KEY = 'a secret key for tests that is long enough'
export const TEST_START_MS = Date.UTC(2026, 10, 15, 9, 0, 0)

export type TestAppOptions = {
  environment?: { [name: string]: string }
  /** Absent: a new folder, gone with the app. */
  dataDir?: string
  databaseUrl?: string
  role?: SqliteOptions['role']
  providers?: Partial<Providers>
  lookUpDevice?: LookUpDevice
  log?: Log
}

/** Sessions the service knows; every other one is unknown. */
export const KNOWN_SESSION = 'known-session'

export type TestApp = Awaited<ReturnType<typeof createTestApp>>

export async function createTestApp(options: TestAppOptions = {}) {
  const folder = options.dataDir ?? mkdtempSync(join(tmpdir(), 'service-'))
  const config: Config = readConfig({
    DEMO: '1',
    DATA_DIR: folder,
    SECRET_KEY: TEST_SECRET_KEY,
    RATE_LIMIT_PER_MINUTE: '100000000',
    ...(options.databaseUrl ? { DATABASE_URL: options.databaseUrl } : {}),
    ...options.environment,
  })
  const time = { nowMs: TEST_START_MS }
  const clock = () => time.nowMs
  const database: Database = await openDatabase(config, options.role)
  const phone = createSimulatedPhone(clock)
  const { fetch, sweeper } = await createApp({
    config,
    database,
    clock,
    log: options.log ?? createSilentLog(),
    script: prepareScript('/* the fingerprint script */'),
    // The token is the tenant: what a token proves is identity's to test.
    async authenticate(request) {
      const [, tenantId] = /^Bearer ([\w-]+)$/.exec(request.headers.get('Authorization') ?? '') ?? []
      return tenantId ? { kind: 'client', clientId: tenantId, tenantIds: [tenantId], scopes: SCOPES } : null
    },
    providers: { sms: phone, ...options.providers },
    lookUpDevice: options.lookUpDevice ?? lookUpKnown,
  })

  async function call(path: string, body?: unknown, { token = 'demo-lender', ...headers }: CallHeaders = {}) {
    const response = await fetch(
      new Request(`http://service.test${path}`, {
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}`, ...headers },
      }),
    )
    return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
  }

  return {
    config,
    database,
    phone,
    time,
    fetch,
    sweeper,
    call,
    async close() {
      await database.close()
      if (options.dataDir === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

type CallHeaders = { token?: string; [header: string]: string | undefined } & { 'Idempotency-Key'?: string }

const lookUpKnown: LookUpDevice = async ({ sessionId }) =>
  sessionId === KNOWN_SESSION ? { profiled: true, seenSecondsAgo: 1, signals: {} } : null
