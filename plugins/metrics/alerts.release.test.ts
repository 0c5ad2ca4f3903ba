// The alert rules and the dashboard speak of metrics that exist, and every alert has its line in the runbook.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, liveRequest, type TestApp } from '../../testing/test-app.ts'
import { createMetrics } from './metrics.ts'

const rules = readFileSync('deploy/alerts.yml', 'utf8')
const dashboard = readFileSync('deploy/grafana-dashboard.json', 'utf8')
let app: TestApp
let exposed = ''
beforeAll(async () => {
  const metrics = createMetrics({ process: true })
  metrics.watch('clock_offset_seconds', 'Watched', () => 0)
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
  const runbook = [...readFileSync('docs/operator/operate.md', 'utf8').matchAll(/^\| `(\w+)` \|/gm)]
    .map(([, name]) => name ?? '')
    .filter((name) => !/^[A-Z_]+$/.test(name))
  expect(runbook.toSorted()).toEqual(alerts.toSorted())
})

test('sixty lenders that stopped with nothing left do not hide one that is about to', async () => {
  const metrics = createMetrics()
  const app = await createTestApp({ metrics })
  for (let count = 0; count < 60; count += 1) await app.newTenant(0)
  const active = await app.newTenant(4_500)
  expect((await app.generate(liveRequest('Allow'), { token: active })).status).toBe(200)
  const shown = async () =>
    [...(await metrics.render()).matchAll(/^crs_tenant_credits\{tenant="([^"]+)",state="spendable"\} (\d+)$/gm)].map(
      ([, tenant, credits]) => [tenant, credits],
    )
  expect(await shown()).toEqual([[active, '4000']])
  app.time.nowMs += 3 * 86_400_000
  expect(await shown()).toEqual([])
  await app.close()
})
