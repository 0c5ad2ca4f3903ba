// Decisions that a browser must not make, tried in every way a browser can try it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sampleRequest } from '../contract/samples.ts'
import { createTestBrowser, ORIGIN, type TestBrowser } from '../testing/proxy-browser.ts'
import { proxyOptions, sampleDetails, startTestService, type TestService } from '../testing/proxy-service.ts'
import { createTenantProxy, type TenantProxy } from './tenant-proxy.ts'

let service: TestService
let proxy: TenantProxy
let browser: TestBrowser

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())
beforeEach(() => {
  service.seen.length = 0
  service.branch = 'challenge'
  proxy = createTenantProxy({
    ...proxyOptions(service),
    externalReference: () => 'order-1',
    bureaus: ['experian'],
    limits: { generatesMax: 10_000, writesMax: 10_000 },
  })
  browser = createTestBrowser(proxy)
})

const { consent, ...consumer } = sampleDetails
/** The request that reaches the service for the sample details, whatever else a browser adds. */
const honest = {
  ...consumer,
  bureaus: ['experian'],
  ipAddress: '203.0.113.7',
  searchType: 'pcp',
  externalReference: 'order-1',
}

const lastBody = () => JSON.parse(service.seen.at(-1)?.body ?? 'null')

describe('a field that the proxy owns', () => {
  const additions: [string, object][] = [
    ...[true, 'true', 1, ['true'], { valueOf: true }].map((value): [string, object] => [
      `test ${JSON.stringify(value)}`,
      { test: value },
    ]),
    ...['allow', 'challenge', 'block'].map((status): [string, object] => [
      `challengeOptions ${status}`,
      { challengeOptions: { status } },
    ]),
    ['ipAddress', { ipAddress: '198.51.100.66' }],
    ['bureaus', { bureaus: ['equifax', 'experian', 'transunion'] }],
    ['searchType', { searchType: 'mortgage' }],
    ['externalReference', { externalReference: 'someone-elses-order' }],
    ['tenantId', { tenantId: 'other-lender' }],
    ['a price', { cost: 0, price: 0, wallet: { balance: 1 } }],
    ['a status', { status: 'complete', creditReportId: 'report-1', creditReport: {} }],
    ['everything a service request has', { ...sampleRequest, ...sampleDetails }],
    ['a prototype', { constructor: { prototype: { test: true } } }],
  ]
  test.each(additions)('changes nothing when the browser sends it: %s', async (_what, addition) => {
    expect((await browser.generate(addition)).status).toBe(200)
    expect(lastBody()).toEqual(honest)
  })

  test.each([
    ['as __proto__', '{"__proto__":{"test":true,"ipAddress":"198.51.100.66"},'],
    ['as __proto__ twice', '{"__proto__":{"test":true},"__proto__":{"challengeOptions":{"status":"allow"}},'],
    ['as a key given twice', '{"test":true,"test":true,"ipAddress":"198.51.100.66","bureaus":["equifax"],'],
    ['as an escaped key', '{"\\u0074est":true,"\\u005f\\u005fproto\\u005f\\u005f":{"test":true},'],
  ])('changes nothing %s', async (_how, opening) => {
    const body = opening + JSON.stringify(sampleDetails).slice(1)
    expect((await browser.post('/credit-reports', body)).status).toBe(200)
    expect(lastBody()).toEqual(honest)
    expect(Object.hasOwn(Object.prototype, 'test')).toBe(false)
  })

  test('changes nothing in a query or a header', async () => {
    const headers = {
      'X-Test': 'true',
      'X-Tenant-Id': 'other-lender',
      'X-HTTP-Method-Override': 'DELETE',
      'X-Forwarded-For': '198.51.100.66',
    }
    expect((await browser.post('/credit-reports?test=true&tenantId=other-lender', sampleDetails, headers)).status).toBe(
      200,
    )
    expect(lastBody()).toEqual(honest)
    expect(service.seen.at(-1)?.path).toBe('/demo-lender/v1/credit-reports')
  })

  test('of a key given twice, the service hears the value the proxy checked', async () => {
    const body = `{"firstName":"","firstName":"Sam",${JSON.stringify({ ...sampleDetails, firstName: undefined }).slice(1)}`
    expect((await browser.post('/credit-reports', body)).status).toBe(200)
    expect(service.seen.at(-1)?.body.match(/firstName/g)).toHaveLength(1)
    expect(lastBody()).toEqual(honest)
  })
})

test('the service hears exactly these headers, none of them the browser’s', async () => {
  await browser.generate(
    {},
    {
      Authorization: 'Bearer stolen',
      'X-Forwarded-For': '198.51.100.66',
      'X-Request-Id': 'chosen',
      'User-Agent': 'evil/1.0',
      Referer: `${ORIGIN}/checkout?order=1`,
      'Accept-Language': 'cy',
      Via: '1.1 evil',
      'X-Credit-Report-Widget': '0.3.0; evil',
    },
  )
  const { headers } = service.seen.at(-1) ?? { headers: {} }
  const keys = ['idempotency-ignore', 'idempotency-key']
  const ours = ['accept', 'authorization', 'content-type', ...keys, 'traceparent', 'user-agent', 'x-request-id']
  const theHttpClients = ['connection', 'content-length', 'host']
  expect(Object.keys(headers).sort()).toEqual([...ours, ...theHttpClients].sort())
  expect(headers).toMatchObject({
    authorization: expect.stringMatching(/^Bearer token-\d+$/),
    'user-agent': expect.stringMatching(/^credit-report-widget-client\/\d+\.\d+\.\d+$/),
  })
})

test('the service hears which widget a check began in, where that is a version', async () => {
  await browser.generate({}, { 'X-Credit-Report-Widget': '0.3.0' })
  expect(service.seen.at(-1)?.headers).toMatchObject({ 'x-credit-report-widget': '0.3.0' })
})

test('the browser hears exactly these headers, none of them the service’s', async () => {
  const response = await browser.generate()
  expect([...response.headers.keys()].sort()).toEqual([
    'cache-control',
    'content-security-policy',
    'content-type',
    'cross-origin-resource-policy',
    'referrer-policy',
    'set-cookie',
    'x-content-type-options',
  ])
  expect(response.headers.get('Cache-Control')).toBe('no-store')
})

describe('a foreign page', () => {
  test.each([
    ['by fetch', { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }],
    ['by fetch from a sub-domain', { Origin: 'https://blog.lender.example', 'Sec-Fetch-Site': 'same-site' }],
    ['in an older browser', { Origin: 'https://evil.example', 'Sec-Fetch-Site': '' }],
    ['in a sandboxed frame', { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' }],
  ])('%s gets 403, and the service hears nothing', async (_how, headers) => {
    for (const path of [
      '/credit-reports',
      '/credit-reports/report-1/otp-challenge',
      '/credit-reports/report-1/resend-sms',
    ]) {
      const response = await browser.post(path, sampleDetails, headers)
      expect(response.status).toBe(403)
      expect(response.headers.has('Access-Control-Allow-Origin')).toBe(false)
    }
    expect(service.seen).toHaveLength(0)
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-7',
    'application/jsonx',
    '',
  ])('cannot use a form: %s is refused', async (type) => {
    expect((await browser.generate({}, { 'Content-Type': type })).status).toBe(415)
    expect(service.seen).toHaveLength(0)
  })
})

describe('a body that is not what was asked for', () => {
  test.each([
    ['cut short', '{"firstName":"Sam"', 400],
    ['not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]).toString('latin1'), 400],
    ['an array', '[]', 400],
    ['null', 'null', 400],
    ['empty', '', 400],
    ['deep', '['.repeat(60_000), 400],
    ['one byte too large', `"${'x'.repeat(65_535)}"`, 413],
    ['far too large', `"${'x'.repeat(1_000_000)}"`, 413],
  ])('%s', async (_what, body, status) => {
    expect((await browser.post('/credit-reports', body)).status).toBe(status)
    expect(service.seen).toHaveLength(0)
  })

  test('compressed', async () => {
    expect((await browser.generate({}, { 'Content-Encoding': 'gzip' })).status).toBe(415)
  })

  test('with NUL or half a character in any text', async () => {
    for (const field of ['firstName', 'lastName', 'sessionId', 'email']) {
      for (const text of ['a\u0000b', 'a\ud800']) {
        const response = await browser.generate({ [field]: text })
        expect(response.status).toBe(400)
        expect(JSON.parse(await response.text()).message).toMatch(new RegExp(`^${field}: `))
      }
    }
    expect(service.seen).toHaveLength(0)
  })
})

describe('the cookie', () => {
  async function begun() {
    const { data } = await (await browser.generate()).json()
    return { path: `/credit-reports/${data.creditReportId}/otp-challenge`, challengeId: data.challenge.challengeId }
  }
  const stored = () => browser.cookies.get('__Host-credit-report /')

  test.each([
    ['changed', (value: string) => `${value.slice(0, 30)}AAAA${value.slice(34)}`],
    ['cut', (value: string) => value.slice(0, -8)],
    ['emptied', () => ''],
    ['replaced by plain text', () => Buffer.from('[{"creditReportId":"report-1"}]').toString('base64url')],
    ['of another lender’s proxy', (value: string) => value.split('').reverse().join('')],
  ])('%s is no cookie', async (_how, change) => {
    const { path, challengeId } = await begun()
    const cookie = stored()
    if (cookie) cookie.value = change(cookie.value)
    expect((await browser.post(path, { challengeId, code: '123456' })).status).toBe(404)
    expect((await (await browser.get('/credit-reports/current')).json()).data).toEqual({ status: 'none' })
  })

  test('sealed by another tenant, mount or secret does not open here', async () => {
    const { path, challengeId } = await begun()
    const value = stored()?.value
    const base = proxyOptions(service)
    for (const change of [{ path: '/elsewhere' }, { cookieSecret: 'x'.repeat(32) }, { tenantId: 'other-lender' }]) {
      const foreign = createTenantProxy({ ...base, ...change })
      const response = await createTestBrowser(foreign).post(
        path.replace('/credit-reports', foreign.path),
        { challengeId, code: '1' },
        { Cookie: `__Host-credit-report=${value}` },
      )
      expect(response.status).toBe(404)
    }
  })

  test('without its prefix is not read where cookies are secure', async () => {
    const { path, challengeId } = await begun()
    const response = await createTestBrowser(proxy).post(
      path,
      { challengeId, code: '123456' },
      { Cookie: `credit-report=${stored()?.value}` },
    )
    expect(response.status).toBe(404)
  })

  test('a thousand of its name are not a thousand decryptions', async () => {
    const { path, challengeId } = await begun()
    const junk = '__Host-credit-report=AAAA; '.repeat(1_000)
    const response = await createTestBrowser(proxy).post(
      path,
      { challengeId, code: '123456' },
      { Cookie: `${junk}__Host-credit-report=${stored()?.value}` },
    )
    expect(response.status).toBe(404)
  })
})

describe('a request that would reach further', () => {
  test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s on a writing path is refused', async (method) => {
    const response = await proxy(new Request(`${ORIGIN}/credit-reports`, { method }))
    expect(response.status).toBe(405)
    expect(response.headers.get('Allow')).toBe('POST')
  })

  test('POST on a reading path is refused', async () => {
    const response = await browser.post('/credit-reports/current', {})
    expect(response.status).toBe(405)
    expect(response.headers.get('Allow')).toBe('GET, HEAD, DELETE')
  })

  const climbing = [
    '/credit-reports/../admin',
    '/credit-reports/%2e%2e/admin',
    '/credit-reports/..%2f..%2fother-lender%2fv1%2fcredit-reports/otp-challenge',
    '/credit-reports/%252e%252e/otp-challenge',
    '/credit-reports/r;x=1/otp-challenge',
    '/credit-reports/@127.0.0.1:1/otp-challenge',
    '/credit-reports/http:%2f%2f127.0.0.1/otp-challenge',
    '/credit-reports//127.0.0.1/otp-challenge',
    '/credit-reports/report-1%3Fa/otp-challenge',
    '/credit-reports/report-1%23/otp-challenge',
    '/credit-reports/report-1%00/otp-challenge',
    '/credit-reports/report-1/otp-challenge%2f..',
    '/credit-reports/v1/my/profile',
    '/credit-reports/doctor',
    '/credit-reports/widget.js%00.map',
    '/credit-reports/..%5c..%5cpackage.json',
    '//credit-reports',
  ]
  test.each(climbing)('%s asks the service nothing', async (path) => {
    expect(
      (await browser.post(path, { challengeId: 'challenge-of-report-1', code: '123456' })).status,
    ).toBeGreaterThanOrEqual(404)
    expect((await browser.get(path)).status).toBe(404)
    expect(service.seen).toHaveLength(0)
  })
})

test('nothing the proxy says contains the secret, the token or the service’s address but the script’s', async () => {
  const said: string[] = []
  const asked: [string, unknown][] = [
    ['/credit-reports', sampleDetails],
    ['/credit-reports', {}],
    ['/credit-reports/x/otp-challenge', { challengeId: 'x', code: 'x' }],
    ['/nowhere', {}],
  ]
  for (const misbehave of [null, () => true as const]) {
    service.misbehave =
      misbehave &&
      ((request, response) => {
        response.writeHead(500).end(`demo-secret ${request.headers.authorization}`)
        return true
      })
    for (const [path, body] of asked) {
      const response = await browser.post(path, body)
      said.push(await response.text(), JSON.stringify([...response.headers]))
    }
  }
  service.misbehave = null
  const all = said.join('\n').replaceAll(`${service.url}/v1/fingerprints/device`, '')
  expect(all).not.toMatch(/demo-secret|token-\d|Bearer|127\.0\.0\.1/)
})
