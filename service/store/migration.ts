// Changes to the schema: applied in order, each once, however many processes start at the same time.
//
// The first release of a folder's tables is its baseline. Later releases add migrations that only widen it, so that a
// release and the one before can share a database. Each migration is recorded with the version that applied it.
import { version as VERSION } from '../../packages/credit-report-service/package.json' with { type: 'json' }
import type { Queries } from './database.ts'

export type Migration = {
  /** Unique and never changed: it is how a database remembers what it has been through. */
  name: string
  /** One statement each. The words that differ between engines come from the dialect. */
  statements(dialect: Dialect): readonly string[]
  /**
   * Indexes, by name, as `credit_report (tenant_id, id)`, of columns that an earlier migration made. PostgreSQL builds
   * them without stopping writers.
   */
  indexes?: { readonly [name: string]: string }
  /** The service's rights on a table, where they are restricted and another role owns it (PostgreSQL). */
  grants?: { readonly [table: string]: string }
}

/** Definitions that the two engines spell differently. */
type Dialect = {
  engine: 'sqlite' | 'postgres'
  blob: string
  /** A 64-bit whole number. */
  integer: string
  /** Definition of a key column that counts up by itself. */
  serialKey: string
  /** Answers with a row once there is a table of migrations. */
  findMigrations: string
  /** Answers with a row if the table of migrations records versions, as it does from 0.4.0 on. */
  findVersions: string
  /** Answers with the name of each table, view and index. */
  listNames: string
  /** Ends the definition of a table whose rows live in its primary key's tree. */
  clustered: string
}

export const SQLITE: Dialect = {
  engine: 'sqlite',
  blob: 'BLOB',
  integer: 'INTEGER',
  serialKey: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  findMigrations: `SELECT name FROM sqlite_master WHERE name = 'migration'`,
  findVersions: `SELECT 1 AS one FROM pragma_table_info('migration') WHERE name = 'version'`,
  listNames: 'SELECT name FROM sqlite_master',
  clustered: 'WITHOUT ROWID',
}

export const POSTGRES: Dialect = {
  engine: 'postgres',
  blob: 'BYTEA',
  integer: 'BIGINT',
  serialKey: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
  findMigrations: `SELECT 1 AS one WHERE to_regclass('migration') IS NOT NULL`,
  findVersions: `SELECT 1 AS one FROM pg_attribute WHERE attrelid = to_regclass('migration') AND attname = 'version'`,
  listNames: 'SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace',
  clustered: '',
}

export const dialectOf = ({ engine }: { engine: Dialect['engine'] }) => (engine === 'sqlite' ? SQLITE : POSTGRES)

// Any number: two processes that start at once must only agree on it.
const MIGRATION_LOCK = 4_100_000_001

/**
 * Another version wrote the database in a way this one cannot read, or its schema is half made; the message says which.
 */
export class OtherVersion extends Error {
  override readonly name = 'OtherVersion'
}

/** The database was made by a version before 0.4.0. */
export class OlderVersion extends OtherVersion {}

/** The migrations that the database lacks; nothing is changed. Throws `OtherVersion`. */
export async function missingOf(
  queries: Queries,
  dialect: Dialect,
  migrations: readonly Migration[],
): Promise<Migration[]> {
  refuseCollisions(migrations)
  if ((await queries.first(dialect.findMigrations)) === null) {
    await refuseHalfMade(queries, dialect, migrations)
    return [...migrations]
  }
  if ((await queries.first(dialect.findVersions)) === null) {
    throw new OlderVersion('this database was made by a version before 0.4.0, which cannot be read: use a new one')
  }
  const rows = await queries.all<{ name: string; version: string }>('SELECT name, version FROM migration')
  const newer = rows.find(({ version }) => releasesAhead(version) > 1)
  if (newer) {
    const needed = `version ${newer.version} has changed this database: run that version, or the one before it`
    throw new OtherVersion(`${needed}; this is ${VERSION}`)
  }
  // Migrations of the next release are left alone: releases only widen the schema, so that going back one is safe.
  const applied = new Set(rows.map(({ name }) => name))
  return migrations.filter((migration) => !applied.has(migration.name))
}

/**
 * Throws if one of the tables exists although no migration is recorded. Tables of other programs may share the
 * database.
 */
async function refuseHalfMade(queries: Queries, dialect: Dialect, migrations: readonly Migration[]): Promise<void> {
  const own = new Set(migrations.flatMap(tablesOf))
  const found = (await queries.all<{ name: string }>(dialect.listNames)).find(({ name }) => own.has(name))
  if (found === undefined) return
  throw new OtherVersion(
    `this database is half-made: it has "${found.name}" and no record of migrations; use a new one`,
  )
}

/**
 * The number of releases by which a version is ahead of this one. A major release is never shared with the one before.
 */
function releasesAhead(version: string): number {
  const [[major = 0, minor = 0], [ownMajor = 0, ownMinor = 0]] = [partsOf(version), partsOf(VERSION)]
  return major === ownMajor ? minor - ownMinor : (major - ownMajor) * Number.POSITIVE_INFINITY
}

function partsOf(version: string): number[] {
  return version.split('.').map(Number)
}

export function statementsOf({ statements, indexes = {} }: Migration, dialect: Dialect): string[] {
  return [...statements(dialect), ...Object.entries(indexes).map(([name, on]) => `CREATE INDEX ${name} ON ${on}`)]
}

/** Until the transaction ends. PostgreSQL; SQLite's transactions already exclude one another. */
export async function lockMigrations(queries: Queries): Promise<void> {
  await queries.all('SELECT pg_advisory_xact_lock(?)', MIGRATION_LOCK)
}

/** Throws in one line when two migrations have one name or make one table. */
export function refuseCollisions(migrations: readonly Migration[]): void {
  requireDifferent(
    'migration',
    migrations.map(({ name }) => name),
  )
  requireDifferent('table', migrations.flatMap(tablesOf))
}

export function requireDifferent(kind: string, names: readonly string[]): void {
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated !== undefined) throw new Error(`two parts of the service have a ${kind} named "${repeated}"`)
}

function tablesOf({ statements }: Migration): string[] {
  return statements(SQLITE).flatMap((statement) => /^CREATE TABLE (\w+)/.exec(statement)?.[1] ?? [])
}

/** Brings the schema up to date. Call inside a transaction; a second process waits, then finds nothing left to do. */
export async function migrate(
  queries: Queries,
  dialect: Dialect,
  migrations: readonly Migration[],
  nowMs: number,
): Promise<void> {
  if (dialect.engine === 'postgres') await lockMigrations(queries)
  const missing = await missingOf(queries, dialect, migrations)
  // A role that may not make tables finds nothing left to do, once another has been here.
  if ((await queries.first(dialect.findMigrations)) === null) {
    await queries.run(
      `CREATE TABLE migration (name TEXT PRIMARY KEY, version TEXT NOT NULL DEFAULT '', applied_at_ms ${dialect.integer} NOT NULL)`,
    )
  }
  for (const migration of missing) {
    for (const statement of statementsOf(migration, dialect)) await queries.run(statement)
    const record = 'INSERT INTO migration (name, version, applied_at_ms) VALUES (?, ?, ?)'
    await queries.run(record, migration.name, VERSION, nowMs)
  }
}

/**
 * Lets a role use every table, and change none: neither its rules nor, where `grants` says so, its rows. PostgreSQL.
 */
export function grantsTo(role: string, schema: string, migrations: readonly Migration[]): string[] {
  const narrower = Object.assign({ migration: 'SELECT' }, ...migrations.map(({ grants }) => grants))
  return [
    `GRANT USAGE ON SCHEMA ${schema} TO ${role}`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role}`,
    // Backups read where they stand.
    `GRANT SELECT ON ALL SEQUENCES IN SCHEMA ${schema} TO ${role}`,
    ...Object.entries(narrower).flatMap(([table, rights]) => [
      `REVOKE ALL ON ${table} FROM ${role}`,
      `GRANT ${rights} ON ${table} TO ${role}`,
    ]),
  ]
}
