// A doctor that comes by itself: whatever the proxy can know of a broken set-up is on stderr, or stops the start,
// before a form is filled in.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { enveloped } from '../../testing/data-of.ts'
import { createTestBrowser, type TestBrowser } from '../../testing/proxy-browser.ts'
import { answer, startTestService, type TestService } from '../../testing/proxy-service.ts'
import type { TenantProxyOptions } from '../options.ts'
import { createTenantProxy } from '../tenant-proxy.ts'

let service: TestService
let warnings: string[]
let folder: string
let page: Server | null = null
beforeEach(async () => {
  service = await startTestService()
  warnings = []
  folder = mkdtempSync(join(tmpdir(), 'self-check-'))
  vi.spyOn(process, 'emitWarning').mockImplementation((words) => void warnings.push(String(words)))
  withWallet(1_000_000)
})
afterEach(async () => {
  await service.stop()
  page?.closeAllConnections()
  page?.close()
  page = null
  rmSync(folder, { recursive: true })
})

function withWallet(balanceCredits: number) {
  service.misbehave = (request, response) => {
    if (!request.path.endsWith('/wallet')) return false
    const prices = { heldCredits: 0, reportPriceCredits: 500, textPriceCredits: 40 }
    answer(response, 200, enveloped({ tenantId: 'demo-lender', balanceCredits, ...prices }))
    return true
  }
}

type SetUp = {
  options?: () => Partial<TenantProxyOptions> | Promise<Partial<TenantProxyOptions>>
  origin?: string
  before?: () => unknown
  /** The requests of a page before its form is filled in. */
  visit?: (browser: TestBrowser) => Promise<unknown>
  said: string
}

const CURRENT = '/credit-reports/current'
const from = (page: string, headers: Record<string, string> = {}) => ({
  visit: (browser: TestBrowser) => browser.get(CURRENT, { Referer: page, ...headers }),
})

const setUps: { [name: string]: SetUp } = {
  'a wrong secret': {
    options: () => ({ credentials: { clientId: 'demo-lender', clientSecret: 'wrong' } }),
    said: 'credentials: .* check `credentials`',
  },
  'the tenant of another lender': { options: () => ({ tenantId: 'other' }), said: 'tenant: .* check `tenantId`' },
  'another web site at its address': { options: () => startPage(), said: 'credentials: .* check `service`' },
  'a service that cannot be reached': {
    options: () => ({ service: 'http://127.0.0.1:9' }),
    said: 'service: does not answer at http://127.0.0.1:9',
  },
  'an agency that does not exist': { options: () => ({ bureaus: ['acme'] }), said: 'agencies: bureaus acme' },
  'an empty wallet': { before: () => withWallet(0), said: 'wallet: holds 0 credits, and a report costs 500: top' },
  'a wrong clock': { options: () => ({ clock: () => 0 }), said: 'clock: ' },
  'a service that browsers do not reach': {
    options: () => ({ publicServiceUrl: 'http://127.0.0.1:9' }),
    said: 'fingerprint-script: .* `publicServiceUrl`',
  },
  'half a copy of the widget': {
    options: () => {
      writeFileSync(join(folder, 'widget.js'), '')
      writeFileSync(join(folder, 'manifest.json'), '{"check.0123456789.js":{"integrity":"sha384-x"}}')
      return { widgetFiles: folder }
    },
    said: '`widgetFiles`: check.0123456789.js is missing',
  },
  'a forgotten `trustedHops`': {
    visit: async (browser) => {
      browser.address = '10.0.0.5'
      await browser.get(CURRENT, { 'X-Forwarded-For': '203.0.113.7' })
    },
    said: 'set `trustedHops`',
  },
  'a framework that hides the connection': {
    visit: async (browser) => {
      browser.address = ''
      await browser.get(CURRENT)
    },
    said: 'address is unknown: pass `context.remoteAddress`',
  },
  'a page on plain http': { origin: 'http://shop.test', ...from('http://shop.test/checkout'), said: 'plain http' },
  'a front that changes `Host`': {
    origin: 'http://internal:3000',
    ...from('http://shop.test/checkout'),
    said: 'http://shop.test may not begin a check: this server gets the host internal',
  },
  'a front that takes cookies away': {
    visit: async (browser) => {
      browser.keepsCookies = false
      for (let time = 0; time < 5; time += 1) await browser.get(CURRENT)
    },
    said: 'pass `Set-Cookie` and `Cookie` on',
  },
  'a mount at another path': { visit: (browser) => browser.get(`/shop${CURRENT}`), said: 'mounted at /credit-reports' },
  'a secret that is not set yet': {
    options: () => ({ credentials: () => ({ clientId: 'a', clientSecret: undefined as unknown as string }) }),
    said: '`credentials.clientSecret` must be a text .is the environment variable set',
  },
}

/** A web server that is not the service: every path is a page. */
async function startPage() {
  page = createServer((_request, response) => void response.end('<h1>Welcome</h1>'))
  await new Promise<void>((resolve) => page?.listen(0, '127.0.0.1', resolve))
  return { service: `http://127.0.0.1:${(page.address() as AddressInfo).port}` }
}

async function open(options: Partial<TenantProxyOptions>, origin?: string) {
  const proxy = createTenantProxy({
    service: service.url,
    tenantId: 'demo-lender',
    credentials: { clientId: 'demo-lender', clientSecret: 'demo-secret' },
    ...(process.env.NODE_ENV !== 'production' && { doctor: true }),
    // Without a listener these become warnings too, each once per process: another test may have caused it before.
    onEvent: (event) => event.type === 'misconfigured' && warnings.push(event.problem),
    ...options,
  })
  return { proxy, browser: createTestBrowser(proxy, origin === undefined ? {} : { origin }) }
}

test.each(Object.entries(setUps))('%s is said before the form', async (_name, setUp) => {
  setUp.before?.()
  const { proxy, browser } = await open((await setUp.options?.()) ?? {}, setUp.origin)
  await (setUp.visit ?? ((visitor) => visitor.get(CURRENT)))(browser)
  await proxy.drain()
  expect(warnings.join('\n')).toMatch(new RegExp(setUp.said))
  expect(service.reports.size).toBe(0)
})

test('nothing is wrong with a healthy set-up, and it is looked at once', async () => {
  const { proxy, browser } = await open({})
  for (let time = 0; time < 3; time += 1) await browser.get(CURRENT, { Referer: 'https://shop.lender.example/' })
  await proxy.drain()
  expect(warnings).toEqual([])
  expect(service.tokenRequests).toHaveLength(1)
})

test.each([
  ['a test of the lender’s', { NODE_ENV: 'test' }, {}],
  ['a mount that says so', { NODE_ENV: 'development' }, { doctor: false }],
])('it does not come by itself in %s', async (_where, environment, options) => {
  vi.stubEnv('NODE_ENV', environment.NODE_ENV)
  const proxy = createTenantProxy({
    service: service.url,
    tenantId: 'demo-lender',
    credentials: { clientId: 'demo-lender', clientSecret: 'wrong' },
    ...options,
  })
  await createTestBrowser(proxy).get(CURRENT)
  await proxy.drain()
  expect([warnings, service.tokenRequests]).toEqual([[], []])
})

const LIVE = { heldCredits: 0, reportPriceCredits: 500, textPriceCredits: 40, tenantId: 'demo-lender' }
type Wallet = { balanceCredits: number; bureaus?: string[]; simulated?: string[] }
const answerWallet = (wallet: Wallet) => {
  service.misbehave = ({ path }, response) => {
    if (path.endsWith('/wallet')) answer(response, 200, enveloped({ ...LIVE, ...wallet }))
    return path.endsWith('/wallet')
  }
}

type Obstacle = [string, () => Partial<TenantProxyOptions>, Wallet, status: number, said: RegExp]
const obstacles: Obstacle[] = [
  [
    'a wrong secret',
    () => ({ credentials: { clientId: 'demo-lender', clientSecret: 'wrong' } }),
    { balanceCredits: 500 },
    503,
    /^credentials: .*check `credentials`/,
  ],
  ['an empty wallet', () => ({}), { balanceCredits: 499 }, 402, /^insufficient-funds$/],
  [
    'an agency that the service does not know',
    () => ({ bureaus: ['acme'] }),
    { balanceCredits: 500, bureaus: ['equifax'] },
    503,
    /^agencies: the service knows no bureau acme: take `bureaus` from equifax$/,
  ],
  [
    'texts that are simulated',
    () => ({}),
    { balanceCredits: 500, simulated: ['bureau', 'sms'] },
    503,
    /^providers: texts are simulated .* no code reaches a phone.*: set `test: true`/,
  ],
  // It may be back when the form is filled in.
  ['a service that is away', () => ({ service: 'http://127.0.0.1:9' }), { balanceCredits: 0 }, 200, /^unreachable$/],
]
test.each(obstacles)('in production %s is reported at the first `current`, and by ready()', async (...row) => {
  const [, options, wallet, status, said] = row
  answerWallet(wallet)
  vi.stubEnv('NODE_ENV', 'production')
  const events: string[] = []
  const { proxy, browser } = await open({
    onEvent: (event) =>
      events.push(
        event.type === 'misconfigured' ? event.problem : event.type === 'unavailable' ? event.reason : event.type,
      ),
    ...options(),
  })
  expect((await browser.get(CURRENT)).status).toBe(status)
  expect(events).toEqual([expect.stringMatching(said)])
  await expect(proxy.ready()).rejects.toThrow(/^no check can begin: \w+: /)
  expect(service.reports.size).toBe(0)
})

test('in production a healthy set-up is asked about once, and is ready', async () => {
  answerWallet({ balanceCredits: 500, bureaus: ['equifax', 'experian', 'transunion'] })
  vi.stubEnv('NODE_ENV', 'production')
  const { proxy, browser } = await open({})
  expect((await browser.get(CURRENT)).status).toBe(200)
  await proxy.ready()
  expect([warnings, service.seen.map(({ path }) => path)]).toEqual([[], ['/demo-lender/v1/wallet']])
})

test('simulated agencies alone keep no one out, and test mode minds neither', async () => {
  answerWallet({ balanceCredits: 0, simulated: ['sms'] })
  await (await open({ test: true })).proxy.ready()
  answerWallet({ balanceCredits: 500, simulated: ['bureau'] })
  const { proxy } = await open({})
  await proxy.ready()
  expect((await proxy.doctor()).find(({ check }) => check === 'providers')?.message).toContain(
    'every report is invented',
  )
})

test('a fault that was fixed is not found any more 15 seconds later', async () => {
  let nowMs = Date.now()
  answerWallet({ balanceCredits: 0 })
  const { proxy } = await open({ clock: () => nowMs })
  await expect(proxy.ready()).rejects.toThrow('wallet: holds 0 credits')
  answerWallet({ balanceCredits: 500 })
  await expect(proxy.ready()).rejects.toThrow('wallet')
  nowMs += 15_000
  await proxy.ready()
})

test('test mode in production is said at the start', () => {
  vi.stubEnv('NODE_ENV', 'production')
  const events: unknown[] = []
  createTenantProxy({
    service: service.url,
    tenantId: 'demo-lender',
    credentials: { clientId: 'demo-lender', clientSecret: 'demo-secret' },
    test: true,
    onEvent: (event) => events.push(event),
  })
  expect(events).toEqual([{ type: 'misconfigured', problem: expect.stringContaining('remove `test`') }])
})
