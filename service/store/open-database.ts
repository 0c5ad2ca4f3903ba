import type { PostgresSettings } from '../../plugins/postgres/postgres.ts'
import type { Database } from './database.ts'
import type { Migration } from './migration.ts'
import { openSqlite, type SqliteOptions } from './sqlite.ts'

export type DatabaseLocation = {
  /** `postgres://…`; null means SQLite below `dataDir`. */
  databaseUrl: string | null
  /** Who owns the tables, where that is not who serves. @default the same */
  databaseMigrationUrl?: string | null
  dataDir: string
  /** @default each setting's own */
  postgres?: Partial<PostgresSettings>
}

type OpenOptions = {
  migrations: readonly Migration[]
  /** Matters to SQLite, where one process owns the folder. @default 'service' */
  role?: SqliteOptions['role'] | undefined
}

/** Opens the database with its schema up to date. */
export async function openDatabase(
  { databaseUrl, databaseMigrationUrl = null, dataDir, postgres = {} }: DatabaseLocation,
  { migrations, role = 'service' }: OpenOptions,
): Promise<Database> {
  if (databaseUrl === null) return openSqlite({ folder: dataDir, role, migrations })
  // Loaded when it is needed: most installations never are on PostgreSQL, and its client is a tenth of the start.
  const { openPostgres } = await import('../../plugins/postgres/postgres.ts')
  return openPostgres({
    ...postgres,
    url: databaseUrl,
    ownerUrl: databaseMigrationUrl,
    migrations: role === 'reader' ? [] : migrations,
  })
}
