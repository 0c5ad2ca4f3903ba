// The same proxy in every framework it promises to fit, over real sockets.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { serve } from '@hono/node-server'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createTestBrowser } from '../testing/proxy-browser.ts'
import { proxyOptions, sampleDetails, startTestService, type TestService } from '../testing/proxy-service.ts'
import { toExpress, toFastify, toHono, toNext, toNodeHandler } from './adapters.ts'
import type { TenantProxyOptions } from './options.ts'
import { createTenantProxy } from './tenant-proxy.ts'

let service: TestService
const opened: (() => unknown)[] = []

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())
afterEach(async () => {
  for (const close of opened.splice(0)) await close()
  service.seen.length = 0
})

function createProxy(options: Partial<TenantProxyOptions> = {}) {
  return createTenantProxy({ ...proxyOptions(service), limits: { generatesMax: 1_000, writesMax: 1_000 }, ...options })
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  opened.push(() => {
    server.closeAllConnections()
    server.close()
  })
  if (!server.listening) await once(server, 'listening')
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

const mounts: { [name: string]: () => Promise<string> } = {
  'node:http': () => listen(createServer(toNodeHandler(createProxy()))),
  Express: () => {
    const app = express()
    app.use(toExpress(createProxy()))
    app.get('/', (_request, response) => void response.send('the shop'))
    return listen(createServer(app))
  },
  'Express, mounted at the path and after a body parser': () => {
    const app = express()
    app.use(express.json())
    app.use('/credit-reports', toNodeHandler(createProxy()))
    app.get('/', (_request, response) => void response.send('the shop'))
    return listen(createServer(app))
  },
  Fastify: async () => {
    const app = fastify()
    app.register(toFastify(createProxy()))
    app.get('/', () => 'the shop')
    opened.push(() => app.close())
    return (await app.listen({ port: 0, host: '127.0.0.1' })).replace('127.0.0.1', 'localhost')
  },
  Hono: async () => {
    const app = new Hono()
    app.all('/credit-reports/*', toHono(createProxy()))
    app.get('/', (context) => context.text('the shop'))
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
    if (!server.listening) await once(server, 'listening')
    opened.push(() => void server.close())
    return `http://localhost:${(server.address() as AddressInfo).port}`
  },
  'a Next.js route handler behind one reverse proxy': async () => {
    // app/credit-reports/[[...path]]/route.ts exports these; Next calls them with a Request and the path's parameters.
    const proxy = createProxy({ trustedHops: 1 })
    const handlers: { [method: string]: (request: Request) => Promise<Response> } = toNext(proxy)
    const server = createServer(async (incoming, outgoing) => {
      const body: Buffer[] = []
      for await (const chunk of incoming) body.push(chunk)
      const headers = new Headers(
        Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]),
      )
      headers.set('X-Forwarded-For', `198.51.100.66, ${incoming.socket.remoteAddress}`)
      const { method = 'GET' } = incoming
      const init = method === 'POST' ? { method, headers, body: Buffer.concat(body).toString() } : { method, headers }
      const response = await handlers[method]?.(new Request(`http://${incoming.headers.host}${incoming.url}`, init))
      outgoing.statusCode = response?.status ?? 405
      for (const [name, value] of response?.headers ?? []) outgoing.appendHeader(name, value)
      outgoing.end(await response?.text())
    })
    return listen(server)
  },
}

describe.each(Object.entries(mounts))('%s', (name, mount) => {
  test('a whole check goes through, with the address of the connection', async () => {
    const browser = createTestBrowser((request) => fetch(request), { origin: await mount() })
    const first = await (await browser.generate()).json()
    expect(first.data.status).toBe('authentication-required')
    expect(JSON.parse(service.seen.at(-1)?.body ?? '')).toMatchObject({ ipAddress: '127.0.0.1' })
    expect((await (await browser.get('/credit-reports/current')).json()).data.creditReportId).toBe(
      first.data.creditReportId,
    )
    const body = { challengeId: first.data.challenge.challengeId, code: '123456' }
    const last = await browser.post(`/credit-reports/${first.data.creditReportId}/otp-challenge`, body)
    expect((await last.json()).data.status).toBe('complete')
  })

  test('a refusal is an answer, and the connection stays good', async () => {
    const origin = await mount()
    const browser = createTestBrowser((request) => fetch(request), { origin })
    expect((await browser.generate({ firstName: '' })).status).toBe(400)
    expect((await browser.post('/credit-reports/x/resend-sms', { challengeId: 'x' })).status).toBe(404)
    expect((await browser.generate()).status).toBe(200)
  })

  test('a draft is kept, and the end of the check sets two cookies', async () => {
    const browser = createTestBrowser((request) => fetch(request), { origin: await mount() })
    const tab = { 'X-Credit-Report-Tab': 'tab-1' }
    const draft = { id: 'd', step: 'details', index: 0, person: {}, addresses: [], abroadBefore: false, about: '' }
    expect((await browser.post('/credit-reports/draft', draft, tab)).status).toBe(204)
    const current = await (await browser.get('/credit-reports/current', tab)).json()
    expect(current).toMatchObject({ meta: { draft } })
    service.branch = 'block'
    await browser.generate()
    service.branch = 'challenge'
    expect([...browser.cookies.keys()].join()).not.toContain('draft')
    expect(await (await browser.get('/credit-reports/current')).json()).toMatchObject({ data: { status: 'blocked' } })
  })

  if (!name.startsWith('node:http') && !name.startsWith('a Next')) {
    test('the rest of the shop is still there', async () => {
      const origin = await mount()
      expect(await (await fetch(origin)).text()).toBe('the shop')
      expect((await fetch(`${origin}/credit-reportsx`)).status).toBe(404)
    })
  }
})

describe('on node:http', () => {
  test('nothing outside the mount is there', async () => {
    const origin = await mounts['node:http']?.()
    const response = await fetch(`${origin}/`)
    expect(response.status).toBe(404)
    const text = await response.text()
    expect(JSON.parse(text)).toMatchObject({ code: 'not-found' })
    expect(response.headers.get('Content-Length')).toBe(String(text.length))
  })

  test('a body that is too large is answered before it has all been sent', async () => {
    const origin = (await mounts['node:http']?.()) ?? ''
    const head = `POST /credit-reports HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nCookie: credit-report-probe=1\r\nContent-Type: application/json\r\n`
    const declared = await speak(origin, `${head}Content-Length: 100000000\r\n\r\n{`)
    expect(declared).toMatch(/^HTTP\/1\.1 413 /)
    expect(declared).toMatch(/connection: close/i)
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
    const streamed = await speak(origin, `${head}Transfer-Encoding: chunked\r\n\r\n${chunk}${chunk}`)
    expect(streamed).toMatch(/^HTTP\/1\.1 413 /)
    expect(service.seen).toHaveLength(0)
  })

  const good = JSON.stringify(sampleDetails)
  const start = 'Host: localhost\r\nOrigin: http://localhost\r\nContent-Type: application/json\r\n'
  test.each([
    [
      'two lengths',
      `POST /credit-reports HTTP/1.1\r\n${start}Content-Length: 5\r\nContent-Length: ${good.length}\r\n\r\n${good}`,
    ],
    [
      'a length and chunks',
      `POST /credit-reports HTTP/1.1\r\n${start}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'an absolute address',
      `POST http://127.0.0.1:1/credit-reports HTTP/1.1\r\n${start}Content-Length: ${good.length}\r\n\r\n${good}`,
    ],
    [
      'a host that is a path',
      `POST /credit-reports HTTP/1.1\r\n${start.replace('Host: localhost', 'Host: a/b@c')}Content-Length: 2\r\n\r\n{}`,
    ],
    ['a method that no page can send', `TRACE /credit-reports HTTP/1.1\r\n${start}\r\n`],
    ['a folded header', `POST /credit-reports HTTP/1.1\r\n${start}X: a\r\n b\r\nContent-Length: 2\r\n\r\n{}`],
    ['a climbing path', `POST /credit-reports/../../v1/my/profile HTTP/1.1\r\n${start}Content-Length: 2\r\n\r\n{}`],
    ['another host in the path', `POST //127.0.0.1:1/credit-reports HTTP/1.1\r\n${start}Content-Length: 2\r\n\r\n{}`],
  ])('%s goes nowhere', async (_what, bytes) => {
    const answer = await speak((await mounts['node:http']?.()) ?? '', bytes)
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect(service.seen).toHaveLength(0)
  })

  test('a request of before hosts had names is one to this machine', async () => {
    const origin = (await mounts['node:http']?.()) ?? ''
    expect(await speak(origin, 'GET /credit-reports/current HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('a browser that leaves in the middle of its request does no harm', async () => {
    const origin = (await mounts['node:http']?.()) ?? ''
    const socket = connect(Number(new URL(origin).port), '127.0.0.1')
    socket.write(`POST /credit-reports HTTP/1.1\r\n${start}Content-Length: 500\r\n\r\n{"first`)
    await once(socket, 'connect')
    socket.resetAndDestroy()
    expect((await createTestBrowser((request) => fetch(request), { origin }).generate()).status).toBe(200)
  })

  test('Express hands its session on to externalReference, and the request with every header', async () => {
    const app = express()
    app.use((request, _response, next) => {
      Object.assign(request, { session: { order: 'order-77' } })
      next()
    })
    const externalReference: TenantProxyOptions['externalReference'] = (request, { hostRequest }) => {
      const { session, headers } = hostRequest as { session?: unknown; headers: unknown }
      expect(Object.fromEntries(request.headers)).toEqual(headers)
      return session && typeof session === 'object' && 'order' in session ? String(session.order) : undefined
    }
    app.use(toNodeHandler(createProxy({ externalReference })))
    const browser = createTestBrowser((request) => fetch(request), { origin: await listen(createServer(app)) })
    await browser.generate()
    expect(JSON.parse(service.seen.at(-1)?.body ?? '')).toMatchObject({ externalReference: 'order-77' })
  })
})

test('without a connection or a trusted hop the consumer’s address is unknown, and an event says what to set', async () => {
  const events: unknown[] = []
  const proxy = createProxy({ onEvent: (event) => events.push(event) })
  const browser = createTestBrowser((request) => proxy(request))
  expect((await browser.generate({}, { 'X-Forwarded-For': '203.0.113.7' })).status).toBe(503)
  expect(events).toEqual([{ type: 'misconfigured', problem: expect.stringContaining('`trustedHops`') }])
  expect(service.seen).toHaveLength(0)
})

/** Writes bytes to a server and reads until it stops answering. */
function speak(origin: string, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1')
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
      if (answer.includes('\r\n\r\n')) socket.destroy()
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', () => {})
    socket.write(bytes)
  })
}

test.each<[string, object | undefined, string]>([
  ['Bun’s server', { requestIP: () => ({ address: '198.51.100.9' }) }, '198.51.100.9'],
  ['Deno’s connection', { remoteAddr: { hostname: '198.51.100.10' } }, '198.51.100.10'],
  [
    'Node’s socket before either',
    { ...peers('198.51.100.11'), remoteAddr: { hostname: '198.51.100.10' } },
    '198.51.100.11',
  ],
])('Hono: %s says where the consumer is', async (_who, env, ipAddress) => {
  const handle = toHono(createProxy())
  const browser = createTestBrowser((raw) => handle({ req: { raw }, env }))
  expect((await browser.generate()).status).toBe(200)
  expect(JSON.parse(service.seen.at(-1)?.body ?? '')).toMatchObject({ ipAddress })
})

function peers(remoteAddress: string) {
  return { incoming: { socket: { remoteAddress } } }
}

test('Hono: without any of them the address is unknown', async () => {
  const handle = toHono(createProxy())
  const browser = createTestBrowser((raw) => handle({ req: { raw } }))
  expect((await browser.generate()).status).toBe(503)
})

describe('what a framework knows reaches the lender’s hooks, and its answers keep what middleware set', () => {
  test('Fastify: a session on the request, cookies and headers on the reply', async () => {
    const seen: unknown[] = []
    const externalReference: TenantProxyOptions['externalReference'] = (_request, { hostRequest }) => {
      seen.push(hostRequest)
      return (hostRequest as { session: { order: string } }).session.order
    }
    const app = fastify()
    app.decorateRequest('session', null)
    app.addHook('onRequest', async (request, reply) => {
      Object.assign(request, { session: { order: 'order-7' } })
      reply
        .header('Set-Cookie', 'sid=1')
        .header('Strict-Transport-Security', 'max-age=1')
        .header('Vary', 'Accept-Language')
        .header('Cache-Control', 'public')
    })
    app.register(toFastify(createProxy({ externalReference })))
    opened.push(() => app.close())
    const origin = (await app.listen({ port: 0, host: '127.0.0.1' })).replace('127.0.0.1', 'localhost')
    const browser = createTestBrowser((request) => fetch(request), { origin })
    const response = await browser.generate()
    expect(response.status).toBe(200)
    expect(JSON.parse(service.seen.at(-1)?.body ?? '')).toMatchObject({ externalReference: 'order-7' })
    expect(seen).toHaveLength(1)
    expect(response.headers.get('Strict-Transport-Security')).toBe('max-age=1')
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(response.headers.getSetCookie()).toEqual(['sid=1', expect.stringMatching(/^credit-report=/)])
    const file = await browser.get('/credit-reports/widget.js')
    expect(file.headers.get('Vary')).toContain('Accept-Language')
    const again = await browser.get('/credit-reports/widget.js', { 'If-None-Match': file.headers.get('ETag') ?? '' })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  test('Fastify: a host that is none goes nowhere', async () => {
    const origin = (await mounts.Fastify?.()) ?? ''
    const answer = await speak(origin, 'GET /credit-reports/current HTTP/1.1\r\nHost: a b\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  })

  test('Hono: its context', async () => {
    const app = new Hono<{ Variables: { order: string } }>()
    app.use(async (context, next) => {
      context.set('order', 'order-8')
      await next()
    })
    const externalReference: TenantProxyOptions['externalReference'] = (_request, { hostRequest }) =>
      (hostRequest as { get(name: string): string }).get('order')
    app.all('/credit-reports/*', toHono(createProxy({ externalReference })))
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
    if (!server.listening) await once(server, 'listening')
    opened.push(() => void server.close())
    const origin = `http://localhost:${(server.address() as AddressInfo).port}`
    await createTestBrowser((request) => fetch(request), { origin }).generate()
    expect(JSON.parse(service.seen.at(-1)?.body ?? '')).toMatchObject({ externalReference: 'order-8' })
  })
})
