// The drill: a backup taken while lenders work, put back somewhere else, compared.
import {
  appendFileSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runTestAdmin } from '../../testing/admin.ts'
import { ALL_TABLES, openTestDatabase } from '../../testing/open-database.ts'
import { findPostgres } from '../../testing/postgres-binaries.ts'
import { createTestApp, liveRequest, TEST_SECRET_KEY, type TestApp } from '../../testing/test-app.ts'
import { startThrowawayPostgres, type ThrowawayPostgres } from '../../testing/throwaway-postgres.ts'
import { openDatabase } from '../store/open-database.ts'
import { isClean, reconcile } from '../wallet/reconcile.ts'
import { runPostgresTool } from './postgres-tools.ts'

const root = mkdtempSync(join(tmpdir(), 'backup-test-'))
let postgres: ThrowawayPostgres
const path = process.env.PATH
beforeAll(async () => {
  postgres = await startThrowawayPostgres()
  process.env.PATH = `${findPostgres()}:${path}`
})
afterAll(async () => {
  process.env.PATH = path
  await postgres?.stop()
  rmSync(root, { recursive: true, force: true })
})

let places = 0
const newPlace = () => {
  places += 1
  return join(root, String(places))
}

type Environment = { [name: string]: string }
const settings = (place: Environment): Environment => ({ SECRET_KEY: TEST_SECRET_KEY, ...place })

/** Lenders at work until the returned function is called, which resolves to the reports they were given. */
function work(app: TestApp): () => Promise<string[]> {
  const complete: string[] = []
  let isOver = false
  const lenders = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      const { data } = (await app.generate(liveRequest('Allow'))).body
      complete.push(data.creditReportId)
    }
  })
  return async () => {
    isOver = true
    await Promise.all(lenders)
    return complete
  }
}

const engines: [name: string, newDatabase: () => Promise<Environment>][] = [
  ['SQLite', async () => ({ DATA_DIR: newPlace() })],
  ['PostgreSQL', async () => ({ DATA_DIR: newPlace(), DATABASE_URL: await postgres.createDatabase() })],
]

describe.each(engines)('on %s', (_name, newDatabase) => {
  const openApp = (place: Environment) =>
    createTestApp({
      dataDir: place.DATA_DIR ?? '',
      ...(place.DATABASE_URL ? { databaseUrl: place.DATABASE_URL } : {}),
    })

  test('a backup taken under load is one moment, and restores to what was acknowledged before it', async () => {
    const [source, target] = [await newDatabase(), await newDatabase()]
    const file = join(root, `drill-${places}`)
    const app = await openApp(source)
    const before = (await app.generate(liveRequest('Allow'))).body.data.creditReportId
    const stop = work(app)
    const taken = await runTestAdmin(settings(source), ['backup', file])
    const acknowledged = await stop()
    expect(taken).toMatchObject({ exitCode: 0, complaints: [] })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file).includes(TEST_SECRET_KEY)).toBe(false)

    const restored = await runTestAdmin(settings(target), ['restore', file])
    expect(restored.complaints).toEqual([])
    expect(restored.exitCode).toBe(0)
    expect((await runTestAdmin(settings(target), ['verify'])).exitCode).toBe(0)
    expect((await runTestAdmin(settings(target), ['restore', file])).complaints.join()).toMatch(/exists|empty database/)

    const location = { databaseUrl: target.DATABASE_URL ?? null, dataDir: target.DATA_DIR ?? '' }
    const copy = await openTestDatabase(location)
    expect(isClean(await reconcile(copy))).toBe(true)
    const complete = `SELECT id, tenant_id, status, created_at_ms FROM credit_report WHERE status = 'complete' ORDER BY id`
    const kept = await copy.all(complete)
    // Under load the copy is a part of what was acknowledged in the end, row by row the same.
    expect(kept.map(({ id }) => id)).toContain(before)
    expect(kept.length).toBeLessThanOrEqual(1 + acknowledged.length)
    expect(await app.database.all(complete)).toEqual(expect.arrayContaining(kept))
    await copy.close()
    // And it serves.
    const again = await openApp(target)
    expect((await again.generate(liveRequest('Allow'))).body.data.status).toBe('complete')
    await Promise.all([app.close(), again.close()])
  })

  test('half a backup, another key and a newer schema are one line each, and nothing is left behind', async () => {
    const source = await newDatabase()
    const app = await openApp(source)
    await app.generate(liveRequest('Allow'))
    const file = join(root, `whole-${places}`)
    expect((await runTestAdmin(settings(source), ['backup', file])).exitCode).toBe(0)

    const half = `${file}-half`
    copyFileSync(file, half)
    truncateSync(half, Math.floor(statSync(file).size / 2))
    const empty = await newDatabase()
    const refused = await runTestAdmin(settings(empty), ['restore', half])
    expect(refused).toMatchObject({ exitCode: 2, printed: [] })
    expect(refused.complaints[0]).toMatch(/half there|pg_restore: error/)
    // Nothing is left behind: the place is still empty enough for a whole one.
    expect((await runTestAdmin(settings(empty), ['restore', file])).exitCode).toBe(0)

    const other = await runTestAdmin({ ...(await newDatabase()), SECRET_KEY: 'another key that is long enough too' }, [
      'restore',
      file,
    ])
    expect(other.exitCode).toBe(2)
    expect(other.complaints[0]).toMatch(/written with another key/)

    await app.database.run(`INSERT INTO migration (name, applied_at_ms) VALUES ('from-the-future', 1)`)
    const newer = `${file}-newer`
    await runTestAdmin(settings(source), ['backup', newer])
    const future = await runTestAdmin(settings(await newDatabase()), ['restore', newer])
    expect(future.complaints[0]).toMatch(/a newer version made "from-the-future"/)
    await app.close()
  })
})

test('a damaged file is found, and so are books that do not balance', async () => {
  const place = { DATA_DIR: newPlace() }
  const app = await createTestApp({ dataDir: place.DATA_DIR })
  for (let count = 0; count < 20; count += 1) await app.generate(liveRequest('Allow'))
  await app.database.run('UPDATE wallet SET balance_credits = balance_credits + 1')
  await app.close()
  const verified = await runTestAdmin(settings(place), ['verify'])
  expect(verified.exitCode).toBe(1)
  expect(verified.printed.join('\n')).toMatch(/BROKEN {2}the books balance/)

  const file = join(place.DATA_DIR, 'service.db')
  const bytes = readFileSync(file)
  bytes.fill(0xff, 4_096 * 4, 4_096 * 12)
  writeFileSync(file, bytes)
  const damaged = await runTestAdmin(settings(place), ['verify'])
  expect(damaged.exitCode).toBe(1)
  expect(damaged.printed.join('\n')).toMatch(/BROKEN {2}every page can be read/)
})

test('a backup never overwrites, and says what is wrong with what it is given', async () => {
  const place = { DATA_DIR: newPlace() }
  await (await createTestApp({ dataDir: place.DATA_DIR })).close()
  const file = join(root, 'once')
  appendFileSync(file, 'something else')
  expect((await runTestAdmin(settings(place), ['backup', file])).complaints[0]).toMatch(/exists already/)
  expect((await runTestAdmin(settings(place), ['restore', file])).complaints[0]).toMatch(/not a whole backup/)
  expect((await runTestAdmin(settings(place), ['backup', '/nowhere/at/all'])).complaints[0]).toMatch(
    /cannot be written/,
  )
})

test('pg_dump --data-only restores the ledger with its balances', async () => {
  const url = await postgres.createDatabase()
  const app = await createTestApp({ databaseUrl: url })
  await app.generate(liveRequest('Allow'))
  const file = join(root, 'data-only')
  await runPostgresTool(
    'pg_dump',
    ['--format=custom', '--data-only', '--exclude-table=migration', `--file=${file}`],
    url,
  )
  const target = await postgres.createDatabase()
  const database = await openDatabase({ databaseUrl: target, dataDir: root }, { migrations: ALL_TABLES })
  await runPostgresTool(
    'pg_restore',
    ['--exit-on-error', `--dbname=${new URL(target).pathname.slice(1)}`, file],
    target,
  )
  const ledger = 'SELECT id, credits FROM wallet_line ORDER BY sequence'
  expect(await database.all(ledger)).toEqual(await app.database.all(ledger))
  expect(isClean(await reconcile(database))).toBe(true)
  await Promise.all([database.close(), app.close()])
})
