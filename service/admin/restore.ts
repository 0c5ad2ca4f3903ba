// A backup into an empty place. What can be checked beforehand is checked before anything is written.
import { closeSync, copyFileSync, existsSync, openSync, readSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder, syncToDisk } from '../store/files.ts'
import { openDatabase } from '../store/open-database.ts'
import { DATABASE_FILE } from '../store/sqlite.ts'
import { type Command, type OfflineInput, requireWord, UsageError } from './command.ts'
import { runPostgresTool } from './postgres-tools.ts'
import { type Check, verifyDatabase, withBackup } from './verify.ts'

export const restoreCommand: Command = {
  name: 'restore',
  usage: 'FILE',
  summary: 'puts a backup into an empty DATA_DIR or an empty PostgreSQL database, then verifies it',
  role: 'offline',
  async run(input) {
    const file = requireWord(input, 0, 'the file to restore')
    if (!existsSync(file)) throw new UsageError(`there is no file "${file}"`)
    const { config, tables, print } = input
    const kind = kindOf(file)
    if (kind === null) throw new UsageError(`"${file}" is not a whole backup: expected what "backup" wrote`)
    if ((kind === 'postgres') !== (config.databaseUrl !== null)) {
      throw new UsageError(
        `"${file}" is a backup of ${NAMES[kind]}, and ${kind === 'postgres' ? 'DATABASE_URL is not set' : 'DATABASE_URL names PostgreSQL'}`,
      )
    }
    if (config.databaseUrl === null) await restoreFile(file, input)
    else await restoreDump(file, config.databaseMigrationUrl ?? config.databaseUrl)
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

const NAMES = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

function kindOf(file: string): 'sqlite' | 'postgres' | null {
  const start = Buffer.alloc(16)
  const handle = openSync(file, 'r')
  readSync(handle, start, 0, start.length, 0)
  closeSync(handle)
  if (start.toString('latin1').startsWith('SQLite format 3')) return 'sqlite'
  return start.toString('latin1').startsWith('PGDMP') ? 'postgres' : null
}

function requireSound(checks: readonly Check[], what: string): void {
  const broken = checks.find(({ problem }) => problem !== null)
  if (broken) throw new UsageError(`${what}: "${broken.name}" is not so: ${broken.problem}`)
}

async function restoreFile(file: string, { config, tables }: OfflineInput): Promise<void> {
  const target = join(config.dataDir, DATABASE_FILE)
  if (existsSync(target)) {
    throw new UsageError(
      `"${target}" exists; stop the service and move it, with its -wal and -shm, or choose another DATA_DIR`,
    )
  }
  const checks = await withBackup(file, (database) => verifyDatabase(database, { config, tables, books: false })).catch(
    () => [{ name: 'every page can be read', problem: 'the file is damaged or only half there' }],
  )
  requireSound(checks, `"${file}"`)
  makeFolder(config.dataDir)
  const draft = `${target}.part`
  copyFileSync(file, draft)
  syncToDisk(draft)
  // SQLite would apply the log of a former database to this one.
  for (const ending of ['-wal', '-shm']) rmSync(`${target}${ending}`, { force: true })
  renameSync(draft, target)
}

async function restoreDump(file: string, url: string): Promise<void> {
  const { openPostgres } = await import('../store/postgres.ts')
  const database = await openPostgres({ url, migrations: [] })
  const taken = await database
    .first<{ many: number }>(`SELECT COUNT(*) AS many FROM pg_tables WHERE schemaname = current_schema()`)
    .finally(() => database.close())
  if (taken !== null && taken.many > 0)
    throw new UsageError('DATABASE_URL: expected an empty database to restore into, got one with tables')
  const options = [
    '--single-transaction',
    '--exit-on-error',
    '--no-owner',
    // Rights are this installation's own, not those of the backup.
    '--no-acl',
    `--dbname=${new URL(url).pathname.slice(1)}`,
  ]
  await runPostgresTool('pg_restore', [...options, file], url)
}
