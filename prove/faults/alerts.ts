// Whether a fault would page an operator: the rules of deploy/alerts.yml, applied by promtool to the metrics of the service that met it.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { must } from './must.ts'

const RULES = 'deploy/alerts.yml'
/** Longer than any rule waits. */
const MINUTES = 30

/** What a service's `/metrics` says; null when it does not answer. */
export type Scrape = () => Promise<string | null>

export type AlertWatch = {
  /** The alert fires when what happened since the watch began goes on, minute after minute. Says nothing where promtool is missing. */
  mustFire(alert: string): Promise<void>
  /** Nothing fires that did not fire when the watch began: the demo has a tenant without credits. */
  mustStaySilent(): Promise<void>
}

export async function watchAlerts(scrape: Scrape): Promise<AlertWatch> {
  const before = withUp(await scrape())
  const fired = async () => firedBetween(before, withUp(await scrape()))
  return {
    async mustFire(alert) {
      const names = await fired()
      const said = names?.join(', ') || 'nothing'
      must(names === null || names.includes(alert), `${alert} must fire; what fires is ${said}`)
    },
    async mustStaySilent() {
      const old = firedBetween(before, before) ?? []
      const names = (await fired())?.filter((name) => !old.includes(name)) ?? []
      must(names.length === 0, `no alert may fire, but ${names.join(', ')} does`)
    },
  }
}

export function scrapeOf(url: string): Scrape {
  return () =>
    fetch(`${url}/metrics`)
      .then((answer) => (answer.ok ? answer.text() : null))
      .catch(() => null)
}

/** What Prometheus notes about the scrape itself. */
function withUp(exposition: string | null): string {
  return `${exposition ?? ''}# TYPE up gauge\nup{job="credit-report-service"} ${exposition === null ? 0 : 1}\n`
}

export function alertNames(): string[] {
  return [...readFileSync(RULES, 'utf8').matchAll(/- alert: (\w+)/g)].map(([, name]) => name ?? '')
}

function firedBetween(before: string, after: string): string[] | null {
  if (!(process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, 'promtool')))) return null
  const folder = mkdtempSync(join(tmpdir(), 'alerts-'))
  const file = join(folder, 'test.json')
  const tests = [
    {
      interval: '1m',
      input_series: seriesOf(before, after),
      // None is expected, so that promtool names each that fires.
      alert_rule_test: alertNames().map((alertname) => ({ eval_time: `${MINUTES}m`, alertname, exp_alerts: [] })),
    },
  ]
  writeFileSync(file, JSON.stringify({ rule_files: [resolve(RULES)], evaluation_interval: '1m', tests }))
  const { stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  return [...`${stdout}${stderr}`.matchAll(/alertname: ?(\w+), time/g)].map(([, name]) => name ?? '')
}

/** A counter goes on as it began, a gauge stays as it is. */
function seriesOf(before: string, after: string): { series: string; values: string }[] {
  const gauges = new Set([...after.matchAll(/^# TYPE (\w+) gauge$/gm)].map(([, name]) => name))
  const first = samplesOf(before)
  return [...samplesOf(after)].map(([series, value]) => {
    const isGauge = gauges.has(series.replace(/\{.*/s, ''))
    const start = isGauge ? value : (first.get(series) ?? 0)
    return { series, values: `${start}+${isGauge ? 0 : value - start}x${MINUTES}` }
  })
}

function samplesOf(exposition: string): Map<string, number> {
  const lines = exposition.matchAll(/^([a-z_]+(?:\{.*\})?) (-?[\d.e+-]+)$/gm)
  return new Map([...lines].map(([, series, value]) => [series ?? '', Number(value)]))
}
