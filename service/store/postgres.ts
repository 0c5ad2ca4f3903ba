// The engine for more than one process or machine. A database that dies, hangs or restarts costs requests, never the process.
import pg from 'pg'
import { type Database, DatabaseUnavailable, type Queries, type Row, type SqlValue } from './database.ts'
import { type Migration, migrate, POSTGRES } from './migration.ts'
import { guarded, TryAgain } from './postgres-errors.ts'

/** Each of these is under the two seconds in which a caller must hear that the database is down. */
const CONNECT_TIMEOUT_MS = 1_500
const QUERY_TIMEOUT_MS = 1_500
const STATEMENT_TIMEOUT_MS = 1_400
// Longer than the second after which PostgreSQL looks for a deadlock, which is then told apart from mere waiting.
const LOCK_TIMEOUT_MS = 1_300
/** A transaction whose process stopped talking is ended by the server, and its locks with it. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 5_000
const LONG_TIMEOUT_MS = 600_000
const CONNECTIONS_MAX = 16
/** More than there are connections: each of them may have to learn that a table has changed. */
const RETRIES_MAX = 20
/** No retry begins later than this after the first try. */
const RETRY_WINDOW_MS = 1_200

export type PostgresOptions = {
  url: string
  migrations: readonly Migration[]
  /** @default 16 */
  connectionsMax?: number
}

export async function openPostgres({
  url,
  migrations,
  connectionsMax = CONNECTIONS_MAX,
}: PostgresOptions): Promise<Database> {
  if (migrations.length > 0) await migrateOnce(url, migrations)
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'credit-report-service',
    types: TYPES,
  })
  // Both listeners: without the second, a connection that dies while it is in use ends the process.
  pool.on('error', ignore)
  pool.on('connect', (client) => client.on('error', ignore))

  const once = <T>(work: (queries: Queries) => Promise<T>) => retrying(() => onConnection(pool, work))

  return {
    engine: 'postgres',
    all: (sql, ...values) => once((queries) => queries.all(sql, ...values)),
    first: (sql, ...values) => once((queries) => queries.first(sql, ...values)),
    run: (sql, ...values) => once((queries) => queries.run(sql, ...values)),
    transaction: (work) => retrying(() => onConnection(pool, work, 'BEGIN')),
    snapshot: (work) =>
      aside(url, async (client) => {
        await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
        return work(queriesOn(client))
      }),
    async scrub(table) {
      await aside(url, (client) => client.query(`VACUUM ${pg.escapeIdentifier(table)}`))
    },
    close: () => pool.end(),
  }
}

function ignore(): void {}

// int8 comes as text by default, because it may not fit a number; credits, times and counts do.
const INT8 = 20
const TYPES = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    return oid === INT8 ? Number : pg.types.getTypeParser(oid, format ?? 'text')
  },
} as pg.CustomTypesConfig

async function migrateOnce(url: string, migrations: readonly Migration[]): Promise<void> {
  await aside(url, async (client) => {
    await client.query('BEGIN')
    await migrate(queriesOn(client), POSTGRES, migrations, Date.now())
    await client.query('COMMIT')
  })
}

/** On a connection of its own, for what takes longer than any request may. */
async function aside<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: LONG_TIMEOUT_MS,
    types: TYPES,
  })
  client.on('error', ignore)
  try {
    await guarded(() => client.connect())
    return await guarded(() => work(client))
  } finally {
    await client.end().catch(ignore)
  }
}

/** With `begin`, all of `work` is one transaction. */
async function onConnection<T>(
  pool: pg.Pool,
  work: (queries: Queries) => Promise<T>,
  begin: 'BEGIN' | null = null,
): Promise<T> {
  const client = await guarded(() => pool.connect())
  try {
    if (begin !== null) await guarded(() => client.query(begin))
    const value = await work(queriesOn(client))
    if (begin !== null) await guarded(() => client.query('COMMIT'))
    client.release()
    return value
  } catch (error) {
    client.release(isSpent(error) || (begin !== null && !(await rollsBack(client))))
    throw error
  }
}

/** A connection that failed once is not asked again; closing it rolls back too. */
function isSpent(error: unknown): boolean {
  return error instanceof DatabaseUnavailable || (error instanceof TryAgain && error.elsewhere)
}

function rollsBack(client: pg.PoolClient): Promise<boolean> {
  return client.query('ROLLBACK').then(
    () => true,
    () => false,
  )
}

async function retrying<T>(run: () => Promise<T>): Promise<T> {
  const startedMs = performance.now()
  for (let retries = 0; ; retries += 1) {
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof TryAgain)) throw error
      if (retries >= RETRIES_MAX || performance.now() - startedMs > RETRY_WINDOW_MS) {
        throw new DatabaseUnavailable(error.code)
      }
      // Those who collided part ways at random; a connection that is merely out of date needs no pause.
      if (!error.elsewhere) await pause(Math.random() * 10 * 2 ** retries)
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function queriesOn(client: pg.ClientBase): Queries {
  const query = (sql: string, values: SqlValue[]) => guarded(() => client.query<Row>({ ...statementOf(sql), values }))
  return {
    all: async (sql, ...values) => (await query(sql, values)).rows,
    first: async (sql, ...values) => (await query(sql, values)).rows[0] ?? null,
    run: async (sql, ...values) => (await query(sql, values)).rowCount ?? 0,
  }
}

const statements = new Map<string, { name: string; text: string }>()

/** The same statement has the same name, so that each connection plans it once. */
function statementOf(sql: string): { name: string; text: string } {
  let statement = statements.get(sql)
  if (statement === undefined) {
    let parameters = 0
    const text = sql.replace(/\?/g, () => {
      parameters += 1
      return `$${parameters}`
    })
    statement = { name: `s${statements.size}`, text }
    statements.set(sql, statement)
  }
  return statement
}
