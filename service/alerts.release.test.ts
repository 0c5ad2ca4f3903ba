// The alert rules and the dashboard speak of metrics that exist, and every alert has its line in the runbook.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, liveRequest, type TestApp } from '../testing/test-app.ts'
import { createMetrics } from './metrics.ts'

const RULES = 'deploy/alerts.yml'
const rules = readFileSync(RULES, 'utf8')
const dashboard = readFileSync('deploy/grafana-dashboard.json', 'utf8')
const promtool = (process.env.PATH ?? '')
  .split(':')
  .map((folder) => `${folder}/promtool`)
  .find((path) => existsSync(path))

let app: TestApp
let exposed = ''
beforeAll(async () => {
  const metrics = createMetrics({ process: true })
  metrics.watchClock(() => 0)
  app = await createTestApp({ metrics })
  await app.generate(liveRequest('Allow'))
  await app.sweeper.sweep()
  exposed = await metrics.render()
})
afterAll(() => app.close())

test.each([
  ['the alert rules', rules],
  ['the dashboard', dashboard],
])('%s name only metrics that a running service has', (_name, text) => {
  const named = new Set([...text.matchAll(/\bcrs_\w+/g)].map(([name]) => name))
  const known = new Set(
    [...exposed.matchAll(/^# TYPE (\w+)/gm)].flatMap(([, name]) => [name, `${name}_count`, `${name}_bucket`]),
  )
  expect(named.size).toBeGreaterThan(8)
  expect([...named].filter((name) => !known.has(name))).toEqual([])
})

test('a service that no balancer has asked yet is not called unready', () => {
  expect(exposed).toMatch(/^crs_ready 1$/m)
})

test('every metric has the one prefix', () => {
  const names = [...exposed.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name ?? '')
  expect(names.filter((name) => !name.startsWith('crs_'))).toEqual([])
})

test('every alert has its line in the runbook, and the runbook no other', () => {
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
  const runbook = [...readFileSync('docs/operate.md', 'utf8').matchAll(/^\| `(\w+)` \|/gm)]
    .map(([, name]) => name ?? '')
    .filter((name) => !/^[A-Z_]+$/.test(name))
  expect(runbook.toSorted()).toEqual(alerts.toSorted())
})

test.runIf(promtool !== undefined)('promtool finds nothing to say about rules and metrics', () => {
  const check = (args: string[], input = '') => execFileSync(String(promtool), args, { input, encoding: 'utf8' })
  expect(check(['check', 'rules', RULES])).toMatch(/SUCCESS: \d+ rules found/)
  // Node's own numbers are named by its client library.
  const ours = exposed.replace(/^.*crs_(?:nodejs|process)_.*\n/gm, '')
  expect(check(['check', 'metrics'], ours)).toBe('')
})
