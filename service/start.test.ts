// A service as one process runs it, with what an operator may find on the disk.
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { failureLine } from './explain-failure.ts'
import { createTenant } from './ledger/tenants.ts'
import { createLog, createSilentLog } from './log.ts'
import { serviceTables } from './schema.ts'
import { startService } from './start.ts'
import { openDatabase } from './store/open-database.ts'
import { DATABASE_FILE } from './store/sqlite.ts'
import { loadSqliteDriver } from './store/sqlite-driver.ts'
import { createClients } from './tokens/clients.ts'

const root = mkdtempSync(join(tmpdir(), 'start-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

function start(folder: string, environment: { [name: string]: string } = {}) {
  const lines: string[] = []
  const log = createLog({ strict: true, to: { write: (line) => void lines.push(line) } })
  const config = readConfig({ DATA_DIR: folder, PORT: '0', SECRET_KEY: 'k'.repeat(32), ...environment })
  return startService({ config, log }).then((service) => ({ service, lines }))
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
  const database = await openDatabase({ databaseUrl: null, dataDir: folder }, { migrations: serviceTables })
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
  const { service } = await start(folder)
  expect(service.url).toMatch(/^http:\/\/localhost:[1-9]\d+$/)
  const local = service.url.replace('localhost', '127.0.0.1')
  const openApi = await (await fetch(`${local}/openapi.json`)).json()
  expect(openApi.servers[0].url).toBe(service.url)
  expect((await fetch(`${local}/readyz`)).status).toBe(200)
  const metrics = await (await fetch(`${local}/metrics`)).text()
  for (const name of ['crs_process_resident_memory_bytes ', 'crs_clock_offset_seconds 0\n', 'crs_ready 1\n'])
    expect(metrics).toContain(name)
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

const FIT = {
  NODE_ENV: 'production',
  SECRET_KEY: 'pUbRk3ZQ0mN7xw2VtJ5sY9cHfE1aLgDo',
  PUBLIC_URL: 'https://service.example',
  TRUSTED_HOPS: '1',
  ALLOW_SIMULATED: 'risk,bureau,sms',
  PORT: '0',
}

test('production with a wrong setting opens no database', async () => {
  const folder = join(root, 'unfit')
  const config = readConfig({ ...FIT, DATA_DIR: folder, PUBLIC_URL: 'http://service.example' })
  await expect(startService({ config, log: createSilentLog() })).rejects.toThrow(/^not fit for production:\nPUBLIC_URL/)
  expect(existsSync(folder)).toBe(false)
})

test('production leaves a database that the demo used as it is', async () => {
  const folder = mkdtempSync(join(root, 'demo-'))
  const old = serviceTables.filter(({ name }) => name !== 'person-searches')
  const database = await openDatabase({ databaseUrl: null, dataDir: folder }, { migrations: old })
  await createTenant(database, { id: 'demo-lender', name: 'Demo', nowMs: 0 })
  const clients = createClients({ database, clock: () => 0 })
  await clients.create(database, { id: 'demo-lender', tenantId: 'demo-lender', secret: 'demo-secret' })
  await database.close()
  const config = readConfig({ ...FIT, DATA_DIR: folder })
  await expect(startService({ config, log: createSilentLog() })).rejects.toThrow(/the demo’s client "demo-lender"/)
  const after = await openDatabase(config, { migrations: [], role: 'reader' })
  const made = await after.all<{ name: string }>('SELECT name FROM migration')
  await after.close()
  expect(made.map(({ name }) => name).sort()).toEqual(old.map(({ name }) => name).sort())
})

test('production with nothing wrong starts, on an empty folder and again', async () => {
  const folder = join(root, 'fit')
  for (const _start of ['first', 'second']) {
    const service = await startService({
      config: readConfig({ ...FIT, DATA_DIR: folder, DRAIN_SECONDS: '0' }),
      log: createSilentLog(),
    })
    await service.stop()
  }
  expect(existsSync(join(folder, DATABASE_FILE))).toBe(true)
})

test('what is mounted beside it may object to production, before and after its tables are there', async () => {
  const config = readConfig({ ...FIT, DATA_DIR: join(root, 'objected') })
  const options = { config, log: createSilentLog(), checks: [async () => ['the portal objects']] }
  for (const _start of ['first', 'second']) {
    await expect(startService(options)).rejects.toThrow('not fit for production:\nthe portal objects')
  }
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
