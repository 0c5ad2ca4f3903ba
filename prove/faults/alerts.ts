// The rules of deploy/alerts.yml, applied by promtool: for faults that must page no operator.
// plugins/metrics/alerts-fired.release.test.ts has those that must.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { must } from './must.ts'

const RULES = 'deploy/alerts.yml'
/** Longer than any rule waits. */
const MINUTES = 30

/**
 * Resolves to a check that no alert fires which did not before (the demo has a tenant without credits), if what
 * happened since goes on, minute after minute. It says nothing where promtool is missing.
 */
export async function watchAlerts(render: () => Promise<string>): Promise<() => Promise<void>> {
  const before = await render()
  return async () => {
    if (!(process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, 'promtool')))) return
    const old = firedBetween(before, before)
    const names = firedBetween(before, await render()).filter((name) => !old.includes(name))
    must(names.length === 0, `no alert may fire, but ${names.join(', ')} does`)
  }
}

function alertNames(): string[] {
  return [...readFileSync(RULES, 'utf8').matchAll(/- alert: (\w+)/g)].map(([, name]) => name ?? '')
}

function firedBetween(before: string, after: string): string[] {
  return firedBy(seriesOf(before, after), { minutes: MINUTES, evaluated: '1m' })
}

/** A sample each minute: `0+5x400` begins at 0 and grows by 5, `_` is none. */
export type Series = { [series: string]: string }

/** The alerts that fire after so many minutes of it. */
export function firedBy(series: Series, { minutes, evaluated }: { minutes: number; evaluated: string }): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'alerts-'))
  const file = join(folder, 'test.json')
  const tests = [
    {
      interval: '1m',
      input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
      // None is expected, so that promtool names each that fires.
      alert_rule_test: alertNames().map((alertname) => ({ eval_time: `${minutes}m`, alertname, exp_alerts: [] })),
    },
  ]
  writeFileSync(file, JSON.stringify({ rule_files: [resolve(RULES)], evaluation_interval: evaluated, tests }))
  const { stdout, stderr, error } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  if (error) throw error
  must(!/parse error|unmarshal/.test(`${stdout}${stderr}`), `promtool cannot read the series: ${stdout}${stderr}`)
  return [...`${stdout}${stderr}`.matchAll(/alertname: ?(\w+), time/g)].map(([, name]) => name ?? '')
}

/** A counter goes on as it began, a gauge stays as it is. */
function seriesOf(before: string, after: string): Series {
  const gauges = new Set([...after.matchAll(/^# TYPE (\w+) gauge$/gm)].map(([, name]) => name))
  const first = samplesOf(before)
  const rows = [...samplesOf(after)].map(([series, value]) => {
    const isGauge = gauges.has(series.replace(/\{.*/s, ''))
    const start = isGauge ? value : (first.get(series) ?? 0)
    return [series, `${start}+${isGauge ? 0 : value - start}x${MINUTES}`]
  })
  return Object.fromEntries(rows)
}

function samplesOf(exposition: string): Map<string, number> {
  const lines = exposition.matchAll(/^([a-z_]+(?:\{.*\})?) (-?[\d.e+-]+)$/gm)
  return new Map([...lines].map(([, series, value]) => [series ?? '', Number(value)]))
}
