// `POST /decide` of the stand-alone proxy, over real connections.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sampleReport } from '../contract/samples.ts'
import { createTestBrowser } from '../testing/proxy-browser.ts'
import { refuse, startTestService, type TestService } from '../testing/proxy-service.ts'
import { type ProcessEnvironment, type ProxyProcess, readProcessSettings, startProxyProcess } from './process.ts'

const SECRET = 'a secret that both servers know, and no one else'
const { lastName, dateOfBirth } = sampleReport.person
let service: TestService
let proxy: ProxyProcess
let cookie: string

const start = (environment: ProcessEnvironment) => {
  const needed = { TENANT_ID: 'demo-lender', CLIENT_ID: 'demo-lender', CLIENT_SECRET: 'demo-secret', PORT: '0' }
  const settings = readProcessSettings({ ...needed, CREDIT_SERVICE_URL: service.url, ...environment })
  return startProxyProcess(settings, () => {})
}

beforeAll(async () => {
  service = await startTestService()
  service.branch = 'allow'
  proxy = await start({ DECIDE_SECRET: SECRET, REFERENCE_HEADER: 'X-Order' })
  const browser = createTestBrowser((request) => fetch(request), { origin: proxy.url })
  await browser.get('/credit-reports/current')
  await browser.generate({}, { 'X-Order': 'order-1' })
  cookie = [...browser.cookies].map(([key, { value }]) => `${key.split(' ')[0]}=${value}`).join('; ')
})
afterAll(async () => {
  await proxy.stop()
  await service.stop()
})
afterEach(() => {
  service.misbehave = null
})

const about = () => ({ cookie, host: new URL(proxy.url).host, externalReference: 'order-1' })

async function decide(body: unknown, init: RequestInit & { path?: string; secret?: string } = {}) {
  const { path = '/decide', secret = SECRET, ...rest } = init
  const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(proxy.url + path, { method: 'POST', headers, body: text, ...rest })
  return { status: response.status, headers: response.headers, body: JSON.parse((await response.text()) || 'null') }
}

test('it says what decide() says, the status in a header too', async () => {
  const { status, headers, body } = await decide({ ...about(), expect: { lastName, dateOfBirth } })
  expect([status, headers.get('X-Credit-Report-Status')]).toEqual([200, 'complete'])
  expect(body).toMatchObject({ status: 'complete', externalReference: 'order-1', report: sampleReport })
})

test.each<[string, object, string]>([
  ['another person', { expect: { lastName: 'Bravo', dateOfBirth } }, 'mismatch'],
  ['another order', { externalReference: 'order-2' }, 'none'],
  ['a session that has ended', { externalReference: null }, 'none'],
  ['another browser', { cookie: '' }, 'none'],
  ['another site', { host: 'staging.example' }, 'none'],
])('%s', async (_what, change, status) => {
  expect((await decide({ ...about(), ...change })).body.status).toBe(status)
})

describe('no decision', () => {
  test.each(['', 'wrong', SECRET.slice(1), `${SECRET}x`])('for the secret "%s"', async (secret) => {
    const { status, body } = await decide(about(), { secret })
    expect([status, body.code]).toEqual([401, 'unauthorized'])
  })

  test('without a secret at all', async () => {
    const { status } = await decide(about(), { headers: { 'Content-Type': 'application/json' } })
    expect(status).toBe(401)
  })

  test.each<[string, unknown, number, string]>([
    ['a misspelt field', { expects: {} }, 400, 'decide: there is no option `expects`: write `expect`'],
    ['a misspelt expectation', { expect: { lastname: 'Ash' } }, 400, 'there is no option `expect.lastname`'],
    ['an expectation of nothing', { expect: {} }, 400, '`expect.dateOfBirth`'],
    ['no host', { host: undefined }, 400, 'host'],
    ['a reference that is a list', { externalReference: [] }, 400, 'externalReference'],
  ])('for %s', async (_what, change, status, words) => {
    const answer = await decide({ ...about(), ...(change as object) })
    expect([answer.status, answer.body.code]).toEqual([status, 'validation-error'])
    expect(answer.body.message).toContain(words)
  })

  test.each([
    ['no JSON', '{', 400],
    ['a text', '"order-1"', 400],
    ['null', 'null', 400],
    ['a body that is too large', JSON.stringify({ cookie: 'x'.repeat(70_000) }), 413],
  ])('for %s', async (_what, body, status) => {
    expect((await decide(body)).status).toBe(status)
  })

  test('for another method', async () => {
    const response = await fetch(`${proxy.url}/decide`)
    expect([response.status, response.headers.get('Allow')]).toEqual([405, 'POST'])
  })

  test('while the service is away: it says when to try again', async () => {
    service.misbehave = (_request, response) => {
      refuse(response, 503, 'unavailable')
      return true
    }
    const { status, headers, body } = await decide(about())
    expect([status, body.code]).toEqual([503, 'unavailable'])
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0)
  }, 30_000)
})

test.each(['/credit-reports/decide', '/decide/', '/decide?a=1', '/Decide'])('%s is not it', async (path) => {
  expect((await fetch(proxy.url + path, { method: 'POST' })).status).toBe(404)
})

test('without a secret there is no such path', async () => {
  const without = await start({})
  const headers = { Authorization: 'Bearer ', 'Content-Type': 'application/json' }
  const response = await fetch(`${without.url}/decide`, { method: 'POST', headers, body: JSON.stringify(about()) })
  expect(response.status).toBe(404)
  await without.stop()
})

test.each([
  [{ DECIDE_SECRET: 'short' }, /^DECIDE_SECRET: expected at least 32 characters, got 5$/],
  [{ DECIDE_SECRET: SECRET, MOUNT_PATH: '/decide' }, /^MOUNT_PATH: expected another path than \/decide/],
  [{ WEBHOOK_SECRETS: 'whsec_x' }, /`webhookSecrets` must be a list/],
])('%j stops the start', async (environment, message) => {
  await expect((async () => start(environment))()).rejects.toThrow(message)
})
