// Checks that a database, or a backup of one, is whole, balanced and opened by this key. Changes nothing.
import { createHash } from 'node:crypto'
import { copyFileSync, createReadStream, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { UsageError } from '../../kit/command-line.ts'
import { openDatabase } from '../../plugins/postgres/open-database.ts'
import { type Command, type OfflineInput, Refused } from '../../service/command.ts'
import type { Config } from '../../service/config.ts'
import type { Database } from '../../service/store/database.ts'
import { DATABASE_FILE, openSqlite } from '../../service/store/sqlite.ts'
import { type Check, tell, verifyDatabase } from './verify-database.ts'

export const verifyCommand: Command = {
  name: 'verify',
  usage: '[FILE] [--head HEAD]',
  summary:
    'Verify the database, or a backup of SQLite: it is whole, its schema known, SECRET_KEY opens it, every report can be read, books balance, and the audit trail is whole and leads to the head that a lender kept in the file HEAD; exit code 1 when not',
  role: 'offline',
  async run(input) {
    const [file] = input.words
    const { config, tables, print, options } = input
    const head = typeof options.head === 'string' ? readHeadFile(options.head) : undefined
    if (file !== undefined) {
      if (config.databaseUrl !== null) {
        throw new UsageError(
          'DATABASE_URL names PostgreSQL: restore the backup into an empty database, then verify that',
        )
      }
      return tell(await checkCopy(file, { ...input, head }), print)
    }
    const database = await openDatabase(withPatience(config), { migrations: tables, role: 'reader' })
    const checks = await verifyDatabase(database, { config, tables, head }).finally(() => database.close())
    return tell(checks, print)
  },
}

/** No request waits for a verification: a statement on a busy PostgreSQL may take longer than one of the service. */
export function withPatience(config: Config): Config {
  return { ...config, postgres: { ...config.postgres, timeoutMs: TIMEOUT_MS } }
}

const TIMEOUT_MS = 120_000

const HEAD_BYTES_MAX = 65_536
/** Its first part is JSON, so it begins so. */
const JWS = /\beyJ[\w-]*\.[\w-]+\.[\w-]+/

/** The JWS in what a lender kept: the webhook's body, an item of the API's list, or the text alone. */
function readHeadFile(file: string): string {
  if (!existsSync(file)) throw new Refused(`there is no file "${file}"`)
  const [jws] = JWS.exec(readFileSync(file, 'utf8').slice(0, HEAD_BYTES_MAX)) ?? []
  if (jws === undefined) throw new Refused(`"${file}" has no signed head: expected the "jws" of an audit.head event`)
  return jws
}

type CopyOptions = Pick<OfflineInput, 'config' | 'tables'> & { head?: string | undefined }

/** Checks a file that `backup` wrote, and its checksum where that lies beside it. */
export async function checkCopy(file: string, { config, tables, head }: CopyOptions): Promise<Check[]> {
  if (!existsSync(file)) throw new Refused(`there is no file "${file}"`)
  const expected = existsSync(sumFile(file)) ? readFileSync(sumFile(file), 'utf8').slice(0, SUM_LENGTH) : null
  const isSame = expected === null || expected === (await sumOf(file))
  const sum: Check = { name: 'the file has its checksum', problem: isSame ? null : 'it was changed or cut short' }
  if (!isSame) return [sum]
  const checks = await withCopy(file, (database) => verifyDatabase(database, { config, tables, head })).catch(() => [
    { name: 'every page can be read', problem: 'the file is damaged, or only half there' },
  ])
  return expected === null ? checks : [sum, ...checks]
}

/** Opens a copy, so that even reading leaves the file as it is. */
async function withCopy<T>(file: string, work: (database: Database) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'backup-'))
  try {
    copyFileSync(file, join(folder, DATABASE_FILE))
    const database = await openSqlite({ folder, role: 'reader', migrations: [] })
    return await work(database).finally(() => database.close())
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** As `sha256sum --check` reads it. */
export function sumFile(file: string): string {
  return `${file}.sha256`
}

const SUM_LENGTH = 64

export async function sumOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
