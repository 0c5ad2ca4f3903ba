// Compares a service with ten million reports on PostgreSQL with one of a thousand, in starting, answering and
// sweeping: both on one server, taking turns.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillReports } from '../testing/fill-reports.ts'
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
      await fillReports({ database: place.databaseUrl, reports, nowMs })
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
