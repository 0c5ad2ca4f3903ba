// A database that this version cannot share is refused in one line, before anything is changed, on every engine.
import { expect, test } from 'vitest'
import { version } from '../../packages/credit-report-service/package.json' with { type: 'json' }
import { type DatabaseLocation, openDatabase } from '../../plugins/postgres/open-database.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { ALL_TABLES, openTestDatabase } from '../../testing/open-database.ts'
import type { Database } from './database.ts'
import { type Migration, OtherVersion } from './migration.ts'

const [major = 0, minor = 0] = version.split('.').map(Number)
const ahead = (releases: number) => `${major}.${minor + releases}.0`
const recordOf = (made: string) =>
  `INSERT INTO migration (name, version, applied_at_ms) VALUES ('of-another-version', '${made}', 1)`

onEachEngine('the version of a database', (place, engine) => {
  const note: Migration = { name: 'note', statements: () => ['CREATE TABLE note (id TEXT)'] }

  /** Runs the statements on a database with one table of its own. */
  async function prepare(location: DatabaseLocation, statements: readonly string[]): Promise<void> {
    const database = await openDatabase(location, { migrations: [note] })
    for (const statement of statements) await database.run(statement)
    await database.close()
  }

  async function contentOf(location: DatabaseLocation): Promise<unknown> {
    const database: Database = await openDatabase(location, { migrations: [], role: 'reader' })
    const columns =
      engine === 'sqlite'
        ? 'SELECT type, name, sql FROM sqlite_master ORDER BY name'
        : `SELECT table_name, column_name, data_type FROM information_schema.columns
           WHERE table_schema = current_schema() ORDER BY table_name, column_name`
    const hasMigrations = (await database.all(columns)).some((row) => Object.values(row).includes('migration'))
    const content = [await database.all(columns), hasMigrations && (await database.all('SELECT * FROM migration'))]
    await database.close()
    return content
  }

  const newer = (made: string) =>
    `version ${made} has changed this database: run that version, or the one before it; this is ${version}`
  test.each<[name: string, statements: string[], line: string]>([
    [
      'of a version before 0.4.0',
      [
        'DROP TABLE migration',
        'CREATE TABLE migration (name TEXT PRIMARY KEY, applied_at_ms BIGINT NOT NULL)',
        `INSERT INTO migration (name, applied_at_ms) VALUES ('tenants', 1)`,
        'CREATE TABLE tenant (id TEXT PRIMARY KEY)',
      ],
      'this database was made by a version before 0.4.0, which cannot be read: use a new one',
    ],
    ['of a version two releases ahead', [recordOf(ahead(2))], newer(ahead(2))],
    ['of the next major version', [recordOf(`${major + 1}.0.0`)], newer(`${major + 1}.0.0`)],
    [
      'that is half-made',
      ['DROP TABLE migration', 'CREATE TABLE wallet (tenant_id TEXT PRIMARY KEY)'],
      'this database is half-made: it has "wallet" and no record of migrations; use a new one',
    ],
  ])('one %s is refused and left as it is', async (_name, statements, line) => {
    const location = await place()
    await prepare(location, statements)
    const before = await contentOf(location)
    await expect(openTestDatabase(location)).rejects.toThrow(new OtherVersion(line))
    expect(await contentOf(location)).toEqual(before)
  })

  test.each<[name: string, statements: string[], records: number]>([
    ['of the next release', [recordOf(ahead(1))], 1],
    ['of the release before', [recordOf(ahead(-1))], 1],
    ['with tables of another program', ['DROP TABLE migration'], 0],
  ])('one %s is used, and what is in it stays', async (_name, statements, records) => {
    const location = await place()
    await prepare(location, statements)
    const database = await openTestDatabase(location)
    expect(await database.all('SELECT tenant_id FROM wallet')).toEqual([])
    const kept = await database.all(`SELECT name FROM migration WHERE name = 'of-another-version'`)
    expect(kept).toHaveLength(records)
    const { name = '' } = ALL_TABLES.at(-1) ?? {}
    expect(await database.all('SELECT version FROM migration WHERE name = ?', name)).toEqual([{ version }])
    await database.close()
  })
})
