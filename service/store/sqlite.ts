// The embedded engine: one file, one writer, readers that never wait. An acknowledged write survives a power cut.
import { chmodSync, closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import {
  ConstraintViolation,
  type Database,
  DatabaseUnavailable,
  isBreachOf,
  type Queries,
  RETURNS,
  type Row,
  type SqlValue,
  type Unless,
} from './database.ts'
import { makeFolder, readMoveNotice } from './files.ts'
import { createGroupCommit, type GroupCommit } from './group-commit.ts'
import { type Migration, migrate, SQLITE } from './migration.ts'
import { loadSqliteDriver, type SqliteConnection, type SqliteStatement } from './sqlite-driver.ts'
import { createWriteHealth } from './write-health.ts'

export const DATABASE_FILE = 'service.db'
/** The name that `admin move` leaves the file under. */
export const MOVED_FILE = 'service.db.moved'
const LOCK_FILE = 'service.lock'

/** Time for which a write waits for another process's, such as an operator's command. */
const BUSY_TIMEOUT_MS = 2_000
/** SQLite's own wait stops the event loop, so it is short while the service runs; the rest of the wait is ours. */
const BUSY_STOP_MS = 5
const BUSY_RETRY_MS = 20
/** The interval at which the write-ahead log is copied into the file, so that the file alone is never far behind. */
const FOLD_EVERY_MS = 60_000
/** Memory for pages, in KiB, per connection. */
const PAGE_CACHE_KIB = 4_096
/** The write-ahead log is folded into the file at about this many pages of 4 KiB. */
const CHECKPOINT_PAGES = 4_000

export type SqliteOptions = {
  folder: string
  /**
   * `service` owns the folder: a second one is refused. `operator` writes beside it in short transactions.
   * `reader` can only read, and needs the database to exist.
   */
  role: 'service' | 'operator' | 'reader'
  migrations: readonly Migration[]
}

/** The folder cannot serve; the message says why and what to do. */
export class UnusableFolder extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'UnusableFolder'
  }
}

/** Nothing has been served from there so far. */
export class NoDatabaseYet extends UnusableFolder {}

function whyUnusable(code: string): string {
  switch (code) {
    case 'ENOSPC':
    case 'SQLITE_FULL':
      return 'expected a folder on a disk with room left'
    case 'SQLITE_CORRUPT':
    case 'SQLITE_NOTADB':
      return `expected a folder whose ${DATABASE_FILE} is a database of this service, undamaged (restore a backup, or choose another folder)`
    case 'SQLITE_BUSY':
      return 'expected a folder no other process is writing to at this moment (try again)'
    default:
      return 'expected a folder that this user can make, read and write'
  }
}

export async function openSqlite(options: SqliteOptions): Promise<Database> {
  const opened: SqliteConnection[] = []
  try {
    return await openFolder(options, opened)
  } catch (error) {
    opened.forEach(closeAnyway)
    const code = error instanceof DatabaseUnavailable ? error.code : fileErrorOf(error)
    if (code === null) throw error
    throw new UnusableFolder(`DATA_DIR: ${whyUnusable(code)}, got "${options.folder}" (${code})`, { cause: error })
  }
}

function closeAnyway(connection: SqliteConnection): void {
  try {
    connection.close()
  } catch {
    // Closed already.
  }
}

function fileErrorOf(error: unknown): string | null {
  const isFileError = error instanceof Error && 'syscall' in error && 'code' in error
  return isFileError ? String(error.code) : null
}

/** `opened` collects the connections, so that they can be closed when opening fails. */
async function openFolder({ folder, role, migrations }: SqliteOptions, opened: SqliteConnection[]): Promise<Database> {
  const { DatabaseSync } = loadSqliteDriver()
  const open = (path: string) => {
    const connection = guarded(() => new DatabaseSync(path))
    opened.push(connection)
    return connection
  }
  const path = join(folder, DATABASE_FILE)
  const openReader = () => {
    const connection = guarded(() => new DatabaseSync(path, { readOnly: true }))
    connection.exec(`PRAGMA busy_timeout = ${BUSY_STOP_MS}`)
    return connection
  }

  requireNotMoved(folder)
  if (role === 'reader') {
    if (!existsSync(path)) {
      const remedy = 'start the service once, or check DATA_DIR and DATABASE_URL'
      throw new NoDatabaseYet(`there is no database in the folder "${folder}" yet: ${remedy}`)
    }
    return readOnlyDatabase(openReader)
  }

  makeFolder(folder)
  const lock = role === 'service' ? takeLock(open(join(folder, LOCK_FILE)), folder) : null
  makePrivate(path)
  const writer = open(path)
  guarded(() => {
    for (const setting of WRITER_SETTINGS) writer.exec(setting)
  })
  const writes = queriesOn(writer)
  const steps = stepsOn(writer)
  const group = createGroupCommit(writes.queries, {
    ...steps,
    async begin() {
      await steps.begin()
      // `admin move` writes its notice under the write lock. A process that waited for the lock meanwhile finds the
      // notice here.
      requireNotMoved(folder)
    },
  })
  await group.submit((queries) => migrate(queries, SQLITE, migrations, Date.now()))
  writer.exec(`PRAGMA busy_timeout = ${BUSY_STOP_MS}`)
  const fold = () => foldLog(writer, group)
  const folding = setInterval(() => void fold().catch(() => {}), FOLD_EVERY_MS).unref()
  const health = createWriteHealth({ run: (sql, ...values) => group.submit((queries) => queries.run(sql, ...values)) })
  const write = <T>(work: (queries: Queries) => Promise<T>, lane?: string) => health.watch(group.submit(work, lane))

  // Reads outside a transaction get their own connection: on the writer's they would see what is not committed yet.
  const reader = openReader()
  const reads = queriesOn(reader)
  const isRead = (sql: string) => /^\s*(?:SELECT|WITH)\b/i.test(sql)

  return {
    engine: 'sqlite',
    all: (sql, ...values) =>
      isRead(sql) ? reads.queries.all(sql, ...values) : write((queries) => queries.all(sql, ...values)),
    first: (sql, ...values) =>
      isRead(sql) ? reads.queries.first(sql, ...values) : write((queries) => queries.first(sql, ...values)),
    run: (sql, ...values) => write((queries) => queries.run(sql, ...values)),
    must: (unless, sql, ...values) => write((queries) => queries.must(unless, sql, ...values)),
    transaction: (work) => write(work),
    batch: (tenantId, work) => write(() => work(writes.batched()), tenantId),
    snapshot: (work) => snapshotOn(openReader(), work),
    // Deleted rows are overwritten in the file at once (`secure_delete`); their old pages linger in the log until now.
    scrub: fold,
    probe: async () => ({ refusal: await health.refusal(), clockMs: null }),
    load: () => group.load(),
    async close() {
      clearInterval(folding)
      await group.idle()
      reader.close()
      // From here on the file alone is the whole database, and can be copied.
      await fold().catch(() => {})
      writer.close()
      lock?.close()
    },
  }
}

/** Throws where `admin move` has left its notice: a new, empty database would be served without a word. */
export function requireNotMoved(folder: string): void {
  const notice = readMoveNotice(folder)
  if (notice !== null) throw new UnusableFolder(notice)
}

/** Readable by this user only; its log and index files take over its mode. */
function makePrivate(path: string): void {
  closeSync(openSync(path, 'a', FILE_MODE))
  chmodSync(path, FILE_MODE)
}

const FILE_MODE = 0o600

/**
 * Moves everything from the write-ahead log into the file and empties it, as soon as no other process is in the way.
 */
async function foldLog(writer: SqliteConnection, group: GroupCommit): Promise<void> {
  const checkpoint = writer.prepare('PRAGMA wal_checkpoint(TRUNCATE)')
  await patiently(async () => {
    await group.idle()
    const row = guarded(() => checkpoint.get())
    if (Number(row?.busy) !== 0) throw new DatabaseUnavailable('SQLITE_BUSY')
  })
}

/** Tries again while another process writes. The event loop is free in between. */
async function patiently(step: () => void | Promise<void>): Promise<void> {
  const deadlineMs = performance.now() + BUSY_TIMEOUT_MS
  for (;;) {
    try {
      return await step()
    } catch (error) {
      const isBusy = error instanceof DatabaseUnavailable && error.code === 'SQLITE_BUSY'
      if (!isBusy || performance.now() > deadlineMs) throw error
    }
    await setTimeout(BUSY_RETRY_MS)
  }
}

const WRITER_SETTINGS = [
  `PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`,
  'PRAGMA journal_mode = WAL',
  // FULL: an acknowledged charge is on the disk, not in a buffer that a power cut empties.
  'PRAGMA synchronous = FULL',
  'PRAGMA foreign_keys = ON',
  // Deleted rows are overwritten: an erased key must not stay in a free page.
  'PRAGMA secure_delete = ON',
  `PRAGMA cache_size = -${PAGE_CACHE_KIB}`,
  // Savepoints keep their journal in memory: in a temporary file they wrote more than the database itself.
  'PRAGMA temp_store = MEMORY',
  `PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`,
]

function readOnlyDatabase(openReader: () => SqliteConnection): Database {
  const reader = openReader()
  const { queries } = queriesOn(reader)
  return {
    engine: 'sqlite',
    ...queries,
    transaction: refuseWrite,
    batch: refuseWrite,
    snapshot: (work) => snapshotOn(openReader(), work),
    scrub: refuseWrite,
    probe: async () => ({ refusal: 'reading-only', clockMs: null }),
    load: () => ({ inUse: 0, waiting: 0 }),
    close: async () => reader.close(),
  }
}

function refuseWrite(): Promise<never> {
  return Promise.reject(new Error('this database was opened for reading only'))
}

/** The operating system drops the lock with the process, however it ends: nothing stale to clean up. */
function takeLock(connection: SqliteConnection, folder: string): SqliteConnection {
  try {
    guarded(() => connection.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE'))
    return connection
  } catch (error) {
    connection.close()
    const isTaken = error instanceof DatabaseUnavailable && error.code === 'SQLITE_BUSY'
    if (!isTaken) throw error
    const remedy = 'stop it, choose another DATA_DIR, or share PostgreSQL with DATABASE_URL'
    throw new UnusableFolder(`another service process is using the folder "${folder}": ${remedy}`)
  }
}

async function snapshotOn<T>(connection: SqliteConnection, work: (queries: Queries) => Promise<T>): Promise<T> {
  connection.exec('BEGIN')
  try {
    return await work(queriesOn(connection).queries)
  } finally {
    // Ended explicitly: closing alone keeps the snapshot until every compiled statement is collected.
    connection.exec('ROLLBACK')
    connection.close()
  }
}

function stepsOn(connection: SqliteConnection) {
  const step = (sql: string) => {
    const statement = connection.prepare(sql)
    return () => {
      guarded(() => statement.run())
    }
  }
  const begin = step('BEGIN IMMEDIATE')
  const rollbackTo = step('ROLLBACK TO work')
  const release = step('RELEASE work')
  return {
    // The one step that can find another process in its way.
    begin: () => patiently(begin),
    savepoint: step('SAVEPOINT work'),
    release,
    rollbackToSavepoint() {
      rollbackTo()
      release()
    },
    commit: step('COMMIT'),
    rollback: step('ROLLBACK'),
  }
}

/** Every statement is compiled once; the service's statements are a fixed, small set. */
function queriesOn(connection: SqliteConnection) {
  const statements = new Map<string, SqliteStatement>()
  const prepare = (sql: string): SqliteStatement => {
    let statement = statements.get(sql)
    if (statement === undefined) {
      statement = connection.prepare(sql)
      statements.set(sql, statement)
    }
    return statement
  }

  const all = (sql: string, values: SqlValue[]) => guarded(() => prepare(sql).all(...values))
  const first = (sql: string, values: SqlValue[]) => guarded(() => prepare(sql).get(...values) ?? null)
  const run = (sql: string, values: SqlValue[]) => guarded(() => Number(prepare(sql).run(...values).changes))

  function must(unless: Unless, sql: string, values: SqlValue[]): Row {
    let row: Row | null = null
    try {
      if (RETURNS.test(sql)) row = first(sql, values)
      else if (run(sql, values) > 0) row = {}
    } catch (error) {
      throw isBreachOf(error, unless.constraint) ? unless.error() : error
    }
    if (row === null) throw unless.error()
    return row
  }

  const queriesWith = (answer: <T>(statement: () => T) => Promise<T>): Queries => ({
    all: (sql, ...values) => answer(() => all(sql, values)),
    first: (sql, ...values) => answer(() => first(sql, values)),
    run: (sql, ...values) => answer(() => run(sql, values)),
    must: (unless, sql, ...values) => answer(() => must(unless, sql, values)),
  })

  return {
    queries: queriesWith(async (statement) => statement()),
    /** For one batch: what fails first is the answer to all that follows, as where they travel together. */
    batched(): Queries {
      let failure: Promise<never> | null = null
      return queriesWith(async (statement) => {
        if (failure) return failure
        try {
          return statement()
        } catch (error) {
          failure = Promise.reject(error)
          failure.catch(() => {})
          return failure
        }
      })
    },
  }
}

// SQLite's errors as ours.

/** Low bytes of SQLite's result codes that say "not now" rather than "wrong". */
const UNAVAILABLE: { [code: number]: string } = {
  3: 'SQLITE_PERM',
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  7: 'SQLITE_NOMEM',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  26: 'SQLITE_NOTADB',
}
const CONSTRAINT = 19

function guarded<T>(call: () => T): T {
  try {
    return call()
  } catch (error) {
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
    const unavailable = UNAVAILABLE[code]
    if (unavailable !== undefined) throw new DatabaseUnavailable(unavailable, { cause: error })
    if (code === CONSTRAINT && error instanceof Error) {
      throw new ConstraintViolation(error.message.replace(/^.*failed: /, ''), { cause: error })
    }
    throw error
  }
}
