import type { Database } from './database.ts'
import { migrations } from './schema.ts'
import { openSqlite, type SqliteOptions } from './sqlite.ts'

export type DatabaseLocation = {
  /** `postgres://…`; null means SQLite below `dataDir`. */
  databaseUrl: string | null
  dataDir: string
}

/** Opens the database with its schema up to date. `role` matters to SQLite, where one process owns the folder. */
export async function openDatabase(
  { databaseUrl, dataDir }: DatabaseLocation,
  role: SqliteOptions['role'] = 'service',
): Promise<Database> {
  if (databaseUrl === null) return openSqlite({ folder: dataDir, role, migrations })
  // Loaded when it is needed: most installations never are on PostgreSQL, and its client is a tenth of the start.
  const { openPostgres } = await import('./postgres.ts')
  return openPostgres({ url: databaseUrl, migrations: role === 'reader' ? [] : migrations })
}
