// A service as one process runs it, with what an operator may find on the disk.
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { ConfigError } from '../kit/setting-reader.ts'
import { readConfig } from './config.ts'
import { failureLine } from './explain-failure.ts'
import { createTenant } from './ledger/tenants.ts'
import { createLog, createSilentLog } from './log.ts'
import { coreTables } from './schema.ts'
import { type StartOptions, startService } from './start.ts'
import type { Database } from './store/database.ts'
import { openEmbedded } from './store/open-database.ts'
import { DATABASE_FILE } from './store/sqlite.ts'
import { loadSqliteDriver } from './store/sqlite-driver.ts'
import { silent, type Telemetry } from './telemetry.ts'

const root = mkdtempSync(join(tmpdir(), 'start-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

function start(folder: string, environment: { [name: string]: string } = {}, options: Partial<StartOptions> = {}) {
  const lines: string[] = []
  const log = createLog({ strict: true, to: { write: (line) => void lines.push(line) } })
  const config = readConfig({ DATA_DIR: folder, PORT: '0', SECRET_KEY: 'k'.repeat(32), ...environment })
  return startService({ config, log, ...options }).then((service) => ({ service, lines }))
}

test('an empty database beside another’s write-ahead log says so', async () => {
  const folder = mkdtempSync(join(root, 'log-'))
  writeFileSync(join(folder, `${DATABASE_FILE}-wal`), 'what is left of another database')
  const { service, lines } = await start(folder)
  await service.stop()
  expect(lines.join()).toContain('database has no tenants, though a write-ahead log lay beside it')
})

test('an empty folder is nothing to speak of', async () => {
  const { service, lines } = await start(mkdtempSync(join(root, 'empty-')))
  await service.stop()
  expect(lines.join()).not.toContain('write-ahead log')
})

test('an empty log beside a database is nothing to speak of either', async () => {
  const folder = mkdtempSync(join(root, 'empty-log-'))
  writeFileSync(join(folder, `${DATABASE_FILE}-wal`), '')
  const { service, lines } = await start(folder)
  await service.stop()
  expect(lines.join()).not.toContain('write-ahead log')
})

test('nor is a log beside a database with tenants', async () => {
  const [folder, copy] = [mkdtempSync(join(root, 'used-')), join(root, 'copy')]
  const database = await openEmbedded({ databaseUrl: null, dataDir: folder }, { migrations: coreTables })
  await createTenant(database, { id: 'acme', name: 'Acme', nowMs: 0 })
  // As a crash leaves it: with the newest pages in the log.
  cpSync(folder, copy, { recursive: true })
  await database.close()
  expect(existsSync(join(copy, `${DATABASE_FILE}-wal`))).toBe(true)
  const { service, lines } = await start(copy)
  await service.stop()
  expect(lines.join()).not.toContain('write-ahead log')
})

test('a service on any free port names it in what it answers, measures itself, and is gone when it has stopped', async () => {
  const folder = mkdtempSync(join(root, 'port-'))
  const watched: { [name: string]: () => number | Promise<number> } = {}
  const telemetry: Telemetry = {
    ...silent,
    watch(name, _help, read) {
      watched[name] = read
    },
  }
  const { service } = await start(folder, {}, { telemetry })
  expect(service.url).toMatch(/^http:\/\/localhost:[1-9]\d+$/)
  const local = service.url.replace('localhost', '127.0.0.1')
  const openApi = await (await fetch(`${local}/openapi.json`)).json()
  expect(openApi.servers[0].url).toBe(service.url)
  expect((await fetch(`${local}/readyz`)).status).toBe(200)
  expect(Object.keys(watched)).toEqual(expect.arrayContaining(['clock_offset_seconds', 'ready']))
  expect([await watched.clock_offset_seconds?.(), await watched.ready?.()]).toEqual([0, 1])
  await service.stop()
  await expect(fetch(`${local}/healthz`)).rejects.toThrow()
  // Another can have its folder.
  await (await start(folder)).service.stop()
})

test.each([
  ['127.0.0.1', 403],
  ['0.0.0.0', 200],
])('on %s a name that is not its own is answered %i', async (host, status) => {
  const { service } = await start(mkdtempSync(join(root, 'host-')), { HOST: host })
  const { port } = new URL(service.url)
  const answered = await new Promise<number | undefined>((resolve, reject) => {
    const headers = { Host: 'evil.example' }
    request({ host: '127.0.0.1', port, path: '/healthz', headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })
  await service.stop()
  expect(answered).toBe(status)
})

test('a start that fails leaves its database to the next', async () => {
  const { service } = await start(mkdtempSync(join(root, 'first-')))
  const folder = mkdtempSync(join(root, 'second-'))
  await expect(start(folder, { PORT: new URL(service.url).port })).rejects.toThrow(/EADDRINUSE/)
  await service.stop()
  await (await start(folder)).service.stop()
})

test('while another program holds the database’s write lock, health checks are answered', async () => {
  const folder = mkdtempSync(join(root, 'lock-'))
  const { service } = await start(folder)
  const { DatabaseSync } = loadSqliteDriver()
  const shell = new DatabaseSync(join(folder, DATABASE_FILE))
  shell.exec('BEGIN IMMEDIATE')
  const local = service.url.replace('localhost', '127.0.0.1')
  // A write that has to wait: the session is stored before it is answered.
  const minted = fetch(`${local}/v1/fingerprints/device/sessions`, {
    method: 'POST',
    headers: { 'Content-Type': 'text/plain' },
    body: '{}',
  })
  for (let count = 0; count < 10; count += 1) expect((await fetch(`${local}/healthz`)).status).toBe(200)
  shell.exec('COMMIT')
  shell.close()
  expect((await minted).status).toBeLessThan(500)
  await service.stop()
})

describe('what the caller checks', () => {
  const config = (folder: string) => readConfig({ DATA_DIR: folder, PORT: '0', SECRET_KEY: 'k'.repeat(32) })
  const startChecked = (folder: string, check: NonNullable<StartOptions['check']>) =>
    startService({ config: config(folder), log: createSilentLog(), check })
  const hasTenants = (database: Database) => database.all('SELECT id FROM tenant')

  test('is checked before a database is opened, then on one that is there, then with every table', async () => {
    const folder = join(root, 'checked')
    const seen: (string | null)[] = []
    const check = async (database: Database | null) => {
      const tables = await database?.all('SELECT name FROM migration')
      seen.push(database === null ? null : `${tables?.length} migrations`)
    }
    await (await startChecked(folder, check)).stop()
    expect(seen).toEqual([null, `${coreTables.length} migrations`])
    await (await startChecked(folder, check)).stop()
    expect(seen.slice(2)).toEqual([null, `${coreTables.length} migrations`, `${coreTables.length} migrations`])
  })

  test('refuses a start before anything is there', async () => {
    const folder = join(root, 'refused')
    const refused = startChecked(folder, async () => {
      throw new ConfigError('not fit')
    })
    await expect(refused).rejects.toThrow('not fit')
    expect(existsSync(folder)).toBe(false)
  })

  test('refuses a database that is there, which stays as it is', async () => {
    const folder = mkdtempSync(join(root, 'as-it-is-'))
    const old = coreTables.slice(0, 4)
    const database = await openEmbedded({ databaseUrl: null, dataDir: folder }, { migrations: old })
    await createTenant(database, { id: 'demo-lender', name: 'Demo', nowMs: 0 })
    await database.close()
    const refused = startChecked(folder, async (given) => {
      if (given !== null && (await hasTenants(given)).length > 0) throw new ConfigError('used by the demo')
    })
    await expect(refused).rejects.toThrow('used by the demo')
    const after = await openEmbedded({ databaseUrl: null, dataDir: folder }, { migrations: [], role: 'reader' })
    const made = await after.all<{ name: string }>('SELECT name FROM migration')
    await after.close()
    expect(made.map(({ name }) => name).sort()).toEqual(old.map(({ name }) => name).sort())
  })

  test('may fail where tables are missing, and not once they are there', async () => {
    const folder = mkdtempSync(join(root, 'missing-'))
    const old = coreTables.slice(0, 1)
    await (await openEmbedded({ databaseUrl: null, dataDir: folder }, { migrations: old })).close()
    const reads = (table: string) => async (database: Database | null) => {
      await database?.all(`SELECT * FROM ${table}`)
    }
    await (await startChecked(folder, reads('tenant'))).stop()
    await expect(startChecked(folder, reads('not_there_at_all'))).rejects.toThrow(/no such table/)
  })
})

test('a start without one of its modules names it', () => {
  const start = () => createRequire(import.meta.url)('not-installed-at-all')
  let line = ''
  try {
    start()
  } catch (error) {
    line = failureLine('could not start', error)
  }
  expect(line).toMatch(/^the module "not-installed-at-all" is missing: run "npm ci"/)
})
