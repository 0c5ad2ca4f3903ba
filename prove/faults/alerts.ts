// Whether a fault would wake somebody: the rules of deploy/alerts.yml, applied by promtool to the metrics of the service that met it.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Metrics } from '../../service/metrics.ts'
import { must } from './must.ts'

const RULES = 'deploy/alerts.yml'
/** Longer than any rule waits. */
const MINUTES = 30

export type AlertWatch = {
  /** The alert fires when what happened since the watch began goes on, minute after minute. Says nothing where promtool is missing. */
  mustFire(alert: string): Promise<void>
}

export async function watchAlerts(metrics: Pick<Metrics, 'render'>): Promise<AlertWatch> {
  const before = await metrics.render()
  return {
    async mustFire(alert) {
      const fired = firedBetween(before, await metrics.render())
      must(
        fired === null || fired.includes(alert),
        `${alert} must fire; what fires is ${fired?.join(', ') || 'nothing'}`,
      )
    },
  }
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
