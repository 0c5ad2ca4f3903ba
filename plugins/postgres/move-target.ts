// The PostgreSQL database that `admin move` fills. It keeps how far the move has come, so that the next run goes on
// there:
//
//   empty ──▶ copying ──▶ copied ──▶ verified ──▶ open
//
// From `copying` to `verified` there is a table `move_state`, and no service starts there (postgres-migrate.ts).
// `foreign`: tables that are not of a move, those of an open database among them.
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { MoveRefused, type Queries } from '../../service/store/database.ts'
import { grantsTo, type Migration } from '../../service/store/migration.ts'
import { onOwnConnection, roleOf } from './postgres.ts'
import { transactOn } from './postgres-migrate.ts'

// Any number but the migrations': two moves to one database must only agree on it.
const MOVE_LOCK = 4_100_000_002
/** A move that was killed keeps its lock until its server process notices. */
const LOCK_TRIES_MAX = 20
const LOCK_RETRY_MS = 250

type Phase = 'copying' | 'copied' | 'verified'

export type MoveTarget = {
  client: pg.Client
  queries: Queries
  phase: Phase | 'empty' | 'foreign'
}

/** The target's address, and its source. */
export type TargetPlace = {
  /** The role that owns the tables. */
  url: string
  /** The state of the source: another one means that it was written to. */
  state: string
}

/** No second move works on the target meanwhile. Throws where a move of another source has begun. */
export function onMoveTarget<T>({ url, state }: TargetPlace, work: (target: MoveTarget) => Promise<T>): Promise<T> {
  return onOwnConnection(url, async (client, queries) => {
    await takeLock(queries)
    return work({ client, queries, phase: await readPhase(queries, state) })
  })
}

/** Ends with the connection. */
async function takeLock(queries: Queries): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const row = await queries.first(`SELECT 1 AS one WHERE pg_try_advisory_lock(${MOVE_LOCK})`)
    if (row !== null) return
    if (tries === LOCK_TRIES_MAX) throw new MoveRefused('another "admin move" is writing to this database')
    await pause(LOCK_RETRY_MS)
  }
}

async function readPhase(queries: Queries, state: string): Promise<MoveTarget['phase']> {
  if ((await queries.first(`SELECT 1 AS one WHERE to_regclass('move_state') IS NOT NULL`)) === null) {
    return (await queries.first(RELATIONS)) === null ? 'empty' : 'foreign'
  }
  const row = await queries.first<{ source_state: string; phase: Phase }>('SELECT source_state, phase FROM move_state')
  if (row?.source_state === state) return row.phase
  throw new MoveRefused(
    'the target holds part of another database, or of this one before it was written to again: name an empty one',
  )
}

// Tables of an extension do not count.
const RELATIONS = `
  SELECT 1 AS one FROM pg_class WHERE relnamespace = current_schema()::regnamespace
    AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e') LIMIT 1`

export async function setPhase({ queries }: MoveTarget, phase: Phase): Promise<void> {
  await queries.run('UPDATE move_state SET phase = ?', phase)
}

type Opening = {
  migrations: readonly Migration[]
  /** The address of the role that serves, where another owns the tables. */
  servesUrl: string | null
  /** Writes the move's line into the audit trail. */
  note(queries: Queries): Promise<void>
}

/** Lets services start on a verified target. Does nothing when an answer was lost and it is open already. */
export async function openTarget(
  { client, queries, phase }: MoveTarget,
  { migrations, servesUrl, note }: Opening,
): Promise<void> {
  if (phase === 'foreign') return
  if (phase !== 'verified') throw new MoveRefused('the target is not verified yet')
  const { rows } = await client.query('SELECT current_schema() AS schema')
  const role = servesUrl === null ? null : pg.escapeIdentifier(await roleOf(servesUrl))
  const grants = role === null ? [] : grantsTo(role, pg.escapeIdentifier(rows[0].schema), migrations)
  await transactOn(client, 'BEGIN', async () => {
    await client.query('DROP TABLE move_state, move_progress')
    for (const grant of grants) await client.query(grant)
    await note(queries)
  })
}
