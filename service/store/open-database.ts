import type { Database } from './database.ts'
import { openPostgres } from './postgres.ts'
import { migrations } from './schema.ts'
import { openSqlite, type SqliteOptions } from './sqlite.ts'

export type DatabaseLocation = {
  /** `postgres://…`; null means SQLite below `dataDir`. */
  databaseUrl: string | null
  dataDir: string
}

/** Opens the database with its schema up to date. `role` matters to SQLite, where one process owns the folder. */
export function openDatabase(
  { databaseUrl, dataDir }: DatabaseLocation,
  role: SqliteOptions['role'] = 'service',
): Promise<Database> {
  if (databaseUrl !== null) return openPostgres({ url: databaseUrl, migrations: role === 'reader' ? [] : migrations })
  return openSqlite({ folder: dataDir, role, migrations })
}
