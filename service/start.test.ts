// A service as one process runs it, with what an operator may find on the disk.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { createLog } from './log.ts'
import { startService } from './start.ts'
import { DATABASE_FILE } from './store/sqlite.ts'
import { loadSqliteDriver } from './store/sqlite-driver.ts'

const root = mkdtempSync(join(tmpdir(), 'start-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

function start(folder: string) {
  const lines: string[] = []
  const log = createLog({ strict: true, to: { write: (line) => void lines.push(line) } })
  const config = readConfig({ DATA_DIR: folder, PORT: '0', SECRET_KEY: 'k'.repeat(32) })
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
