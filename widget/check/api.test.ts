// @vitest-environment node
// Against a real server with prepared answers.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createApi, readRetryAfter } from './api.ts'

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void

const none = { meta: { test: false }, data: { status: 'none' } }
const seen: {
  method: string | undefined
  url: string | undefined
  key: unknown
  tab: unknown
  type: unknown
  body: string
}[] = []
let answers: Handler[] = []
/** As the proxy does: `current` answers with the nonce of its request. */
const echo = (url = '') => {
  const nonce = new URL(url, 'http://x').searchParams.get('nonce')
  return nonce ? { ...none, meta: { ...none.meta, nonce } } : none
}
const server = createServer(async (request, response) => {
  let body = ''
  for await (const part of request) body += part
  const { method, url, headers } = request
  seen.push({
    method,
    url,
    key: headers['idempotency-key'],
    tab: request.headers['x-credit-report-tab'],
    type: headers['content-type'],
    body,
  })
  const answer = answers.shift() ?? json(200, echo(url))
  answer(request, response, body)
})
let origin = ''
let gone = new AbortController()

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  vi.stubGlobal('location', new URL(`${origin}/checkout`))
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('setTimeout', hurry)
  seen.length = 0
  answers = []
  gone = new AbortController()
})
afterEach(() => vi.unstubAllGlobals())

// The waits between tries are too long for a test; every other timer keeps its time.
const realSetTimeout = setTimeout
function hurry(run: (...args: unknown[]) => void, ms: number, ...args: unknown[]) {
  return realSetTimeout(run, ms >= 600 && ms <= 5_000 ? 1 : ms, ...args)
}

function json(status: number, body: unknown, headers: { [name: string]: string } = {}): Handler {
  return (_request, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
}
const cut: Handler = (request) => request.socket.destroy()
const api = () => createApi('/credit-reports/', gone.signal, () => 'tab-1')
const challenge = { creditReportId: 'r/1', challengeId: 'c1' }
const details = {
  sessionId: 's',
  firstName: 'Sam',
  lastName: 'Patel',
  dateOfBirth: '1985-03-27',
  addresses: [],
}

test('each operation goes to its own path', async () => {
  await api().current()
  await api().verify(challenge, '123456')
  expect(seen.map(({ method, url, body }) => [method, url, body])).toEqual([
    ['GET', expect.stringMatching(/^\/credit-reports\/current\?nonce=[0-9a-f]{32}$/), ''],
    ['POST', '/credit-reports/r%2F1/otp-challenge', '{"challengeId":"c1","code":"123456"}'],
  ])
  expect(seen[1]?.type).toBe('application/json')
})

test('a report that was cut off is asked for again under the same key', async () => {
  answers = [cut, json(503, { code: 'unavailable', message: '' })]
  expect(await api().generate(details, 'key-1')).toEqual({ value: none })
  expect(seen.map(({ key }) => key)).toEqual(['key-1', 'key-1', 'key-1'])
})

test('three tries are enough', async () => {
  answers = [cut, cut, cut, json(200, none)]
  expect((await api().generate(details, 'key-1')).fault).toEqual({ code: 'network', status: 0 })
  expect(seen).toHaveLength(3)
})

test('a request that is still worked on is waited for', async () => {
  answers = Array.from({ length: 9 }, () => json(409, { code: 'request-in-progress', message: 'x' }))
  expect(await api().generate(details, 'key-1')).toEqual({ value: none })
  expect(new Set(seen.map(({ key }) => key))).toEqual(new Set(['key-1']))
})

test('but not for ever', async () => {
  answers = Array.from({ length: 99 }, () => json(409, { code: 'request-in-progress', message: 'x' }))
  expect(await api().generate(details, 'key-1')).toMatchObject({ fault: { code: 'request-in-progress' } })
  expect(seen.length).toBe(14)
})

test('a draft goes with the tab’s own secret, and is dropped without a body', async () => {
  const draft = {
    id: 'd',
    step: 'details',
    index: 0,
    person: {},
    addresses: [],
    abroadBefore: false,
    about: '',
  } as const
  expect([await api().draft({ ...draft, addresses: [] }), await api().draft(null)]).toEqual([true, true])
  expect(seen.map(({ method, url, tab, body }) => [method, url, tab, body])).toEqual([
    ['POST', '/credit-reports/draft', 'tab-1', JSON.stringify(draft)],
    ['DELETE', '/credit-reports/draft', 'tab-1', ''],
  ])
})

test('a code is never sent twice by itself', async () => {
  answers = [cut]
  expect((await api().verify(challenge, '123456')).fault?.code).toBe('network')
  expect(seen).toHaveLength(1)
})

test.each([400, 401, 402, 403, 404, 410, 429])('a %i is not asked again', async (status) => {
  answers = [json(status, { code: 'validation-error', message: 'firstName: is required' }, { 'X-Request-Id': 'req-1' })]
  expect((await api().generate(details, 'k')).fault).toEqual({
    code: 'validation-error',
    message: 'firstName: is required',
    status,
    requestId: 'req-1',
  })
  expect(seen).toHaveLength(1)
})

test('a server that names a long wait is left alone', async () => {
  answers = [json(503, { code: 'unavailable', message: '' }, { 'Retry-After': '60' })]
  expect((await api().generate(details, 'k')).fault?.retryAfterMs).toBe(60_000)
  expect(seen).toHaveLength(1)
})

describe('answers that make no sense', () => {
  test.each([
    ['a web page', json(200, '<!doctype html>')],
    ['an empty object', json(200, {})],
    ['a report of another shape', json(200, { meta: {}, data: { status: 7 } })],
  ])('%s', async (_name, answer) => {
    answers = [answer, answer, answer]
    expect((await api().current()).fault?.code).toBe('garbled-answer')
  })

  test('an error that is not one of ours keeps its status', async () => {
    answers = [json(404, '<h1>Not found</h1>')]
    expect((await api().current()).fault).toEqual({ code: 'http-404', status: 404 })
  })

  test('what answers another request, or none, is kept by a cache: asked again, it is another request', async () => {
    answers = [json(200, none), json(200, { ...none, meta: { test: false, nonce: 'of-before' } })]
    expect(await api().current('r/1')).toMatchObject({ value: { data: { status: 'none' } } })
    expect(seen.map(({ url }) => new URL(url ?? '', 'http://x').searchParams.get('creditReportId'))).toEqual(
      Array(3).fill('r/1'),
    )
    expect(new Set(seen.map(({ url }) => url)).size).toBe(3)
  })

  test.each([
    ['that adds a slash is followed', (url = '') => url.replace('?', '/?'), undefined],
    ['to a sign-in is no answer', () => '/login', 'garbled-answer'],
    ['to another mount is no answer', (url = '') => url.replace('/credit-reports', '/other'), 'garbled-answer'],
    ['to another origin is not followed', () => 'http://127.0.0.1:1/credit-reports/current/', 'network'],
  ])('a redirect of `current` %s', async (_name, to, code) => {
    const away: Handler = (request, response) => response.writeHead(307, { Location: to(request.url) }).end()
    const there: Handler = (request, response, body) => json(200, echo(request.url))(request, response, body)
    answers = Array.from({ length: 3 }, () => [away, there]).flat()
    if (code === 'network') answers = [away, away, away]
    expect((await api().current()).fault?.code).toBe(code)
  })

  test('where `current` was redirected to a slash, writes go there at once', async () => {
    const slash: Handler = (request, response) =>
      response.writeHead(308, { Location: request.url?.replace('?', '/?') }).end()
    answers = [slash]
    const slashed = api()
    await slashed.current()
    await slashed.generate(details, 'k')
    await slashed.close({ forget: true })
    expect(seen.slice(2).map(({ url }) => url)).toEqual(['/credit-reports/', '/credit-reports/current/?forget=1'])
  })

  test.each([
    ['CSRF protection', 403, '{"error":"csrf"}', ['403']],
    ['a page of CSRF protection', 419, '<h1>Expired</h1>', ['419']],
    ['a limit of the lender', 429, '', ['429']],
    ['the proxy itself', 403, '{"code":"forbidden","message":""}', []],
    ['a gateway', 502, '<h1>Bad gateway</h1>', []],
  ])('%s that refuses a write (%i) is reported to the server once', async (_what, status, body, reported) => {
    const refuse: Handler = (request, response) =>
      request.method === 'GET' ? json(200, none)(request, response, '') : response.writeHead(status).end(body)
    answers = Array(12).fill(refuse)
    const refused = api()
    await refused.verify({ creditReportId: 'r', challengeId: 'c' }, '123456')
    await refused.close()
    const hints = () => seen.flatMap(({ url = '' }) => new URL(url, origin).searchParams.get('refused') ?? [])
    if (reported.length > 0) await vi.waitFor(() => expect(hints()).toEqual(reported))
    expect(hints()).toEqual(reported)
  })

  test('a redirect is not followed: no details go where the page did not say', async () => {
    const away = json(307, '', { Location: 'http://127.0.0.1:1/elsewhere' })
    answers = [away, away, away]
    expect((await api().generate(details, 'k')).fault?.code).toBe('network')
  })
})

test('nothing is sent to another origin', async () => {
  const elsewhere = createApi('https://elsewhere.example/credit-reports', gone.signal, () => 'tab-1')
  expect((await elsewhere.generate(details, 'k')).fault?.code).toBe('endpoint-not-same-origin')
  expect(seen).toEqual([])
})

test('offline is reported at once', async () => {
  vi.stubGlobal('navigator', { onLine: false })
  answers = [cut]
  expect((await api().generate(details, 'k')).fault?.code).toBe('offline')
  expect(seen).toHaveLength(1)
})

test('an element that is gone stops waiting', async () => {
  answers = [() => gone.abort()]
  expect((await api().current()).fault).toBeDefined()
  expect(seen).toHaveLength(1)
})

test('lists survive a page that has taught arrays to write themselves', async () => {
  Object.defineProperty(Array.prototype, 'toJSON', { value: () => 'broken', configurable: true })
  try {
    await api().generate({ ...details, addresses: [] }, 'k')
  } finally {
    Reflect.deleteProperty(Array.prototype, 'toJSON')
  }
  expect(JSON.parse(seen[0]?.body ?? '').addresses).toEqual([])
})

test.each([
  ['30', 30_000],
  ['Sun, 15 Nov 2026 10:00:30 GMT', 30_000],
  ['Sun, 15 Nov 2026 09:00:00 GMT', 0],
  ['soon', undefined],
  ['', undefined],
])('Retry-After: %s', (header, ms) => {
  expect(readRetryAfter(header, Date.parse('2026-11-15T10:00:00Z'))).toBe(ms)
})

describe('closing', () => {
  test.each([
    [{ forget: false }, '/credit-reports/current'],
    [{ forget: true }, '/credit-reports/current?forget=1'],
  ])('with %j is one DELETE', async (options, url) => {
    expect(await api().close(options)).toBe(true)
    expect(seen).toMatchObject([{ method: 'DELETE', url, body: '' }])
  })

  test.each([404, 405, 500])('a server that answers %i has not closed it', async (status) => {
    answers = [json(status, { code: 'internal-error', message: '' })]
    expect(await api().close()).toBe(false)
    expect(seen).toHaveLength(1)
  })

  test('nor has one whose line is cut', async () => {
    answers = [cut]
    expect(await api().close()).toBe(false)
  })
})

test('opening is asked once, with the tab’s own secret', async () => {
  answers = [cut]
  expect((await api().open('1985-03-27')).fault?.code).toBe('network')
  expect(seen).toMatchObject([
    { method: 'POST', url: '/credit-reports/current/open', body: '{"dateOfBirth":"1985-03-27"}' },
  ])
  expect(seen[0]?.tab).toBe('tab-1')
})
