// The service with every plugin, as production starts it.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '../plugins/settings.ts'
import { createTenant } from '../service/ledger/tenants.ts'
import { createLog, createSilentLog } from '../service/log.ts'
import { openEmbedded } from '../service/store/open-database.ts'
import { DATABASE_FILE } from '../service/store/sqlite.ts'
import { createClients } from '../service/tokens/clients.ts'
import { ALL_TABLES } from '../testing/open-database.ts'
import { startWithPortal } from './start.ts'

const root = mkdtempSync(join(tmpdir(), 'portal-start-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const FIT = {
  NODE_ENV: 'production',
  SECRET_KEY: 'pUbRk3ZQ0mN7xw2VtJ5sY9cHfE1aLgDo',
  PUBLIC_URL: 'https://service.example',
  TRUSTED_HOPS: '1',
  ALLOW_SIMULATED: 'risk,bureau,sms',
  DRAIN_SECONDS: '0',
  PORT: '0',
}

const start = (environment: { [name: string]: string }, log = createSilentLog()) =>
  startWithPortal({ config: readConfig(environment), log, environment })

test('production with a wrong setting opens no database', async () => {
  const folder = join(root, 'unfit')
  const started = start({ ...FIT, DATA_DIR: folder, PUBLIC_URL: 'http://service.example' })
  await expect(started).rejects.toThrow(/^not fit for production:\nPUBLIC_URL/)
  expect(existsSync(folder)).toBe(false)
})

test('production leaves a database that the demo used as it is', async () => {
  const folder = mkdtempSync(join(root, 'demo-'))
  const old = ALL_TABLES.filter(({ name }) => name !== 'stats')
  expect(old).toHaveLength(ALL_TABLES.length - 1)
  const location = { databaseUrl: null, dataDir: folder }
  const database = await openEmbedded(location, { migrations: old })
  await createTenant(database, { id: 'demo-lender', name: 'Demo', nowMs: 0 })
  const clients = createClients({ database, clock: () => 0 })
  await clients.create(database, { id: 'demo-lender', tenantId: 'demo-lender', secret: 'demo-secret' })
  await database.close()
  await expect(start({ ...FIT, DATA_DIR: folder })).rejects.toThrow(/the demo’s client "demo-lender"/)
  const after = await openEmbedded(location, { migrations: [], role: 'reader' })
  const made = await after.all<{ name: string }>('SELECT name FROM migration')
  await after.close()
  expect(made.map(({ name }) => name).sort()).toEqual(old.map(({ name }) => name).sort())
})

test('production with nothing wrong starts, on an empty folder and again', async () => {
  const folder = join(root, 'fit')
  for (const _start of ['first', 'second']) await (await start({ ...FIT, DATA_DIR: folder })).stop()
  expect(existsSync(join(folder, DATABASE_FILE))).toBe(true)
})

test.each([
  ['production', ['risk', 'bureau', 'sms']],
  ['', ['risk', 'bureau', 'sms']],
  ['development', []],
])('with NODE_ENV "%s" each simulated provider has a line in the log', async (NODE_ENV, providers) => {
  const logged: string[] = []
  const log = createLog({ strict: true, to: { write: (line) => logged.push(line) } })
  await (await start({ ...FIT, NODE_ENV, DATA_DIR: join(root, `simulated ${NODE_ENV}`) }, log)).stop()
  const lines = logged.map((line) => JSON.parse(line)).filter(({ event }) => event === 'provider is simulated')
  expect(lines.map(({ provider }) => provider).sort()).toEqual([...providers].sort())
})

test('a service on a port measures its process, its clock and whether it is ready', async () => {
  const service = await start({ DATA_DIR: join(root, 'measured'), SECRET_KEY: FIT.SECRET_KEY, PORT: '0' })
  const metrics = await (await fetch(`${service.url.replace('localhost', '127.0.0.1')}/metrics`)).text()
  await service.stop()
  for (const name of ['crs_process_resident_memory_bytes ', 'crs_clock_offset_seconds 0\n', 'crs_ready 1\n'])
    expect(metrics).toContain(name)
})
