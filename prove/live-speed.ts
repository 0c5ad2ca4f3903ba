// The time that three slow bureaus take together, and the fairness between lenders of many live reports at once.

import { createHttpBureau } from '../plugins/live-providers/http/bureau.ts'
import { createHttpRisk } from '../plugins/live-providers/http/risk-and-match.ts'
import { topUp } from '../service/ledger/ledger.ts'
import { createSilentLog } from '../service/log.ts'
import { startGatewayChild } from '../testing/gateway-child.ts'
import { createTestApp, liveRequest, type TestApp } from '../testing/test-app.ts'
import { quantile } from './quantile.ts'

const BUREAUS = ['equifax', 'experian', 'transunion']
const BUREAU_MS = 50
/** Three bureaus asked at once take as long as one, and a little. */
const ADDED_MS_MAX = 60
const CONCURRENT = 64
const SPREAD_MAX = 4
const REPORTS = 2_000
const WARM_UP = CONCURRENT * 5
/** Enough for every report of a whole run. */
const CREDITS = 10_000_000
const SECRET = 'a secret shared with the gateway'

export const about = {
  title: 'Live speed',
  text: 'Live reports with three bureaus of 50 ms each over HTTP. They may add 60 ms, and with 64 reports at once p99 may be four times p50.',
}

export async function run({ scale }: { scale: number }) {
  const reports = Math.max(CONCURRENT * 4, Math.round(REPORTS * scale))
  const tally: Tally = { refused: 0 }
  const prompt = await withBureausOf(0, tally, async (app) => quantile(await measure(app, tally, reports / 4, 1), 0.5))
  const [slow, together] = await withBureausOf(BUREAU_MS, tally, async (app) => [
    quantile(await measure(app, tally, reports / 4, 1), 0.5),
    await measure(app, tally, reports, CONCURRENT),
  ])
  const [p50, p99] = [quantile(together, 0.5), quantile(together, 0.99)]
  const addedMs = slow - prompt
  const counts = {
    reports,
    ...tally,
    'ms without bureaus’ delay': round(prompt),
    'ms added by three bureaus of 50 ms': round(addedMs),
    '64 at once, p50 ms': round(p50),
    '64 at once, p99 ms': round(p99),
    '64 at once, p99 ÷ p50': round(p99 / p50),
  }
  return { ok: tally.refused === 0 && addedMs <= ADDED_MS_MAX && p99 < SPREAD_MAX * p50, counts }
}

/** A busy machine refuses some: then the figures mean nothing. */
type Tally = { refused: number }

/** A warm service whose bureaus all take that long. */
async function withBureausOf<T>(slowMs: number, tally: Tally, work: (app: TestApp) => Promise<T>): Promise<T> {
  const gateway = await startGatewayChild({ secret: SECRET, bureaus: BUREAUS, slowMs })
  const http = { url: gateway.url, token: SECRET, log: createSilentLog() }
  const app = await createTestApp({
    providers: { bureau: createHttpBureau({ ...http, bureaus: BUREAUS }), risk: createHttpRisk(http) },
  })
  try {
    await topUp(app.database, { tenantId: 'demo-lender', credits: CREDITS, reference: 'speed', nowMs: app.time.nowMs })
    // Compiled, and with its connections open.
    await measure(app, tally, WARM_UP, CONCURRENT)
    return await work(app)
  } finally {
    await app.close()
    await gateway.kill()
  }
}

/** The duration of each of `reports`, so many at a time. */
async function measure(app: TestApp, tally: Tally, reports: number, atOnce: number): Promise<number[]> {
  const times: number[] = []
  let begun = 0
  async function work(): Promise<void> {
    while (begun < reports) {
      begun += 1
      const startedMs = performance.now()
      const { status } = await app.generate({ ...liveRequest('Allow'), bureaus: BUREAUS })
      times.push(performance.now() - startedMs)
      if (status !== 200) tally.refused += 1
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return times
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
