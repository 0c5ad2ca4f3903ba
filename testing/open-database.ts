// Test support: a database with every table there is, the portal's included.
import { portalTables } from '../portal/tables.ts'
import { serviceTables } from '../service/schema.ts'
import type { Database } from '../service/store/database.ts'
import { type DatabaseLocation, openDatabase } from '../service/store/open-database.ts'
import type { SqliteOptions } from '../service/store/sqlite.ts'

export const ALL_TABLES = [...serviceTables, ...portalTables]

export function openTestDatabase(location: DatabaseLocation, role?: SqliteOptions['role']): Promise<Database> {
  return openDatabase(location, { migrations: ALL_TABLES, role })
}
