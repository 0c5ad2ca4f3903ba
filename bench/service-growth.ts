// Whether a service that has been busy for a month answers like one that began today: the same requests to two services,
// one with a thousand stored reports and one with a million, taking turns.
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from './measure.ts'
import type { Row } from './row.ts'
import {
  BUILT_SERVICE,
  generateBody,
  openChallenges,
  REPORTS,
  type ServiceProcess,
  startProcess,
  submitTo,
} from './service-process.ts'

const FEW = 1_000
const MANY = 1_000_000
const GROWTH_MAX = 1.25

const LISTED = 20
const ROUNDS = 400
const WARM_UP_ROUNDS = 200

/** Short of a real one, which would fill five gigabytes: what counts is how many rows there are to find one among. */
const CONTENT_BYTES = 256
/** Reports are kept for thirty days: these are of the last twenty. */
const FILLED_DAYS = 20
const DAY_MS = 86_400_000

export async function run(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-growth-'))
  const running: ServiceProcess[] = []
  try {
    for (const count of [FEW, MANY]) {
      const dataDir = join(folder, String(count))
      // Once, so that its tables and tenants are there.
      await (await startProcess({ script: BUILT_SERVICE, dataDir })).stop()
      fill(join(dataDir, 'service.db'), count)
      running.push(await startProcess({ script: BUILT_SERVICE, dataDir }))
    }
    const [few, many] = running
    return few && many ? await compare(few, many) : []
  } finally {
    for (const service of running) await service.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const FIGURES = [
  'generate among 1,000,000, p50',
  'generate with a key among 1,000,000, p50',
  'submit of a code among 1,000,000, p50',
  'list of reports among 1,000,000, p50',
  'list by reference among 1,000,000, p50',
] as const
type Figure = (typeof FIGURES)[number]
type Times = { [figure in Figure]: number[] }

async function compare(few: ServiceProcess, many: ServiceProcess): Promise<Row[]> {
  const times = new Map([few, many].map((service) => [service, emptyTimes()]))
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    // Who goes first changes, so that neither always finds the machine as the other left it.
    for (const service of round % 2 === 0 ? [few, many] : [many, few]) {
      const took = await ask(service)
      if (round >= 0) for (const figure of FIGURES) times.get(service)?.[figure].push(took[figure])
    }
  }
  return FIGURES.map((name) => {
    const value = median(times.get(many)?.[name] ?? [])
    const floor = median(times.get(few)?.[name] ?? [])
    return { name, value, unit: 'ms', against: 'among 1,000 reports', floor, ratio: value / floor, limit: GROWTH_MAX }
  })
}

function emptyTimes(): Times {
  return {
    'generate among 1,000,000, p50': [],
    'generate with a key among 1,000,000, p50': [],
    'submit of a code among 1,000,000, p50': [],
    'list of reports among 1,000,000, p50': [],
    'list by reference among 1,000,000, p50': [],
  }
}

/** How many milliseconds each took, one after the other. */
async function ask(service: ServiceProcess): Promise<{ [figure in Figure]: number }> {
  const [opened] = await openChallenges(service, 1)
  if (!opened) throw new Error('no challenge was opened')
  const key = { 'Idempotency-Key': crypto.randomUUID() }
  return {
    'generate among 1,000,000, p50': await timed(() => service.post(REPORTS, generateBody('allow'))),
    'generate with a key among 1,000,000, p50': await timed(() => service.post(REPORTS, generateBody('allow'), key)),
    'submit of a code among 1,000,000, p50': await timed(() => submitTo(service, opened)),
    'list of reports among 1,000,000, p50': await timed(() => service.get(`${REPORTS}?limit=${LISTED}`)),
    'list by reference among 1,000,000, p50': await timed(() =>
      service.get(`${REPORTS}?externalReference=order-${FEW / 2}&limit=${LISTED}`),
    ),
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const beganMs = performance.now()
  await work()
  return performance.now() - beganMs
}

/** Test-mode reports that completed, each with its sealed content and an idempotency key, oldest first as they would have come. */
function fill(path: string, count: number): void {
  const { DatabaseSync } = createRequire(import.meta.url)('@photostructure/sqlite')
  const database = new DatabaseSync(path)
  const nowMs = Date.now()
  const stepMs = (FILLED_DAYS * DAY_MS) / count
  database.exec(`
    PRAGMA synchronous = OFF;
    CREATE TEMP TABLE filled AS
      WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${count}),
        dated AS (SELECT n, CAST(${nowMs - FILLED_DAYS * DAY_MS} + n * ${stepMs} AS INTEGER) AS at_ms FROM counted)
      SELECT n, at_ms, printf('%08x-%04x-7%03x-8%03x-%012x', at_ms >> 16, at_ms & 65535, n & 4095, n >> 12, n) AS id
      FROM dated;
    BEGIN;
    INSERT INTO credit_report (id, tenant_id, test, status, created_at_ms, external_reference)
      SELECT id, 'demo-lender', 1, 'complete', at_ms, 'order-' || n FROM filled ORDER BY n;
    INSERT INTO sealed_report (report_id, wrapped_key, content)
      SELECT id, randomblob(64), randomblob(${CONTENT_BYTES}) FROM filled ORDER BY n;
    INSERT INTO idempotency (scope, fingerprint, report_id, outcome, cost_credits, balance_credits, sends, time_taken_ms,
        created_at_ms)
      SELECT hex(randomblob(22)), hex(randomblob(22)), id, 'complete', 0, 0, 1, 1, ${nowMs} FROM filled ORDER BY n;
    COMMIT;
    PRAGMA wal_checkpoint(TRUNCATE);
  `)
  const { stored } = database.prepare('SELECT COUNT(*) AS stored FROM sealed_report').get()
  if (stored !== count) throw new Error(`${stored} reports were stored instead of ${count}`)
  database.close()
}
