import type { Database } from '../../service/store/database.ts'
import { type DatabaseLocation as Embedded, type OpenOptions, openEmbedded } from '../../service/store/open-database.ts'
import type { PostgresSettings } from './postgres.ts'

export type DatabaseLocation = Embedded & {
  /** The owner of the tables, where that is not who serves. @default the same */
  databaseMigrationUrl?: string | null
  /** @default each setting's own */
  postgres?: Partial<PostgresSettings>
}

/** Opens PostgreSQL or SQLite, as the location says, with its schema up to date. */
export async function openDatabase(location: DatabaseLocation, options: OpenOptions): Promise<Database> {
  const { databaseUrl, databaseMigrationUrl = null, postgres = {} } = location
  if (databaseUrl === null) return openEmbedded(location, options)
  // Loaded when it is needed: most installations never are on PostgreSQL, and its client is a tenth of the start.
  const { openPostgres } = await import('./postgres.ts')
  const { migrations, role } = options
  return openPostgres({
    ...postgres,
    url: databaseUrl,
    ownerUrl: databaseMigrationUrl,
    migrations: role === 'reader' ? [] : migrations,
  })
}
