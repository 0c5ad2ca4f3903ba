// Brings PostgreSQL's tables up to date beside running services. A change of a table waits for its readers, and
// everyone else waits behind it: so it waits briefly, steps back, and tries again.
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { DatabaseUnavailable, MoveRefused, type Queries } from '../../service/store/database.ts'
import {
  grantsTo,
  lockMigrations,
  type Migration,
  migrate,
  missingOf,
  POSTGRES,
} from '../../service/store/migration.ts'
import { guarded, TryAgain } from './postgres-errors.ts'

/** Well below what a request waits for a lock, so that those queued behind it still get theirs. */
const LOCK_TIMEOUT_MS = 500
/** Longer than the wait: requests have the table most of the time. */
const PAUSE_MS = 2_000
/** Time limit of a dump or a long report. */
const LOCKED_MAX_MS = 600_000
const STATEMENT_TIMEOUT_MS = 600_000

const LOCK_NOT_AVAILABLE = '55P03'

/** Answers with a row until `admin move` has verified what it copied. */
const UNFINISHED_MOVE = `SELECT 1 AS one WHERE to_regclass('move_state') IS NOT NULL`

/** `queries` are the client's. `serves`: the role that uses the tables, if it is not the one that makes them. */
export async function migratePostgres(
  client: pg.Client,
  queries: Queries,
  { migrations, serves }: { migrations: readonly Migration[]; serves: string | null },
): Promise<void> {
  const transact = (work: () => Promise<unknown>) =>
    transactOn(client, `BEGIN; SET LOCAL statement_timeout = ${STATEMENT_TIMEOUT_MS}`, work)

  if ((await queries.first(UNFINISHED_MOVE)) !== null) {
    throw new MoveRefused('DATABASE_URL: the database is not verified yet; end "admin move" first, by running it again')
  }
  if ((await queries.first(POSTGRES.findMigrations)) === null) {
    // Nothing uses these tables yet.
    await transact(() => migrate(queries, POSTGRES, migrations, Date.now()))
  } else {
    for (const migration of await missingOf(queries, POSTGRES, migrations)) {
      for (const [name, on] of Object.entries(migration.indexes ?? {})) {
        await patiently(() => guarded(() => buildIndex(client, name, on)))
      }
      await patiently(() =>
        transact(async () => {
          // Waited for as long as it takes: another process is migrating. Only then is the wait for tables short.
          await lockMigrations(queries)
          await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`)
          await migrate(queries, POSTGRES, [{ ...migration, indexes: {} }], Date.now())
        }),
      )
    }
  }
  if (serves === null) return
  const { rows } = await client.query('SELECT current_schema() AS schema')
  const grants = grantsTo(pg.escapeIdentifier(serves), pg.escapeIdentifier(rows[0].schema), migrations)
  await transact(async () => {
    for (const grant of grants) await client.query(grant)
  })
}

/** Outside a transaction, without stopping writers. One that was interrupted has left an index that is not valid. */
async function buildIndex(client: pg.Client, name: string, on: string): Promise<void> {
  const index = pg.escapeIdentifier(name)
  for (;;) {
    const { rows } = await client.query(
      `SELECT indisvalid AS valid, EXISTS (SELECT 1 FROM pg_stat_progress_create_index WHERE index_relid = indexrelid) AS building
       FROM pg_index WHERE indexrelid = to_regclass($1)`,
      [index],
    )
    const [found] = rows
    if (found?.valid) return
    if (found?.building) await pause(PAUSE_MS)
    else if (found) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`)
    else await client.query(`CREATE INDEX CONCURRENTLY IF NOT EXISTS ${index} ON ${on}`)
  }
}

async function patiently(step: () => Promise<void>): Promise<void> {
  const deadlineMs = performance.now() + LOCKED_MAX_MS
  for (;;) {
    try {
      return await step()
    } catch (error) {
      if (!isLocked(error) || performance.now() > deadlineMs) throw error
    }
    await pause(PAUSE_MS)
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof TryAgain || (error instanceof DatabaseUnavailable && error.code === LOCK_NOT_AVAILABLE)
}

/** On a connection that no one else uses. `begin` may set what lasts as long as the transaction. */
export async function transactOn(client: pg.Client, begin: string, work: () => Promise<unknown>): Promise<void> {
  await client.query(begin)
  try {
    await work()
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}
