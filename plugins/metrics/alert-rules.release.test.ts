// The alert rules over hours, judged by promtool (Debian: apt install prometheus): what burns the budget of a journey,
// and what must stay silent. alerts-fired.release.test.ts has the fault of each rule.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { firedBy, type Series } from '../../prove/faults/alerts.ts'
import { createTestApp, liveRequest, type TestApp } from '../../testing/test-app.ts'
import { createMetrics } from './metrics.ts'

const RULES = resolve('deploy/alerts.yml')
const folder = mkdtempSync(join(tmpdir(), 'alerts-'))
let app: TestApp
const metrics = createMetrics({ process: true })
beforeAll(async () => {
  app = await createTestApp({ metrics })
})
afterAll(async () => {
  await app?.close()
  rmSync(folder, { recursive: true, force: true })
})

const promtool = (args: string[], input = '') => execFileSync('promtool', args, { input, encoding: 'utf8' })

test('promtool finds nothing to say about rules, scrape configuration and metrics', async () => {
  expect(promtool(['check', 'rules', RULES])).toMatch(/SUCCESS: \d+ rules found/)
  writeFileSync(join(folder, 'metrics-token'), 'a token')
  writeFileSync(join(folder, 'alerts.yml'), readFileSync(RULES))
  writeFileSync(join(folder, 'prometheus.yml'), readFileSync('deploy/prometheus.yml'))
  expect(promtool(['check', 'config', join(folder, 'prometheus.yml')])).toMatch(/SUCCESS: .* is valid/)
  await app.generate(liveRequest('Allow'))
  await app.sweeper.sweep()
  // Node's own numbers are named by its client library.
  const ours = (await metrics.render()).replace(/^.*crs_(?:nodejs|process)_.*\n/gm, '')
  expect(promtool(['check', 'metrics'], ours)).toBe('')
})

const HOURS = 'x400'
const GENERATE = 'method="POST",route="/:tenantId/v1/credit-reports"'
const CODE = 'method="POST",route="/:tenantId/v1/credit-reports/:creditReportId/otp-challenge"'
const requests = (labels: string, status: number) => `crs_http_request_seconds_count{${labels},status="${status}"}`
/** 0 1 1 2 2 3 3 … */
const everySecondMinute = Array.from({ length: 400 }, (_, minute) => Math.ceil(minute / 2)).join(' ')
/** Two scrapes a minute and a probe a second, of one process. */
const probes: Series = {
  [requests('method="GET",route="/metrics"', 200)]: `0+4${HOURS}`,
  [requests('method="GET",route="/readyz"', 200)]: `0+60${HOURS}`,
}

const rows: [what: string, series: Series, fires: string[]][] = [
  [
    'every generate fails, one in two minutes',
    { ...probes, [requests(GENERATE, 503)]: everySecondMinute },
    ['GenerateFailing'],
  ],
  [
    'one generate in ten fails',
    { [requests(GENERATE, 200)]: `0+9${HOURS}`, [requests(GENERATE, 500)]: `0+1${HOURS}` },
    ['GenerateFailing'],
  ],
  [
    'one in 25, for hours',
    { [requests(GENERATE, 200)]: `0+24${HOURS}`, [requests(GENERATE, 500)]: `0+1${HOURS}` },
    ['GenerateFailing'],
  ],
  [
    'one generate in a thousand fails',
    { [requests(GENERATE, 200)]: `0+999${HOURS}`, [requests(GENERATE, 500)]: `0+1${HOURS}` },
    [],
  ],
  [
    'generate failed for a while, and works again',
    { [requests(GENERATE, 200)]: `0+50${HOURS}`, [requests(GENERATE, 500)]: '0+0x330 0+50x20 1000+0x50' },
    [],
  ],
  [
    'refusals that are the caller’s own',
    { [requests(GENERATE, 200)]: `0+1${HOURS}`, [requests(GENERATE, 402)]: `0+9${HOURS}` },
    [],
  ],
  [
    'one code in ten is answered with an error',
    { [requests(CODE, 200)]: `0+9${HOURS}`, [requests(CODE, 503)]: `0+1${HOURS}` },
    ['CodeFailing'],
  ],
  [
    'a balancer that asks a process which is not ready',
    { [requests('method="GET",route="/readyz"', 503)]: `0+60${HOURS}` },
    [],
  ],
  ['half a second between the clocks', { 'crs_clock_offset_seconds{instance="a"}': `0.5${HOURS}` }, []],
  ['books and reports in order', { crs_books_broken: `0${HOURS}`, crs_reports_unreadable: `0${HOURS}` }, []],
  ['a trail that is whole', { crs_audit_chains_broken: `0${HOURS}` }, []],
  ['a backup of yesterday', { crs_backup_age_seconds: `86400+0${HOURS}` }, []],
]

test.each(rows)('%s', (_what, series, fires) => {
  expect(firedBy(series, { minutes: 390, evaluated: '5m' })).toEqual(fires)
})
