// A copy is compared with its source: a row, a number or a text that differs is named.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../service/store/database.ts'
import { fillFolder } from '../../testing/moved-folder.ts'
import { ALL_TABLES, openTestDatabase } from '../../testing/open-database.ts'
import { startThrowawayPostgres, type ThrowawayPostgres } from '../../testing/throwaway-postgres.ts'
import { findDifference } from './compare-tables.ts'
import { listTables, moveTables } from './move-tables.ts'
import { onMoveTarget } from './move-target.ts'
import { onOwnConnection } from './postgres.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'compare-'))
let postgres: ThrowawayPostgres
let source: Database
beforeAll(async () => {
  postgres = await startThrowawayPostgres()
  await fillFolder(dataDir)
  source = await openTestDatabase({ databaseUrl: null, dataDir })
})
afterAll(async () => {
  await source?.close()
  await postgres?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** A copy of the source, as `admin move` would verify it. */
async function copy(state = ''): Promise<string> {
  const url = await postgres.createDatabase()
  await source.transaction((from) =>
    onMoveTarget({ url, state }, (to) => moveTables(from, to, { migrations: ALL_TABLES, state, print: () => {} })),
  )
  return url
}

const CHANGES: [what: string, statement: string, problem: RegExp | null][] = [
  ['nothing', 'SELECT 1', null],
  ['a row that is missing', 'DELETE FROM rate_limit', /^"rate_limit": rows 1 in SQLite, 0 in PostgreSQL$/],
  ['a row too many', `INSERT INTO write_trial (padding) VALUES ('x')`, /^"write_trial": rows 0 in SQLite, 1 in/],
  ['a balance', 'UPDATE wallet SET balance_credits = balance_credits + 1', /^"wallet": sum of balance_credits /],
  ['a number that is missing', 'UPDATE spend SET day_cap = 5', /^"spend": sum of day_cap null in SQLite, /],
  ['a text that was cut', `UPDATE tenant SET name = left(name, 3)`, /^"tenant": sum of name /],
  [
    'bytes that were cut',
    'UPDATE signing_key SET wrapped_key = substr(wrapped_key, 2)',
    /^"signing_key": sum of wrapped/,
  ],
  [
    'the head of the audit trail, at its length',
    `UPDATE audit_head SET hash = reverse(hash)`,
    /^"audit_head": another row at \S+$/,
  ],
]

test.each(CHANGES)('%s', async (_what, statement, problem) => {
  const url = await copy()
  const found = await onOwnConnection(url, async (client, queries) => {
    await client.query(statement)
    return findDifference(source, queries, await listTables(source))
  })
  if (problem === null) expect(found).toBeNull()
  else expect(found).toMatch(problem)
})
