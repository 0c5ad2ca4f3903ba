// How long three slow bureaus take together, and whether many live reports at once treat everybody alike.
import { createLiveApp, type LiveApp } from '../providers/live-app.ts'
import { completeReports } from './faults/books.ts'

const BUREAUS = ['equifax', 'experian', 'transunion']
const BUREAU_MS = 50
/** Three bureaus asked at once take as long as one, and a little. */
const ADDED_MS_MAX = 60
const CONCURRENT = 64
const SPREAD_MAX = 4
const REPORTS = 2_000
const WARM_UP = 50

export async function run({ scale }: { scale: number }) {
  const app = await createLiveApp()
  const reports = Math.max(CONCURRENT * 2, Math.round(REPORTS * scale))
  await measure(app, WARM_UP, 1)
  const bare = quantile(await measure(app, Math.round(reports / 10), 1), 0.5)
  for (const bureau of BUREAUS) app.gateway.always(bureau, { kind: 'slow', ms: BUREAU_MS })
  const slow = quantile(await measure(app, Math.round(reports / 10), 1), 0.5)
  await measure(app, CONCURRENT, CONCURRENT)
  const together = await measure(app, reports, CONCURRENT)
  const complete = await completeReports(app.database)
  await app.close()

  const [p50, p99] = [quantile(together, 0.5), quantile(together, 0.99)]
  const addedMs = slow - bare
  const asked = WARM_UP + 2 * Math.round(reports / 10) + CONCURRENT + reports
  const counts = {
    reports,
    refused: asked - complete,
    'ms without bureaus’ delay': round(bare),
    'ms added by three bureaus of 50 ms': round(addedMs),
    '64 at once, p50 ms': round(p50),
    '64 at once, p99 ms': round(p99),
    '64 at once, p99 ÷ p50': round(p99 / p50),
  }
  return { ok: complete === asked && addedMs <= ADDED_MS_MAX && p99 < SPREAD_MAX * p50, counts }
}

/** How long each of `reports` took, so many at a time. */
async function measure(app: LiveApp, reports: number, atOnce: number): Promise<number[]> {
  const times: number[] = []
  let begun = 0
  async function work(): Promise<void> {
    while (begun < reports) {
      begun += 1
      const request = { ...app.stranger('Allow'), bureaus: BUREAUS }
      const startedMs = performance.now()
      await app.generate(request)
      times.push(performance.now() - startedMs)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return times
}

function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
