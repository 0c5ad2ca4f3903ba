// Copies and tables at an operator's hands: what is refused and what is left behind.
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../plugins/postgres/open-database.ts'
import { SQLITE, statementsOf } from '../../service/store/migration.ts'
import { DATABASE_FILE } from '../../service/store/sqlite.ts'
import { runTestAdmin } from '../../testing/admin.ts'
import { ALL_TABLES } from '../../testing/open-database.ts'
import { createTestApp, liveRequest, TEST_SECRET_KEY } from '../../testing/test-app.ts'

const root = mkdtempSync(join(tmpdir(), 'admin-backup-'))
const whole = join(root, 'whole')
beforeAll(async () => {
  const app = await createTestApp({ dataDir: whole })
  await app.generate(liveRequest('Allow'))
  await app.close()
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const admin = (dataDir: string, ...words: string[]) =>
  runTestAdmin({ DATA_DIR: dataDir, SECRET_KEY: TEST_SECRET_KEY }, words)

let names = 0
const newPath = () => {
  names += 1
  return join(root, `path-${names}`)
}

describe('a backup', () => {
  test('is put where there is none, and nothing half written is left', async () => {
    const [file, target] = [newPath(), newPath()]
    await admin(whole, 'backup', file)
    expect(await admin(target, 'restore', file)).toEqual({
      exitCode: 0,
      printed: [`restored ${file}: whole, balanced, and opened by this SECRET_KEY`],
      complaints: [],
    })
    expect(existsSync(join(target, `${DATABASE_FILE}.part`))).toBe(false)
  })

  test('is this user’s alone, with its checksum; nothing half written is left', async () => {
    const file = newPath()
    expect((await admin(whole, 'backup', file)).exitCode).toBe(0)
    expect([file, `${file}.sha256`].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600])
    expect(readFileSync(`${file}.sha256`, 'utf8')).toMatch(new RegExp(`^[0-9a-f]{64}  path-${names}\n$`))
    expect(existsSync(`${file}.part`)).toBe(false)
  })

  test.each([
    ['a file of its name', '', 'exists already; a backup never overwrites one'],
    ['a checksum of its name', '.sha256', 'exists already; a backup never overwrites one'],
    ['one that is being written', '.part', 'cannot be written (EEXIST)'],
  ])('stops at %s, which stays as it is', async (_what, ending, complaint) => {
    const file = newPath()
    writeFileSync(`${file}${ending}`, 'kept')
    expect(await admin(whole, 'backup', file)).toEqual({
      exitCode: 1,
      printed: [],
      complaints: [`"${file}${ending}" ${complaint}`],
    })
    expect(readFileSync(`${file}${ending}`, 'utf8')).toBe('kept')
  })

  test('says when the newest was made', async () => {
    const madeAt = async () => {
      const reader = await openDatabase({ databaseUrl: null, dataDir: whole }, { migrations: [], role: 'reader' })
      const rows = await reader.all('SELECT id, at_ms FROM backup_time')
      await reader.close()
      return rows
    }
    const beforeMs = Date.now()
    await admin(whole, 'backup', newPath())
    const [row, ...others] = await madeAt()
    expect(others).toEqual([])
    expect(Number(row?.at_ms)).toBeGreaterThanOrEqual(beforeMs)
    const { printed } = await admin(whole, 'backed-up')
    expect(printed).toEqual([`backed up at ${new Date(Number((await madeAt())[0]?.at_ms)).toISOString()}`])
  })

  test('is put only where no database is', async () => {
    const [file, target] = [newPath(), newPath()]
    await admin(whole, 'backup', file)
    expect((await admin(target, 'restore', `${file}-none`)).complaints).toEqual([`there is no file "${file}-none"`])
    expect(existsSync(target)).toBe(false)
    const occupied = `"${join(whole, DATABASE_FILE)}" exists; stop the service and move it, with its -wal and -shm, or choose another DATA_DIR`
    expect((await admin(whole, 'restore', file)).complaints).toEqual([occupied])
  })
})

describe('tables of an older version', () => {
  const before = ALL_TABLES.slice(0, -2)
  const missing = ALL_TABLES.slice(-2)

  test('are shown as what would be done to them, and then brought up to date', async () => {
    const dataDir = newPath()
    await (await openDatabase({ databaseUrl: null, dataDir }, { migrations: before })).close()
    const planned = [
      ...missing.flatMap((migration) => [
        `-- ${migration.name}`,
        ...statementsOf(migration, SQLITE).map((statement) => `${statement};`),
      ]),
      '-- 2 to apply; nothing was changed',
    ]
    expect(await admin(dataDir, 'migrate', '--plan')).toEqual({ exitCode: 0, printed: planned, complaints: [] })
    expect((await admin(dataDir, 'migrate', '--plan')).printed).toEqual(planned)
    const done = { exitCode: 0, printed: ['the tables are up to date'], complaints: [] }
    expect(await admin(dataDir, 'migrate')).toEqual(done)
    expect(await admin(dataDir, 'migrate', '--plan')).toEqual(done)
  })
})
