// Every plugin beside the core, and each of them left out.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '../service/log.ts'
import type { PluginParts } from '../service/start.ts'
import { type Migration, SQLITE } from '../service/store/migration.ts'
import { type CoreApp, createCoreApp } from '../testing/core-app.ts'
import { interfaceSuite } from '../testing/interface-suite.ts'
import { createTestApp } from '../testing/test-app.ts'
import { createAllPlugins } from './all.ts'
import { listAudit, writeAudit } from './audit/store.ts'
import { createMetrics } from './metrics/metrics.ts'
import { readPluginSettings } from './settings.ts'
import { pluginTables } from './tables.ts'

const DAY_MS = 86_400_000
const settings = readPluginSettings({})

interfaceSuite('the handler with every plugin', () =>
  createCoreApp({
    tables: pluginTables,
    createPlugins: (parts) => createAllPlugins({ ...parts, settings }).plugins,
  }),
)

test('a round of the sweeper does every task, and finds nothing in an empty database', async () => {
  const createPlugins = (parts: PluginParts) => createAllPlugins({ ...parts, settings }).plugins
  const app = await createCoreApp({ tables: pluginTables, createPlugins })
  const tasks = [
    ['expiredChallenges', 'abandonedReports', 'queuedTexts', 'unacknowledgedTexts', 'books', 'spendAlerts'],
    ['unreadableReports', 'oldReports', 'oldReportsOfTenants', 'oldTestReports', 'oldKeys', 'oldSearches'],
    ['oldTextClaims', 'auditLinks', 'auditHeads', 'auditChains', 'oldAudit', 'oldWebhooks', 'oldSessions', 'oldStats'],
    ['oldVersions', 'oldRefusals'],
  ].flat()
  expect(await app.sweeper.sweep()).toStrictEqual(Object.fromEntries(tasks.map((task) => [task, 0])))
  await app.close()
})

test('its numbers say how much it does, and what wallets hold', async () => {
  const metrics = createMetrics()
  const createPlugins = (parts: PluginParts) => createAllPlugins({ ...parts, settings, metrics }).plugins
  const app = await createCoreApp({ tables: pluginTables, createPlugins, telemetry: metrics })
  const lines = (await metrics.render()).split('\n')
  const running = ['crs_ready 1', 'crs_http_requests_running 0', 'crs_http_requests_waiting 0']
  expect(lines).toEqual(expect.arrayContaining([...running, 'crs_wallet_credits{state="spendable"} 10000']))
  await app.close()
})

test('docs/operator/scale.md names the reader of every index that a generate writes', async () => {
  const scale = readFileSync('docs/operator/scale.md', 'utf8')
  const listed = [...scale.matchAll(/^\|[^|]*\| `(\w+)` \| (.+) \|$/gm)].map(([, index]) => index)
  const written = [...scale.matchAll(/^\| (`[^|]+`)[^|`]*\|[^|]*\| .+ \|$/gm)].flatMap(([, rows = '']) =>
    [...rows.matchAll(/`(\w+)`/g)].map(([, table]) => table),
  )
  const app = await createTestApp()
  const indexes = await app.database.all<{ name: string; tbl_name: string }>(
    `SELECT name, tbl_name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL`,
  )
  await app.close()
  const costs = indexes.filter(({ tbl_name }) => written.includes(tbl_name)).map(({ name }) => name)
  expect(costs.length).toBeGreaterThan(20)
  expect(listed.toSorted()).toEqual(costs.toSorted())
})

test('events of the audit trail are kept as long as the settings say', async () => {
  const app = await createTestApp()
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
    await writeAudit(app.database, { ...event, action, atMs: app.time.nowMs - ageMs })
  expect(await app.sweeper.sweep()).toMatchObject({ auditLinks: 3, oldAudit: 1 })
  const left = await listAudit(app.database, { tenantId: null, limit: 9 })
  await app.close()
  expect(left.map(({ action }) => action)).toEqual(['new', 'kept'])
})

test('the plugins, and their tables, are those of the lists', async () => {
  const app = await createCoreApp({
    tables: pluginTables,
    createPlugins(parts) {
      const { plugins } = createAllPlugins({ ...parts, settings })
      expect(plugins.map(({ name }) => name)).toEqual(NAMES)
      for (const name of NAMES) expect(readFileSync('ARCHITECTURE.md', 'utf8')).toContain(`| \`${name}\` |`)
      expect(plugins.flatMap(({ tables = [] }) => tables.map(({ name }) => name)).toSorted()).toEqual(
        pluginTables.map(({ name }) => name).toSorted(),
      )
      return plugins
    },
  })
  await app.close()
})

/** The tables that a migration makes. */
const madeBy = ({ statements }: Migration) =>
  statements(SQLITE).flatMap((sql) => /^\s*CREATE TABLE (\w+)/.exec(sql)?.[1] ?? [])

const NAMES = [
  'limits',
  'people',
  'statement',
  'webhooks',
  'audit',
  'stats',
  'refusals',
  'look-up',
  'clients',
  'live-providers',
  'metrics',
]

/** Every operation of the OpenAPI document, as `METHOD /path`. */
async function operationsOf(app: CoreApp): Promise<string[]> {
  const { paths } = (await app.call('/openapi.json')).body
  return Object.entries<object>(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
}

describe.each(NAMES)('without the plugin %s', (name) => {
  let app: CoreApp
  let absentTables: string[]
  let absentRoutes: string[]
  let servedRoutes: string[]
  let absentOperations: string[]
  const warnings: string[] = []
  const log = createLog({ strict: true, level: 'warn', to: { write: (line) => warnings.push(line) } })
  beforeAll(async () => {
    let left: readonly Migration[] = []
    const createPlugins = (parts: PluginParts) => {
      const { plugins } = createAllPlugins({ ...parts, settings })
      expect(plugins.map((each) => each.name)).toContain(name)
      left = plugins.find((each) => each.name === name)?.tables ?? []
      return plugins.filter((each) => each.name !== name)
    }
    const whole = await createCoreApp({
      tables: pluginTables,
      createPlugins: (parts) => createAllPlugins({ ...parts, settings }).plugins,
    })
    createPlugins({ ...whole, clock: () => 0, log: whole.log })
    app = await createCoreApp({ log, tables: pluginTables.filter((each) => !left.includes(each)), createPlugins })
    absentTables = left.flatMap(madeBy)
    absentRoutes = whole.routes.filter((route) => !app.routes.includes(route))
    servedRoutes = app.routes.filter((route) => !whole.routes.includes(route))
    const described = await operationsOf(app)
    absentOperations = (await operationsOf(whole)).filter((operation) => !described.includes(operation))
    await whole.close()
  })
  afterAll(() => app?.close())

  test('its routes are not found', async () => {
    expect(servedRoutes).toEqual([])
    const token = await app.tokenOf('acme')
    for (const route of absentRoutes) {
      const [method = '', pattern = ''] = route.split(' ')
      const path = pattern.replace(':tenantId', 'acme').replace(/:\w+(\{.*\})?/g, 'x')
      const body = ['POST', 'PUT', 'PATCH'].includes(method) ? { body: {} } : {}
      const hasOthers = app.routes.some((each) => each.endsWith(` ${pattern}`))
      expect([route, (await app.call(path, { token, method, ...body })).status]).toEqual([route, hasOthers ? 405 : 404])
    }
  })

  test('the OpenAPI document describes its operations no more, and all others', () => {
    const isDescribed = (route: string) => absentOperations.includes(route.replace(/:(\w+)(?:\{[^}]*\})?/g, '{$1}'))
    expect(absentRoutes.filter(isDescribed)).toHaveLength(absentOperations.length)
    expect(absentOperations.length > 0).toBe(absentRoutes.length > 0)
  })

  test('its tables are absent', async () => {
    const tables = await app.tables()
    expect(absentTables.filter((table) => tables.includes(table))).toEqual([])
  })

  test('checks go on, the sweeper too', async () => {
    expect((await app.generate(await app.liveRequest('Allow'))).body.data.status).toBe('complete')
    const { data } = (await app.generate(await app.liveRequest())).body
    expect((await app.resend(data)).status).toBe(200)
    expect((await app.submit(data, app.codes(data.creditReportId).at(-1) ?? '')).body.data.status).toBe('complete')
    expect((await app.get('wallet')).body.data.heldCredits).toBe(0)
    await app.sweeper.sweep()
    expect((await app.call('/readyz')).status).toBe(200)
    expect(warnings).toEqual([])
  })
})
