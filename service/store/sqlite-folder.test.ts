// SQLite's folder: who is refused and in which words, what its codes are called, when the log is folded, and what stays
// open.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { ALL_TABLES } from '../../testing/open-database.ts'
import { ConstraintViolation, DatabaseUnavailable, type Queries } from './database.ts'
import { NOTICE_FILE, writeMoveNotice } from './files.ts'
import { DATABASE_FILE, NoDatabaseYet, openSqlite, type SqliteOptions, UnusableFolder } from './sqlite.ts'
import { loadSqliteDriver } from './sqlite-driver.ts'

const root = mkdtempSync(join(tmpdir(), 'sqlite-folder-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let folders = 0
function newFolder(): string {
  folders += 1
  return join(root, String(folders))
}

const open = (folder: string, role: SqliteOptions['role'] = 'service', migrations = ALL_TABLES) =>
  openSqlite({ folder, role, migrations })
const ROLES = ['service', 'operator', 'reader'] as const

const INSERT = 'INSERT INTO migration (name, applied_at_ms) VALUES (?, 1)'
const FIND = 'SELECT name FROM migration WHERE name = ?'
const NOISE = 'not a database '.repeat(1_000)

describe('who is refused', () => {
  test.each(ROLES)('the %s, where the data was moved to PostgreSQL', async (role) => {
    const folder = newFolder()
    mkdirSync(folder)
    writeMoveNotice(folder, 'it was moved')
    await expect(open(folder, role)).rejects.toThrow(new UnusableFolder('it was moved'))
    expect(readdirSync(folder)).toEqual([NOTICE_FILE])
  })

  test.each(['service', 'operator'] as const)('the %s that was open before the data was moved', async (role) => {
    const folder = newFolder()
    const database = await open(folder, role)
    writeMoveNotice(folder, 'it was moved')
    await expect(database.run(INSERT, 'late')).rejects.toThrow(new UnusableFolder('it was moved'))
    await expect(database.transaction((queries) => queries.run(INSERT, 'late'))).rejects.toThrow('it was moved')
    expect(await database.first(FIND, 'late')).toBeNull()
    await database.close()
  })

  test('a reader, where nothing has been served so far; nothing is made', async () => {
    const folder = newFolder()
    const opening = open(folder, 'reader')
    await expect(opening).rejects.toThrow(NoDatabaseYet)
    await expect(opening).rejects.toMatchObject({
      name: 'UnusableFolder',
      message: `there is no database in the folder "${folder}" yet: start the service once, or check DATA_DIR and DATABASE_URL`,
    })
    expect(existsSync(folder)).toBe(false)
  })

  test.each(['service.lock', DATABASE_FILE])('the service, where %s is something else', async (file) => {
    const folder = newFolder()
    mkdirSync(folder)
    writeFileSync(join(folder, file), NOISE)
    await expect(open(folder)).rejects.toThrow(
      `DATA_DIR: expected a folder whose service.db is a database of this service, undamaged (restore a backup, or choose another folder), got "${folder}" (SQLITE_NOTADB)`,
    )
    // Nothing of the attempt is left: once it is put right, the folder is free.
    rmSync(join(folder, file))
    await (await open(folder)).close()
  })

  test('an operator, where another process writes for more than two seconds', async () => {
    const folder = newFolder()
    await (await open(folder)).close()
    const { DatabaseSync } = loadSqliteDriver()
    const shell = new DatabaseSync(join(folder, DATABASE_FILE))
    shell.exec('BEGIN IMMEDIATE')
    await expect(open(folder, 'operator')).rejects.toThrow(
      `DATA_DIR: expected a folder no other process is writing to at this moment (try again), got "${folder}" (SQLITE_BUSY)`,
    )
    shell.exec('ROLLBACK')
    shell.close()
    await (await open(folder, 'operator')).close()
  })

  test('a migration that is wrong, which is no fault of the folder', async () => {
    const folder = newFolder()
    const wrong = { name: 'wrong', statements: () => ['CREATE NONSENSE'] }
    const error = await open(folder, 'service', [...ALL_TABLES, wrong]).catch((reason: unknown) => reason)
    expect(error).not.toBeInstanceOf(UnusableFolder)
    expect(error).toMatchObject({ message: expect.stringContaining('NONSENSE') })
    const database = await open(folder)
    expect(await database.first(FIND, 'wrong')).toBeNull()
    await database.close()
  })
})

describe('what is said of a statement', () => {
  test.each<[string, (folder: string) => void, string]>([
    ['a write that a reader tries', () => {}, 'SQLITE_READONLY'],
    ['a file that is no database', (folder) => writeFileSync(join(folder, DATABASE_FILE), NOISE), 'SQLITE_NOTADB'],
    ['a damaged file', damage, 'SQLITE_CORRUPT'],
  ])('%s', async (_what, spoil, code) => {
    const folder = newFolder()
    await (await open(folder)).close()
    spoil(folder)
    const reader = await open(folder, 'reader')
    await expect(reader.run('DELETE FROM migration')).rejects.toMatchObject({ name: 'DatabaseUnavailable', code })
    await reader.close()
  })

  test('a folder in the file’s place', async () => {
    const folder = newFolder()
    mkdirSync(join(folder, DATABASE_FILE), { recursive: true })
    await expect(open(folder, 'reader')).rejects.toThrow('can make, read and write')
    await expect(open(folder, 'reader')).rejects.toThrow(/\(SQLITE_(?:CANTOPEN|IOERR)\)$/)
  })

  test('a statement that is wrong is no fault of the database, and breaks no rule of it', async () => {
    const database = await open(newFolder())
    for (const sql of ['SELECT nonsense FROM migration', 'SELECT nonsense(', 'SELECT json(?)']) {
      const error = await database.first(sql, ...(sql.includes('?') ? ['{'] : [])).catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(Error)
      expect(error).not.toBeInstanceOf(DatabaseUnavailable)
      expect(error).not.toBeInstanceOf(ConstraintViolation)
    }
    await database.close()
  })

  test('a write may give back many rows, and must change something where that is said', async () => {
    const database = await open(newFolder())
    const unless = { error: () => new RangeError('refused'), constraint: 'wallet_balance_not_negative' }
    expect(
      await database.all(`INSERT INTO migration (name, applied_at_ms) VALUES ('a', 1), ('b', 1) RETURNING name`),
    ).toEqual([{ name: 'a' }, { name: 'b' }])
    expect(await database.must(unless, INSERT, 'c')).toEqual({})
    expect(await database.must(unless, FIND, 'c')).toEqual({ name: 'c' })
    await expect(database.must(unless, FIND, 'd')).rejects.toThrow('refused')
    // Another rule than the one that means the same.
    await expect(database.must(unless, INSERT, 'c')).rejects.toThrow(ConstraintViolation)
    await expect(database.must(unless, INSERT, 'c')).rejects.toMatchObject({ constraint: 'migration.name' })
    await database.close()
  })

  test('what fails first in a batch is the answer to all that follows', async () => {
    const database = await open(newFolder())
    let said: string[] = []
    const broken = database.batch('tenant', async (queries) => {
      const outcomes = await Promise.allSettled([
        queries.run(INSERT, 'before'),
        queries.must({ error: () => new RangeError('refused') }, FIND, 'no such'),
        queries.run(INSERT, 'after'),
        queries.first('SELECT nonsense'),
      ])
      said = outcomes.map((outcome) => (outcome.status === 'rejected' ? String(outcome.reason) : `${outcome.value}`))
      throw new RangeError('refused')
    })
    await expect(broken).rejects.toThrow('refused')
    expect(said).toEqual(['1', 'RangeError: refused', 'RangeError: refused', 'RangeError: refused'])
    expect(await database.first(FIND, 'before')).toBeNull()
    await database.close()
  })

  test('a reader has snapshots, and nothing that would write', async () => {
    const folder = newFolder()
    await (await open(folder)).close()
    const reader = await open(folder, 'reader')
    expect(reader.engine).toBe('sqlite')
    expect(await reader.snapshot((queries) => queries.first('SELECT 1 AS one'))).toEqual({ one: 1 })
    expect(await reader.probe()).toEqual({ refusal: 'reading-only', clockMs: null })
    expect(reader.load()).toEqual({ inUse: 0, waiting: 0 })
    for (const refused of [reader.transaction(async () => 1), reader.batch('a', async () => 1), reader.scrub('tenant')])
      await expect(refused).rejects.toThrow('this database was opened for reading only')
    await reader.close()
  })
})

describe('the log', () => {
  afterEach(() => vi.useRealTimers())
  const fileHas = (folder: string, needle: string) => readFileSync(join(folder, DATABASE_FILE)).includes(needle)

  test('is folded into the file once a minute, until it is closed', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const folder = newFolder()
    const database = await open(folder)
    await database.run(INSERT, 'needle-of-this-minute')
    await vi.advanceTimersByTimeAsync(59_999)
    expect(fileHas(folder, 'needle-of-this-minute')).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(fileHas(folder, 'needle-of-this-minute')).toBe(true)
    expect(vi.getTimerCount()).toBe(1)
    await database.close()
    expect(vi.getTimerCount()).toBe(0)
  })

  test('is folded sooner when it has grown to 16 MiB', async () => {
    const folder = newFolder()
    const database = await open(folder)
    await database.run(INSERT, 'x'.repeat(17 * 1_024 * 1_024))
    expect(statSync(join(folder, DATABASE_FILE)).size).toBeGreaterThan(16 * 1_024 * 1_024)
    await database.close()
  })

  test('keeps what a reader of the moment before may still need; scrubbing waits for that', async () => {
    const folder = newFolder()
    const database = await open(folder)
    await database.run(INSERT, 'needle-that-is-read')
    const reading = hold()
    const snapshot = database.snapshot(async (queries) => {
      await queries.first(FIND, 'needle-that-is-read')
      reading.begin()
      await reading.ended
    })
    await reading.begun
    await database.run('DELETE FROM migration WHERE name = ?', 'needle-that-is-read')
    let isScrubbed = false
    const scrubbing = database.scrub('migration').then(() => {
      isScrubbed = true
    })
    for (let turns = 0; turns < 3; turns += 1) await new Promise((resolve) => setImmediate(resolve))
    expect(isScrubbed).toBe(false)
    reading.end()
    await Promise.all([snapshot, scrubbing])
    expect(statSync(join(folder, `${DATABASE_FILE}-wal`)).size).toBe(0)
    expect(fileHas(folder, 'needle-that-is-read')).toBe(false)
    await database.close()
  })

  test('is folded after the write in progress, not in the middle of it', async () => {
    const database = await open(newFolder())
    let scrubbing = Promise.resolve()
    await database.transaction(async (queries: Queries) => {
      await queries.run(INSERT, 'in the middle')
      scrubbing = database.scrub('migration')
      await queries.run(INSERT, 'and on')
    })
    await scrubbing
    expect(await database.first(FIND, 'and on')).not.toBeNull()
    await database.close()
  })
})

describe('closing', () => {
  test('waits for what was asked for, and leaves the file alone the whole database beside a reader', async () => {
    const [folder, copy] = [newFolder(), newFolder()]
    const database = await open(folder)
    const reader = await open(folder, 'reader')
    const writing = database.run(INSERT, 'asked for')
    expect(database.load()).toEqual({ inUse: 1, waiting: 1 })
    await database.close()
    expect(await writing).toBe(1)
    mkdirSync(copy)
    copyFileSync(join(folder, DATABASE_FILE), join(copy, DATABASE_FILE))
    const copied = await open(copy, 'reader')
    expect(await copied.first(FIND, 'asked for')).not.toBeNull()
    await Promise.all([copied.close(), reader.close()])
  })

  test.each(ROLES)('leaves nothing of the %s open', async (role) => {
    const folder = newFolder()
    await (await open(folder)).close()
    const database = await open(folder, role)
    expect(await database.first('SELECT 1 AS one')).toEqual({ one: 1 })
    await database.close()
    await expect(database.first('SELECT 1 AS one')).rejects.toThrow()
    await expect(database.first('SELECT 2 AS two')).rejects.toThrow()
    await expect(database.run(INSERT, 'too late')).rejects.toThrow()
    const reader = await open(folder, 'reader')
    expect(await reader.first(FIND, 'too late')).toBeNull()
    await reader.close()
  })

  test('a snapshot ends with its work, also with work that fails', async () => {
    const database = await open(newFolder())
    const kept: Queries[] = []
    await database.snapshot(async (queries) => {
      kept.push(queries)
      await queries.first('SELECT 1 AS one')
    })
    const broken = database.snapshot(async (queries) => {
      kept.push(queries)
      throw new RangeError('on purpose')
    })
    await expect(broken).rejects.toThrow('on purpose')
    for (const queries of kept) {
      await expect(queries.first('SELECT 1 AS one')).rejects.toThrow()
      await expect(queries.first('SELECT 2 AS two')).rejects.toThrow()
    }
    await database.close()
  })
})

/** Every page but the first, which says what the file is. */
function damage(folder: string): void {
  const file = join(folder, DATABASE_FILE)
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.fill(0xff, 4_096))
}

function hold() {
  let [begin, end] = [() => {}, () => {}]
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  return { begun, ended, begin: () => begin(), end: () => end() }
}
