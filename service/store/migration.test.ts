import { expect, test } from 'vitest'
import { version } from '../../packages/credit-report-service/package.json' with { type: 'json' }
import type { Queries, SqlValue } from './database.ts'
import {
  dialectOf,
  grantsTo,
  lockMigrations,
  type Migration,
  migrate,
  missingOf,
  POSTGRES,
  SQLITE,
  statementsOf,
} from './migration.ts'

const first: Migration = {
  name: 'first',
  statements: ({ integer, blob }) => [`CREATE TABLE one (id ${integer}, content ${blob})`],
  indexes: { one_of_id: 'one (id)' },
}
const second: Migration = { name: 'second', statements: () => ['ALTER TABLE one ADD COLUMN name TEXT'] }

/** Writes down each statement; `applied` is null before there is a table of migrations. */
function createRecorder(applied: string[] | null) {
  const asked: [sql: string, ...values: SqlValue[]][] = []
  let isThere = applied !== null
  const queries: Queries = {
    all: async <R>(sql: string, ...values: SqlValue[]) => {
      asked.push([sql, ...values])
      if (!isThere && sql.includes('FROM migration')) throw new Error('no such table: migration')
      return (applied ?? []).map((name) => ({ name, version })) as R[]
    },
    first: async <R>() => (isThere ? ({ name: 'migration' } as R) : null),
    async run(sql, ...values) {
      asked.push([sql, ...values])
      isThere ||= sql.startsWith('CREATE TABLE migration')
      return 1
    },
    must: async () => ({}),
  }
  return { queries, asked }
}

test('each engine has its own words', () => {
  expect(dialectOf({ engine: 'sqlite' })).toBe(SQLITE)
  expect(dialectOf({ engine: 'postgres' })).toBe(POSTGRES)
  expect(statementsOf(first, SQLITE)).toEqual([
    'CREATE TABLE one (id INTEGER, content BLOB)',
    'CREATE INDEX one_of_id ON one (id)',
  ])
  expect(statementsOf(first, POSTGRES)).toEqual([
    'CREATE TABLE one (id BIGINT, content BYTEA)',
    'CREATE INDEX one_of_id ON one (id)',
  ])
})

test.each<[string, string[] | null, string[]]>([
  ['an empty database has been through nothing', null, ['first', 'second']],
  ['nor has one whose table of migrations is empty', [], ['first', 'second']],
  ['what it has been through is not missing', ['first'], ['second']],
  ['a migration of the next release is left alone', ['first', 'second', 'third'], []],
])('%s', async (_what, applied, missing) => {
  const found = await missingOf(createRecorder(applied).queries, SQLITE, [first, second])
  expect(found.map(({ name }) => name)).toEqual(missing)
})

test('what is missing is applied in order and written down; the table of migrations is made once', async () => {
  const record = 'INSERT INTO migration (name, version, applied_at_ms) VALUES (?, ?, ?)'
  const empty = createRecorder(null)
  await migrate(empty.queries, SQLITE, [first, second], 7)
  expect(empty.asked.filter(([sql]) => !sql.startsWith('SELECT'))).toEqual([
    [
      `CREATE TABLE migration (name TEXT PRIMARY KEY, version TEXT NOT NULL DEFAULT '', applied_at_ms INTEGER NOT NULL)`,
    ],
    ...statementsOf(first, SQLITE).map((sql) => [sql]),
    [record, 'first', version, 7],
    ['ALTER TABLE one ADD COLUMN name TEXT'],
    [record, 'second', version, 7],
  ])
  const older = createRecorder(['first'])
  await migrate(older.queries, SQLITE, [first, second], 8)
  expect(older.asked.filter(([sql]) => !sql.startsWith('SELECT'))).toEqual([
    ['ALTER TABLE one ADD COLUMN name TEXT'],
    [record, 'second', version, 8],
  ])
})

// The number is agreed on with versions that are running: another one would let both migrate at once.
const LOCK = ['SELECT pg_advisory_xact_lock(?)', 4_100_000_001]

test('on PostgreSQL one process migrates at a time; SQLite’s transactions exclude one another anyway', async () => {
  const [postgres, sqlite, alone] = [createRecorder([]), createRecorder([]), createRecorder([])]
  await migrate(postgres.queries, POSTGRES, [], 1)
  expect(postgres.asked[0]).toEqual(LOCK)
  await migrate(sqlite.queries, SQLITE, [], 1)
  expect(sqlite.asked).not.toContainEqual(LOCK)
  await lockMigrations(alone.queries)
  expect(alone.asked).toEqual([LOCK])
})

test('a role that serves may use every table, less where a migration says so, and never write down migrations', () => {
  const kept: Migration = { ...second, grants: { audit_event: 'SELECT, INSERT' } }
  expect(grantsTo('"server"', '"public"', [first, kept])).toEqual([
    'GRANT USAGE ON SCHEMA "public" TO "server"',
    'GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "public" TO "server"',
    'GRANT SELECT ON ALL SEQUENCES IN SCHEMA "public" TO "server"',
    'REVOKE ALL ON migration FROM "server"',
    'GRANT SELECT ON migration TO "server"',
    'REVOKE ALL ON audit_event FROM "server"',
    'GRANT SELECT, INSERT ON audit_event TO "server"',
  ])
})
