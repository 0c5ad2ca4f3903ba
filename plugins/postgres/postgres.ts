// The engine for more than one process or machine. A database that dies, hangs or restarts costs requests, never the
// process.
import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import {
  type Database,
  DatabaseUnavailable,
  isBreachOf,
  NotOwner,
  type Queries,
  RETURNS,
  type Row,
  type SqlValue,
} from '../../service/store/database.ts'
import type { Migration } from '../../service/store/migration.ts'
import { createWriteHealth } from '../../service/store/write-health.ts'
import { createBatches, type Statement } from './postgres-batches.ts'
import { guarded, inOurWords, TryAgain } from './postgres-errors.ts'
import { migratePostgres } from './postgres-migrate.ts'
import { createPostgresProbe } from './postgres-probe.ts'
import { type Step, StepFailed, type StepResult, sendStep, sendTogether } from './postgres-together.ts'

/** Answers must leave within it, so a caller hears soon that the database is down. */
const TIMEOUT_MS = 1_500
/** The server gives up first: it then says why, and the connection stays good. */
const STATEMENT_MARGIN_MS = 100
// Still longer than the second after which PostgreSQL looks for a deadlock, which is then not called mere waiting.
const LOCK_MARGIN_MS = 200
/** A transaction whose process stopped talking is ended by the server, and its locks with it. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 5_000
const LONG_TIMEOUT_MS = 600_000
/** For a connection that no request waits for: a service that starts beside a busy server waits for it. */
const OWN_CONNECTION_TIMEOUT_MS = 10_000
const CONNECTIONS_MAX = 16
const PROBE_TIMEOUT_MS = 1_000
/** More than there are connections: each of them may have to learn that a table has changed. */
const RETRIES_MAX = 20
/** No retry begins later than this share of the time-out after the first try. */
const RETRY_WINDOW = 0.8

export type PostgresSettings = {
  /** Connections of this process. @default 16 */
  connectionsMax: number
  /** Time limit in milliseconds of one wait for a connection, a statement or a lock. @default 1500 */
  timeoutMs: number
  /** Time limit in milliseconds of one readiness probe. @default 1000 */
  probeTimeoutMs: number
  /**
   * A pooler in transaction mode (pgbouncer's `pool_mode = transaction`) lends a connection for one transaction at a
   * time, so nothing may outlive one: statements go unnamed, time-outs are set inside each transaction. @default false
   */
  transactionPooler: boolean
}

type PostgresOptions = Partial<PostgresSettings> & {
  url: string
  /**
   * The role that makes and owns the tables; the role in `url` is then granted their use. @default the role in `url`
   */
  ownerUrl?: string | null
  migrations: readonly Migration[]
}

export async function openPostgres({
  url,
  ownerUrl = null,
  migrations,
  connectionsMax = CONNECTIONS_MAX,
  timeoutMs = TIMEOUT_MS,
  probeTimeoutMs = PROBE_TIMEOUT_MS,
  transactionPooler = false,
}: PostgresOptions): Promise<Database> {
  const timeouts = timeoutsOf(timeoutMs)
  const owner = ownerUrl ?? url
  if (migrations.length > 0) {
    const serves = ownerUrl === null ? null : await roleOf(url)
    await onOwnConnection(owner, (client, queries) => migratePostgres(client, queries, { migrations, serves }))
  }
  // No time-out goes into the start-up message: poolers refuse parameters they do not know.
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    keepAlive: true,
    application_name: APPLICATION_NAME,
    types: TYPES,
    pipeline: true,
  })
  // Both listeners: without the second, a connection that dies while it is in use ends the process.
  pool.on('error', ignore)
  pool.on('connect', (client) => {
    client.on('error', ignore)
    if (!transactionPooler) client.query(`SELECT ${setConfig(timeouts, 'false')}`).catch(ignore)
  })

  const settings = transactionPooler ? [{ text: `SELECT ${setConfig(timeouts, 'true')}`, values: [] }] : []
  const connections = { pool, settings, naming: transactionPooler ? unnamed : named }
  const again = <T>(run: () => Promise<T>) => retrying(timeoutMs * RETRY_WINDOW, run)
  const send = (statements: readonly Statement[]) => again(() => sendAll(connections, statements))
  const once = queriesOf(async (statement) => (await guarded(() => send([statement])))[0])
  const batches = createBatches(send)
  const probe = createPostgresProbe(url, {
    application_name: APPLICATION_NAME,
    types: TYPES,
    timeoutMs: probeTimeoutMs,
  })
  const health = createWriteHealth({ run: (sql, ...values) => probe.run(unnamed(sql).text, values) })

  return {
    engine: 'postgres',
    // A statement that returns rows may write too.
    all: (sql, ...values) => health.watch(once.all(sql, ...values)),
    first: (sql, ...values) => health.watch(once.first(sql, ...values)),
    run: (sql, ...values) => health.watch(once.run(sql, ...values)),
    must: (unless, sql, ...values) => health.watch(once.must(unless, sql, ...values)),
    transaction: (work) => health.watch(again(() => transact(connections, work))),
    batch: (tenantId, work) => health.watch(batches.submit(tenantId, work)),
    snapshot: (work) =>
      onOwnConnection(url, async (client, queries) => {
        await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${LONG}`)
        return work(queries)
      }),
    async scrub(table) {
      // VACUUM skips tables that we do not own, with a warning.
      let isSkipped = false
      await onOwnConnection(owner, (client) => {
        client.on('notice', () => {
          isSkipped = true
        })
        return client.query(`VACUUM ${pg.escapeIdentifier(table)}`)
      })
      if (isSkipped) throw new NotOwner()
    },
    async probe() {
      const { refusal, clockMs } = await probe.ask()
      return { refusal: refusal ?? (await health.refusal()), clockMs }
    },
    // The driver queues every caller for a moment, also those for whom a connection is free.
    load: () => ({
      inUse: pool.totalCount - pool.idleCount,
      waiting: Math.max(0, pool.waitingCount - pool.idleCount),
    }),
    async close() {
      await Promise.all([pool.end(), probe.close()])
    },
  }
}

const APPLICATION_NAME = 'credit-report-service'

type Setting = [name: string, value: number]

function timeoutsOf(timeoutMs: number): Setting[] {
  return [
    ['statement_timeout', timeoutMs - STATEMENT_MARGIN_MS],
    ['lock_timeout', timeoutMs - LOCK_MARGIN_MS],
    ['idle_in_transaction_session_timeout', IDLE_IN_TRANSACTION_TIMEOUT_MS],
  ]
}

/** With `isLocal`, until the transaction ends. */
function setConfig(settings: readonly Setting[], isLocal: 'true' | 'false'): string {
  return settings.map(([name, value]) => `set_config('${name}', '${value}', ${isLocal})`).join(', ')
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

export async function roleOf(url: string): Promise<string> {
  const { rows } = await onOwnConnection(url, (client) => client.query('SELECT current_user AS role'))
  return rows[0].role
}

/** On a connection of its own, for what takes longer than any request may. */
export async function onOwnConnection<T>(
  url: string,
  work: (client: pg.Client, queries: Queries) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: OWN_CONNECTION_TIMEOUT_MS,
    keepAlive: true,
    application_name: APPLICATION_NAME,
    types: TYPES,
    pipeline: true,
  })
  client.on('error', ignore)
  try {
    await guarded(() => client.connect())
    return await guarded(() => work(client, queriesOn(client, unnamed)))
  } finally {
    await client.end().catch(ignore)
  }
}

type Connections = { pool: pg.Pool; settings: readonly Step[]; naming: Naming }

/** All of them in one transaction and one round trip. */
async function sendAll(
  { pool, settings, naming }: Connections,
  statements: readonly Statement[],
): Promise<StepResult[]> {
  const client = await guarded(() => pool.connect())
  const steps = statements.map(({ sql, values }) => ({ values, ...naming(sql) }))
  try {
    const results = await sendTogether(client, [...settings, ...steps])
    client.release()
    return results.slice(settings.length)
  } catch (error) {
    const reason = inOurWords(error)
    client.release(isSpent(reason))
    if (reason instanceof TryAgain || !(error instanceof StepFailed)) throw reason
    throw new StepFailed(error.index - settings.length, error.cause)
  }
}

async function transact<T>(
  { pool, settings, naming }: Connections,
  work: (queries: Queries) => Promise<T>,
): Promise<T> {
  const client = await guarded(() => pool.connect())
  try {
    await guarded(() => client.query(['BEGIN', ...settings.map(({ text }) => text)].join('; ')))
    const value = await work(queriesOn(client, naming))
    const { command } = await guarded(() => client.query('COMMIT'))
    // PostgreSQL's answer, without an error, when a statement had failed and `work` went on all the same.
    if (command !== 'COMMIT') throw new Error('a transaction went on after one of its statements had failed')
    client.release()
    return value
  } catch (error) {
    client.release(isSpent(error) || !(await rollsBack(client)))
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
      // Random back-off after a serialization conflict; an outdated connection needs no pause.
      if (!error.elsewhere) await pause(Math.random() * 10 * 2 ** retries)
    }
  }
}

type Named = { name?: string; text: string }
type Naming = (sql: string) => Named

function queriesOn(client: pg.ClientBase, naming: Naming): Queries {
  return queriesOf(({ sql, values }) => guarded(() => sendStep(client, { values, ...naming(sql) })))
}

function queriesOf(send: (statement: Statement) => Promise<StepResult | undefined>): Queries {
  const all = async <R extends Row>(sql: string, ...values: SqlValue[]) =>
    ((await send({ sql, values }))?.rows ?? []) as R[]
  const run = async (sql: string, ...values: SqlValue[]) => (await send({ sql, values }))?.count ?? 0
  return {
    all,
    first: async <R extends Row>(sql: string, ...values: SqlValue[]) => (await all<R>(sql, ...values))[0] ?? null,
    run,
    must: mustOn({ all, run }),
  }
}

function mustOn({ all, run }: Pick<Queries, 'all' | 'run'>): Queries['must'] {
  return async (unless, sql, ...values) => {
    try {
      if (!RETURNS.test(sql)) {
        if ((await run(sql, ...values)) > 0) return {}
      } else {
        const [row] = await all(sql, ...values)
        if (row) return row
      }
    } catch (error) {
      throw isBreachOf(error, unless.constraint) ? unless.error() : error
    }
    throw unless.error()
  }
}

const statements = new Map<string, Required<Named>>()

/**
 * The same statement has the same name in every process and version, so that each connection plans it once and never
 * takes one for another.
 */
function named(sql: string): Required<Named> {
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

function unnamed(sql: string): Named {
  return { text: named(sql).text }
}
