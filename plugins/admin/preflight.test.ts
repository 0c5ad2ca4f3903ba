// The output of preflight, before an installation serves real people.

import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../../plugins/postgres/open-database.ts'
import { everyMoment } from '../../portal/commands.ts'
import type { Queries } from '../../service/store/database.ts'
import { NOTICE_FILE, writeMoveNotice } from '../../service/store/files.ts'
import { DATABASE_FILE } from '../../service/store/sqlite.ts'
import { ALL_TABLES } from '../../testing/open-database.ts'
import { createPreflightCommand } from './preflight.ts'
import type { Check } from './production-checks.ts'
import { runAdmin } from './run-admin.ts'

const root = mkdtempSync(join(tmpdir(), 'admin-preflight-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const FIT = {
  NODE_ENV: 'production',
  SECRET_KEY: 'pUbRk3ZQ0mN7xw2VtJ5sY9cHfE1aLgDo',
  PUBLIC_URL: 'https://service.example',
  TRUSTED_HOPS: '1',
  ALLOW_SIMULATED: 'risk,bureau,sms',
}
const ONE_WRONG = { TRUSTED_HOPS: '0' }
const TWO_WRONG = { PUBLIC_URL: 'http://service.example', SECRET_KEY: 'a'.repeat(40) }

let folders = 0
/** A folder whose database has been through so many migrations; none at all: without a database. */
async function newFolder(migrations?: number): Promise<string> {
  folders += 1
  const dataDir = join(root, String(folders))
  if (migrations === undefined) return dataDir
  const tables = ALL_TABLES.slice(0, migrations)
  await (await openDatabase({ databaseUrl: null, dataDir }, { migrations: tables })).close()
  return dataDir
}

async function preflight(dataDir: string, { settings = {}, finds = [] as string[] } = {}) {
  const printed: string[] = []
  const complaints: string[] = []
  const asked: Queries[] = []
  const check: Check = async ({ database }) => {
    asked.push(database)
    await database.all('SELECT name FROM migration')
    return finds
  }
  const exitCode = await runAdmin(['preflight'], {
    commands: [createPreflightCommand([check, async () => []])],
    tables: ALL_TABLES,
    plugins: everyMoment,
    environment: { ...FIT, DATA_DIR: dataDir, ...settings },
    print: (line) => printed.push(line),
    complain: (line) => complaints.push(line),
  })
  // The database is closed again after success and failure.
  for (const database of asked) await expect(database.all('SELECT name FROM migration')).rejects.toThrow()
  return { exitCode, printed, complaints, asked: asked.length }
}

test('a database in which nothing is found is fit', async () => {
  const dataDir = await newFolder(ALL_TABLES.length)
  expect(await preflight(dataDir)).toEqual({ exitCode: 0, printed: ['fit for production'], complaints: [], asked: 1 })
})

test.each([[['one thing']], [['one thing', 'another']]])('what is found is a line each: %s', async (finds) => {
  const dataDir = await newFolder(ALL_TABLES.length)
  expect(await preflight(dataDir, { finds })).toEqual({ exitCode: 1, printed: finds, complaints: [], asked: 1 })
})

test.each([
  ['one setting', ONE_WRONG, 1],
  ['two settings', TWO_WRONG, 2],
])('with %s that will not do the database is not asked', async (_what, settings, lines) => {
  const dataDir = await newFolder(ALL_TABLES.length)
  const { exitCode, printed, asked } = await preflight(dataDir, { settings, finds: ['one thing'] })
  expect({ exitCode, lines: printed.length, asked }).toEqual({ exitCode: 1, lines, asked: 0 })
  expect(printed.join()).toMatch(/TRUSTED_HOPS|PUBLIC_URL/)
})

test('before the first start there is no database, and none is made', async () => {
  const dataDir = await newFolder()
  const first = { exitCode: 0, printed: ['fit for production; there is no database yet'], complaints: [], asked: 0 }
  expect(await preflight(dataDir)).toEqual(first)
  expect(existsSync(dataDir)).toBe(false)
  expect(await preflight(await newFolder(0))).toEqual(first)
  expect((await preflight(dataDir, { settings: ONE_WRONG })).exitCode).toBe(1)
})

test('a database of an older version is asked', async () => {
  const dataDir = await newFolder(1)
  expect(await preflight(dataDir, { finds: ['one thing'] })).toMatchObject({ exitCode: 1, asked: 1 })
})

test('a database that cannot be opened is no database that is not there yet', async () => {
  const dataDir = await newFolder()
  mkdirSync(dataDir)
  writeMoveNotice(dataDir, 'was moved to PostgreSQL')
  expect(await preflight(dataDir)).toEqual({
    exitCode: 1,
    printed: [],
    complaints: [expect.stringContaining('was moved to PostgreSQL')],
    asked: 0,
  })
  rmSync(join(dataDir, NOTICE_FILE))
  mkdirSync(join(dataDir, DATABASE_FILE))
  expect(await preflight(dataDir)).toMatchObject({ exitCode: 1, complaints: [expect.stringMatching(/^DATA_DIR: /)] })
})
