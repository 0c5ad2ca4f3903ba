import { Hono, type MiddlewareHandler } from 'hono'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createLog } from '../log.ts'
import { ProviderUnavailable } from '../providers/providers.ts'
import { DatabaseUnavailable } from '../store/database.ts'
import { silent, type Telemetry } from '../telemetry.ts'
import { createAccess } from './access.ts'
import { ApiError } from './api-error.ts'
import type { Authenticate } from './caller.ts'
import type { ServiceEnv } from './context.ts'
import { timeTakenMs } from './context.ts'
import { createEdge } from './edge.ts'
import type { RequestLimit } from './rate-limit.ts'
import { readJson } from './read-body.ts'

const authenticate: Authenticate = async (request) => {
  const token = request.headers.get('Authorization')
  if (token === null) return null
  return { kind: 'client', clientId: 'acme', tenantIds: ['acme'], scopes: [token] }
}

const plenty: RequestLimit = { take: async () => ({ allowed: true, limit: 60, remaining: 59, resetSeconds: 60 }) }
const none: RequestLimit = { take: async () => ({ allowed: false, limit: 60, remaining: 0, resetSeconds: 7 }) }

type Options = { around?: MiddlewareHandler<ServiceEnv>[]; https?: boolean; limit?: RequestLimit }

function createApp({ around = [], https = false, limit = plenty }: Options = {}) {
  const lines: string[] = []
  const measured: { route: string; status: number }[] = []
  const limitsMet: string[] = []
  const telemetry: Telemetry = {
    ...silent,
    requestFinished: ({ route, status }) => void measured.push({ route, status }),
    limitMet: (kind) => void limitsMet.push(kind),
  }
  const log = createLog({ to: { write: (line) => lines.push(line) } })
  const app = createEdge({ log, telemetry, https, around })
  const { requireTenant, requireCaller } = createAccess({ authenticate, limit })
  const fail = (error: unknown) => () => {
    throw error
  }
  const routes = new Hono<ServiceEnv>()
    .get('/things/:id', (context) => context.json({ id: context.req.param('id'), timeTakenMs: timeTakenMs(context) }))
    .post('/things/:id', async (context) =>
      context.json(await readJson(context.req.raw, z.object({ name: z.string() }))),
    )
    .get('/raw', () => new Response('by hand', { headers: { 'Cache-Control': 'public, max-age=60' } }))
    .get('/refuse', fail(new ApiError('challenge-expired', 'too late', { 'X-Why': 'time' })))
    .get('/bug', fail(new TypeError('lovelace@example.com is not a function')))
    .get('/database', fail(new DatabaseUnavailable('ECONNREFUSED')))
    .get('/provider', fail(new ProviderUnavailable('bureau', 'unreachable')))
    .get('/me', requireCaller(), (context) => context.json(context.get('caller')))
  app.route('/', routes)
  app.use('/:tenantId/v1/*', requireTenant('reports', 'look'))
  app.get('/:tenantId/v1/reports', (context) => context.json({ tenantId: context.get('tenantId') }))
  app.get('/:tenantId/v1/missing', fail(new ApiError('credit-report-not-found', 'no such report')))
  return { app, measured, limitsMet, lines: () => lines.map((line) => JSON.parse(line)) }
}

const token = { headers: { Authorization: 'reports' } }

describe('an answer', () => {
  test('took at least a millisecond, in whole ones', async () => {
    const { timeTakenMs } = await (await createApp().app.request('/things/7')).json()
    expect(Number.isInteger(timeTakenMs)).toBe(true)
    expect(timeTakenMs).toBeGreaterThan(0)
  })

  test('is never cached, framed nowhere and sniffed by no browser', async () => {
    const { headers } = await createApp().app.request('/things/7')
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    expect(headers.has('Access-Control-Allow-Origin')).toBe(false)
    expect(headers.has('Strict-Transport-Security')).toBe(false)
  })

  test('insists on https where the service has it', async () => {
    const { headers } = await createApp({ https: true }).app.request('/things/7')
    expect(headers.get('Strict-Transport-Security')).toMatch(/^max-age=31536000/)
  })

  test('keeps the headers its route chose, also on a response made by hand', async () => {
    const { headers } = await createApp().app.request('/raw')
    expect(headers.get('Cache-Control')).toBe('public, max-age=60')
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
    expect(headers.has('X-Request-Id')).toBe(true)
  })
})

describe('the request id', () => {
  const idFor = async (given?: string) => {
    const headers: HeadersInit = given === undefined ? {} : { 'X-Request-Id': given }
    return (await createApp().app.request('/things/7', { headers })).headers.get('X-Request-Id')
  }

  test('is the caller’s own when it is an id', async () => {
    expect(await idFor('0197f3a2-1c11-7cc0-9d2c-66d5c0ffee00')).toBe('0197f3a2-1c11-7cc0-9d2c-66d5c0ffee00')
  })

  test('differs from request to request otherwise', async () => {
    expect(await idFor()).not.toBe(await idFor())
  })

  test.each([
    'lovelace@example.com',
    '+447700900123',
    'short',
    'a b c d e f g h',
    '<script>',
    'a'.repeat(65),
    '-'.repeat(20),
  ])('is a new one instead of %s', async (given) => {
    expect(await idFor(given)).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('an error is {code, message} and nothing else', () => {
  test.each([
    ['what a route refuses', '/refuse', 410, 'challenge-expired'],
    ['an address that is not there', '/nowhere', 404, 'not-found'],
    ['an address with too many slashes', '//things//7', 404, 'not-found'],
    ['a broken escape in the address', '/thing%zz/7', 404, 'not-found'],
    ['a database that is down', '/database', 503, 'unavailable'],
    ['a provider that is down', '/provider', 503, 'unavailable'],
    ['a bug', '/bug', 500, 'internal-error'],
  ])('%s', async (_name, path, status, code) => {
    const response = await createApp().app.request(path)
    expect(response.status).toBe(status)
    expect(await response.json()).toEqual({ code, message: expect.any(String) })
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(response.headers.has('X-Request-Id')).toBe(true)
    expect(response.headers.has('Retry-After')).toBe(status === 503)
  })

  test('a refusal can carry headers', async () => {
    expect((await createApp().app.request('/refuse')).headers.get('X-Why')).toBe('time')
  })

  test('a bug is logged by its class and place, and nowhere else', async () => {
    const { app, lines } = createApp()
    const response = await app.request('/bug')
    const answered = await response.text()
    const bug = lines().find(({ event }) => event === 'bug')
    expect(bug).toMatchObject({ errorClass: 'TypeError', requestId: response.headers.get('X-Request-Id') })
    expect(answered + JSON.stringify(lines())).not.toContain('lovelace')
  })

  test('the wrong method is 405 and says which are right', async () => {
    const response = await createApp().app.request('/things/7', { method: 'DELETE' })
    expect(response.status).toBe(405)
    expect(response.headers.get('Allow')).toBe('GET, HEAD, POST')
    expect(await response.json()).toEqual({
      code: 'method-not-allowed',
      message: 'DELETE is not possible here; use GET, HEAD, POST',
    })
  })

  test('OPTIONS gets no CORS headers: browsers elsewhere have no business here', async () => {
    const headers = { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' }
    const response = await createApp().app.request('/things/7', { method: 'OPTIONS', headers })
    expect(response.status).toBe(405)
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  test('a 404 that a route gave is not taken for a missing route', async () => {
    const response = await createApp().app.request('/acme/v1/missing', token)
    expect(response.status).toBe(404)
    expect((await response.json()).code).toBe('credit-report-not-found')
  })
})

describe('an address that no database can hold', () => {
  test.each([
    '/things/%00',
    '/things/a%00b?x=1',
    '/things/7?q=%00',
    '/things/%ED%A0%80',
    '/things/7?q=%ed%bf%bf',
    '/nowhere/%00',
  ])('%s is refused before anything reads it', async (path) => {
    const response = await createApp().app.request(path)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      code: 'validation-error',
      message: expect.stringMatching(/^address: /),
    })
  })

  test('the last character before the surrogates is none of them', async () => {
    expect((await createApp().app.request('/things/%ED%9F%BF')).status).toBe(200)
  })
})

describe('what plugins put around every request', () => {
  const marked: string[] = []
  const mark =
    (name: string): MiddlewareHandler<ServiceEnv> =>
    async (context, next) => {
      marked.push(`${name} ${context.req.path}`)
      await next()
      context.header('X-Marked', name)
    }

  test('runs in their order, whatever becomes of the request', async () => {
    marked.length = 0
    const { app } = createApp({ around: [mark('outer'), mark('inner')] })
    for (const path of ['/things/7', '/nowhere', '/bug']) await app.request(path)
    const each = ['/things/7', '/nowhere', '/bug'].flatMap((path) => [`outer ${path}`, `inner ${path}`])
    expect(marked).toEqual(each)
    expect((await app.request('/things/7')).headers.get('X-Marked')).toBe('outer')
  })

  test('sees no address that no database can hold', async () => {
    marked.length = 0
    expect((await createApp({ around: [mark('outer')] }).app.request('/things/%00')).status).toBe(400)
    expect(marked).toEqual([])
  })

  test('may refuse a request, with the headers of every answer', async () => {
    const refuse = () => {
      throw new ApiError('unavailable', 'later', { 'Retry-After': '2' })
    }
    const response = await createApp({ around: [refuse] }).app.request('/things/7')
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '2'])
    expect(await response.json()).toEqual({ code: 'unavailable', message: 'later' })
    expect(response.headers.has('X-Request-Id')).toBe(true)
  })
})

describe('access', () => {
  test('a caller without a token is 401 and reads how to get one', async () => {
    const response = await createApp().app.request('/acme/v1/reports')
    expect(response.status).toBe(401)
    expect(response.headers.get('WWW-Authenticate')).toBe('Bearer')
    expect(await response.json()).toEqual({ code: 'unauthorized', message: 'a valid access token is required' })
  })

  test('a caller of the tenant gets through, with what is left of its minute', async () => {
    const response = await createApp().app.request('/acme/v1/reports', token)
    expect(await response.json()).toEqual({ tenantId: 'acme' })
    expect(response.headers.get('RateLimit-Remaining')).toBe('59')
  })

  test('another tenant and one that does not exist look the same', async () => {
    const { app } = createApp()
    const answers = ['/globex/v1/reports', '/%01/v1/reports', '/acme%2F/v1/reports', '/ACME/v1/reports'].map(
      async (path) => {
        const response = await app.request(path, token)
        return [response.status, await response.text()]
      },
    )
    const [first, ...others] = await Promise.all(answers)
    expect(first).toEqual([403, expect.stringContaining('"forbidden"')])
    for (const other of others) expect(other).toEqual(first)
  })

  test('a token without the scope is 403', async () => {
    const response = await createApp().app.request('/acme/v1/reports', { headers: { Authorization: 'wallet' } })
    expect(response.status).toBe(403)
    expect(response.headers.get('RateLimit-Remaining')).toBe('59')
  })

  test('over the limit is 429 and says when to come back', async () => {
    const response = await createApp({ limit: none }).app.request('/acme/v1/reports', token)
    expect(response.status).toBe(429)
    expect((await response.json()).code).toBe('rate-limited')
    expect(response.headers.get('Retry-After')).toBe('7')
    expect(response.headers.get('RateLimit-Remaining')).toBe('0')
  })

  test('without credentials nothing is counted', async () => {
    expect((await createApp({ limit: none }).app.request('/acme/v1/reports')).status).toBe(401)
  })

  test('a route without a tenant asks only who calls', async () => {
    expect((await createApp().app.request('/me', token)).status).toBe(200)
    expect((await createApp().app.request('/me')).status).toBe(401)
  })
})

test('a request refused by a limit is counted by its kind', async () => {
  const { app, limitsMet } = createApp({ limit: none })
  expect((await app.request('/me', token)).status).toBe(429)
  expect(limitsMet).toEqual(['requests'])
})

describe('the log', () => {
  test('has one line per request, with the pattern instead of the path', async () => {
    const { app, lines } = createApp()
    await app.request('/things/lovelace@example.com?name=lovelace')
    expect(lines()).toEqual([
      expect.objectContaining({
        event: 'request',
        method: 'GET',
        route: '/things/:id',
        status: 200,
        ms: expect.any(Number),
      }),
    ])
    expect(JSON.stringify(lines())).not.toContain('lovelace')
  })

  test('names the tenant once the caller has proved to belong to it, and not before', async () => {
    const { app, lines } = createApp()
    await app.request('/acme/v1/reports', token)
    await app.request('/ada-lovelace/v1/reports', token)
    expect(lines().map(({ tenantId }) => tenantId)).toEqual(['acme', undefined])
  })

  test('a report is named by its id, and by nothing else that stands in its place', async () => {
    const { app, lines } = createApp()
    const id = '01a1de6f-5280-74a8-8393-4a59293342e6'
    await app.request(`/acme/v1/credit-reports/${id}/otp-challenge`, token)
    await app.request('/acme/v1/credit-reports/lovelace@example.com', token)
    expect(lines().map(({ creditReportId }) => creditReportId)).toEqual([id, undefined])
  })

  test('a flood of refusals without a token is one line, and every one is counted', async () => {
    const { app, lines, measured } = createApp()
    for (let count = 0; count < 50; count += 1) await app.request('/acme/v1/reports')
    // A second later, on a machine that is slow, there may be another.
    expect(lines().length).toBeLessThan(25)
    expect(lines()[0]).toMatchObject({ event: 'request', status: 401 })
    expect(measured.filter(({ status }) => status === 401)).toHaveLength(50)
  })

  test('calls what matches no route unmatched', async () => {
    const { app, lines, measured } = createApp()
    await app.request('/ada')
    expect(lines()).toMatchObject([{ route: 'unmatched', status: 404 }])
    expect(measured).toEqual([{ route: 'unmatched', status: 404 }])
  })
})
