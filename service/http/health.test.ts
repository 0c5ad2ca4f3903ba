import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLog, createSilentLog } from '../log.ts'
import { silent } from '../telemetry.ts'
import { createEdge } from './edge.ts'
import { createReadiness, healthRoutes } from './health.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const probing = (refusal: string | null) => ({ probe: async () => ({ refusal, clockMs: null }) })
const mute = { probe: () => new Promise<never>(() => {}) }

function createApp(database: typeof mute | ReturnType<typeof probing>, refusal: () => string | null = () => null) {
  const lines: string[] = []
  const log = createLog({ strict: true, to: { write: (line) => lines.push(line) } })
  const app = createEdge({ log: createSilentLog(), telemetry: silent, https: false })
  app.route('/', healthRoutes(createReadiness({ database, log, refusal })))
  const ask = async (path: string) => {
    const response = await app.request(path)
    return { status: response.status, retryAfter: response.headers.get('Retry-After'), body: await response.json() }
  }
  const logged = () => lines.map((line) => JSON.parse(line)).map(({ level, event, code }) => [level, event, code])
  return { ask, logged }
}

test('a service that can write is ready', async () => {
  const { ask, logged } = createApp(probing(null))
  expect(await ask('/healthz')).toEqual({ status: 200, retryAfter: null, body: { status: 'ok' } })
  expect(await ask('/readyz')).toEqual({ status: 200, retryAfter: null, body: { status: 'ready' } })
  expect(logged()).toEqual([])
  expect(vi.getTimerCount()).toBe(0)
})

test.each([
  ['a database that is down', probing('ECONNREFUSED'), null, 'ECONNREFUSED'],
  ['a service that is shutting down', probing(null), 'draining', 'draining'],
  ['a service whose clock is off, whatever its database says', probing('ECONNREFUSED'), 'clock', 'clock'],
])('%s is healthy, and not ready', async (_name, database, why, code) => {
  const { ask, logged } = createApp(database, () => why)
  expect((await ask('/healthz')).status).toBe(200)
  expect(await ask('/readyz')).toMatchObject({ status: 503, retryAfter: '2', body: { code: 'unavailable' } })
  expect(logged()).toEqual([[40, 'not ready', code]])
})

test('a database that says nothing is given two seconds', async () => {
  const { ask, logged } = createApp(mute)
  const asked = ask('/readyz')
  await vi.advanceTimersByTimeAsync(1_999)
  expect(logged()).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect((await asked).status).toBe(503)
  expect(logged()).toEqual([[40, 'not ready', 'too-late']])
})

test('each change is logged once, with its reason', async () => {
  let why: string | null = null
  const { ask, logged } = createApp(probing(null), () => why)
  for (const next of [null, 'clock', 'clock', 'draining', null, null, 'clock']) {
    why = next
    await ask('/readyz')
  }
  expect(logged()).toEqual([
    [40, 'not ready', 'clock'],
    [40, 'not ready', 'draining'],
    [30, 'ready', undefined],
    [40, 'not ready', 'clock'],
  ])
})
