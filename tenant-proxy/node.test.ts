// The proxy inside a lender's server, over real connections: middleware, HTTP/2, reused connections.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createHttp2Server, connect as http2Connect } from 'node:http2'
import { type AddressInfo, connect } from 'node:net'
import express from 'express'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createTestBrowser } from '../testing/proxy-browser.ts'
import { proxyOptions, sampleDetails, startTestService, type TestService } from '../testing/proxy-service.ts'
import { toNodeHandler } from './adapters.ts'
import type { ProxyEvent } from './events.ts'
import type { TenantProxyOptions } from './options.ts'
import { createTenantProxy } from './tenant-proxy.ts'

let service: TestService
const opened: (() => unknown)[] = []
const events: ProxyEvent[] = []

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())
afterEach(() => {
  for (const close of opened.splice(0)) close()
  service.misbehave = null
  events.length = 0
})

function createProxy(options: Partial<TenantProxyOptions> = {}) {
  const limits = { generatesMax: 1_000, writesMax: 1_000 }
  return createTenantProxy({ ...proxyOptions(service), limits, onEvent: (event) => events.push(event), ...options })
}

async function listen(server: ReturnType<typeof createServer>): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.push(
    () => server.close(),
    () => server.closeAllConnections(),
  )
  return (server.address() as AddressInfo).port
}

/** A browser in front of Express, with `middleware` before the proxy. */
async function browserRequest(middleware: express.RequestHandler) {
  const app = express()
  app.use(middleware)
  app.use(toNodeHandler(createProxy()))
  const origin = `http://localhost:${await listen(createServer(app))}`
  return createTestBrowser((request) => fetch(request), { origin })
}

describe('middleware before the proxy', () => {
  test('keeps the cookies it has set, and what it says answers depend on', async () => {
    const browser = await browserRequest((_request, response, next) => {
      response.cookie('basket', '7').vary('Origin')
      next()
    })
    const check = await browser.generate()
    expect(check.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^basket=7/),
      expect.stringMatching(/^credit-report=/),
    ])
    expect(check.headers.get('Vary')).toBe('Origin')
    const file = await browser.get('/credit-reports/widget.js')
    expect(file.headers.get('Vary')).toBe('Origin, Accept-Encoding')
    expect(file.headers.getSetCookie()).toEqual([expect.stringMatching(/^basket=7/)])
    const again = await browser.get('/credit-reports/widget.js', { 'If-None-Match': file.headers.get('ETag') ?? '' })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  test('need not have set anything', async () => {
    const browser = await browserRequest((_request, _response, next) => next())
    const file = await browser.get('/credit-reports/widget.js')
    expect([file.headers.get('Vary'), file.headers.getSetCookie()]).toEqual(['Accept-Encoding', []])
  })

  test.each([
    ['text', express.text({ type: () => true })],
    ['bytes', express.raw({ type: () => true })],
  ])('may have read the body as %s', async (_what, parser) => {
    expect((await (await browserRequest(parser)).generate()).status).toBe(200)
  })

  test('may have stopped the body while it waited for something', async () => {
    const browser = await browserRequest((request, _response, next) => {
      request.pause()
      setImmediate(next)
    })
    expect((await browser.generate()).status).toBe(200)
  })

  test('that keeps the body to itself is the lender’s to fix', async () => {
    const browser = await browserRequest((request, _response, next) => {
      request.once('end', () => next()).resume()
    })
    expect((await browser.generate()).status).toBe(503)
    expect(events).toEqual([{ type: 'misconfigured', problem: expect.stringContaining('body') }])
  })

  test('that has begun to answer meanwhile is left to end it', async () => {
    let given: express.Response | undefined
    const browser = await browserRequest((_request, response, next) => {
      given = response
      next()
    })
    service.misbehave = ({ path }) => {
      if (path !== '/v1/oauth/token') given?.status(504).write('too ')
      return false
    }
    const late = await browser.generate()
    while (!events.some(({ type }) => type === 'answered')) await new Promise(setImmediate)
    await new Promise(setImmediate)
    given?.end('slow')
    expect([late.status, await late.text()]).toEqual([504, 'too slow'])
  })
})

test('a body that was used before is the lender’s to fix with a `Request` too', async () => {
  const proxy = createProxy()
  const browser = createTestBrowser(async (request, context) => {
    await request.text()
    return proxy(request, context)
  })
  expect((await browser.generate()).status).toBe(503)
  expect(events).toEqual([{ type: 'misconfigured', problem: expect.stringContaining('body') }])
})

test('a connection is used again after a refusal whose body was read', async () => {
  const port = await listen(createServer(toNodeHandler(createProxy())))
  const from = `Origin: http://localhost:${port}\r\nCookie: credit-report-probe=1\r\n`
  const head = `Host: localhost:${port}\r\n${from}Content-Type: application/json\r\n`
  const line = connect(port, '127.0.0.1')
  opened.push(() => line.destroy())
  line.write(
    `POST /credit-reports HTTP/1.1\r\n${head}Content-Length: 2\r\n\r\n{}` +
      `GET /credit-reports/current HTTP/1.1\r\n${head}Connection: close\r\n\r\n`,
  )
  let answers = ''
  for await (const chunk of line) answers += chunk
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400', 'HTTP/1.1 200'])
})

test('a half-sent body is answered after five seconds, and its connection closed', async () => {
  const port = await listen(createServer(toNodeHandler(createProxy())))
  const line = connect(port, '127.0.0.1')
  opened.push(() => line.destroy())
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const head = `Host: localhost:${port}\r\nOrigin: http://localhost:${port}\r\nContent-Type: application/json\r\n`
    line.write(`POST /credit-reports/r-1/otp-challenge HTTP/1.1\r\n${head}Content-Length: 100\r\n\r\n{"code"`)
    while (vi.getTimerCount() < 2) await new Promise(setImmediate)
    vi.advanceTimersByTime(5_000)
  } finally {
    vi.useRealTimers()
  }
  let answer = ''
  for await (const chunk of line) answer += chunk
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(answer).toContain('body: ended before it was complete')
})

// Bun's sockets say it either way.
test.each([
  [false, 'http', 200],
  [true, 'https', 200],
  [true, 'http', 403],
])('a socket that says of encryption “%s” is believed: a page of %s gets %i', async (encrypted, scheme, status) => {
  const browser = await browserRequest((request, _response, next) => {
    Object.assign(request.socket, { encrypted })
    // Browsers of before 2023, which are judged by `Origin`.
    delete request.headers['sec-fetch-site']
    request.headers.origin = `${scheme}://${request.headers.host}`
    next()
  })
  expect((await browser.generate()).status).toBe(status)
})

test('over HTTP/2 the host is where that protocol says it', async () => {
  // Its request line is written as headers, which a `Request` does not take.
  const externalReference: TenantProxyOptions['externalReference'] = ({ method, headers }) =>
    [method, headers.get('origin'), headers.has('content-type')].join(' ')
  const server = createHttp2Server(toNodeHandler(createProxy({ externalReference })))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  const session = http2Connect(origin)
  opened.push(
    () => server.close(),
    () => session.destroy(),
  )
  const asked = session.request({
    ':method': 'POST',
    ':path': '/credit-reports',
    'content-type': 'application/json',
    cookie: 'credit-report-probe=1',
    origin,
  })
  asked.end(JSON.stringify(sampleDetails))
  const [head] = await once(asked, 'response')
  expect(head[':status']).toBe(200)
  expect(JSON.parse(service.seen.at(-1)?.body ?? '')).toMatchObject({ externalReference: `POST ${origin} true` })
})
