import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { STEP_COUNT_MAX, type StepCounts } from '../../contract/stats.ts'
import { ORIGIN } from '../../testing/proxy-browser.ts'
import { createTestMount, type TestMount } from '../../testing/proxy-mount.ts'
import { createSteps } from './steps.ts'

let at: TestMount
beforeEach(async () => {
  at = await createTestMount()
})
afterEach(() => {
  vi.useRealTimers()
  return at.service.stop()
})

/** As the widget sends it: no cookie. */
function post(body: unknown, { origin = ORIGIN, path = '/credit-reports/steps' } = {}) {
  const headers = { 'Content-Type': 'application/json', Origin: origin }
  const init = { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) }
  return at.proxy(new Request(`${ORIGIN}${path}`, init), { remoteAddress: '203.0.113.9' })
}
const sent = () => at.service.seen.filter(({ path }) => path.endsWith('/steps')).map(({ body }) => JSON.parse(body))

test('screens are summed up and reach the service together, with nothing else', async () => {
  for (const seconds of [10, 20]) expect((await post({ step: 'address', seconds, name: 'Sam' })).status).toBe(204)
  const first = await post({ step: 'details', seconds: 0 })
  expect([first.status, first.headers.get('Set-Cookie'), await first.text()]).toEqual([204, null, ''])
  expect(sent()).toEqual([])
  await at.proxy.drain()
  const steps = [
    { step: 'details', count: 1, seconds: 0 },
    { step: 'address', count: 2, seconds: 30 },
  ]
  expect(sent()).toEqual([{ test: false, steps }])
  expect(at.service.seen[0]?.path).toBe('/demo-lender/v1/steps')
  await at.proxy.drain()
  expect(sent()).toHaveLength(1)
})

test('a mount in test mode says so', async () => {
  at.mount({ test: true })
  await post({ step: 'details', seconds: 0 })
  await at.proxy.drain()
  expect(sent()).toMatchObject([{ test: true }])
})

test('what developers play below /test is not counted', async () => {
  at.mount({ testScenarios: true })
  await post({ step: 'details', seconds: 0 }, { path: '/credit-reports/test/allow/default/1/steps' })
  await at.proxy.drain()
  expect(sent()).toEqual([])
})

test.each([
  ['another step', { step: 'report', seconds: 0 }, 400],
  ['a time that no screen takes', { step: 'details', seconds: 1e9 }, 400],
  ['no JSON', 'details', 400],
  ['too much', `{"step":"details","seconds":0,"x":"${'x'.repeat(70_000)}"}`, 413],
])('refuses %s', async (_name, body, status) => {
  expect((await post(body)).status).toBe(status)
  await at.proxy.drain()
  expect(sent()).toEqual([])
})

test('refuses a foreign page, and too many from one address, which leaves checks their own allowance', async () => {
  expect((await post({ step: 'details', seconds: 0 }, { origin: 'https://evil.example' })).status).toBe(403)
  at.mount({ limits: { writesMax: 2 } })
  const statuses: number[] = []
  for (let time = 0; time < 3; time += 1) statuses.push((await post({ step: 'details', seconds: 0 })).status)
  expect(statuses).toEqual([204, 204, 429])
  expect((await at.browser.generate()).status).toBe(200)
})

test('a service that is away loses the counts and nothing else', async () => {
  at.service.misbehave = (request, response) => {
    if (!request.path.endsWith('/steps')) return false
    response.writeHead(503).end()
    return true
  }
  expect((await post({ step: 'details', seconds: 0 })).status).toBe(204)
  await at.proxy.drain()
  expect(at.events).toEqual([])
  at.service.misbehave = null
  await at.proxy.drain()
  expect(sent()).toHaveLength(1)
})

test('what has gathered goes to the service ten seconds after the first, and the next ten after that', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const given: StepCounts[] = []
  const steps = createSteps(async (counts) => given.push(counts))
  steps.count({ step: 'details', seconds: 0 }, { test: false })
  vi.advanceTimersByTime(9_000)
  steps.count({ step: 'details', seconds: 5 }, { test: true })
  vi.advanceTimersByTime(999)
  expect(given).toEqual([])
  vi.advanceTimersByTime(1)
  expect(given).toEqual([
    { test: false, steps: [{ step: 'details', count: 1, seconds: 0 }] },
    { test: true, steps: [{ step: 'details', count: 1, seconds: 5 }] },
  ])
  vi.advanceTimersByTime(60_000)
  expect(given).toHaveLength(2)
  steps.count({ step: 'details', seconds: 0 }, { test: false })
  vi.advanceTimersByTime(10_000)
  expect(given).toHaveLength(3)
})

test('of one screen no more are counted than the service takes', async () => {
  const given: StepCounts[] = []
  const steps = createSteps(async (counts) => given.push(counts))
  for (let time = 0; time < STEP_COUNT_MAX + 2; time += 1) steps.count({ step: 'details', seconds: 1 }, { test: false })
  await steps.flush()
  expect(given[0]?.steps).toEqual([{ step: 'details', count: STEP_COUNT_MAX, seconds: STEP_COUNT_MAX }])
})
