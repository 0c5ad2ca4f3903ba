// Test support: the handler with the tables of the core and of the given plugins, and nothing else.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sampleRequest } from '../contract/samples.ts'
import { type DatabaseLocation, openDatabase } from '../plugins/postgres/open-database.ts'
import { readConfig } from '../service/config.ts'
import { prepareScript } from '../service/devices/script.ts'
import { createHandler, type HandlerOptions } from '../service/handler.ts'
import { topUp } from '../service/ledger/ledger.ts'
import { createTenant } from '../service/ledger/tenants.ts'
import { createSilentLog } from '../service/log.ts'
import type { Plugin } from '../service/plugin.ts'
import { createSimulatedPhone } from '../service/providers/simulated/simulated.ts'
import { coreTables } from '../service/schema.ts'
import type { PluginParts } from '../service/start.ts'
import type { Migration } from '../service/store/migration.ts'
import { createClients } from '../service/tokens/clients.ts'
import { PATIENT } from './open-database.ts'

const ORIGIN = 'https://service.example'
const START_MS = Date.UTC(2026, 10, 15, 9)
/** Of the lender `acme`. */
export const CORE_CREDITS = 10_000

type CoreOptions = Partial<HandlerOptions> & {
  environment?: { [name: string]: string }
  /** @default SQLite in a folder of its own */
  location?: DatabaseLocation
  /** Of the plugins. @default none */
  tables?: readonly Migration[]
  /** @default none */
  createPlugins?: (parts: PluginParts) => readonly Plugin[]
}

type Call = { token?: string; method?: string; body?: unknown; headers?: { [name: string]: string } }
type Started = { creditReportId: string; challenge: { challengeId: string } }

export type CoreApp = Awaited<ReturnType<typeof createCoreApp>>

/**
 * Lenders `acme`, which has credits, and `poor`, which has none; each has a client of its name with the secret
 * `secret`.
 */
export async function createCoreApp(given: CoreOptions = {}) {
  const { environment = {}, tables = [], createPlugins = () => [], location: _location, ...options } = given
  const folder = mkdtempSync(join(tmpdir(), 'core-'))
  const config = readConfig({ DATA_DIR: folder, SECRET_KEY: 'k'.repeat(32), PUBLIC_URL: ORIGIN, ...environment })
  const time = { nowMs: START_MS }
  const clock = () => time.nowMs
  const phone = createSimulatedPhone(clock)
  const location = given.location ?? { databaseUrl: null, dataDir: folder }
  const forget = () => rmSync(folder, { recursive: true })
  const migrations = [...coreTables, ...tables]
  const database = await openDatabase({ ...location, postgres: PATIENT }, { migrations }).catch((error) => {
    forget()
    throw error
  })
  const parts = { config, database, clock, log: options.log ?? createSilentLog() }
  const close = async () => {
    await database.close()
    forget()
  }
  const clients = createClients({ database, clock })
  for (const id of ['acme', 'poor']) {
    await createTenant(database, { id, name: id, nowMs: START_MS })
    await clients.create(database, { id, tenantId: id, secret: 'secret' })
  }
  await topUp(database, { tenantId: 'acme', credits: CORE_CREDITS, reference: 'first', nowMs: START_MS })
  const script = prepareScript('/* the fingerprint script */')
  const app = await createHandler({ ...parts, phone, script, ...options }, createPlugins(parts)).catch(
    async (error) => {
      await close()
      throw error
    },
  )

  async function call(path: string, { token, method, body, headers = {} }: Call = {}) {
    const init: RequestInit = {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }
    const response = await app.fetch(new Request(`${ORIGIN}${path}`, init))
    const text = await response.text()
    const isJson = response.headers.get('Content-Type')?.startsWith('application/json')
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null }
  }

  async function tokenOf(clientId: string, secret = 'secret'): Promise<string> {
    const { body } = await call('/v1/oauth/token', {
      body: `grant_type=client_credentials&client_id=${clientId}&client_secret=${secret}`,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    })
    return body.access_token
  }

  /** A session as the fingerprint script opens one. */
  async function openSession(): Promise<string> {
    return (await call('/v1/fingerprints/device/sessions', { body: '{}', headers: { 'Content-Type': 'text/plain' } }))
      .text
  }

  const reports = (tenantId: string) => `/${tenantId}/v1/credit-reports`
  const as = async (tenantId: string) => ({ token: await tokenOf(tenantId) })
  return {
    ...app,
    config,
    database,
    log: parts.log,
    time,
    phone,
    call,
    tokenOf,
    openSession,
    close,
    /** Live, as the last name says: `Allow`, `Block`, anyone else is challenged. */
    async liveRequest(lastName = 'Example') {
      const { test: _test, challengeOptions: _options, ...consumer } = sampleRequest
      return { ...consumer, lastName, sessionId: await openSession() }
    },
    generate: async (body: object, tenantId = 'acme') => call(reports(tenantId), { ...(await as(tenantId)), body }),
    submit: async ({ creditReportId, challenge }: Started, code: string) =>
      call(`${reports('acme')}/${creditReportId}/otp-challenge`, {
        ...(await as('acme')),
        body: { ...challenge, code },
      }),
    resend: async ({ creditReportId, challenge }: Started) =>
      call(`${reports('acme')}/${creditReportId}/resend-sms`, { ...(await as('acme')), body: challenge }),
    get: async (path: string, tenantId = 'acme') => call(`/${tenantId}/v1/${path}`, await as(tenantId)),
    /** The codes texted for a report, oldest first. */
    codes: (creditReportId: string) =>
      phone
        .texts()
        .filter((text) => text.creditReportId === creditReportId)
        .map(({ body }) => /^\d{6}/.exec(body)?.[0] ?? '')
        .toReversed(),
    countRows: async (table: string) =>
      (await database.first<{ many: number }>(`SELECT COUNT(*) AS many FROM ${table}`))?.many,
    async tables() {
      const rows = await database.all<{ name: string }>(`SELECT name FROM sqlite_master WHERE type = 'table'`)
      return rows.map(({ name }) => name)
    },
  }
}
