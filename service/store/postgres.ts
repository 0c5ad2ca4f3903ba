// The engine for more than one process or machine. A database that dies, hangs or restarts costs requests, never the process.
import pg from 'pg'
import {
  ConstraintViolation,
  type Database,
  DatabaseUnavailable,
  type Queries,
  type Row,
  type SqlValue,
} from './database.ts'
import { type Migration, migrate, POSTGRES } from './migration.ts'

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
const RETRIES_MAX = 5
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

  return {
    engine: 'postgres',
    ...queriesOn(pool),
    transaction: (work) => retrying(() => inTransaction(pool, 'BEGIN', work)),
    snapshot: (work) => inTransaction(pool, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', work),
    async scrub(table) {
      await withClient(url, (client) => client.query(`VACUUM ${pg.escapeIdentifier(table)}`))
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
  await withClient(url, async (client) => {
    await client.query('BEGIN')
    await migrate(queriesOn(client), POSTGRES, migrations, Date.now())
    await client.query('COMMIT')
  })
}

/** A connection of its own, for what takes longer than any request may. */
async function withClient(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: LONG_TIMEOUT_MS,
    types: TYPES,
  })
  client.on('error', ignore)
  try {
    await guarded(() => client.connect())
    await guarded(() => work(client))
  } finally {
    await client.end().catch(ignore)
  }
}

async function inTransaction<T>(pool: pg.Pool, begin: string, work: (queries: Queries) => Promise<T>): Promise<T> {
  const client = await guarded(() => pool.connect())
  try {
    await guarded(() => client.query(begin))
    const value = await work(queriesOn(client))
    await guarded(() => client.query('COMMIT'))
    client.release()
    return value
  } catch (error) {
    // A connection that failed once is not asked again: closing it rolls back too.
    const broken =
      error instanceof DatabaseUnavailable ||
      (await client.query('ROLLBACK').then(
        () => false,
        () => true,
      ))
    client.release(broken)
    throw error
  }
}

/** Two transactions that cross each other's path: one is told to try again. Nothing of it has happened. */
async function retrying<T>(run: () => Promise<T>): Promise<T> {
  const startedMs = performance.now()
  for (let retries = 0; ; retries += 1) {
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof Conflict)) throw error
      if (retries >= RETRIES_MAX || performance.now() - startedMs > RETRY_WINDOW_MS) {
        throw new DatabaseUnavailable(error.code)
      }
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** retries))
    }
  }
}

class Conflict extends Error {
  readonly code: string
  constructor(code: string) {
    super(`transactions conflict (${code})`)
    this.name = 'Conflict'
    this.code = code
  }
}

type Runner = Pick<pg.ClientBase, 'query'> | pg.Pool

function queriesOn(runner: Runner): Queries {
  const query = (sql: string, values: SqlValue[]) =>
    guarded<pg.QueryResult<Row>>(() => runner.query<Row>({ ...statementOf(sql), values }))
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

const CONFLICTS = ['40001', '40P01']
/** Classes of errors that say "not now": connection, resources, operator, system; then lock time-out and read-only. */
const UNAVAILABLE = /^(?:08|53|57|58|XX|55P03|25006)/

async function guarded<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (isTold(error)) throw error
    if (!(error instanceof pg.DatabaseError)) throw new DatabaseUnavailable(codeOf(error))
    const code = error.code ?? 'unknown'
    if (CONFLICTS.includes(code)) throw new Conflict(code)
    if (UNAVAILABLE.test(code)) throw new DatabaseUnavailable(code)
    if (code.startsWith('23')) throw new ConstraintViolation(error.constraint ?? code)
    throw error
  }
}

/** What an inner call has put into our own words already. */
function isTold(error: unknown): boolean {
  return error instanceof DatabaseUnavailable || error instanceof ConstraintViolation || error instanceof Conflict
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'disconnected'
}
