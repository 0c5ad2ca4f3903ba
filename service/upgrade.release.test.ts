// A database that 0.1.0 has made, in the hands of this version: widened at the start, and nothing in it lost or changed.
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleReport } from '../contract/samples.ts'
import { seal } from '../kit/seal.ts'
import { runTestAdmin } from '../testing/admin.ts'
import { ALL_COLUMNS, ALL_TABLES } from '../testing/open-database.ts'
import { createTestApp, liveRequest, TEST_SECRET_KEY } from '../testing/test-app.ts'
import { startThrowawayPostgres, type ThrowawayPostgres } from '../testing/throwaway-postgres.ts'
import { deriveKeys } from './keys.ts'
import type { Database, Queries } from './store/database.ts'
import { POSTGRES, SQLITE } from './store/migration.ts'
import { openDatabase } from './store/open-database.ts'
import { isClean, reconcile } from './wallet/reconcile.ts'

const root = mkdtempSync(join(tmpdir(), 'upgrade-'))
let postgres: ThrowawayPostgres
beforeAll(async () => {
  postgres = await startThrowawayPostgres()
})
afterAll(async () => {
  await postgres?.stop()
  rmSync(root, { recursive: true, force: true })
})

/** What 0.1.0 was made of, and a digest of its statements on SQLite and on PostgreSQL. */
const OF_0_1_0: { [migration: string]: [sqlite: string, postgres: string] } = {
  tenants: ['1dbef8d1978a', 'c93c8928ca0e'],
  wallet: ['dc752d5fbc60', '2ac4db09313a'],
  'credit-reports': ['d3041bcd6c45', 'bc0d83ced8a2'],
  idempotency: ['7450cbe8e7d2', 'fd542ce9974c'],
  devices: ['572c3915565e', 'cddcacd298bf'],
  'rate-limit': ['da6a607d0242', '7eae939a2b2f'],
  identity: ['246eb3d20b74', '0ebbf073ea33'],
  texts: ['1b9eda19824f', '6771c2dd9934'],
  'tenant-policies': ['663211aab270', '3214d88d723b'],
  users: ['f2d07ddd8e07', '4bc61732950a'],
  'signing-key-start': ['a52952e0a987', '67745789848b'],
}

const madeBy010 = ALL_TABLES.filter(({ name }) => name in OF_0_1_0)

test.each(Object.entries(OF_0_1_0))('a database of 0.1.0 has "%s" as it is written here', (name, digests) => {
  const made = madeBy010.find((migration) => migration.name === name)
  expect([SQLITE, POSTGRES].map((dialect) => digestOf(made?.statements(dialect) ?? []))).toEqual(digests)
})

/** Comments and line breaks are free to change. */
function digestOf(statements: readonly string[]): string {
  const plain = statements.map((statement) => statement.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim())
  return createHash('sha256').update(plain.join(';')).digest('hex').slice(0, 12)
}

let places = 0
const engines: [name: string, newPlace: () => Promise<{ databaseUrl: string | null; dataDir: string }>][] = [
  ['SQLite', async () => ({ databaseUrl: null, dataDir: newFolder() })],
  ['PostgreSQL', async () => ({ databaseUrl: await postgres.createDatabase(), dataDir: newFolder() })],
]
function newFolder(): string {
  places += 1
  return join(root, String(places))
}

describe.each(engines)('a database of 0.1.0 on %s', (_name, newPlace) => {
  async function make() {
    const place = await newPlace()
    const database = await openDatabase(place, { migrations: madeBy010 })
    await database.transaction((queries) => writeAs010(queries, 'lender'))
    const rows = await readAll(database)
    await database.close()
    return { place, rows }
  }

  test('is widened by the first start: every row is as it was, the books balance, and it serves', async () => {
    const { place, rows } = await make()
    const { dataDir, databaseUrl } = place
    const app = await createTestApp({ dataDir, ...(databaseUrl ? { databaseUrl } : {}) })
    for (const [table, now] of Object.entries(await readAll(app.database))) {
      for (const row of rows[table] ?? []) expect(now).toContainEqual(expect.objectContaining(row))
    }
    for (const [table, columns] of Object.entries(ALL_COLUMNS)) {
      await app.database.all(`SELECT ${Object.keys(columns).join(', ')} FROM ${table} LIMIT 1`)
    }
    expect(isClean(await reconcile(app.database))).toBe(true)
    expect(await app.wallet('lender')).toMatchObject({ balanceCredits: 8_960, heldCredits: 500 })
    expect(await app.lines('lender-complete', 'lender')).toEqual(['hold report 500', 'capture report 500'])

    const { body } = await app.generate(liveRequest('Allow'), { token: 'lender' })
    expect(body.data.status).toBe('complete')
    // 0.1.0 once more: a release can be taken back.
    await app.database.transaction((queries) => writeAs010(queries, 'another'))
    expect(isClean(await reconcile(app.database))).toBe(true)
    await app.close()
  })

  test('is as it was after a command that only reads', async () => {
    const { place, rows } = await make()
    const environment = { DATA_DIR: place.dataDir, SECRET_KEY: TEST_SECRET_KEY }
    const admin = (...words: string[]) =>
      runTestAdmin({ ...environment, ...(place.databaseUrl ? { DATABASE_URL: place.databaseUrl } : {}) }, words)
    expect(await admin('verify')).toMatchObject({ exitCode: 0, complaints: [] })
    const { exitCode, printed } = await admin('migrate', '--plan')
    expect(exitCode).toBe(0)
    expect(printed).toContain('-- report-references')
    expect(printed).toContain('ALTER TABLE credit_report ADD COLUMN external_reference TEXT;')
    // What reads a column that 0.1.0 has not says so in words.
    expect(await admin('tenant', 'show', 'lender')).toMatchObject({
      exitCode: 1,
      complaints: [expect.stringMatching(/of an older version: run "migrate"/)],
    })
    expect(printed.at(-1)).toBe(`-- ${ALL_TABLES.length - madeBy010.length} to apply; nothing was changed`)
    const database = await openDatabase(place, { migrations: madeBy010 })
    expect(await readAll(database)).toEqual(rows)
    await database.close()
  })
})

const TABLES = [
  'migration',
  'tenant',
  'wallet',
  'wallet_line',
  'credit_report',
  'sealed_report',
  'text_message',
  'idempotency',
]

async function readAll(database: Database) {
  const read = TABLES.map(async (table) => [table, await database.all(`SELECT * FROM ${table} ORDER BY 1, 2`)] as const)
  return Object.fromEntries(await Promise.all(read))
}

const NOW_MS = 1_700_000_000_000

/** A lender with a paid report, an open one and its text message, as 0.1.0 wrote them. */
async function writeAs010(queries: Queries, id: string): Promise<void> {
  await queries.run('INSERT INTO tenant (id, name, created_at_ms) VALUES (?, ?, ?)', id, 'Lender', NOW_MS)
  await queries.run('INSERT INTO wallet (tenant_id) VALUES (?)', id)
  for (const [report, status, sends] of [
    ['complete', 'complete', 0],
    ['open', 'challenged', 1],
  ] as const) {
    await queries.run(
      `INSERT INTO credit_report (id, tenant_id, test, status, challenge_id, sends, sent_1_at_ms, created_at_ms)
       VALUES (?, ?, 0, ?, ?, ?, ?, ?)`,
      `${id}-${report}`,
      id,
      status,
      sends === 0 ? null : `${id}-challenge`,
      sends,
      sends === 0 ? null : NOW_MS,
      NOW_MS,
    )
    const place = { tenantId: id, rowId: `${id}-${report}` }
    const { reports: keys } = deriveKeys([new TextEncoder().encode(TEST_SECRET_KEY)])
    // 0.1.0 kept the report itself while its challenge was open.
    const number = report === 'open' ? '+447700900123' : ''
    const { wrappedKey, content } = seal(keys, place, `${number}\n${JSON.stringify(sampleReport)}`)
    await queries.run(
      'INSERT INTO sealed_report (report_id, wrapped_key, content) VALUES (?, ?, ?)',
      place.rowId,
      wrappedKey,
      content,
    )
  }
  await queries.run(
    `INSERT INTO text_message (id, report_id, tenant_id, send_number, status, lease_until_ms, created_at_ms)
     VALUES (?, ?, ?, 1, 'delivered', ?, ?)`,
    `${id}-text`,
    `${id}-open`,
    id,
    NOW_MS,
    NOW_MS,
  )
  await queries.run(
    `INSERT INTO idempotency (scope, fingerprint, report_id, outcome, cost_credits, balance_credits, sends, time_taken_ms,
       created_at_ms) VALUES (?, 'fingerprint', ?, 'complete', 500, 9500, 1, 12, ?)`,
    `${id}-scope`,
    `${id}-complete`,
    NOW_MS,
  )
  const lines: [
    lineId: string,
    kind: string,
    purpose: string,
    credits: number,
    of: string | null,
    hold: string | null,
  ][] = [
    [`top-up_${id}_first`, 'top-up', 'top-up', 10_000, null, null],
    [`hold_report_${id}-complete`, 'hold', 'report', 500, 'complete', null],
    [`capture_report_${id}-complete`, 'capture', 'report', 500, 'complete', `hold_report_${id}-complete`],
    [`hold_report_${id}-open`, 'hold', 'report', 500, 'open', null],
    [`hold_sms_${id}-text`, 'hold', 'sms', 40, 'open', null],
    [`capture_sms_${id}-text`, 'capture', 'sms', 40, 'open', `hold_sms_${id}-text`],
  ]
  for (const [lineId, kind, purpose, credits, of, hold] of lines) {
    await queries.run(
      `INSERT INTO wallet_line (id, tenant_id, kind, purpose, credits, report_id, hold_id, created_at_ms)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      lineId,
      id,
      kind,
      purpose,
      credits,
      of === null ? null : `${id}-${of}`,
      hold,
      NOW_MS,
    )
  }
}
