import type { Database } from './database.ts'
import type { Migration } from './migration.ts'
import { openSqlite, type SqliteOptions } from './sqlite.ts'

export type DatabaseLocation = {
  /** `postgres://…`; null means SQLite below `dataDir`. */
  databaseUrl: string | null
  dataDir: string
}

export type OpenOptions = {
  migrations: readonly Migration[]
  /** Matters to SQLite, where one process owns the folder. @default 'service' */
  role?: SqliteOptions['role'] | undefined
}

export type OpenDatabase = (location: DatabaseLocation, options: OpenOptions) => Promise<Database>

/** Opens SQLite with its schema up to date. */
export const openEmbedded: OpenDatabase = ({ databaseUrl, dataDir }, { migrations, role = 'service' }) => {
  if (databaseUrl !== null) throw new Error('DATABASE_URL: PostgreSQL is opened by plugins/postgres')
  return openSqlite({ folder: dataDir, role, migrations })
}
