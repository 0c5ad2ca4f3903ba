// The engine for more than one process or machine. A database that dies, hangs or restarts costs requests, never the process.
import { createHash } from 'node:crypto'
import pg from 'pg'
import { type Database, DatabaseUnavailable, type Queries, type Row, type SqlValue } from './database.ts'
import { type Migration, migrate, POSTGRES } from './migration.ts'
import { guarded, TryAgain } from './postgres-errors.ts'
import { createPostgresProbe } from './postgres-probe.ts'
import { createWriteMemory } from './write-memory.ts'

/** Answers must leave within it, so a caller hears soon that the database is down. */
const TIMEOUT_MS = 1_500
/** The server gives up first: it then says why, and the connection stays good. */
const STATEMENT_MARGIN_MS = 100
// Still longer than the second after which PostgreSQL looks for a deadlock, which is then told apart from mere waiting.
const LOCK_MARGIN_MS = 200
/** A transaction whose process stopped talking is ended by the server, and its locks with it. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 5_000
const LONG_TIMEOUT_MS = 600_000
const CONNECTIONS_MAX = 16
/** More than there are connections: each of them may have to learn that a table has changed. */
const RETRIES_MAX = 20
/** No retry begins later than this share of the time-out after the first try. */
const RETRY_WINDOW = 0.8

export type PostgresSettings = {
  /** Connections of this process. @default 16 */
  connectionsMax: number
  /** What one wait for a connection, a statement or a lock may take. @default 1500 */
  timeoutMs: number
  /**
   * A pooler in transaction mode (pgbouncer's `pool_mode = transaction`) lends a connection for one transaction at a time, so
   * nothing may outlive one: statements go unnamed, time-outs are set inside each transaction. @default false
   */
  transactionPooler: boolean
}

export type PostgresOptions = Partial<PostgresSettings> & { url: string; migrations: readonly Migration[] }

export async function openPostgres({
  url,
  migrations,
  connectionsMax = CONNECTIONS_MAX,
  timeoutMs = TIMEOUT_MS,
  transactionPooler = false,
}: PostgresOptions): Promise<Database> {
  const timeouts = timeoutsOf(timeoutMs)
  const server = { url, timeoutMs }
  if (migrations.length > 0) await migrateOnce(server, migrations)
  // No time-out goes into the start-up message: poolers refuse parameters they do not know.
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    keepAlive: true,
    application_name: APPLICATION_NAME,
    // A statement does not wait for the answer to the one before it.
    pipeline: true,
    types: TYPES,
  })
  // Both listeners: without the second, a connection that dies while it is in use ends the process.
  pool.on('error', ignore)
  pool.on('connect', (client) => {
    client.on('error', ignore)
    if (!transactionPooler) client.query(timeouts.map((setting) => `SET ${setting}`).join('; ')).catch(ignore)
  })

  const begin = transactionPooler ? ['BEGIN', ...timeouts.map((setting) => `SET LOCAL ${setting}`)].join('; ') : 'BEGIN'
  const naming = transactionPooler ? unnamed : named
  const run = <T>(work: (queries: Queries) => Promise<T>, how: Bracket) =>
    retrying(timeoutMs * RETRY_WINDOW, () => onConnection({ pool, begin, naming }, work, how))
  const once = <T>(work: (queries: Queries) => Promise<T>) => run(work, transactionPooler ? 'at once' : 'none')
  const probe = createPostgresProbe(url, { application_name: APPLICATION_NAME, types: TYPES })
  const memory = createWriteMemory({ run: (sql, ...values) => probe.run(unnamed(sql).text, values) })

  return {
    engine: 'postgres',
    all: (sql, ...values) => once((queries) => queries.all(sql, ...values)),
    first: (sql, ...values) => once((queries) => queries.first(sql, ...values)),
    run: (sql, ...values) => memory.watch(once((queries) => queries.run(sql, ...values))),
    transaction: (work) => memory.watch(run(work, 'transaction')),
    snapshot: (work) =>
      aside(server, async (client) => {
        await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${LONG}`)
        return work(queriesOn(client, unnamed))
      }),
    async scrub(table) {
      await aside(server, (client) => client.query(`VACUUM ${pg.escapeIdentifier(table)}`))
    },
    async probe() {
      const { refusal, clockMs } = await probe.ask()
      return { refusal: refusal ?? (await memory.refusal()), clockMs }
    },
    load: () => ({ inUse: pool.totalCount - pool.idleCount, waiting: pool.waitingCount }),
    async close() {
      await Promise.all([pool.end(), probe.close()])
    },
  }
}

const APPLICATION_NAME = 'credit-report-service'

function timeoutsOf(timeoutMs: number): string[] {
  return [
    `statement_timeout = ${timeoutMs - STATEMENT_MARGIN_MS}`,
    `lock_timeout = ${timeoutMs - LOCK_MARGIN_MS}`,
    `idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_TIMEOUT_MS}`,
  ]
}

const LONG = `SET LOCAL statement_timeout = ${LONG_TIMEOUT_MS}`

function ignore(): void {}

// int8 comes as text by default, because it may not fit a number; credits, times and counts do.
const INT8 = 20
const TYPES = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    return oid === INT8 ? Number : pg.types.getTypeParser(oid, format ?? 'text')
  },
} as pg.CustomTypesConfig

type Server = { url: string; timeoutMs: number }

async function migrateOnce(server: Server, migrations: readonly Migration[]): Promise<void> {
  await aside(server, async (client) => {
    await client.query(`BEGIN; ${LONG}`)
    await migrate(queriesOn(client, unnamed), POSTGRES, migrations, Date.now())
    await client.query('COMMIT')
  })
}

/** On a connection of its own, for what takes longer than any request may. */
async function aside<T>({ url, timeoutMs }: Server, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: timeoutMs,
    application_name: APPLICATION_NAME,
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

/**
 * - `none`: a single statement, which is a transaction by itself.
 * - `at once`: the same between BEGIN and COMMIT, sent without waiting for the answers. Only for a single statement: were
 *   BEGIN to fail, it would still be a transaction by itself.
 * - `transaction`: all of the work is one.
 */
type Bracket = 'none' | 'at once' | 'transaction'

type Connections = { pool: pg.Pool; begin: string; naming: Naming }

async function onConnection<T>(
  { pool, begin, naming }: Connections,
  work: (queries: Queries) => Promise<T>,
  bracket: Bracket,
): Promise<T> {
  const client = await guarded(() => pool.connect())
  const queries = queriesOn(client, naming)
  try {
    const value = await (bracket === 'none' ? work(queries) : between(client, { begin, bracket }, () => work(queries)))
    client.release()
    return value
  } catch (error) {
    client.release(isSpent(error) || (bracket === 'transaction' && !(await rollsBack(client))))
    throw error
  }
}

async function between<T>(
  client: pg.PoolClient,
  { begin, bracket }: { begin: string; bracket: Bracket },
  work: () => Promise<T>,
): Promise<T> {
  const send = (sql: string) => guarded(() => client.query(sql))
  if (bracket === 'at once') {
    const sent = [send(begin), work(), send('COMMIT')] as const
    // All of them, so that whoever gets this connection next finds it idle.
    await Promise.allSettled(sent)
    const [, value] = await Promise.all(sent)
    return value
  }
  await send(begin)
  const value = await work()
  const { command } = await send('COMMIT')
  // What PostgreSQL answers, without an error, when a statement had failed and `work` went on all the same.
  if (command !== 'COMMIT') throw new Error('a transaction went on after one of its statements had failed')
  return value
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

async function retrying<T>(windowMs: number, run: () => Promise<T>): Promise<T> {
  const startedMs = performance.now()
  for (let retries = 0; ; retries += 1) {
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof TryAgain)) throw error
      if (retries >= RETRIES_MAX || performance.now() - startedMs > windowMs) {
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

type Statement = { name?: string; text: string }
type Naming = (sql: string) => Statement

function queriesOn(client: pg.ClientBase, naming: Naming): Queries {
  const query = (sql: string, values: SqlValue[]) => guarded(() => client.query<Row>({ ...naming(sql), values }))
  return {
    all: async (sql, ...values) => (await query(sql, values)).rows,
    first: async (sql, ...values) => (await query(sql, values)).rows[0] ?? null,
    run: async (sql, ...values) => (await query(sql, values)).rowCount ?? 0,
  }
}

const statements = new Map<string, Required<Statement>>()

/** The same statement has the same name in every process and version, so that each connection plans it once and never takes one for another. */
function named(sql: string): Required<Statement> {
  let statement = statements.get(sql)
  if (statement === undefined) {
    let parameters = 0
    const text = sql.replace(/\?/g, () => {
      parameters += 1
      return `$${parameters}`
    })
    statement = { name: createHash('sha256').update(text).digest('base64url').slice(0, NAME_LENGTH), text }
    statements.set(sql, statement)
  }
  return statement
}

/** 144 bits of the hash; PostgreSQL would cut off a name of more than 63. */
const NAME_LENGTH = 24

function unnamed(sql: string): Statement {
  return { text: named(sql).text }
}
