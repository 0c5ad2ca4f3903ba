// The steps of `admin move`, in order. Each that asks PostgreSQL is tried again while its server is away.
import { setTimeout as pause } from 'node:timers/promises'
import { Unsealable } from '../../kit/seal.ts'
import { type OfflineInput, Refused } from '../../service/command.ts'
import type { Config } from '../../service/config.ts'
import { createActing } from '../../service/http/acting.ts'
import { deriveKeys } from '../../service/keys.ts'
import { type Database, DatabaseUnavailable, type Queries } from '../../service/store/database.ts'
import { missingOf, SQLITE } from '../../service/store/migration.ts'
import { openSigningKeys } from '../../service/tokens/signing-keys.ts'
import { withPatience } from '../admin/verify.ts'
import { findUnknown, requireSound, tell, verifyDatabase } from '../admin/verify-database.ts'
import { linkAudit } from '../audit/chain.ts'
import { writeAudit } from '../audit/store.ts'
import { findDifference } from './compare-tables.ts'
import { closeFolder, holdSource, stateOf } from './move-source.ts'
import { listTables, moveTables, requireFree } from './move-tables.ts'
import { onMoveTarget, openTarget, setPhase } from './move-target.ts'
import { openDatabase } from './open-database.ts'

/** For a server that restarts, or a standby that takes over. */
const TRIES_MAX = 30
const RETRY_MS = 2_000

export type Target = {
  /** The role that serves. */
  databaseUrl: string
  /** The role that owns the tables. */
  ownerUrl: string
}

/** False: what arrived on PostgreSQL is not sound, and SQLite stays as it was. */
export async function moveFolder(input: OfflineInput, target: Target): Promise<boolean> {
  const { config, tables, print } = input
  const from = { databaseUrl: null, dataDir: config.dataDir }
  // Before it is opened for writing, which would bring its tables up to date.
  const reader = await openDatabase(from, { migrations: [], role: 'reader' })
  const problem = await findProblem(reader, input).finally(() => reader.close())
  if (problem !== null) throw new Refused(`the SQLite database: ${problem}`)
  // As the service: the folder's lock keeps the service and a second move away.
  const source = await openDatabase(from, { migrations: tables, role: 'service' })
  try {
    if (await isBegun(config.dataDir, target)) print('continuing')
    else {
      print('verifying SQLite')
      await linkRest(source, config)
      requireSound(await verifyDatabase(source, { ...input, onProgress: print }), 'the SQLite database')
      // A copy of everything leaves a line, also when it fails.
      await createActing(source, input.plugins.act, () => [input.line(null)]).note('begun', { isFailure: false })
    }
    return await holdSource(source, config.dataDir, (queries) => moveHeld(queries, input, target))
  } finally {
    await source.close()
  }
}

/** A service that was stopped has left the events of its last seconds unlinked. */
async function linkRest(database: Database, { secretKeys }: Config): Promise<void> {
  const wrappingKeys = deriveKeys(secretKeys).signing
  const keys = await openSigningKeys({ database, wrappingKeys, clock: Date.now }).catch(orUnsealable)
  if (keys === null) return
  while ((await linkAudit({ database, keys, clock: Date.now })) > 0) {}
}

/** The verification says in words that it is another key. */
function orUnsealable(error: unknown): null {
  if (error instanceof Unsealable) return null
  throw error
}

/** Also of a full disk: SQLite needs some room beside a database to read it. */
const UNREADABLE = ['SQLITE_IOERR', 'SQLITE_FULL', 'SQLITE_CANTOPEN']

async function findProblem(reader: Database, { tables }: OfflineInput): Promise<string | null> {
  const unknown = await findUnknown(reader, tables).catch((error: unknown) =>
    error instanceof DatabaseUnavailable && UNREADABLE.includes(error.code)
      ? `it cannot be read (${error.code}): make room on its disk, or give this user access to it`
      : 'it is not a database of this service',
  )
  if (unknown !== null) return unknown
  const missing = await missingOf(reader, SQLITE, tables)
  return missing.length === 0
    ? null
    : 'it is of an older version: start this version of the service on it once, then stop it'
}

/** A move has begun only where the source was verified in the state that it is in. */
async function isBegun(folder: string, { ownerUrl: url }: Target): Promise<boolean> {
  return onMoveTarget({ url, state: stateOf(folder) }, async ({ phase }) => {
    requireFree(phase)
    return phase !== 'empty'
  })
}

/** `from` holds the write lock of the source until this resolves. */
async function moveHeld(from: Queries, input: OfflineInput, target: Target): Promise<boolean> {
  const { config, tables, print } = input
  const place = { url: target.ownerUrl, state: stateOf(config.dataDir) }

  const isVerified = await patiently(print, () =>
    onMoveTarget(place, async (to) => {
      await moveTables(from, to, { migrations: tables, state: place.state, print })
      return to.phase === 'verified'
    }),
  )
  if (!isVerified && !(await patiently(print, () => verifyTarget(input, target)))) return false
  print('comparing both')
  const difference = await patiently(print, () =>
    onMoveTarget(place, async (to) => {
      const found = await findDifference(from, to.queries, await listTables(from))
      if (found === null) await setPhase(to, 'verified')
      return found
    }),
  )
  if (difference !== null) {
    print(`BROKEN  both databases have the same: ${difference}`)
    return false
  }
  print('closing SQLite')
  closeFolder(config.dataDir, target.databaseUrl)
  return true
}

async function verifyTarget(input: OfflineInput, { ownerUrl }: Target): Promise<boolean> {
  const { config, print } = input
  print('verifying PostgreSQL')
  const database = await openDatabase(withPatience({ ...config, databaseUrl: ownerUrl }), {
    migrations: [],
    role: 'reader',
  })
  const checks = await verifyDatabase(database, { ...input, onProgress: print }).finally(() => database.close())
  return tell(checks, print) === 0
}

/** After a run that ended between closing SQLite and opening PostgreSQL. Throws unless that is so. */
export async function requireVerified(
  { config }: OfflineInput,
  { ownerUrl: url }: Target,
  notice: string,
): Promise<true> {
  const place = { url, state: stateOf(config.dataDir) }
  const phase = await onMoveTarget(place, async (to) => to.phase)
  if (phase !== 'verified') throw new Refused(notice)
  return true
}

export async function openMoved(input: OfflineInput, { databaseUrl, ownerUrl: url }: Target): Promise<void> {
  const { config, tables, print } = input
  const opening = {
    migrations: tables,
    servesUrl: url === databaseUrl ? null : databaseUrl,
    note: (queries: Queries) => writeAudit(queries, { ...input.line(null), change: null, outcome: 'done' }),
  }
  const place = { url, state: stateOf(config.dataDir) }
  await patiently(print, () => onMoveTarget(place, (to) => openTarget(to, opening)))
}

/** PostgreSQL may restart or stand still: it keeps what was reached, and the same step goes on there. */
async function patiently<T>(print: (line: string) => void, step: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await step()
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || !isPassing(error.code) || tries === TRIES_MAX) throw error
      print(`PostgreSQL does not answer (${error.code}): trying again`)
    }
    await pause(RETRY_MS)
  }
}

/** A full disk and a server that only reads stay as they are. */
function isPassing(code: string): boolean {
  return !code.startsWith('SQLITE_') && code !== '53100' && code !== '25006'
}
