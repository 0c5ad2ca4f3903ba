// One line and one measurement per request. The monotonic clock stands still, so that times are exact.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { UMA } from '../../testing/callers.ts'
import { createLog } from '../log.ts'
import { silent, type Telemetry } from '../telemetry.ts'
import { createAccess } from './access.ts'
import { ApiError } from './api-error.ts'
import type { Authenticate, Caller } from './caller.ts'
import { createEdge } from './edge.ts'

const REPORT_ID = '01a1de6f-5280-74a8-8393-4a59293342e6'
const OTHER_ID = '01a1de6f-5280-74a8-8393-4a59293342e7'

const callers: { [token: string]: Caller } = {
  machine: { kind: 'client', clientId: 'acme-server', tenantIds: ['acme'], scopes: [] },
  person: UMA,
}
const authenticate: Authenticate = async (request) => callers[request.headers.get('Authorization') ?? ''] ?? null

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

function createApp({ https = false } = {}) {
  const lines: string[] = []
  const measured: Parameters<Telemetry['requestFinished']>[0][] = []
  const telemetry: Telemetry = { ...silent, requestFinished: (request) => void measured.push(request) }
  const log = createLog({ strict: true, level: 'debug', to: { write: (line) => lines.push(line) } })
  const app = createEdge({ log, telemetry, https })
  const limit = { take: async () => ({ allowed: true, limit: 60, remaining: 59, resetSeconds: 60 }) }
  const { requireCaller } = createAccess({ authenticate, limit })
  app.get('/takes/:ms', (context) => {
    vi.advanceTimersByTime(Number(context.req.param('ms')))
    return context.text('done')
  })
  app.get('/status/:status', (context) => context.text('', Number(context.req.param('status')) as 200))
  app.get('/me', requireCaller(), (context) => context.text(context.get('requestId')))
  app.get('/refused', requireCaller(), () => {
    throw new ApiError('validation-error', 'no')
  })
  app.get('/:tenantId/v1/credit-reports/:id/*', (context) => context.text(''))
  app.post('/:tenantId/v1/credit-reports/:id', (context) => {
    context.set('creditReportId', REPORT_ID)
    return context.text('')
  })
  for (const path of ['/healthz', '/readyz', '/metrics']) app.get(path, (context) => context.text(''))
  // As a plugin adds it: it must not hide the route that answered.
  app.use((_context, next) => next())
  const ask = (path: string, token?: string, method = 'GET') =>
    app.request(path, { method, ...(token === undefined ? {} : { headers: { Authorization: token } }) })
  return { ask, measured, lines: () => lines.map((line) => JSON.parse(line)) }
}

test('the line says how long it took to a tenth of a millisecond, the measurement says it in seconds', async () => {
  const { ask, lines, measured } = createApp()
  await ask('/takes/12.36')
  expect(lines()).toMatchObject([{ level: 30, event: 'request', route: '/takes/:ms', status: 200, ms: 12.4 }])
  await ask('/status/200')
  expect(lines()[1]).toMatchObject({ route: '/status/:status', ms: 0 })
  await ask('/takes/250')
  const taken = { method: 'GET', route: '/takes/:ms', status: 200 }
  expect(measured).toEqual([
    { ...taken, seconds: expect.closeTo(0.012_36, 9) },
    { ...taken, route: '/status/:status', seconds: 0 },
    { ...taken, seconds: expect.closeTo(0.25, 9) },
  ])
})

test('a handler knows the id that the answer names', async () => {
  const response = await createApp().ask('/me', 'machine')
  expect(await response.text()).toBe(response.headers.get('X-Request-Id'))
})

test('with https browsers try nothing else for a year, on this host and below it', async () => {
  const { headers } = await createApp({ https: true }).ask('/status/200')
  expect(headers.get('Strict-Transport-Security')).toBe('max-age=31536000; includeSubDomains')
})

test('an answer of a caller says what is left of its minute; others have no such headers', async () => {
  const { ask } = createApp()
  expect((await ask('/me', 'machine')).headers.get('RateLimit-Limit')).toBe('60')
  expect((await ask('/me')).headers.has('RateLimit-Limit')).toBe(false)
})

test('the caller is named by its id, if there is one', async () => {
  const { ask, lines } = createApp()
  for (const token of ['machine', 'person', 'stranger']) await ask('/me', token)
  expect(lines().map(({ status, clientId, userId }) => [status, clientId, userId])).toEqual([
    [200, 'acme-server', undefined],
    [200, undefined, 'user-1'],
    [401, undefined, undefined],
  ])
})

test('the report is the one that the route names, or else the one of the path', async () => {
  const { ask, lines } = createApp()
  await ask(`/acme/v1/credit-reports/${OTHER_ID}`, undefined, 'POST')
  await ask(`/acme/v1/credit-reports/${OTHER_ID}/timeline`)
  await ask(`/acme/v1/other/${OTHER_ID}`)
  await ask('/acme/v1/credit-reports/someone')
  expect(lines().map(({ creditReportId }) => creditReportId)).toEqual([REPORT_ID, OTHER_ID, undefined, undefined])
})

test.each(['/healthz', '/readyz', '/metrics'])('a probe of %s is a line for those who debug', async (path) => {
  const { ask, lines } = createApp()
  await ask(path)
  expect(lines()).toMatchObject([{ level: 20, event: 'request', route: path }])
})

describe('refusals without a token are one line a second', () => {
  /** The counts of the lines written so far; a line of one request has none. */
  const counts = (lines: { count?: number }[]) => lines.map(({ count }) => count ?? 'one')

  test('each says how many it stands for', async () => {
    const { ask, lines } = createApp()
    for (let count = 0; count < 3; count += 1) await ask('/me')
    vi.advanceTimersByTime(999)
    await ask('/me')
    expect(counts(lines())).toEqual(['one'])
    vi.advanceTimersByTime(1)
    await ask('/me')
    expect(counts(lines())).toEqual(['one', 4])
    await ask('/me')
    vi.advanceTimersByTime(1_000)
    await ask('/me')
    expect(counts(lines())).toEqual(['one', 4, 2])
    vi.advanceTimersByTime(1_000)
    await ask('/me')
    expect(counts(lines())).toEqual(['one', 4, 2, 'one'])
  })

  test('of each route, method and status', async () => {
    const { ask, lines } = createApp()
    for (let count = 0; count < 2; count += 1) {
      await ask('/me')
      await ask('/nowhere')
      await ask('/nowhere', undefined, 'POST')
      await ask('/status/400')
      await ask('/status/499')
    }
    expect(lines().map(({ method, route, status }) => [method, route, status])).toEqual([
      ['GET', '/me', 401],
      ['GET', 'unmatched', 404],
      ['POST', 'unmatched', 404],
      ['GET', '/status/:status', 400],
      ['GET', '/status/:status', 499],
    ])
  })

  test.each([
    ['answers', '/status/200', undefined, 200],
    ['redirects', '/status/303', undefined, 303],
    ['failures of ours', '/status/500', undefined, 500],
    ['refusals of a known caller', '/refused', 'machine', 400],
  ])('%s have a line each', async (_name, path, token, status) => {
    const { ask, lines } = createApp()
    for (let count = 0; count < 3; count += 1) await ask(path, token)
    expect(lines()).toHaveLength(3)
    expect(lines()[2]).toMatchObject({ event: 'request', status })
    expect(lines()[2]).not.toHaveProperty('count')
  })
})
