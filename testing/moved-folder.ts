// Test support: a folder with a lender's day in it, and the comparison of what `admin move` made of it.
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { openDatabase } from '../plugins/postgres/open-database.ts'
import type { Database, Row } from '../service/store/database.ts'
import { DATABASE_FILE, MOVED_FILE } from '../service/store/sqlite.ts'
import { runTestAdmin } from './admin.ts'
import { openTestDatabase } from './open-database.ts'
import { createTestApp, liveRequest, TEST_SECRET_KEY } from './test-app.ts'

export type OpenChallenge = { creditReportId: string; challenge: { challengeId: string }; code: string }

/** Complete, blocked, open and texted reports, webhooks, an audit trail with a gap. */
export async function fillFolder(dataDir: string): Promise<{ open: OpenChallenge }> {
  const admin = (...words: string[]) => runTestAdmin({ DATA_DIR: dataDir, SECRET_KEY: TEST_SECRET_KEY }, words)
  const app = await createTestApp({ dataDir })
  await admin('webhook', 'add', 'demo-lender', 'https://shop.example/webhook')
  await admin('client', 'create', 'demo-lender', '--id', 'another-client', '--name', 'Another')
  await admin('user', 'invite', 'demo-lender', 'new@demo-lender.example')
  await app.generate({ ...liveRequest('Allow'), externalReference: 'order “7” \\ ü' }, { 'Idempotency-Key': 'first' })
  await app.generate(liveRequest('Block'))
  const open = (await app.generate(liveRequest())).body.data
  const [code = ''] = await app.codes(open.creditReportId)
  await app.sweeper.sweep()
  // Numbers that were given and whose rows are gone are not given again.
  await app.database.run(`DELETE FROM audit_event WHERE created_at_ms < 0`)
  await app.close()
  return { open: { ...open, code } }
}

/** Enough rows for several batches. */
export async function fillFolderMuch(dataDir: string): Promise<void> {
  await fillFolder(dataDir)
  const database = await openTestDatabase({ databaseUrl: null, dataDir }, 'operator')
  await database.run(
    `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 200000)
     INSERT INTO rate_limit (credential, window_started_at_ms, used, granted) SELECT 'c' || n, n, n, n FROM number`,
  )
  await database.close()
}

/** Compares what was moved, as the folder keeps it, with where it went. */
export async function mustBeSame(dataDir: string, url: string): Promise<void> {
  const kept = mkdtempSync(join(tmpdir(), 'moved-'))
  copyFileSync(join(dataDir, MOVED_FILE), join(kept, DATABASE_FILE))
  const source = await openTestDatabase({ databaseUrl: null, dataDir: kept }, 'reader')
  const slow = { timeoutMs: 240_000 }
  const target = await openDatabase({ databaseUrl: url, dataDir: '', postgres: slow }, { migrations: [] })
  const tables = await tablesOf(source)
  // The line of the move itself, which only the target has.
  const isOther = (line: string) => !(line.includes('"admin move"') && line.includes('"done"'))
  const [before, after] = [await rowsOf(source, tables), await rowsOf(target, tables)]
  expect({ ...after, audit_event: after.audit_event?.filter(isOther) }).toEqual(before)
  expect(before.wallet_line?.length).toBeGreaterThan(3)
  await Promise.all([source.close(), target.close()])
  rmSync(kept, { recursive: true })
}

export async function rowsOf(database: Database, tables: readonly string[]): Promise<{ [table: string]: string[] }> {
  const found: { [table: string]: string[] } = {}
  for (const table of tables) found[table] = (await database.all(`SELECT * FROM ${table}`)).map(textOf).sort()
  return found
}

function textOf(row: Row): string {
  const plain = (value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value)
  return JSON.stringify(
    Object.entries(row)
      .map(([column, value]) => [column, plain(value)])
      .sort(),
  )
}

async function tablesOf(database: Database): Promise<string[]> {
  const rows = await database.all<{ name: string }>(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`,
  )
  return rows.map(({ name }) => name)
}
