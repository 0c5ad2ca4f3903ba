// Copies every table of an SQLite database into an empty PostgreSQL one, a batch at a time. Each batch is one statement with the
// record of how far it went, so that a run that was killed continues there.
//
//   empty ──▶ tables, move_progress ──▶ rows, table by table ──▶ sequences, `migration`; move_progress is dropped
//
// `migration` comes last: until then no version of the service starts on the target.
import pg from 'pg'
import { type Database, MoveRefused, type Queries, type Row, type SqlValue } from './database.ts'
import { type Migration, migrate, POSTGRES } from './migration.ts'
import { onOwnConnection } from './postgres.ts'
import { guarded } from './postgres-errors.ts'
import { transactOn } from './postgres-migrate.ts'

/** Rows of a statement. Two batches are in memory at a time: one is sent while the next is read. */
const BATCH_ROWS = 1_000
/** Rows of a table between two lines of progress. */
const PROGRESS_ROWS = 100_000
// Any number but the migrations': two moves to one database must only agree on it.
const MOVE_LOCK = 4_100_000_002

type MoveOptions = {
  /** Who owns the tables of the target. */
  url: string
  migrations: readonly Migration[]
  /** The state of the source: another one means that it was written to. */
  stateOf(): string
  /** Called once the target is known to be free, before anything is written there. */
  prepare(target: { isBegun: boolean }): Promise<void>
  print(line: string): void
}

/** `source`: SQLite, opened by this process alone. */
export async function moveTables(source: Database, options: MoveOptions): Promise<void> {
  const { url, migrations, stateOf, prepare } = options
  await onOwnConnection(url, async (client, queries) => {
    const isBegun = await requireTarget(client, stateOf)
    await prepare({ isBegun })
    // Holds SQLite's write lock: no operator's command writes to it beside the copy.
    await source.transaction(async (from) => {
      const tables = await listTables(from)
      if (!isBegun) await begin(client, queries, { migrations, tables, state: stateOf() })
      const target = await prepareSession(client)
      for (const table of tables) await copyTable(from, target, table, options.print)
      await finish(client, queries, { from, target })
    })
    await client.query('ANALYZE')
  })
}

/** Whether a move from this source has begun there. Throws unless it has, or the target is empty. */
async function requireTarget(client: pg.Client, stateOf: () => string): Promise<boolean> {
  const { locked, begun, used } = await ask<{ locked: boolean; begun: boolean; used: boolean }>(client, TARGET)
  if (!locked) throw new MoveRefused('another "admin move" is writing to this database')
  if (!begun && used) throw new MoveRefused('the target is not empty: name a database without tables')
  if (!begun) return false
  const { source_state: state } = await ask<{ source_state: string }>(
    client,
    'SELECT source_state FROM move_progress LIMIT 1',
  )
  if (state === stateOf()) return true
  throw new MoveRefused(
    'the target holds part of another database, or of this one before it was written to again: name an empty one',
  )
}

// The lock ends with the connection. What an extension brought does not count.
const TARGET = `
  SELECT pg_try_advisory_lock(${MOVE_LOCK}) AS locked, to_regclass('move_progress') IS NOT NULL AS begun,
    EXISTS (SELECT 1 FROM pg_class WHERE relnamespace = current_schema()::regnamespace
      AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')) AS used`

type Table = {
  name: string
  columns: readonly string[]
  /** What its rows are read in the order of. */
  key: readonly string[]
}

/** Every table there is but `migration`; one that refers to another comes after it. */
async function listTables(source: Queries): Promise<Table[]> {
  const names = await source.all<{ name: string }>(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~' AND name <> 'migration' ORDER BY name`,
  )
  const ordered = new Map<string, Table>()
  async function add(name: string): Promise<void> {
    if (ordered.has(name)) return
    const references = await source.all<{ to: string }>('SELECT "table" AS "to" FROM pragma_foreign_key_list(?)', name)
    for (const { to } of references) if (to !== name) await add(to)
    const found = await source.all<{ name: string; pk: number }>('SELECT name, pk FROM pragma_table_info(?)', name)
    const key = found.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk)
    ordered.set(name, {
      name,
      columns: found.map((column) => column.name),
      key: key.length === 0 ? ['rowid'] : key.map((column) => column.name),
    })
  }
  for (const { name } of names) await add(name)
  return [...ordered.values()]
}

type Beginning = { migrations: readonly Migration[]; tables: readonly Table[]; state: string }

async function begin(client: pg.Client, queries: Queries, { migrations, tables, state }: Beginning): Promise<void> {
  await transactOn(client, 'BEGIN', async () => {
    await migrate(queries, POSTGRES, migrations, 0)
    await client.query('DROP TABLE migration')
    const { rows } = await client.query<{ name: string }>(
      'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
    )
    const foreign = tables.find(({ name }) => !rows.some((row) => row.name === name))
    if (foreign) throw new MoveRefused(`this version does not know the table "${foreign.name}" of the SQLite database`)
    await client.query(
      `CREATE TABLE move_progress (
        table_name TEXT PRIMARY KEY, source_state TEXT NOT NULL, last_key JSON, moved BIGINT NOT NULL DEFAULT 0)`,
    )
    const names = tables.map(({ name }) => name)
    await client.query('INSERT INTO move_progress (table_name, source_state) SELECT unnest($1::text[]), $2', [
      names,
      state,
    ])
  })
}

type Target = {
  client: pg.Client
  /** With its schema. */
  nameOf(table: string): string
}

async function prepareSession(client: pg.Client): Promise<Target> {
  const { schema } = await ask<{ schema: string }>(client, 'SELECT current_schema() AS schema')
  // Under an empty search path the ledger's triggers leave the balances as they are, as when a dump is restored. A commit that
  // is lost with the server takes its record of progress along.
  await client.query(
    `SELECT set_config('search_path', '', false); SET synchronous_commit = off; SET statement_timeout = 0`,
  )
  return { client, nameOf: (table) => `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(table)}` }
}

async function copyTable(source: Queries, target: Target, table: Table, print: MoveOptions['print']): Promise<void> {
  const { client, nameOf } = target
  const progress = `SELECT last_key, moved FROM ${nameOf('move_progress')} WHERE table_name = $1`
  const recorded = await ask<{ last_key: SqlValue[] | null; moved: number }>(client, progress, [table.name])
  const { total } = (await source.first<{ total: number }>(`SELECT COUNT(*) AS total FROM ${table.name}`)) ?? {
    total: 0,
  }
  const insert = `
    WITH written AS (${insertInto(target, table)} RETURNING 1)
    UPDATE ${nameOf('move_progress')} SET last_key = $2, moved = moved + (SELECT COUNT(*) FROM written)
    WHERE table_name = $3`
  let { moved } = recorded
  let after: readonly SqlValue[] | null = recorded.last_key
  let sending: Promise<unknown> = Promise.resolve()
  for (;;) {
    const rows = await readBatch(source, table, after)
    await sending
    if (moved > 0 && (rows.length === 0 || moved % PROGRESS_ROWS < BATCH_ROWS)) {
      print(`${table.name}: ${moved} of ${total}`)
    }
    const last = rows.at(-1)
    if (last === undefined) break
    after = table.key.map((column) => last[column] ?? null)
    sending = guarded(() => client.query(insert, [jsonOf(rows), JSON.stringify(after), table.name]))
    // Awaited above, after the next batch is read; until then a failure is no unhandled rejection.
    sending.catch(() => {})
    moved += rows.length
  }
  const { count } = await ask<{ count: number }>(client, `SELECT COUNT(*) AS count FROM ${nameOf(table.name)}`)
  if (count !== total) throw new MoveRefused(`"${table.name}" has ${count} rows in the target, expected ${total}`)
}

function readBatch(source: Queries, { name, key }: Table, after: readonly SqlValue[] | null): Promise<Row[]> {
  const keys = key.join(', ')
  const from = after === null ? '' : `WHERE (${keys}) > (${key.map(() => '?').join(', ')})`
  const columns = key[0] === 'rowid' ? 'rowid, *' : '*'
  return source.all(`SELECT ${columns} FROM ${name} ${from} ORDER BY ${keys} LIMIT ${BATCH_ROWS}`, ...(after ?? []))
}

/** `$1`: the rows as JSON, which PostgreSQL reads by the types of the table's columns. */
function insertInto({ nameOf }: Target, { name, columns }: Pick<Table, 'name' | 'columns'>): string {
  const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ')
  return `INSERT INTO ${nameOf(name)} (${list}) OVERRIDING SYSTEM VALUE
    SELECT ${list} FROM json_populate_recordset(NULL::${nameOf(name)}, $1)`
}

function jsonOf(rows: readonly Row[]): string {
  return JSON.stringify(rows, function (this: unknown, _key, value: unknown) {
    return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value
  })
}

async function finish(
  client: pg.Client,
  queries: Queries,
  { from, target }: { from: Queries; target: Target },
): Promise<void> {
  await client.query('RESET search_path; RESET synchronous_commit')
  await transactOn(client, 'BEGIN', async () => {
    const { rows } = await client.query<{ table_name: string; column_name: string }>(
      `SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = current_schema() AND is_identity = 'YES'`,
    )
    for (const { table_name: table, column_name: column } of rows) {
      // The last number that was given, also where its row has been deleted since.
      const last = await from.first<{ seq: number }>('SELECT seq FROM sqlite_sequence WHERE name = ?', table)
      if (last) await client.query('SELECT setval(pg_get_serial_sequence($1, $2), $3)', [table, column, last.seq])
    }
    await migrate(queries, POSTGRES, [], 0)
    const applied = await from.all('SELECT name, applied_at_ms FROM migration')
    const columns = ['name', 'applied_at_ms']
    await client.query(insertInto(target, { name: 'migration', columns }), [jsonOf(applied)])
    await client.query('DROP TABLE move_progress')
  })
}

/** The first row of an answer that has one. */
async function ask<R extends pg.QueryResultRow>(client: pg.Client, sql: string, values: unknown[] = []): Promise<R> {
  const [row] = (await client.query<R>(sql, values)).rows
  if (row === undefined) throw new MoveRefused('the target has no record of this table: name an empty one')
  return row
}
