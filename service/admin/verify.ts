// Whether a database, or a backup of one, is whole, balanced and opened by this key. Changes nothing.
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Unsealable } from '../../kit/seal.ts'
import { verifyAuditChain } from '../audit/chain.ts'
import type { Config } from '../config.ts'
import { deriveKeys } from '../keys.ts'
import { openReport } from '../reports/content.ts'
import { findSealed as findContent } from '../reports/store.ts'
import type { Database } from '../store/database.ts'
import type { Migration } from '../store/migration.ts'
import { openDatabase } from '../store/open-database.ts'
import { DATABASE_FILE, openSqlite } from '../store/sqlite.ts'
import { openSigningKeys } from '../tokens/signing-keys.ts'
import { isClean, reconcile } from '../wallet/reconcile.ts'
import type { Command } from './command.ts'
import { runPostgresTool } from './postgres-tools.ts'

/** The newest of them: all are sealed the same way. */
const REPORTS_OPENED_MAX = 100

export const verifyCommand: Command = {
  name: 'verify',
  usage: '[FILE]',
  summary:
    'checks the database, or a backup: whole, known schema, books balance, SECRET_KEY opens it; exit code 1 when not',
  role: 'offline',
  async run(input) {
    const [file] = input.words
    const { config, tables, print } = input
    if (file !== undefined && config.databaseUrl !== null) {
      await runPostgresTool('pg_restore', ['--list', file], config.databaseUrl)
      print('ok      the dump is whole; restore it into an empty database and verify that')
      return 0
    }
    const check = async (database: Database) => tell(await verifyDatabase(database, { config, tables }), print)
    if (file !== undefined) return withBackup(file, check)
    const database = await openDatabase(config, { migrations: tables, role: 'reader' })
    return check(database).finally(() => database.close())
  },
}

export type Check = { name: string; problem: string | null }

function tell(checks: readonly Check[], print: (line: string) => void): number {
  for (const { name, problem } of checks) print(problem === null ? `ok      ${name}` : `BROKEN  ${name}: ${problem}`)
  return checks.every(({ problem }) => problem === null) ? 0 : 1
}

/** Opens a copy of an SQLite backup, so that even reading leaves the file as it is. */
export async function withBackup<T>(file: string, work: (database: Database) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'backup-'))
  try {
    copyFileSync(file, join(folder, DATABASE_FILE))
    const database = await openSqlite({ folder, role: 'reader', migrations: [] })
    return await work(database).finally(() => database.close())
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type VerifyOptions = {
  config: Config
  tables: readonly Migration[]
  /** False for a backup of an older version, whose books can only be read once its tables are brought up to date. @default true */
  books?: boolean
}

/** Ends with the first check that fails: it explains why those after it would. */
export async function verifyDatabase(
  database: Database,
  { config, tables, books = true }: VerifyOptions,
): Promise<Check[]> {
  const checks: Check[] = []
  const all = [
    ['every page can be read', () => findDamage(database)],
    ['the schema is one this version knows', () => findUnknown(database, tables)],
    ['SECRET_KEY opens it', () => findSealed(database, config)],
    ['the books balance', () => findImbalance(database)],
    ['the audit trail is whole', async () => (await verifyAuditChain(database))[0] ?? null],
  ] as const
  for (const [name, find] of books ? all : all.slice(0, -2)) {
    const problem = await find().catch((error: unknown) => (error instanceof Error ? error.name : 'cannot be read'))
    checks.push({ name, problem })
    if (problem !== null) break
  }
  return checks
}

/** PostgreSQL's pages have checksums of their own, and `pg_amcheck`. */
async function findDamage(database: Database): Promise<string | null> {
  if (database.engine === 'postgres') return null
  const rows = await database.all('PRAGMA integrity_check(1)').catch(() => [])
  return Object.values(rows[0] ?? {})[0] === 'ok' ? null : 'the file is damaged, or only half there'
}

async function findUnknown(database: Database, tables: readonly Migration[]): Promise<string | null> {
  const known = new Set(tables.map(({ name }) => name))
  const rows = await database.all<{ name: string }>('SELECT name FROM migration ORDER BY name')
  if (rows.length === 0) return 'it is empty'
  const unknown = rows.map(({ name }) => name).filter((name) => !known.has(name))
  return unknown.length === 0 ? null : `a newer version made "${unknown[0]}"; use that version`
}

async function findSealed(database: Database, { secretKeys }: Config): Promise<string | null> {
  const keys = deriveKeys(secretKeys)
  try {
    const row = await database.first<{ many: number }>('SELECT COUNT(*) AS many FROM signing_key')
    if (row !== null && row.many > 0) await openSigningKeys({ database, wrappingKeys: keys.signing, clock: Date.now })
    const reports = await database.all<{ id: string; tenant_id: string }>(
      `SELECT id, tenant_id FROM sealed_report JOIN credit_report ON id = report_id ORDER BY id DESC LIMIT ?`,
      REPORTS_OPENED_MAX,
    )
    for (const { id, tenant_id } of reports) {
      openReport(keys.reports, { tenantId: tenant_id, creditReportId: id }, await findContent(database, id))
    }
    return null
  } catch (error) {
    if (error instanceof Unsealable) return 'it was written with another key'
    throw error
  }
}

async function findImbalance(database: Database): Promise<string | null> {
  const reconciliation = await reconcile(database)
  if (isClean(reconciliation)) return null
  const broken = reconciliation.findings.filter(({ breaches }) => breaches.length > 0)
  return broken.map(({ name, breaches }) => `not so for ${breaches.length}: ${name}`).join('; ')
}
