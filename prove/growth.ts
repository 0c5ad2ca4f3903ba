// Compares a service with ten million reports on PostgreSQL with one of a thousand, in starting, answering and
// sweeping: both on one server, taking turns.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { DAY_MS } from '../kit/clock.ts'
import { createTestApp, liveRequest, type TestApp } from '../testing/test-app.ts'
import { startThrowawayPostgres } from '../testing/throwaway-postgres.ts'
import { must } from './faults/must.ts'
import { quantile } from './quantile.ts'

const FEW = 1_000
const MANY = 10_000_000
const ROUNDS = 200
const WARM_UP_ROUNDS = 50
const STARTS = 5
const SWEEPS = 20
/** Times of requests may grow by this much: a deeper index, more pages to keep. */
const GROWTH_MAX = 2
/** All of them younger than a report is kept. */
const FILLED_DAYS = 20
const PRICE = 500
const LENDER = 'demo-lender'
const REPORTS = `/${LENDER}/v1/credit-reports`

export const about = {
  title: 'Ten million reports',
  text: 'A service with ten million reports on PostgreSQL beside one with a thousand: requests may take at most twice as long (p50), and the books balance.',
  meanings: { reports: 'with content, person, hold and capture each' },
}

export async function run({ scale }: { scale: number }) {
  const many = Math.max(FEW, Math.round(MANY * scale))
  const server = await startThrowawayPostgres()
  const folder = mkdtempSync(join(tmpdir(), 'growth-'))
  const apps: TestApp[] = []
  try {
    const places = []
    for (const reports of [FEW, many]) {
      const place = { databaseUrl: await server.createDatabase(), dataDir: join(folder, String(reports)) }
      places.push(place)
      const app = await createTestApp(place)
      const { nowMs } = app.time
      await app.close()
      await fill(place.databaseUrl, reports, nowMs)
    }
    const starts = await takeTurns(
      STARTS,
      places.map((place) => async () => (await createTestApp(place)).close()),
    )
    for (const place of places) apps.push(await createTestApp(place))
    const counts: { [what: string]: number } = { reports: many }
    let worst = 0
    const note = (what: string, [few, grown]: number[]) => {
      counts[`${what}, p50 ms`] = round(grown)
      counts[`${what}, among a thousand`] = round(few)
      return grown !== undefined && few !== undefined ? grown / few : Number.POSITIVE_INFINITY
    }
    note('start', starts)
    for (const [what, ask] of Object.entries(ASKS))
      worst = Math.max(
        worst,
        note(
          what,
          await takeTurns(
            ROUNDS,
            apps.map((app) => () => ask(app)),
            WARM_UP_ROUNDS,
          ),
        ),
      )
    note(
      'sweep',
      await takeTurns(
        SWEEPS,
        apps.map((app) => () => app.sweeper.sweep()),
      ),
    )
    for (const app of apps) await booksMustAgree(app)
    return { ok: worst <= GROWTH_MAX, why: `a request took ${round(worst)} times as long`, counts }
  } finally {
    for (const app of apps) await app.close()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const ASKS: { [what: string]: (app: TestApp) => Promise<void> } = {
  'live generate': async (app) => {
    const { status } = await app.generate(liveRequest('Allow'), { 'Idempotency-Key': crypto.randomUUID() })
    must(status === 200, `a generate answered ${status}`)
  },
  'newest twenty': (app) => list(app, 'limit=20', 20),
  'by reference': (app) => list(app, `externalReference=order-${FEW / 2}&limit=20`, 1),
}

async function list(app: TestApp, query: string, expected: number): Promise<void> {
  const { status, body } = await app.call(`${REPORTS}?${query}`)
  must(status === 200 && body.data.creditReports.length === expected, `a list answered ${status}`)
}

/** The p50 of each. One right after the other, so that other work on the machine slows all. */
async function takeTurns(rounds: number, works: (() => Promise<unknown>)[], warmUp = 0): Promise<number[]> {
  const tookMs: number[][] = works.map(() => [])
  for (let turn = -warmUp; turn < rounds; turn += 1) {
    for (const [index, work] of works.entries()) {
      const beganMs = performance.now()
      await work()
      if (turn >= 0) tookMs[index]?.push(performance.now() - beganMs)
    }
  }
  return tookMs.map((times) => quantile(times, 0.5))
}

/** Live reports that completed, each with content, person, hold and capture, oldest first as they would have come. */
async function fill(databaseUrl: string, reports: number, nowMs: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const stepMs = (FILLED_DAYS * DAY_MS) / reports
  try {
    // The sums that triggers add line by line are added here at once.
    for (const statement of [
      `SET session_replication_role = replica`,
      `CREATE TEMP TABLE filled AS SELECT n, at_ms,
         lpad(to_hex(at_ms >> 16), 8, '0') || '-' || lpad(to_hex(at_ms & 65535), 4, '0') || '-7' || lpad(to_hex(n & 4095), 3, '0')
         || '-8' || lpad(to_hex((n >> 12) & 4095), 3, '0') || '-' || lpad(to_hex(n), 12, '0') AS id
       FROM (SELECT n, (${nowMs - FILLED_DAYS * DAY_MS} + n * ${stepMs})::bigint AS at_ms FROM generate_series(1::bigint, ${reports}) n) dated`,
      `INSERT INTO credit_report (id, tenant_id, test, status, created_at_ms, ended_at_ms, ending, history,
         external_reference, short_reference, request_id)
       SELECT id, '${LENDER}', 0, 'complete', at_ms, at_ms, 'complete', '{}', 'order-' || n, upper(left(md5(id), 8)), id FROM filled ORDER BY n`,
      `INSERT INTO sealed_report (report_id, wrapped_key, content)
       SELECT id, decode(md5(id), 'hex'), decode(repeat(md5(id), 16), 'hex') FROM filled ORDER BY n`,
      `INSERT INTO report_person (report_id, person_index) SELECT id, md5(id) FROM filled ORDER BY n`,
      `INSERT INTO wallet_line (id, tenant_id, kind, purpose, credits, created_at_ms)
       VALUES ('top-up_${LENDER}_growth', '${LENDER}', 'top-up', 'top-up', ${2 * PRICE * reports}, ${nowMs})`,
      `INSERT INTO wallet_line (id, tenant_id, kind, purpose, credits, report_id, created_at_ms)
       SELECT 'hold_report_' || id, '${LENDER}', 'hold', 'report', ${PRICE}, id, at_ms FROM filled ORDER BY n`,
      `INSERT INTO wallet_line (id, tenant_id, kind, purpose, credits, report_id, hold_id, created_at_ms)
       SELECT 'capture_report_' || id, '${LENDER}', 'capture', 'report', ${PRICE}, id, 'hold_report_' || id, at_ms
       FROM filled ORDER BY n`,
      `UPDATE wallet SET balance_credits = balance_credits + ${PRICE * reports} WHERE tenant_id = '${LENDER}'`,
      `DROP TABLE filled`,
      `VACUUM ANALYZE`,
    ])
      await client.query(statement)
  } finally {
    await client.end()
  }
}

async function booksMustAgree({ database }: TestApp): Promise<void> {
  const wallet = await database.first<{ balance_credits: number }>(
    `SELECT balance_credits FROM wallet WHERE tenant_id = ?`,
    LENDER,
  )
  const lines = await database.first<{ sum: number }>(
    `SELECT SUM(CASE kind WHEN 'hold' THEN -credits WHEN 'capture' THEN 0 ELSE credits END)::bigint AS sum
     FROM wallet_line WHERE tenant_id = ?`,
    LENDER,
  )
  must(Number(wallet?.balance_credits) === Number(lines?.sum), 'the balance is not the sum of its lines')
}

function round(value: number | undefined): number {
  return Math.round((value ?? Number.NaN) * 100) / 100
}
