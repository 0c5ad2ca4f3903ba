// SQLite: a copy of everything at one moment, while the service runs, and the way back. PostgreSQL has tools of its
// own: docs/operator/operate.md.
import { closeSync, copyFileSync, existsSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { requireWord, UsageError } from '../../kit/command-line.ts'
import { openDatabase } from '../../plugins/postgres/open-database.ts'
import { type Command, type OfflineInput, Refused } from '../../service/command.ts'
import type { Config } from '../../service/config.ts'
import type { Queries } from '../../service/store/database.ts'
import { makeFolder, syncToDisk } from '../../service/store/files.ts'
import { dialectOf, missingOf, statementsOf } from '../../service/store/migration.ts'
import { DATABASE_FILE, requireNotMoved } from '../../service/store/sqlite.ts'
import { checkCopy, sumFile, sumOf } from './verify.ts'
import { type Check, requireSound, tell, verifyDatabase } from './verify-database.ts'

const backupCommand: Command = {
  name: 'backup',
  usage: 'FILE',
  summary:
    'SQLite: write a verified copy of the database to a new file, beside a running service, and its checksum to FILE.sha256',
  role: 'offline',
  async run(input) {
    const { config, nowMs, print } = input
    requireSqlite(config)
    const file = resolve(requireWord(input, 0, 'the file to write'))
    for (const path of [file, sumFile(file)]) {
      if (existsSync(path)) throw new Refused(`"${path}" exists already; a backup never overwrites one`)
    }
    await input.noteBegun()
    // It gets its name once it is complete, checked and on the disk.
    const draft = `${file}.part`
    makeDraft(draft)
    let checks: readonly Check[] = []
    try {
      const database = await openDatabase(config, { migrations: [], role: 'reader' })
      await database.all('VACUUM INTO ?', draft).finally(() => database.close())
      syncToDisk(draft)
      checks = await checkCopy(draft, input)
      // A copy that cannot be read is worth nothing; one of a database with another fault is the best there is.
      requireSound(checks.slice(0, 1), 'the copy')
      writeFileSync(sumFile(file), `${await sumOf(draft)}  ${basename(file)}\n`, { mode: 0o600 })
      renameSync(draft, file)
    } finally {
      rmSync(draft, { force: true })
    }
    await noteBackup(config, nowMs)
    print(`wrote ${file} (${statSync(file).size} bytes) and its checksum, ${basename(sumFile(file))}`)
    print(
      'SECRET_KEY is not in it; keep that in another place. Reports, telephone numbers, keys and webhook secrets are sealed.',
    )
    print(
      'Readable without it: lenders, balances and the ledger, references of reports, e-mail addresses of users, the audit trail.',
    )
    return tell(checks, print)
  },
}

const backedUpCommand: Command = {
  name: 'backed-up',
  usage: '',
  summary: 'Record that another tool made a backup just now, for crs_backup_age_seconds and its alert',
  role: 'operator',
  async run({ act, nowMs, print }) {
    await act.transaction((queries) => writeBackupTime(queries, nowMs))
    print(`backed up at ${new Date(nowMs).toISOString()}`)
    return 0
  },
}

const restoreCommand: Command = {
  name: 'restore',
  usage: 'FILE',
  summary: 'SQLite: put a backup into an empty DATA_DIR, then verify it',
  role: 'offline',
  async run(input) {
    const { config, tables, print } = input
    requireSqlite(config)
    const file = requireWord(input, 0, 'the file to restore')
    await restoreFile(file, input)
    const database = await openDatabase(config, { migrations: tables, role: 'operator' })
    try {
      requireSound(await verifyDatabase(database, input), 'what was restored')
      print(`restored ${file}: whole, balanced, and opened by this SECRET_KEY`)
      return 0
    } finally {
      await database.close()
    }
  },
}

export const backupCommands: readonly Command[] = [backupCommand, backedUpCommand, restoreCommand]

function requireSqlite({ databaseUrl }: Config): void {
  if (databaseUrl === null) return
  throw new UsageError(
    'DATABASE_URL names PostgreSQL: use pgBackRest or pg_dump, as docs/operator/operate.md says, then "verify" and "backed-up"',
  )
}

async function restoreFile(file: string, input: OfflineInput): Promise<void> {
  const { dataDir } = input.config
  const target = join(dataDir, DATABASE_FILE)
  requireNotMoved(dataDir)
  if (existsSync(target)) {
    throw new Refused(
      `"${target}" exists; stop the service and move it, with its -wal and -shm, or choose another DATA_DIR`,
    )
  }
  requireSound(await checkCopy(file, input), `"${file}"`)
  makeFolder(dataDir)
  const draft = `${target}.part`
  copyFileSync(file, draft)
  syncToDisk(draft)
  // SQLite would apply the log of a former database to this one.
  for (const ending of ['-wal', '-shm']) rmSync(`${target}${ending}`, { force: true })
  renameSync(draft, target)
}

async function noteBackup(config: Config, nowMs: number): Promise<void> {
  const database = await openDatabase(config, { migrations: [], role: 'operator' })
  await writeBackupTime(database, nowMs).finally(() => database.close())
}

async function writeBackupTime(queries: Queries, nowMs: number): Promise<void> {
  await queries.run(
    'INSERT INTO backup_time (id, at_ms) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET at_ms = excluded.at_ms',
    nowMs,
  )
}

/** Made empty and private first: no other user can read the backup while it is written. */
function makeDraft(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    throw new Refused(`"${path}" cannot be written (${code})`)
  }
}

export const migrateCommand: Command = {
  name: 'migrate',
  usage: '[--plan]',
  summary:
    'Bring the tables up to date; with DATABASE_MIGRATION_URL as their owner, which lets DATABASE_URL use them and no more; with --plan show the statements and change nothing',
  role: 'offline',
  async run(input) {
    if (input.options.plan === true) return plan(input)
    const database = await openDatabase(input.config, { migrations: input.tables, role: 'operator' })
    await database.close()
    input.print('the tables are up to date')
    return 0
  },
}

async function plan({ config, tables, print }: OfflineInput): Promise<number> {
  const database = await openDatabase(config, { migrations: [], role: 'reader' })
  const dialect = dialectOf(database)
  const missing = await missingOf(database, dialect, tables).finally(() => database.close())
  for (const migration of missing) {
    print(`-- ${migration.name}`)
    for (const statement of statementsOf(migration, dialect)) print(`${statement};`)
  }
  print(missing.length === 0 ? 'the tables are up to date' : `-- ${missing.length} to apply; nothing was changed`)
  return 0
}
