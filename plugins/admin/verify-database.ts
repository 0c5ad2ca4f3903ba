// The checks of `verify`, in order, and the lines it prints.
import { Unsealable } from '../../kit/seal.ts'
import { type OfflineInput, Refused } from '../../service/command.ts'
import type { Config } from '../../service/config.ts'
import { deriveKeys } from '../../service/keys.ts'
import { type Database, DatabaseUnavailable } from '../../service/store/database.ts'
import { dialectOf, type Migration, missingOf, OtherVersion } from '../../service/store/migration.ts'
import { findWrongTrigger } from '../../service/store/triggers.ts'
import { openSigningKeys, type SigningKeys } from '../../service/tokens/signing-keys.ts'
import { compareHead, verifyTrail } from '../audit/check-chain.ts'
import { checkContents, type Unreadable } from '../people/check-contents.ts'
import { isClean, reconcile } from '../statement/reconcile.ts'

/** Reports opened at a time. */
const WINDOW_ROWS = 500
/** Reports between two lines of progress: a multiple of the window. */
const PROGRESS_ROWS = 100_000
const IDS_SHOWN_MAX = 10

/** `note`: what the check could not look at. */
export type Check = { name: string; problem: string | null; note?: string }

/** Prints each check; returns the exit code. */
export function tell(checks: readonly Check[], print: (line: string) => void): number {
  for (const { name, problem, note = '' } of checks)
    print(problem === null ? `ok      ${name}${note}` : `BROKEN  ${name}: ${problem}`)
  return checks.every(({ problem }) => problem === null) ? 0 : 1
}

/** Throws when a check found something, in words about `what`. */
export function requireSound(checks: readonly Check[], what: string): void {
  const broken = checks.find(({ problem }) => problem !== null)
  if (broken) throw new Refused(`${what}: "${broken.name}" is not so: ${broken.problem}`)
}

type VerifyOptions = Pick<OfflineInput, 'config' | 'tables'> & {
  /** A signed head of the audit trail, as its lender kept it. @default none */
  head?: string | undefined
  /** Called now and then with a line that says how far it has come. @default nothing is said */
  onProgress?(line: string): void
}

/**
 * Ends with the first check that fails, because the later ones would fail for the same reason; only a missing trigger
 * lets the others run.
 */
export async function verifyDatabase(
  database: Database,
  { config, tables, head, onProgress = () => {} }: VerifyOptions,
): Promise<Check[]> {
  const checks: Check[] = []
  const all = [
    // PostgreSQL's pages have checksums of their own, and `pg_amcheck`.
    ...(database.engine === 'sqlite' ? [['every page can be read', () => findDamage(database)] as const] : []),
    ['the schema is one this version knows', () => findUnknown(database, tables)],
    [APPEND_ONLY, () => findWrongTrigger(database, tables)],
    ['SECRET_KEY opens it', () => findSealed(database, config)],
    ['every complete report is a report', () => findUnreadable(database, config, onProgress)],
    ['the books balance', () => findImbalance(database)],
    ['the audit trail is whole', () => findBreak(database, config)],
    ...(head === undefined
      ? []
      : [['the trail leads to the head', () => findOtherTrail(database, config, head)] as const]),
  ] as const
  for (const [name, find] of all) {
    const found = await find().catch(problemOf)
    const check: Found = found === null || typeof found === 'string' ? { problem: found } : found
    checks.push({ name, ...check })
    if (check.problem !== null && name !== APPEND_ONLY) break
  }
  return checks
}

const APPEND_ONLY = 'ledger and audit trail are append-only'

type Found = Omit<Check, 'name'>

async function findBreak(database: Database, config: Config): Promise<Found> {
  const { problems, unlinked } = await verifyTrail(database, await openKeys(database, config), Date.now())
  const problem = problems.length === 0 ? null : problems.slice(0, IDS_SHOWN_MAX).join('; ')
  return unlinked === 0
    ? { problem }
    : { problem, note: `, but for the ${unlinked} newest events, which are not linked yet` }
}

async function findOtherTrail(database: Database, config: Config, head: string): Promise<string | null> {
  return compareHead(database, await openKeys(database, config), head)
}

/** The signing keys; a database that never served has none yet. */
async function openKeys(database: Database, { secretKeys }: Config): Promise<Pick<SigningKeys, 'findKept'>> {
  const row = await database.first<{ many: number }>('SELECT COUNT(*) AS many FROM signing_key')
  if (row === null || row.many === 0) return { findKept: async () => null }
  return openSigningKeys({ database, wrappingKeys: deriveKeys(secretKeys).signing, clock: Date.now })
}

/** A server that does not answer says nothing about the data: that is thrown on. */
function problemOf(error: unknown): string {
  if (error instanceof DatabaseUnavailable && !DAMAGED.includes(error.code)) throw error
  return error instanceof Error ? error.name : 'cannot be read'
}

const DAMAGED = ['SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_IOERR']

async function findDamage(database: Database): Promise<string | null> {
  const rows = await database.all('PRAGMA integrity_check(1)').catch((error: unknown) => {
    problemOf(error)
    return []
  })
  return Object.values(rows[0] ?? {})[0] === 'ok' ? null : 'the file is damaged, or only half there'
}

/** The parts of its schema that this version does not know; null when it knows all of it. */
export async function findUnknown(database: Database, tables: readonly Migration[]): Promise<string | null> {
  const dialect = dialectOf(database)
  const refused = await missingOf(database, dialect, tables).catch((error: unknown) => error)
  if (refused instanceof OtherVersion) return refused.message
  if ((await database.first(dialect.findMigrations)) === null) return 'it is empty, or not a database of this service'
  const known = new Set(tables.map(({ name }) => name))
  const rows = await database.all<{ name: string }>('SELECT name FROM migration ORDER BY name')
  const unknown = rows.map(({ name }) => name).filter((name) => !known.has(name))
  return unknown.length === 0 ? null : `a newer version made "${unknown[0]}"; use that version`
}

async function findSealed(database: Database, config: Config): Promise<string | null> {
  try {
    await openKeys(database, config)
    return null
  } catch (error) {
    if (error instanceof Unsealable) return 'it was written with another key'
    throw error
  }
}

async function findUnreadable(
  database: Database,
  { secretKeys }: Config,
  onProgress: (line: string) => void,
): Promise<string | null> {
  const { reports: keys } = deriveKeys(secretKeys)
  const found = new Map(Object.keys(UNREADABLE).map((why) => [why, { ids: [] as string[], count: 0 }]))
  let windows = 0
  for (let after = ''; ; windows += 1) {
    const opened = windows * WINDOW_ROWS
    if (opened > 0 && opened % PROGRESS_ROWS === 0) onProgress(`reports opened: ${opened}`)
    const { last, unreadable } = await checkContents(database, keys, { after, limit: WINDOW_ROWS })
    for (const { creditReportId, why } of unreadable) {
      const kind = found.get(why)
      if (kind === undefined) continue
      kind.count += 1
      // No more than are shown: a wrong key makes every report one of them.
      if (kind.count <= IDS_SHOWN_MAX) kind.ids.push(creditReportId)
    }
    if (last === null) break
    after = last
  }
  const parts = Object.entries(UNREADABLE).flatMap(([why, words]) => {
    const { ids, count } = found.get(why) ?? { ids: [], count: 0 }
    return count === 0 ? [] : `${words} ${listOf(ids, count)}`
  })
  return parts.length === 0 ? null : parts.join('; ')
}

/** The first of the ids, and how many more there are. */
function listOf(ids: readonly string[], count: number): string {
  const rest = count > IDS_SHOWN_MAX ? ` and ${count - IDS_SHOWN_MAX} more` : ''
  return `${ids.slice(0, IDS_SHOWN_MAX).join(', ')}${rest}`
}

/** Why a report cannot be read, in the words of the runbook. */
const UNREADABLE: { readonly [why in Unreadable['why']]: string } = {
  damaged: 'damaged:',
  'other-key': 'sealed under another SECRET_KEY:',
  'no-report': 'not a report:',
}

async function findImbalance(database: Database): Promise<string | null> {
  const reconciliation = await reconcile(database)
  if (isClean(reconciliation)) return null
  const broken = reconciliation.findings.filter(({ breaches }) => breaches.length > 0)
  return broken.map(({ name, breaches }) => `not so for ${listOf(breaches, breaches.length)}: ${name}`).join('; ')
}
