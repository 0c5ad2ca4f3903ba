// The machine API by itself, as another program mounts it; what each part does is tested in its folder.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hono } from 'hono'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listAudit, writeAudit } from '../plugins/audit/store.ts'
import { createMetrics } from '../plugins/metrics/metrics.ts'
import { openTestDatabase } from '../testing/open-database.ts'
import { createTestApp, liveRequest } from '../testing/test-app.ts'
import { readConfig } from './config.ts'
import { prepareScript } from './devices/script.ts'
import { type AppOptions, createApp, type Mount, type ServiceCore } from './handler.ts'
import type { ServiceEnv } from './http/context.ts'
import { createLog, createSilentLog } from './log.ts'
import { createSimulatedPhone } from './providers/simulated/simulated.ts'
import type { Database } from './store/database.ts'

const DAY_MS = 86_400_000
const NOW_MS = Date.UTC(2026, 10, 15, 9)

let folder: string
let database: Database
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'app-'))
  database = await openTestDatabase({ databaseUrl: null, dataDir: folder })
})
afterEach(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

async function create(environment: { [name: string]: string } = {}, options: Partial<AppOptions> = {}) {
  const metrics = createMetrics()
  const app = await createApp({
    config: readConfig({ DATA_DIR: folder, SECRET_KEY: 'k'.repeat(32), ...environment }),
    database,
    log: createSilentLog(),
    clock: () => NOW_MS,
    metrics,
    script: prepareScript('/* the fingerprint script */'),
    ...options,
  })
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await app.fetch(new Request(`http://localhost:4100${path}`, init))
    return { status: response.status, text: await response.text() }
  }
  return { app, ask, lines: async () => (await metrics.render()).split('\n') }
}

test('a round of the sweeper does every task, and finds nothing in an empty database', async () => {
  const { app } = await create()
  const tasks = [
    ['expiredChallenges', 'abandonedReports', 'queuedTexts', 'unacknowledgedTexts', 'books', 'spendAlerts'],
    ['unreadableReports', 'oldReports', 'oldReportsOfTenants', 'oldTestReports', 'oldKeys', 'oldSearches'],
    ['oldTextClaims', 'auditLinks', 'auditHead', 'auditChain', 'oldAudit', 'oldWebhooks', 'oldSessions', 'oldStats'],
    ['oldVersions'],
  ].flat()
  expect(await app.sweeper.sweep()).toStrictEqual(Object.fromEntries(tasks.map((task) => [task, 0])))
})

test('it is ready, and says so in its numbers, unless the process wants no work', async () => {
  const ready = await create()
  expect((await ready.ask('/readyz')).status).toBe(200)
  expect(await ready.lines()).toEqual(
    expect.arrayContaining([
      'crs_ready 1',
      'crs_http_requests_running 0',
      'crs_http_requests_waiting 0',
      'crs_wallet_credits{state="spendable"} 0',
    ]),
  )
  const draining = await create({}, { refusal: () => 'draining' })
  expect((await draining.ask('/readyz')).status).toBe(503)
  expect(await draining.lines()).toContain('crs_ready 0')
})

test('security.txt names the contact of the settings', async () => {
  const { ask } = await create({ SECURITY_CONTACT: 'mailto:security@service.example' })
  expect((await ask('/.well-known/security.txt')).text).toContain('Contact: mailto:security@service.example\n')
  expect((await (await create()).ask('/.well-known/security.txt')).status).toBe(404)
})

test('without a portal there are no people: a machine has to show a token', async () => {
  const { ask } = await create()
  expect((await ask('/acme/v1/wallet')).status).toBe(401)
  expect((await ask('/console')).status).toBe(404)
})

test.each([
  ['production', ['risk', 'bureau', 'sms']],
  ['development', []],
])('in %s each simulated provider has a line in the log', async (NODE_ENV, providers) => {
  const logged: string[] = []
  const log = createLog({ strict: true, to: { write: (line) => logged.push(line) } })
  await create({ NODE_ENV }, { log })
  const lines = logged.map((line) => JSON.parse(line)).filter(({ event }) => event === 'provider is simulated')
  expect(lines.map(({ provider }) => provider).sort()).toEqual([...providers].sort())
})

describe('what is mounted', () => {
  const nothing: Mount = async () => ({ routes: new Hono<ServiceEnv>(), authorisation: {} })

  async function coreOf(environment: { [name: string]: string } = {}, options: Partial<AppOptions> = {}) {
    const cores: ServiceCore[] = []
    const mount: Mount = (core) => {
      cores.push(core)
      return nothing(core)
    }
    await create(environment, { ...options, mounts: [mount] })
    const [core] = cores
    if (core === undefined) throw new Error('nothing was mounted')
    return core
  }

  test('gets mail that goes into the demo’s mailbox, to the mail server of the settings, or nowhere', async () => {
    expect((await coreOf()).mail).toBeNull()
    const demo = await coreOf({ DEMO: '1' })
    expect(demo.mail).toBe(demo.mailbox)
    const live = await coreOf({ SMTP_URL: 'smtps://mail.example', MAIL_FROM: 'portal@service.example' })
    expect(live.mail).not.toBeNull()
    expect(live.mail).not.toBe(live.mailbox)
    const mail = { send: async () => {} }
    expect((await coreOf({ DEMO: '1' }, { mail })).mail).toBe(mail)
  })

  test('gets the phone it was given, or a new one', async () => {
    const phone = createSimulatedPhone(() => NOW_MS)
    expect((await coreOf({}, { phone })).phone).toBe(phone)
    expect((await coreOf()).phone).not.toBe(phone)
  })

  test('adds its routes, its operations and its sweeps to those of the machine API', async () => {
    const mount: Mount = async () => ({
      routes: new Hono<ServiceEnv>().get('/mine', (context) => context.text('mine')),
      authorisation: { 'GET /mine': { who: 'anyone' } },
      operations: {
        getMine: {
          route: 'GET /mine',
          rule: { who: 'anyone' },
          tag: 'Account',
          summary: 'Mine',
          description: 'Mine.',
          answers: { 200: { says: 'Mine.' } },
        },
      },
      sweeps: { mine: async () => 7 },
    })
    const { app, ask } = await create({}, { mounts: [nothing, mount] })
    expect(await ask('/mine')).toEqual({ status: 200, text: 'mine' })
    expect(Object.keys(JSON.parse((await ask('/openapi.json')).text).paths)).toContain('/mine')
    expect(await app.sweeper.sweep()).toMatchObject({ mine: 7, oldKeys: 0 })
    expect(app.routes).toContain('GET /mine')
  })

  test('must say who may use its routes', async () => {
    const mount: Mount = async () => ({
      routes: new Hono<ServiceEnv>().get('/mine', (context) => context.text('mine')),
      authorisation: {},
    })
    await expect(create({}, { mounts: [mount] })).rejects.toThrow('no rule says who may use GET /mine')
  })
})

test('events of the audit trail are kept as long as the settings say', async () => {
  const event = {
    tenantId: null,
    actorKind: 'operator',
    actorId: null,
    actorName: null,
    actorEmail: null,
    object: null,
    change: null,
    address: null,
    outcome: 'done',
  } as const
  for (const [action, ageMs] of Object.entries({ old: 400 * DAY_MS + 1, kept: 400 * DAY_MS, new: 0 }))
    await writeAudit(database, { ...event, action, atMs: NOW_MS - ageMs })
  const { app } = await create()
  expect(await app.sweeper.sweep()).toMatchObject({ auditLinks: 3, oldAudit: 1 })
  const left = await listAudit(database, { tenantId: null, limit: 9 })
  expect(left.map(({ action }) => action)).toEqual(['new', 'kept'])
})

test('challenges that expired are counted', async () => {
  const metrics = createMetrics()
  const app = await createTestApp({ metrics })
  await app.generate(liveRequest())
  app.time.nowMs += app.config.challengeLifetimeMs + 1
  expect(await app.sweeper.sweep()).toMatchObject({ expiredChallenges: 1 })
  expect((await metrics.render()).split('\n')).toContain('crs_challenges_expired_total 1')
  await app.close()
})
