// From the embedded database to PostgreSQL: every row, checked on both, while the service is stopped.
import { renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createAct } from '../audit/act.ts'
import { createSettingReader } from '../setting-reader.ts'
import type { Database } from '../store/database.ts'
import { openDatabase } from '../store/open-database.ts'
import { DATABASE_FILE, MOVED_FILE } from '../store/sqlite.ts'
import { type Command, type OfflineInput, Refused, UsageError } from './command.ts'
import { findUnknown, requireSound, tell, verifyDatabase } from './verify.ts'

export const moveCommand: Command = {
  name: 'move',
  usage: '[DATABASE_URL]',
  summary:
    'moves everything from SQLite in DATA_DIR to an empty PostgreSQL, the one DATABASE_URL names unless another is given; the service is stopped; after a break, run it again to continue',
  role: 'offline',
  async run(input) {
    const { print, tables } = input
    const databaseUrl = readTarget(input)
    const from = { databaseUrl: null, dataDir: input.config.dataDir }
    const to = { ...input.config, databaseUrl }
    // Before it is opened for writing, which would bring its tables up to date.
    const reader = await openDatabase(from, { migrations: [], role: 'reader' })
    const unknown = await findUnknown(reader, tables)
      .catch(() => 'it is not a database of this service')
      .finally(() => reader.close())
    if (unknown !== null) throw new Refused(`the SQLite database: ${unknown}`)
    // As the service: the folder's lock keeps the service and a second move away.
    const source = await openDatabase(from, { migrations: tables, role: 'service' })
    try {
      await copy(source, input, { url: to.databaseMigrationUrl ?? databaseUrl })
    } finally {
      await source.close()
    }
    const target = await openDatabase(to, { migrations: tables, role: 'operator' })
    try {
      const checks = await verifyDatabase(target, input)
      if (tell(checks, print) !== 0) {
        print('the SQLite database is as it was: start the service on that, and drop the other')
        return 1
      }
      await createAct(target, () => [input.line(null)]).note('done', { isFailure: false })
    } finally {
      await target.close()
    }
    renameSync(join(from.dataDir, DATABASE_FILE), join(from.dataDir, MOVED_FILE))
    print(`moved; start the service with DATABASE_URL. The SQLite database is kept as ${MOVED_FILE} in DATA_DIR`)
    return 0
  },
}

function readTarget({ words, config }: OfflineInput): string {
  const environment = { DATABASE_URL: words[0] }
  const given = createSettingReader(environment).url('DATABASE_URL', ['postgres:', 'postgresql:'], { secret: true })
  const url = given ?? config.databaseUrl
  if (url === null) throw new UsageError('DATABASE_URL is missing: where everything is moved to')
  return url
}

async function copy(source: Database, input: OfflineInput, { url }: { url: string }): Promise<void> {
  const { config, tables, print } = input
  const { moveTables } = await import('../store/move-tables.ts')
  await moveTables(source, {
    url,
    migrations: tables,
    print,
    stateOf() {
      // Its log is empty, so that every write shows here.
      const { size, mtimeNs } = statSync(join(config.dataDir, DATABASE_FILE), { bigint: true })
      return `${size} ${mtimeNs}`
    },
    async prepare({ isBegun }) {
      requireSound(await verifyDatabase(source, input), 'the SQLite database')
      if (isBegun) return print('continuing')
      // Who copies everything leaves a line, also when the copy fails.
      await createAct(source, () => [input.line(null)]).note('begun', { isFailure: false })
      await source.scrub('')
    },
  })
}
