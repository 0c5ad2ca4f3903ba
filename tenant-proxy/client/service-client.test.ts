// A broken line to the service, over real sockets.
import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestBrowser, type TestBrowser } from '../../testing/proxy-browser.ts'
import {
  another,
  answer,
  proxyOptions,
  refuse,
  startTestService,
  type TestService,
} from '../../testing/proxy-service.ts'
import type { ProxyEvent } from '../events.ts'
import type { TenantProxyOptions } from '../options.ts'
import { createTenantProxy } from '../tenant-proxy.ts'

let service: TestService
let browser: TestBrowser
let events: ProxyEvent[]

beforeEach(async () => {
  service = await startTestService()
  mount()
})
afterEach(() => service.stop())

function mount(options: Partial<TenantProxyOptions> = {}) {
  events = []
  browser = createTestBrowser(
    createTenantProxy({ ...proxyOptions(service), onEvent: (event) => events.push(event), ...options }),
  )
}

/** Breaks the line `times` times, before or after the service has done its work. */
function breakLine({ path, times, after }: { path: RegExp; times: number; after: 'nothing' | 'half an answer' }) {
  let broken = 0
  service.misbehave = (request, response) => {
    if (!path.test(request.path) || broken >= times) return false
    broken += 1
    if (after === 'half an answer') {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' })
      response.write('{"meta":')
    }
    setImmediate(() => response.destroy())
    return true
  }
}

const writes = (path: RegExp) => service.seen.filter((request) => path.test(request.path))

describe('a line that breaks', () => {
  test.each(['nothing', 'half an answer'] as const)(
    'after %s: a check is asked for once more, under the same key',
    async (after) => {
      breakLine({ path: /credit-reports$/, times: 1, after })
      expect((await browser.generate()).status).toBe(200)
      const keys = writes(/credit-reports$/).map((request) => request.headers['idempotency-key'])
      expect(keys).toHaveLength(2)
      expect(new Set(keys).size).toBe(1)
      expect(new Set(writes(/credit-reports$/).map((request) => request.body)).size).toBe(1)
    },
  )

  test('twice: no third try, and the consumer reads that it is not available', async () => {
    breakLine({ path: /credit-reports$/, times: 2, after: 'nothing' })
    expect((await browser.generate()).status).toBe(503)
    expect(writes(/credit-reports$/)).toHaveLength(2)
    expect(events).toEqual([{ type: 'unavailable', operation: 'generate', reason: 'unreachable' }])
  })

  test.each([
    [429, 'rate-limited'],
    [500, 'service-error'],
  ] as const)(
    'is not the reason when no token is given because of a %d: the lender hears what is',
    async (status, reason) => {
      service.misbehave = (_request, response) => {
        refuse(response, status, 'no-token')
        return true
      }
      expect((await browser.generate()).status).toBe(503)
      expect(events).toEqual([{ type: 'unavailable', operation: 'generate', reason, status }])
    },
  )

  test('under a resend: the same text once more, under the same key', async () => {
    const { data } = await (await browser.generate()).json()
    breakLine({ path: /resend-sms$/, times: 1, after: 'half an answer' })
    const response = await browser.post('/credit-reports/report-1/resend-sms', {
      challengeId: data.challenge.challengeId,
    })
    expect(response.status).toBe(200)
    expect(new Set(writes(/resend-sms$/).map((request) => request.headers['idempotency-key'])).size).toBe(1)
  })

  test.each(['nothing', 'half an answer'] as const)(
    'under a code, after %s: no second try, because it would count twice',
    async (after) => {
      const { data } = await (await browser.generate()).json()
      breakLine({ path: /otp-challenge$/, times: 1, after })
      const submit = () =>
        browser.post('/credit-reports/report-1/otp-challenge', {
          challengeId: data.challenge.challengeId,
          code: '123456',
        })
      expect((await submit()).status).toBe(503)
      expect(writes(/otp-challenge$/)).toHaveLength(1)
      expect((await submit()).status).toBe(200)
    },
  )
})

describe('a service that is not there', () => {
  let blackHole: Server
  let sockets: Socket[] = []
  beforeEach(async () => {
    blackHole = createServer((socket) => {
      sockets.push(socket)
    })
    await new Promise<void>((resolve) => blackHole.listen(0, '127.0.0.1', resolve))
  })
  afterEach(async () => {
    for (const socket of sockets) socket.destroy()
    sockets = []
    await new Promise((resolve) => blackHole.close(resolve))
  })

  test('is not called slow', async () => {
    await service.stop()
    expect((await browser.generate()).status).toBe(503)
    expect(events).toMatchObject([{ type: 'unavailable', reason: 'unreachable' }])
    service = await startTestService()
  })

  test('a slow one is given up after the time it has, and not called twice', async () => {
    mount({ timeoutMs: 2_000 })
    await browser.generate()
    service.misbehave = () => true
    expect((await browser.generate(another)).status).toBe(503)
    expect(writes(/credit-reports$/)).toHaveLength(2)
    expect(events.at(-1)).toMatchObject({ type: 'unavailable', reason: 'timed-out' })
  })

  test('one that takes the call and never speaks is given up too', async () => {
    const address = blackHole.address()
    const port = typeof address === 'object' ? address?.port : 0
    mount({ timeoutMs: 200, service: `http://127.0.0.1:${port}` })
    expect((await browser.generate()).status).toBe(503)
    expect(events).toMatchObject([{ type: 'unavailable', reason: 'timed-out' }])
  })

  test('one that takes longer than an idle connection is kept is still waited for', async () => {
    service.misbehave = (request, response) => {
      if (!request.path.endsWith('/credit-reports')) return false
      const data = { status: 'blocked', creditReportId: 'r-1', test: false }
      const meta = { request: { timeTakenMs: 1 }, wallet: { balance: 1, cost: 0 } }
      setTimeout(() => answer(response, 200, { meta, data }), 4_500)
      return true
    }
    expect((await browser.generate()).status).toBe(200)
    expect(writes(/credit-reports$/)).toHaveLength(1)
  })
})

describe('a token the service no longer takes', () => {
  test('is renewed once, and the request goes through', async () => {
    await browser.generate()
    let refusals = 0
    service.misbehave = (request, response) => {
      if (request.headers.authorization !== 'Bearer token-1') return false
      refusals += 1
      refuse(response, 401, 'unauthorized')
      return true
    }
    expect((await browser.generate()).status).toBe(200)
    expect(refusals).toBe(1)
    expect(service.tokenRequests).toHaveLength(2)
  })

  test('refused again is the lender’s problem, not the consumer’s', async () => {
    service.misbehave = (request, response) => {
      if (request.path === '/v1/oauth/token') return false
      refuse(response, 401, 'unauthorized')
      return true
    }
    expect((await browser.generate()).status).toBe(503)
    expect(service.seen).toHaveLength(2)
    expect(events).toMatchObject([{ type: 'misconfigured' }])
  })
})

test('a redirect is not followed, wherever it leads', async () => {
  const strange: string[] = []
  const elsewhere = await startTestService()
  elsewhere.misbehave = (request, response) => {
    strange.push(request.path)
    answer(response, 200, {})
    return true
  }
  service.misbehave = (request, response) => {
    if (request.path === '/v1/oauth/token') return false
    response.writeHead(307, { Location: `${elsewhere.url}/latest/meta-data` }).end()
    return true
  }
  expect((await browser.generate()).status).toBe(503)
  expect(strange).toEqual([])
  await elsewhere.stop()
})
