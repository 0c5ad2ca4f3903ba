// Copies every table of an SQLite database into an empty PostgreSQL one, a batch at a time. Each batch is one statement
// with the record of how far it went, so that a run that was killed continues there.
import pg from 'pg'
import { MoveRefused, type Queries, type Row, type SqlValue } from '../../service/store/database.ts'
import { type Migration, migrate, POSTGRES } from '../../service/store/migration.ts'
import { type MoveTarget, setPhase } from './move-target.ts'
import { guarded } from './postgres-errors.ts'
import { transactOn } from './postgres-migrate.ts'

/** Rows of a statement. Two batches are in memory at a time: one is sent while the next is read. */
const BATCH_ROWS = 1_000
/** Rows of a table between two lines of progress. */
const PROGRESS_ROWS = 100_000

type MoveOptions = {
  migrations: readonly Migration[]
  /** The state of the source. */
  state: string
  print(line: string): void
}

/** Brings an empty target, or one that is `copying`, to `copied`. `from` holds the source's write lock. */
export async function moveTables(from: Queries, target: MoveTarget, options: MoveOptions): Promise<void> {
  const { client, phase } = target
  requireFree(phase)
  if (phase === 'copied' || phase === 'verified') return
  const tables = await listTables(from)
  if (phase === 'empty') await begin(target, tables, options)
  const nameOf = await prepareSession(client)
  for (const table of tables) await copyTable(from, { client, nameOf }, table, options.print)
  await client.query('RESET search_path; RESET synchronous_commit')
  await transactOn(client, 'BEGIN', () => finish(from, target, nameOf))
  await client.query('ANALYZE')
}

/** Throws where there are tables that are not of this move. */
export function requireFree(phase: MoveTarget['phase']): void {
  if (phase === 'foreign') throw new MoveRefused('the target is not empty: name a database without tables')
}

export type Table = {
  name: string
  columns: readonly { name: string; type: string }[]
  /** The columns its rows are ordered by. */
  key: readonly string[]
}

/** Every table there is but `migration`; one that refers to another comes after it. */
export async function listTables(source: Queries): Promise<Table[]> {
  const names = await source.all<{ name: string }>(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~' AND name <> 'migration' ORDER BY name`,
  )
  const ordered = new Map<string, Table>()
  async function add(name: string): Promise<void> {
    if (ordered.has(name)) return
    const references = await source.all<{ to: string }>('SELECT "table" AS "to" FROM pragma_foreign_key_list(?)', name)
    for (const { to } of references) if (to !== name) await add(to)
    const columns = await source.all<{ name: string; type: string; pk: number }>(
      'SELECT name, type, pk FROM pragma_table_info(?)',
      name,
    )
    const key = columns.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk)
    ordered.set(name, { name, columns, key: key.length === 0 ? ['rowid'] : key.map((column) => column.name) })
  }
  for (const { name } of names) await add(name)
  return [...ordered.values()]
}

async function begin(
  { client, queries }: MoveTarget,
  tables: readonly Table[],
  { migrations, state }: MoveOptions,
): Promise<void> {
  await transactOn(client, 'BEGIN', async () => {
    await migrate(queries, POSTGRES, migrations, 0)
    // Filled from the source at the end.
    await client.query('DELETE FROM migration')
    const { rows } = await client.query<{ name: string }>(
      'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
    )
    const foreign = tables.find(({ name }) => !rows.some((row) => row.name === name))
    if (foreign) throw new MoveRefused(`this version does not know the table "${foreign.name}" of the SQLite database`)
    await client.query('CREATE TABLE move_state (source_state TEXT NOT NULL, phase TEXT NOT NULL)')
    await client.query(`INSERT INTO move_state (source_state, phase) VALUES ($1, 'copying')`, [state])
    await client.query(
      'CREATE TABLE move_progress (table_name TEXT PRIMARY KEY, last_key JSON, moved BIGINT NOT NULL DEFAULT 0)',
    )
    const names = tables.map(({ name }) => name)
    await client.query('INSERT INTO move_progress (table_name) SELECT unnest($1::text[])', [names])
  })
}

/** Resolves to what gives a table's name with its schema. */
async function prepareSession(client: pg.Client): Promise<(table: string) => string> {
  const { schema } = await ask<{ schema: string }>(client, 'SELECT current_schema() AS schema')
  // Under an empty search path the ledger's triggers leave the balances as they are, as when a dump is restored. A
  // commit that is lost with the server takes its record of progress along.
  await client.query(
    `SELECT set_config('search_path', '', false); SET synchronous_commit = off; SET statement_timeout = 0`,
  )
  return (table) => `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(table)}`
}

type Session = { client: pg.Client; nameOf(table: string): string }

async function copyTable(
  source: Queries,
  { client, nameOf }: Session,
  table: Table,
  print: MoveOptions['print'],
): Promise<void> {
  const progress = `SELECT last_key, moved FROM ${nameOf('move_progress')} WHERE table_name = $1`
  const recorded = await ask<{ last_key: SqlValue[] | null; moved: number }>(client, progress, [table.name])
  const { total } = (await source.first<{ total: number }>(`SELECT COUNT(*) AS total FROM ${table.name}`)) ?? {
    total: 0,
  }
  const columns = table.columns.map(({ name }) => name)
  const insert = `
    WITH written AS (${insertInto(nameOf(table.name), columns)} RETURNING 1)
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
}

function readBatch(source: Queries, { name, key }: Table, after: readonly SqlValue[] | null): Promise<Row[]> {
  const keys = key.join(', ')
  const from = after === null ? '' : `WHERE (${keys}) > (${key.map(() => '?').join(', ')})`
  const columns = key[0] === 'rowid' ? 'rowid, *' : '*'
  return source.all(`SELECT ${columns} FROM ${name} ${from} ORDER BY ${keys} LIMIT ${BATCH_ROWS}`, ...(after ?? []))
}

/** `$1`: the rows as JSON, which PostgreSQL reads by the types of the table's columns. */
function insertInto(table: string, columns: readonly string[]): string {
  const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ')
  return `INSERT INTO ${table} (${list}) OVERRIDING SYSTEM VALUE
    SELECT ${list} FROM json_populate_recordset(NULL::${table}, $1)`
}

function jsonOf(rows: readonly Row[]): string {
  return JSON.stringify(rows, function (this: unknown, _key, value: unknown) {
    return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value
  })
}

async function finish(from: Queries, target: MoveTarget, nameOf: Session['nameOf']): Promise<void> {
  const { client } = target
  const { rows } = await client.query<{ table_name: string; column_name: string }>(
    `SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = current_schema() AND is_identity = 'YES'`,
  )
  for (const { table_name: table, column_name: column } of rows) {
    // The last number that was given, also where its row has been deleted since.
    const last = await from.first<{ seq: number }>('SELECT seq FROM sqlite_sequence WHERE name = ?', table)
    if (last) await client.query('SELECT setval(pg_get_serial_sequence($1, $2), $3)', [table, column, last.seq])
  }
  const applied = await from.all('SELECT * FROM migration')
  await client.query(insertInto(nameOf('migration'), Object.keys(applied[0] ?? {})), [jsonOf(applied)])
  await setPhase(target, 'copied')
}

/** The first row of an answer that has one. */
async function ask<R extends pg.QueryResultRow>(client: pg.Client, sql: string, values: unknown[] = []): Promise<R> {
  const [row] = (await client.query<R>(sql, values)).rows
  if (row === undefined) throw new MoveRefused('the target has no record of this table: name an empty one')
  return row
}
