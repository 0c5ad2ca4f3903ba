// `admin move`: from SQLite to PostgreSQL, row for row, also when it is killed on the way.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyCommand, everyMoment } from '../../portal/commands.ts'
import { NOTICE_FILE } from '../../service/store/files.ts'
import { DATABASE_FILE, MOVED_FILE } from '../../service/store/sqlite.ts'
import { runTestAdmin } from '../../testing/admin.ts'
import { fillFolder, fillFolderMuch, mustBeSame, rowsOf } from '../../testing/moved-folder.ts'
import { ALL_TABLES, openTestDatabase } from '../../testing/open-database.ts'
import { startModule } from '../../testing/run-module.ts'
import { createTestApp, liveRequest, TEST_SECRET_KEY, type TestApp } from '../../testing/test-app.ts'
import { startThrowawayPostgres, type ThrowawayPostgres } from '../../testing/throwaway-postgres.ts'
import { runAdmin } from '../admin/run-admin.ts'
import { moveTables } from './move-tables.ts'
import { onMoveTarget, openTarget, setPhase } from './move-target.ts'
import { openDatabase } from './open-database.ts'

const root = mkdtempSync(join(tmpdir(), 'move-test-'))
let postgres: ThrowawayPostgres
beforeAll(async () => {
  postgres = await startThrowawayPostgres()
})
afterAll(async () => {
  await postgres?.stop()
  rmSync(root, { recursive: true, force: true })
})

let places = 0
const newPlace = () => {
  places += 1
  return join(root, String(places))
}

const move = (dataDir: string, url: string, more: { [name: string]: string } = {}) =>
  runTestAdmin({ DATA_DIR: dataDir, DATABASE_URL: url, SECRET_KEY: TEST_SECRET_KEY, ...more }, ['move'])

const listRelations = async (url: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(`SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace`)
  await client.end()
  return rows.length
}

test('every row arrives, and everything goes on where it was', async () => {
  const [dataDir, url] = [newPlace(), await postgres.createDatabase()]
  const { open } = await fillFolder(dataDir)
  const moved = await move(dataDir, url)
  expect(moved).toMatchObject({ exitCode: 0, complaints: [] })
  expect(moved.printed.at(-1)).toMatch(/^moved; start the service with DATABASE_URL/)
  await mustBeSame(dataDir, url)
  expect(readdirSync(dataDir).sort()).toEqual([NOTICE_FILE, MOVED_FILE, 'service.lock'])
  expect((await runTestAdmin({ DATABASE_URL: url, SECRET_KEY: TEST_SECRET_KEY }, ['verify'])).exitCode).toBe(0)

  const app = await createTestApp({ databaseUrl: url })
  expect((await app.submit(open, open.code)).body.data.status).toBe('complete')
  const again = await app.generate(
    { ...liveRequest('Allow'), externalReference: 'order “7” \\ ü' },
    { 'Idempotency-Key': 'first' },
  )
  expect(again.headers.get('Idempotent-Replayed')).toBe('true')
  await app.close()
  expect((await runTestAdmin({ DATABASE_URL: url, SECRET_KEY: TEST_SECRET_KEY }, ['reconcile'])).exitCode).toBe(0)

  // The folder is left behind: nothing is served from it by mistake, and nothing is moved twice.
  const start = createTestApp({ dataDir })
  await expect(start).rejects.toThrow(
    /^the data of this folder was moved to PostgreSQL \(test_\d+ on 127.0.0.1:\d+\) on .*; set DATABASE_URL$/,
  )
  expect((await move(dataDir, url)).complaints[0]).toMatch(/was moved to PostgreSQL/)
  expect((await move(dataDir, await postgres.createDatabase())).complaints[0]).toMatch(/was moved to PostgreSQL/)
  const backup = join(root, 'of-another')
  expect((await runTestAdmin({ DATA_DIR: dataDir }, ['restore', backup])).complaints[0]).toMatch(/was moved to Postgr/)
})

test('with two roles, one owns the tables on PostgreSQL and the other serves', async () => {
  const [dataDir, url] = [newPlace(), await postgres.createDatabase()]
  await fillFolder(dataDir)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('CREATE ROLE keeper LOGIN; CREATE ROLE server LOGIN')
  await client.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} OWNER TO keeper`)
  await client.end()
  const as = (role: string) => url.replace('//postgres@', `//${role}@`)
  const moved = await move(dataDir, as('server'), { DATABASE_MIGRATION_URL: as('keeper') })
  expect(moved).toMatchObject({ exitCode: 0, complaints: [] })
  const app = await createTestApp({ databaseUrl: as('server') })
  expect((await app.generate(liveRequest('Allow'))).status).toBe(200)
  await expect(app.database.run('UPDATE wallet_line SET credits = 0')).rejects.toThrow(/permission denied/)
  await app.close()
})

test('a table that a later version adds is moved like the others, and its numbers go on', async () => {
  const later = {
    name: 'later',
    statements: ({ serialKey, blob, integer }: { serialKey: string; blob: string; integer: string }) => [
      `CREATE TABLE z_parent (one TEXT NOT NULL, two ${integer} NOT NULL, PRIMARY KEY (two, one))`,
      `CREATE TABLE a_child (sequence ${serialKey}, one TEXT, two ${integer}, bytes ${blob},
        FOREIGN KEY (two, one) REFERENCES z_parent (two, one))`,
    ],
  }
  const migrations = [...ALL_TABLES, later]
  const [dataDir, url] = [newPlace(), await postgres.createDatabase()]
  const source = await openDatabase({ databaseUrl: null, dataDir }, { migrations })
  await source.transaction(async (queries) => {
    for (let index = 0; index < 2_500; index += 1) {
      await queries.run('INSERT INTO z_parent (one, two) VALUES (?, ?)', `p${index % 7}`, index)
    }
    await queries.run(`INSERT INTO a_child (one, two, bytes) VALUES ('p3', 3, ?)`, Buffer.from([0, 255, 92]))
    await queries.run('INSERT INTO a_child (one) VALUES (NULL)')
    await queries.run('DELETE FROM a_child WHERE sequence = 2')
  })
  const place = { url, state: '' }
  await source.transaction((from) =>
    onMoveTarget(place, (to) => moveTables(from, to, { migrations, state: '', print: () => {} })),
  )
  await onMoveTarget(place, async (to) => {
    expect(to.phase).toBe('copied')
    await setPhase(to, 'verified')
  })
  await onMoveTarget(place, (to) => openTarget(to, { migrations, servesUrl: null, note: async () => {} }))
  const target = await openDatabase({ databaseUrl: url, dataDir: '' }, { migrations })
  const tables = ['z_parent', 'a_child', 'migration']
  expect(await rowsOf(target, tables)).toEqual(await rowsOf(source, tables))
  expect(await target.first('INSERT INTO a_child (one) VALUES (NULL) RETURNING sequence')).toEqual({ sequence: 3 })
  await Promise.all([source.close(), target.close()])
})

test('a move that is killed continues where it was, and a service does not start on half of it', async () => {
  const [dataDir, url] = [newPlace(), await postgres.createDatabase()]
  await fillFolderMuch(dataDir)
  const child = await startModule(new URL('../../testing/admin-child.ts', import.meta.url), {
    words: ['move'],
    environment: { DATA_DIR: dataDir, DATABASE_URL: url, SECRET_KEY: TEST_SECRET_KEY },
  })
  for (let line = await child.nextLine(); !line?.startsWith('rate_limit: 100000 of'); line = await child.nextLine()) {
    if (line === null) throw new Error('the move ended before it could be killed')
  }
  await child.kill()
  await expect(createTestApp({ databaseUrl: url })).rejects.toThrow()
  expect((await runTestAdmin({ DATABASE_URL: url, SECRET_KEY: TEST_SECRET_KEY }, ['migrate'])).complaints[0]).toMatch(
    /end "admin move" first/,
  )

  const other = newPlace()
  await fillFolder(other)
  expect((await move(other, url)).complaints[0]).toMatch(/holds part of another database/)

  const resumed = await move(dataDir, url)
  expect(resumed).toMatchObject({ exitCode: 0, complaints: [] })
  expect(resumed.printed).toContain('continuing')
  expect(resumed.printed).not.toContain('rate_limit: 100000 of 200000')
  await mustBeSame(dataDir, url)
})

class PowerCut extends Error {}

test('a source that was written to after a break is not continued', async () => {
  const [dataDir, url] = [newPlace(), await postgres.createDatabase()]
  await fillFolder(dataDir)
  const broken = runAdmin(['move'], {
    commands: everyCommand,
    tables: ALL_TABLES,
    plugins: everyMoment,
    environment: { DATA_DIR: dataDir, DATABASE_URL: url, SECRET_KEY: TEST_SECRET_KEY },
    print(line) {
      if (line.startsWith('wallet')) throw new PowerCut()
    },
    complain: () => {},
  })
  expect(await broken).not.toBe(0)
  const app = await createTestApp({ dataDir })
  await app.generate(liveRequest('Allow'))
  await app.close()
  expect((await move(dataDir, url)).complaints[0]).toMatch(/before it was written to again: name an empty one/)
})

test('what cannot be moved is one line, and nothing is changed on either side', async () => {
  const dataDir = newPlace()
  await fillFolder(dataDir)
  const url = await postgres.createDatabase()
  const refused = async (answer: ReturnType<typeof move>, why: RegExp) => {
    const { exitCode, complaints, printed } = await answer
    expect(exitCode).not.toBe(0)
    expect(complaints[0]).toMatch(why)
    expect(printed.filter((line) => line !== 'verifying SQLite')).toEqual([])
    expect(await listRelations(url)).toBe(0)
    expect(existsSync(join(dataDir, DATABASE_FILE))).toBe(true)
  }

  const app: TestApp = await createTestApp({ dataDir })
  await refused(move(dataDir, url), /another service process is using the folder/)
  await app.close()

  const used = await postgres.createDatabase()
  await (await openTestDatabase({ databaseUrl: used, dataDir: '' })).close()
  await refused(move(dataDir, used), /the target is not empty/)
  await refused(move(newPlace(), url), /there is no database in the folder/)
  await refused(move(dataDir, url, { SECRET_KEY: 'another key that is just as long as it must be' }), /another key/)
  await refused(move(dataDir, 'postgres://nobody@127.0.0.1:1/none'), /no PostgreSQL answers there/)
  const nowhere = { DATA_DIR: dataDir, SECRET_KEY: TEST_SECRET_KEY }
  await refused(runTestAdmin(nowhere, ['move']), /DATABASE_URL is missing/)
  await refused(runTestAdmin(nowhere, ['move', 'mysql://hunter2@h/d']), /^DATABASE_URL: expected(?!.*hunter2)/)

  const holder = new pg.Client({ connectionString: url })
  await holder.connect()
  await holder.query('SELECT pg_advisory_lock(4100000002)')
  await refused(move(dataDir, url), /another "admin move" is writing/)
  await holder.end()

  const foreign = newPlace()
  mkdirSync(foreign)
  writeFileSync(join(foreign, DATABASE_FILE), 'no database at all, only words')
  await refused(move(foreign, url), /not a database of this service/)

  const newer = newPlace()
  const widening = { name: 'from-the-future', statements: () => ['CREATE TABLE of_the_future (id TEXT PRIMARY KEY)'] }
  const future = [...ALL_TABLES, widening]
  await (await openDatabase({ databaseUrl: null, dataDir: newer }, { migrations: future })).close()
  await refused(move(newer, url), /a newer version made "from-the-future"/)

  const older = newPlace()
  const before = ALL_TABLES.slice(0, -1)
  await (await openDatabase({ databaseUrl: null, dataDir: older }, { migrations: before })).close()
  await refused(move(older, url), /it is of an older version/)
  const reader = await openDatabase({ databaseUrl: null, dataDir: older }, { migrations: [], role: 'reader' })
  expect((await reader.all('SELECT name FROM migration')).length).toBe(before.length)
  await reader.close()

  const broken = newPlace()
  await fillFolder(broken)
  const database = await openTestDatabase({ databaseUrl: null, dataDir: broken }, 'operator')
  await database.run(`UPDATE wallet SET balance_credits = balance_credits + 1 WHERE tenant_id = 'demo-lender'`)
  await database.close()
  await refused(move(broken, url), /the books balance/)
})

/** For the tables and some of the rows. */
const ROOM_BYTES = 20_000_000
const disk = mkdtempSync(join(tmpdir(), 'move-disk-'))
const isMounted = mountsDisk()
afterAll(() => {
  if (isMounted) execFileSync('umount', [disk])
  rmSync(disk, { recursive: true, force: true })
})

function mountsDisk(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=96m,mode=755', 'tmpfs', disk], { stdio: 'ignore' })
    return true
  } catch {
    // Only root may, and not in every container.
    return false
  }
}

test.runIf(isMounted)('a full disk is one line, and the move continues once there is room', async () => {
  const dataDir = newPlace()
  await fillFolderMuch(dataDir)
  const server = await startThrowawayPostgres({ within: disk })
  try {
    const url = await server.createDatabase()
    const { bavail, bsize } = statfsSync(disk)
    writeFileSync(join(disk, 'filler'), Buffer.alloc(bavail * bsize - ROOM_BYTES))
    const full = await move(dataDir, url)
    expect(full.exitCode).not.toBe(0)
    // A server whose log finds no room ends.
    expect(full.complaints).toEqual([expect.stringMatching(/no room left|cannot serve now|no PostgreSQL answers/)])
    execFileSync('mount', ['-o', 'remount,size=600m', disk])
    await server.kill()
    await server.start()
    expect(await move(dataDir, url)).toMatchObject({ exitCode: 0, complaints: [] })
    await mustBeSame(dataDir, url)
  } finally {
    await server.stop()
  }
})
