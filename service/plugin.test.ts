import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import type { Operation } from '../openapi/operation.ts'
import { createCoreApp } from '../testing/core-app.ts'
import type { ServiceEnv } from './http/context.ts'
import { type Core, joinPlugins, type Mounted, type Plugin } from './plugin.ts'
import { createSimulatedPhone } from './providers/simulated/simulated.ts'
import { coreTables } from './schema.ts'
import type { Queries } from './store/database.ts'
import { openEmbedded } from './store/open-database.ts'

const migration = (name: string) => ({ name, statements: () => [] })
const queries = {} as Queries
const check = { creditReportId: 'r', tenantId: 'acme', test: false, externalReference: null, requestId: null }

test('two plugins of one name are refused in one line', () => {
  expect(() => joinPlugins([{ name: 'one' }, { name: 'two' }, { name: 'one' }])).toThrow(
    new Error('two parts of the service have a plugin named "one"'),
  )
})

test('two migrations of one name are refused in one line, those of the core included', () => {
  const line = new Error('two parts of the service have a migration named "notes"')
  const one: Plugin = { name: 'one', tables: [migration('notes')] }
  expect(() => joinPlugins([one, { name: 'two', tables: [migration('notes')] }])).toThrow(line)
  expect(() => joinPlugins([one], [migration('notes')])).toThrow(line)
  expect(() => joinPlugins([{ name: 'both', tables: [migration('notes'), migration('notes')] }])).toThrow(line)
  expect(() => joinPlugins([one, { name: 'two' }], [migration('others')])).not.toThrow()
})

test('two tables of one name are refused in one line, before anything is written', async () => {
  const line = 'two parts of the service have a table named "note"'
  const notes = (name: string) => ({ name, statements: () => ['CREATE TABLE note (id TEXT)'] })
  expect(() => joinPlugins([{ name: 'one', tables: [notes('a')] }], [notes('b')])).toThrow(new Error(line))
  const dataDir = mkdtempSync(join(tmpdir(), 'collision-'))
  const location = { databaseUrl: null, dataDir }
  await expect(createCoreApp({ location, tables: [notes('a'), notes('b')] })).rejects.toThrow(line)
  const database = await openEmbedded(location, { migrations: coreTables })
  expect(await database.all('SELECT id FROM tenant')).toEqual([])
  expect(await database.all(`SELECT name FROM sqlite_master WHERE name = 'note'`)).toEqual([])
  await database.close()
  rmSync(dataDir, { recursive: true })
})

test('the handler refuses both before it does anything', async () => {
  const twice = createCoreApp({ createPlugins: () => [{ name: 'one' }, { name: 'one' }] })
  await expect(twice).rejects.toThrow('two parts of the service have a plugin named "one"')
  const wallet = createCoreApp({ createPlugins: () => [{ name: 'one', tables: [migration('ledger')] }] })
  await expect(wallet).rejects.toThrow('two parts of the service have a migration named "ledger"')
})

test('a moment calls the plugins that listen, in the order of their list', async () => {
  const called: unknown[] = []
  const plugin = (name: string): Plugin => ({
    name,
    on: { challenge: async (...given) => called.push([name, ...given]) },
  })
  await joinPlugins([plugin('one'), { name: 'deaf' }, plugin('two')]).challenge(queries, check)
  expect(called).toEqual([
    ['one', queries, check],
    ['two', queries, check],
  ])
})

test('an error is explained by one plugin after the other; who says nothing leaves it as it is', async () => {
  const add =
    (word: string): NonNullable<Plugin['explain']> =>
    async (_queries, error) =>
      `${error} ${word}`
  const plugins = [{ name: 'one', explain: add('one') }, { name: 'silent' }, { name: 'two', explain: add('two') }]
  expect(await joinPlugins(plugins).explain(queries, 'why')).toBe('why one two')
  const quiet = { name: 'quiet', explain: async () => undefined }
  expect(await joinPlugins([quiet]).explain(queries, 'why')).toBe('why')
})

test('every plugin hears what happened, and each may refuse a generate before it counts', async () => {
  const heard: string[] = []
  const plugin = (name: string): Plugin => ({
    name,
    heard: ({ tenantId }, { type }) => void heard.push(`${name} ${tenantId} ${type}`),
    admit: async ({ ipAddress }) => {
      if (ipAddress === name) throw new Error(`${name} refuses`)
    },
  })
  const joined = joinPlugins([plugin('one'), { name: 'deaf' }, plugin('two')])
  joined.heard({ tenantId: 'acme', test: true }, { type: 'refused', code: 'x' })
  expect(heard).toEqual(['one acme refused', 'two acme refused'])
  await joined.admit({ tenantId: 'acme', ipAddress: 'neither' })
  await expect(joined.admit({ tenantId: 'acme', ipAddress: 'two' })).rejects.toThrow('two refuses')
})

test('the first plugin that counts a request apart says what is left', async () => {
  const allowance = (limit: number) => ({ allowed: true, limit, remaining: limit, resetSeconds: 60 })
  const plugin = (name: string, limit: number): Plugin => ({
    name,
    count: async ({ path }) => (path === '/codes' ? allowance(limit) : null),
  })
  const joined = joinPlugins([{ name: 'none' }, plugin('one', 1), plugin('two', 2)])
  expect(await joined.count({ tenantId: 'acme', path: '/codes' })).toEqual(allowance(1))
  expect(await joined.count({ tenantId: 'acme', path: '/else' })).toBeNull()
})

const nothing = async (): Promise<Mounted> => ({ routes: new Hono<ServiceEnv>(), authorisation: {} })

/** The parts that a plugin is given. */
async function coreOf(options: Parameters<typeof createCoreApp>[0] = {}): Promise<Core> {
  const cores: Core[] = []
  const taker: Plugin = {
    name: 'taker',
    serve(core) {
      cores.push(core)
      return nothing()
    },
  }
  const app = await createCoreApp({ ...options, createPlugins: () => [taker] })
  await app.close()
  const [core] = cores
  if (core === undefined) throw new Error('nothing was served')
  return core
}

test('a plugin gets the phone of the handler', async () => {
  const phone = createSimulatedPhone(() => 0)
  expect((await coreOf({ phone })).phone).toBe(phone)
  expect((await coreOf()).phone).not.toBe(phone)
})

const getMine: Operation = {
  route: 'GET /mine',
  rule: { who: 'anyone' },
  tag: 'Account',
  summary: 'Mine',
  description: 'Mine.',
  answers: { 200: { says: 'Mine.' } },
}

test('a plugin adds routes, operations, sweeps and what runs around requests', async () => {
  const around: string[] = []
  const plugin: Plugin = {
    name: 'mine',
    edge: () => async (context, next) => {
      around.push(`edge ${context.req.path}`)
      await next()
    },
    request: (_core, rule) =>
      rule.who !== 'anyone'
        ? null
        : async (context, next) => {
            around.push(`request ${context.req.path}`)
            await next()
          },
    serve: async () => ({
      routes: new Hono<ServiceEnv>().get('/mine', (context) => context.text('mine')),
      rows: [{ operations: { getMine } }],
      sweeps: { mine: async () => 7 },
    }),
    sweeps: () => ({ others: async () => 8 }),
  }
  const app = await createCoreApp({ createPlugins: () => [{ name: 'nothing', serve: nothing }, plugin] })
  const { status, text } = await app.call('/mine')
  expect([status, text]).toEqual([200, 'mine'])
  expect(around).toEqual(['edge /mine', 'request /mine'])
  await app.call('/acme/v1/wallet')
  expect(around.slice(2)).toEqual(['edge /acme/v1/wallet'])
  expect(Object.keys((await app.call('/openapi.json')).body.paths)).toContain('/mine')
  expect(await app.sweeper.sweep()).toMatchObject({ mine: 7, others: 8, oldKeys: 0 })
  expect(app.routes).toContain('GET /mine')
  await app.close()
})

test('a plugin must say who may use its routes', async () => {
  const serve = async (): Promise<Mounted> => ({
    routes: new Hono<ServiceEnv>().get('/mine', (context) => context.text('mine')),
    authorisation: {},
  })
  const silent = createCoreApp({ createPlugins: () => [{ name: 'mine', serve }] })
  await expect(silent).rejects.toThrow('no rule says who may use GET /mine')
})

test('what plugins do in the background begins with the process and ends with it', async () => {
  const seen: string[] = []
  const worker = (name: string): Plugin => ({
    name,
    start() {
      seen.push(`${name} starts`)
      return async () => void seen.push(`${name} ends`)
    },
  })
  const app = await createCoreApp({ createPlugins: () => [worker('one'), { name: 'idle' }, worker('two')] })
  expect(seen).toEqual([])
  const stop = app.start()
  expect(seen).toEqual(['one starts', 'two starts'])
  await stop()
  expect(seen.slice(2)).toEqual(['one ends', 'two ends'])
  await app.close()
})
