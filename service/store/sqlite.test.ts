import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { ALL_TABLES } from '../../testing/open-database.ts'
import { startModule } from '../../testing/run-module.ts'
import { describeStore } from '../../testing/store-promises.ts'
import { ConstraintViolation, type Database, DatabaseUnavailable } from './database.ts'
import { DATABASE_FILE, openSqlite, UnusableFolder } from './sqlite.ts'
import { loadSqliteDriver } from './sqlite-driver.ts'

const root = mkdtempSync(join(tmpdir(), 'sqlite-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let folders = 0
function newFolder(): string {
  folders += 1
  return join(root, String(folders))
}

describeStore('SQLite', () => openSqlite({ folder: newFolder(), role: 'service', migrations: ALL_TABLES }))

describe('SQLite on its own', () => {
  test('a second service on the same folder is refused in words, and may come once the first is gone', async () => {
    const folder = newFolder()
    const first = await openSqlite({ folder, role: 'service', migrations: ALL_TABLES })
    await expect(openSqlite({ folder, role: 'service', migrations: ALL_TABLES })).rejects.toThrow(
      'another service process is using the folder',
    )
    await expect(openSqlite({ folder, role: 'service', migrations: ALL_TABLES })).rejects.toThrow(
      /DATA_DIR.*DATABASE_URL/,
    )
    await first.close()
    await (await openSqlite({ folder, role: 'service', migrations: ALL_TABLES })).close()
  })

  test.each<[string, (folder: string) => void, string]>([
    ['a file in its place', (folder) => writeFileSync(folder, ''), 'can make, read and write'],
    [
      'a folder in the database’s place',
      (folder) => mkdirSync(join(folder, DATABASE_FILE), { recursive: true }),
      'EISDIR',
    ],
    ['something else under its name', writeNoise, 'is a database of this service, undamaged'],
  ])('a folder that is none is refused in words: %s', async (_name, prepare, words) => {
    const folder = newFolder()
    prepare(folder)
    const opening = openSqlite({ folder, role: 'service', migrations: ALL_TABLES })
    await expect(opening).rejects.toThrow(UnusableFolder)
    await expect(opening).rejects.toThrow(/^DATA_DIR: expected a folder .*, got ".+" \(\w+\)$/)
    await expect(opening).rejects.toThrow(words)
  })

  test('a database that a newer version has widened is served, so that a release can be taken back', async () => {
    const folder = newFolder()
    const widening = { name: 'from-the-future', statements: () => ['ALTER TABLE tenant ADD COLUMN of_the_future TEXT'] }
    await (await openSqlite({ folder, role: 'service', migrations: [...ALL_TABLES, widening] })).close()
    const database = await openSqlite({ folder, role: 'service', migrations: ALL_TABLES })
    expect(await database.all('SELECT * FROM tenant')).toEqual([])
    await database.close()
  })

  test('a reader works beside a running service and cannot write', async () => {
    const folder = newFolder()
    const service = await openSqlite({ folder, role: 'service', migrations: ALL_TABLES })
    const reader = await openSqlite({ folder, role: 'reader', migrations: ALL_TABLES })
    await service.run('INSERT INTO migration (name, applied_at_ms) VALUES (?, ?)', 'seen', 1)
    expect(await reader.first('SELECT name FROM migration WHERE name = ?', 'seen')).not.toBeNull()
    await expect(reader.run('DELETE FROM migration')).rejects.toThrow()
    await expect(reader.transaction(async () => 1)).rejects.toThrow(/reading only/)
    await reader.close()
    await service.close()
  })

  test('an operator writes beside a running service, and the service sees it', async () => {
    const folder = newFolder()
    const service = await openSqlite({ folder, role: 'service', migrations: ALL_TABLES })
    const operator = await openSqlite({ folder, role: 'operator', migrations: ALL_TABLES })
    await operator.run('INSERT INTO migration (name, applied_at_ms) VALUES (?, ?)', 'by hand', 1)
    expect(await service.first('SELECT name FROM migration WHERE name = ?', 'by hand')).not.toBeNull()
    await operator.close()
    await service.close()
  })

  test('an acknowledged write is on disk, not in a buffer', async () => {
    const folder = newFolder()
    const database = await openSqlite({ folder, role: 'service', migrations: ALL_TABLES })
    const setting = await settingOf(database, 'synchronous')
    expect(setting).toBe(2)
    expect(await settingOf(database, 'journal_mode')).toBe('wal')
    await database.run('INSERT INTO migration (name, applied_at_ms) VALUES (?, ?)', 'needle-in-the-log', 1)
    expect(readFileSync(join(folder, `${DATABASE_FILE}-wal`)).includes('needle-in-the-log')).toBe(true)
    await database.close()
  })

  test('a full disk refuses, loses nothing that was acknowledged, and is over when there is room', async () => {
    const database = await openSqlite({ folder: newFolder(), role: 'service', migrations: ALL_TABLES })
    const limit = (pages: number) =>
      database.transaction((queries) => queries.first(`PRAGMA max_page_count = ${pages}`))
    const insert = (name: string) => database.run('INSERT INTO migration (name, applied_at_ms) VALUES (?, ?)', name, 1)
    const large = 'x'.repeat(100_000)
    await insert('before')
    await limit(1)
    const outcomes = await Promise.allSettled([insert(`large ${large}`), insert('beside it')])
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: { name: 'DatabaseUnavailable', code: 'SQLITE_FULL' },
      })
    }
    const kept = async () =>
      (await database.all(`SELECT name FROM migration WHERE applied_at_ms = 1 ORDER BY name DESC`)).map(
        (row) => row.name,
      )
    expect(await kept()).toEqual(['before'])
    await limit(1_000_000)
    await insert('after')
    expect(await kept()).toEqual(['before', 'after'])
    await database.close()
  })

  test('what is deleted is overwritten', async () => {
    const folder = newFolder()
    const database = await openSqlite({ folder, role: 'service', migrations: ALL_TABLES })
    await database.run('INSERT INTO migration (name, applied_at_ms) VALUES (?, ?)', 'needle-to-forget', 1)
    await database.run('DELETE FROM migration WHERE name = ?', 'needle-to-forget')
    await database.close()
    expect(readFileSync(join(folder, DATABASE_FILE)).includes('needle-to-forget')).toBe(false)
  })

  test('settings that keep what is erased erased and what belongs together together', async () => {
    const database = await openSqlite({ folder: newFolder(), role: 'service', migrations: ALL_TABLES })
    expect(await settingOf(database, 'secure_delete')).toBe(1)
    expect(await settingOf(database, 'foreign_keys')).toBe(1)
    const orphan = `INSERT INTO sealed_report (report_id, wrapped_key, content) VALUES ('nothing', x'00', x'00')`
    await expect(database.run(orphan)).rejects.toThrow(ConstraintViolation)
    await database.close()
  })

  test('an erased row is overwritten in the file itself, not only dropped from its page', async () => {
    const folder = newFolder()
    const needle = 'needle-in-a-free-cell'
    const database = await openSqlite({ folder, role: 'service', migrations: ALL_TABLES })
    await database.run('INSERT INTO migration (name, applied_at_ms) VALUES (?, ?)', needle, 1)
    // Into the file, so that the deletion has something to overwrite there.
    await database.scrub('migration')
    expect(readFileSync(join(folder, DATABASE_FILE)).includes(needle)).toBe(true)
    await database.run('DELETE FROM migration WHERE name = ?', needle)
    await database.scrub('migration')
    expect(readFileSync(join(folder, DATABASE_FILE)).includes(needle)).toBe(false)
    await database.close()
  })

  test('after a clean stop the file alone is the database', async () => {
    const [folder, copy] = [newFolder(), newFolder()]
    const database = await openSqlite({ folder, role: 'service', migrations: ALL_TABLES })
    await database.run('INSERT INTO migration (name, applied_at_ms) VALUES (?, ?)', 'kept', 1)
    await database.close()
    mkdirSync(copy)
    copyFileSync(join(folder, DATABASE_FILE), join(copy, DATABASE_FILE))
    const opened = await openSqlite({ folder: copy, role: 'reader', migrations: [] })
    expect(await opened.first('SELECT name FROM migration WHERE name = ?', 'kept')).not.toBeNull()
    await opened.close()
  })

  test('no one else on the machine may read the database or its log', async () => {
    const folder = newFolder()
    mkdirSync(folder)
    writeFileSync(join(folder, DATABASE_FILE), '', { mode: 0o644 })
    const database = await openSqlite({ folder, role: 'service', migrations: ALL_TABLES })
    const modes = [DATABASE_FILE, `${DATABASE_FILE}-wal`].map((file) => statSync(join(folder, file)).mode & 0o777)
    expect(modes).toEqual([0o600, 0o600])
    await database.close()
  })

  test('another process’s write keeps a write waiting, and nothing else', async () => {
    const folder = newFolder()
    const database = await openSqlite({ folder, role: 'service', migrations: ALL_TABLES })
    const { DatabaseSync } = loadSqliteDriver()
    const shell = new DatabaseSync(join(folder, DATABASE_FILE))
    shell.exec('BEGIN IMMEDIATE')
    const write = database.run('INSERT INTO migration (name, applied_at_ms) VALUES (?, ?)', 'waited', 1)
    // The lock is let go from this very event loop: were it stopped, the write would time out first.
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(await database.first('SELECT name FROM migration WHERE name = ?', 'waited')).toBeNull()
    shell.exec('COMMIT')
    shell.close()
    expect(await write).toBe(1)
    await database.close()
  })

  test('a disk that is full makes it unready, and room makes it ready again without a request', async () => {
    const database = await openSqlite({ folder: newFolder(), role: 'service', migrations: ALL_TABLES })
    const limit = (pages: number) =>
      database.transaction((queries) => queries.first(`PRAGMA max_page_count = ${pages}`))
    const large = database.run('INSERT INTO migration (name, applied_at_ms) VALUES (?, ?)', 'x'.repeat(100_000), 1)
    await large
    expect(await database.probe()).toMatchObject({ refusal: null })
    await limit(1)
    const full = database.run('INSERT INTO migration (name, applied_at_ms) VALUES (?, ?)', 'y'.repeat(100_000), 1)
    await expect(full).rejects.toThrow(DatabaseUnavailable)
    expect(await database.probe()).toMatchObject({ refusal: 'SQLITE_FULL' })
    await limit(1_000_000)
    expect(await database.probe()).toMatchObject({ refusal: null })
    expect(await database.all('SELECT * FROM write_trial')).toEqual([])
    await database.close()
  })

  test('processes that start at the same time build one schema between them', async () => {
    const folder = newFolder()
    const module = new URL('../../testing/open-child.ts', import.meta.url)
    const openings = await Promise.all([1, 2, 3].map(() => startModule(module, { folder })))
    expect(await Promise.all(openings.map((child) => child.ended))).toEqual([0, 0, 0])
    const reader = await openSqlite({ folder, role: 'reader', migrations: ALL_TABLES })
    expect(await reader.all('SELECT name FROM migration')).toHaveLength(ALL_TABLES.length)
    await reader.close()
  })
})

function writeNoise(folder: string): void {
  mkdirSync(folder)
  writeFileSync(join(folder, DATABASE_FILE), 'not a database '.repeat(1_000))
}

/** A PRAGMA is answered by the connection that runs it; the writer's is reached through a transaction. */
async function settingOf(database: Database, name: string): Promise<unknown> {
  const row = await database.transaction((queries) => queries.first(`PRAGMA ${name}`))
  return row === null ? null : Object.values(row)[0]
}
