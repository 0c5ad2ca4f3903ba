import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ErrorBody } from '../contract/error.ts'
import { sampleReport } from '../contract/samples.ts'
import { ProxyReport, ProxyResend } from '../contract/tenant-proxy.ts'
import type { ProxyEvent } from './events.ts'
import type { ConsentRecord, ReportContext, TenantProxyOptions } from './options.ts'
import { createTenantProxy, type TenantProxy } from './tenant-proxy.ts'
import { createTestBrowser, type TestBrowser } from './test-browser.ts'
import { answer, proxyOptions, refuse, sampleDetails, startTestService, type TestService } from './test-service.ts'

let service: TestService
let proxy: TenantProxy
let browser: TestBrowser
let events: ProxyEvent[]
let nowMs: number

beforeEach(async () => {
  service = await startTestService()
  nowMs = Date.parse('2026-11-15T12:00:00Z')
  mount()
})
afterEach(() => service.stop())

function mount(options: Partial<TenantProxyOptions> = {}) {
  events = []
  proxy = createTenantProxy({
    ...proxyOptions(service),
    clock: () => nowMs,
    onEvent: (event) => events.push(event),
    limits: { generatesMax: 100, writesMax: 1_000 },
    ...options,
  })
  browser = createTestBrowser(proxy)
}

async function report(response: Response) {
  expect(response.status).toBe(200)
  return ProxyReport.parse(await response.json()).data
}

async function refused(response: Response) {
  return { status: response.status, ...ErrorBody.parse(await response.json()) }
}

async function begin() {
  const { creditReportId = '', challenge } = await report(await browser.generate())
  const challengeId = challenge?.challengeId ?? ''
  return { creditReportId, challengeId, base: `/credit-reports/${creditReportId}` }
}

const lastBody = () => JSON.parse(service.seen.at(-1)?.body ?? 'null')

describe('the way of a check', () => {
  test('an allowed check answers with the report and nothing about the wallet', async () => {
    service.branch = 'allow'
    const response = await browser.generate()
    const body = await response.text()
    expect(ProxyReport.parse(JSON.parse(body)).data).toMatchObject({ status: 'complete', creditReport: sampleReport })
    expect(body).not.toMatch(/wallet|balance":999500|cost/)
    expect(browser.cookies.size).toBe(0)
  })

  test('a blocked check says so', async () => {
    service.branch = 'block'
    expect(await report(await browser.generate())).toEqual({ status: 'blocked', creditReportId: 'report-1' })
  })

  test('a challenged check ends with the right code, and each answer says what is left', async () => {
    const first = await report(await browser.generate())
    expect(first).toEqual({
      status: 'authentication-required',
      creditReportId: 'report-1',
      challengeType: 'otp',
      challenge: {
        challengeId: 'challenge-of-report-1',
        expiresInSeconds: 300,
        attemptsRemaining: 3,
        textsRemaining: 2,
        mobileNumberEnding: '123',
      },
    })
    const { challengeId } = first.challenge ?? {}
    const wrong = await report(
      await browser.post('/credit-reports/report-1/otp-challenge', { challengeId, code: '000000' }),
    )
    expect(wrong).toMatchObject({
      status: 'retry',
      attemptsRemaining: 2,
      challenge: { attemptsRemaining: 2, textsRemaining: 2 },
    })
    const resent = await browser.post('/credit-reports/report-1/resend-sms', { challengeId })
    expect(ProxyResend.parse(await resent.json()).data).toMatchObject({
      remainingSmsCount: 1,
      smsSentCount: 2,
      challenge: { attemptsRemaining: 2, textsRemaining: 1, expiresInSeconds: 300 },
    })
    const right = await report(
      await browser.post('/credit-reports/report-1/otp-challenge', { challengeId, code: '123456' }),
    )
    expect(right).toMatchObject({ status: 'complete', creditReport: sampleReport })
  })

  test('the third wrong code fails', async () => {
    const { base, challengeId } = await begin()
    for (const status of ['retry', 'retry', 'failed']) {
      expect(await report(await browser.post(`${base}/otp-challenge`, { challengeId, code: '000000' }))).toMatchObject({
        status,
      })
    }
  })

  test('every answer names the fingerprint script and whether it is a test', async () => {
    mount({ publicServiceUrl: 'https://public.service.example', test: true })
    const body = ProxyReport.parse(await (await browser.get('/credit-reports/current')).json())
    expect(body).toEqual({
      meta: { test: true, fingerprintSrc: 'https://public.service.example/v1/fingerprints/device' },
      data: { status: 'none' },
    })
  })

  test('a completed challenge can be asked for again with the same code when the answer got lost', async () => {
    const { base, challengeId } = await begin()
    await browser.post(`${base}/otp-challenge`, { challengeId, code: '123456' })
    expect(await report(await browser.post(`${base}/otp-challenge`, { challengeId, code: '123456' }))).toMatchObject({
      status: 'complete',
    })
  })
})

describe('GET /current', () => {
  test('resumes with what is left of time, attempts and texts', async () => {
    const { base, challengeId } = await begin()
    await browser.post(`${base}/otp-challenge`, { challengeId, code: '000000' })
    await browser.post(`${base}/resend-sms`, { challengeId })
    nowMs += 100_000
    expect(await report(await browser.get('/credit-reports/current'))).toEqual({
      status: 'authentication-required',
      creditReportId: 'report-1',
      challengeType: 'otp',
      challenge: {
        challengeId,
        expiresInSeconds: 200,
        attemptsRemaining: 2,
        textsRemaining: 1,
        mobileNumberEnding: '123',
      },
    })
    expect(service.seen).toHaveLength(3)
  })

  test.each([
    ['after completion', '123456', 1],
    ['after failure', '000000', 3],
  ])('has nothing %s', async (_when, code, times) => {
    const { base, challengeId } = await begin()
    for (let time = 0; time < times; time += 1) await browser.post(`${base}/otp-challenge`, { challengeId, code })
    expect(await report(await browser.get('/credit-reports/current'))).toEqual({ status: 'none' })
  })

  test('has nothing once the time is up, though a late code is still told that it expired', async () => {
    const { base, challengeId } = await begin()
    nowMs += 300_000
    expect(await report(await browser.get('/credit-reports/current'))).toEqual({ status: 'none' })
    service.misbehave = (_request, response) => {
      refuse(response, 410, 'challenge-expired')
      return true
    }
    expect(await refused(await browser.post(`${base}/otp-challenge`, { challengeId, code: '123456' }))).toMatchObject({
      status: 410,
      code: 'challenge-expired',
    })
  })

  test('of two tabs, comes back to the one texted last, and both can finish', async () => {
    const first = await begin()
    nowMs += 1_000
    const second = await begin()
    expect(await report(await browser.get('/credit-reports/current'))).toMatchObject({
      creditReportId: second.creditReportId,
    })
    for (const { base, challengeId } of [first, second]) {
      expect(await report(await browser.post(`${base}/otp-challenge`, { challengeId, code: '123456' }))).toMatchObject({
        status: 'complete',
      })
    }
  })

  test('time that passes while an answer is put together is never given twice', async () => {
    mount({ clock: () => ++nowMs })
    const { base, challengeId } = await begin()
    const retried = await report(await browser.post(`${base}/otp-challenge`, { challengeId, code: '000000' }))
    const resent = ProxyResend.parse(await (await browser.post(`${base}/resend-sms`, { challengeId })).json())
    expect([retried.challenge?.expiresInSeconds, resent.data.challenge.expiresInSeconds]).toEqual([300, 300])
  })

  test('follows the time the service gives', async () => {
    service.misbehave = (request, response) => {
      if (!request.path.endsWith('/credit-reports')) return false
      const data = {
        status: 'authentication-required',
        challengeType: 'otp',
        creditReportId: 'r',
        challenge: { challengeId: 'c' },
      }
      const meta = { request: { timeTakenMs: 1 }, wallet: { balance: 1, cost: 0 } }
      answer(response, 200, { meta, data }, { 'X-Challenge-Expires-In': '42' })
      return true
    }
    expect(await report(await browser.generate())).toMatchObject({ challenge: { expiresInSeconds: 42 } })
  })
})

describe('another browser', () => {
  test('gets 404 for ids it did not begin, the same bytes as for ids that never were, and the service hears nothing', async () => {
    const { base, challengeId } = await begin()
    const stranger = createTestBrowser(proxy)
    const asked = service.seen.length
    const bodies = await Promise.all(
      [
        [`${base}/otp-challenge`, { challengeId, code: '123456' }],
        ['/credit-reports/report-99/otp-challenge', { challengeId: 'no', code: '123456' }],
        [`${base}/resend-sms`, { challengeId }],
      ].map(async ([path, body]) => {
        const response = await stranger.post(String(path), body)
        expect(response.status).toBe(404)
        return response.text()
      }),
    )
    expect(new Set(bodies).size).toBe(1)
    expect(JSON.parse(bodies[0] ?? '')).toMatchObject({ code: 'credit-report-not-found' })
    expect(service.seen).toHaveLength(asked)
  })

  test('gets its own answer even with the same idempotency key', async () => {
    const headers = { 'Idempotency-Key': 'not-so-random' }
    service.branch = 'allow'
    const mine = await report(await browser.generate({}, headers))
    const theirs = await report(await createTestBrowser(proxy).generate({ firstName: 'Alex' }, headers))
    expect(theirs.creditReportId).not.toBe(mine.creditReportId)
    expect(service.reports.size).toBe(2)
  })

  test('of its own: a challenge id of another report is not found', async () => {
    const { base } = await begin()
    expect(
      await refused(await browser.post(`${base}/otp-challenge`, { challengeId: 'other', code: '123456' })),
    ).toMatchObject({
      status: 404,
      code: 'challenge-not-found',
    })
  })
})

describe('the same press of a button again', () => {
  const headers = { 'Idempotency-Key': 'c0ffee00-0000-4000-8000-000000000000' }

  test('gets the first answer again, with the cookie, though the browser has none yet', async () => {
    const first = await report(await browser.generate({}, headers))
    const again = createTestBrowser(proxy)
    expect(await report(await again.generate({}, headers))).toEqual(first)
    expect(again.cookies.size).toBe(1)
    expect(service.reports.size).toBe(1)
  })

  test('works from another network: what the proxy added then is added again', async () => {
    let orders = 0
    mount({ externalReference: () => `order-${++orders}` })
    await browser.generate({}, headers)
    browser.address = '198.51.100.20'
    await report(await browser.generate({}, headers))
    expect(service.reports.size).toBe(1)
    expect(lastBody()).toMatchObject({ ipAddress: '203.0.113.7', externalReference: 'order-1' })
  })

  test('works from a reloaded page, which has a new device session', async () => {
    const first = await report(await browser.generate({}, headers))
    expect(await report(await browser.generate({ sessionId: 'another-session' }, headers))).toEqual(first)
    expect(service.reports.size).toBe(1)
  })

  test('works on another instance, with another address', async () => {
    const first = await report(await browser.generate({}, headers))
    mount()
    browser.address = '198.51.100.20'
    expect(await report(await browser.generate({}, headers))).toEqual(first)
    expect(service.reports.size).toBe(1)
  })

  test('with other details is another check', async () => {
    await browser.generate({}, headers)
    await report(await browser.generate({ firstName: 'Samira' }, headers))
    expect(service.reports.size).toBe(2)
  })

  test('is refused, not charged again, once the lender asks other bureaus', async () => {
    await browser.generate({}, headers)
    mount({ bureaus: ['transunion'] })
    expect(await refused(await browser.generate({}, headers))).toEqual({
      status: 400,
      code: 'validation-error',
      message: 'Idempotency-Key: begin again with a new key',
    })
    expect(service.reports.size).toBe(1)
  })

  test('does not count against the limit of checks', async () => {
    mount({ limits: { generatesMax: 1 } })
    for (let time = 0; time < 4; time += 1) expect((await browser.generate({}, headers)).status).toBe(200)
    expect((await browser.generate({}, { 'Idempotency-Key': 'another-key' })).status).toBe(429)
  })

  test('a resend pressed twice sends one text', async () => {
    const { base, challengeId } = await begin()
    for (let time = 0; time < 2; time += 1) await browser.post(`${base}/resend-sms`, { challengeId }, headers)
    expect(service.reports.get('report-1')?.sends).toBe(2)
  })

  test('keeps the attempts that the cookie knows were used', async () => {
    const first = await report(await browser.generate({}, headers))
    const { challengeId } = first.challenge ?? {}
    await browser.post('/credit-reports/report-1/otp-challenge', { challengeId, code: '000000' })
    expect(await report(await browser.generate({}, headers))).toMatchObject({ challenge: { attemptsRemaining: 2 } })
  })

  test.each([['short'], ['with space inside'], ['x'.repeat(256)]])('refuses the key %s', async (key) => {
    expect(await refused(await browser.generate({}, { 'Idempotency-Key': key }))).toMatchObject({ status: 400 })
    expect(service.seen).toHaveLength(0)
  })
})

describe('hooks', () => {
  test('onReport gets the whole report once per completion, however often it is asked for', async () => {
    const got: [unknown, ReportContext][] = []
    mount({ onReport: (...args) => got.push(args), exposeReport: 'none', externalReference: () => 'order-7' })
    const { base, challengeId } = await begin()
    const submit = () => browser.post(`${base}/otp-challenge`, { challengeId, code: '123456' })
    await Promise.all([submit(), submit(), submit()])
    await proxy.drain()
    expect(got).toEqual([[sampleReport, { creditReportId: 'report-1', externalReference: 'order-7', test: false }]])
  })

  test.each([
    ['full', { creditReport: sampleReport }],
    ['summary', { summary: { openAccounts: 1, settledAccounts: 0, searches: 1 } }],
    ['none', {}],
  ] as const)('exposeReport %s decides what the browser gets', async (exposeReport, exposed) => {
    mount({ exposeReport })
    service.branch = 'allow'
    expect(await report(await browser.generate())).toEqual({
      status: 'complete',
      creditReportId: 'report-1',
      ...exposed,
    })
    service.branch = 'challenge'
    const { base, challengeId, creditReportId } = await begin()
    const verified = await report(await browser.post(`${base}/otp-challenge`, { challengeId, code: '123456' }))
    expect(verified).toEqual({ status: 'complete', creditReportId, ...exposed })
  })

  test('consentRecord gets wording, locale and time', async () => {
    const records: ConsentRecord[] = []
    mount({ consentRecord: (record) => records.push(record), externalReference: async () => ' order-8 ' })
    await browser.generate()
    expect(records).toEqual([
      {
        creditReportId: 'report-1',
        externalReference: 'order-8',
        wordingVersion: '2026-10',
        locale: 'en-GB',
        agreedAt: '2026-11-15T12:00:00.000Z',
        test: false,
      },
    ])
    expect(lastBody()).not.toHaveProperty('consent')
  })

  test('a reference that cannot be had stops the check before it costs anything', async () => {
    mount({
      externalReference: () => {
        throw new Error('no session')
      },
    })
    expect(await refused(await browser.generate())).toMatchObject({ status: 503, code: 'unavailable' })
    expect(service.seen).toHaveLength(0)
    expect(events).toMatchObject([{ type: 'hook-failed', hook: 'externalReference' }])
  })

  test('onEvent gets ids, codes and credits, and may throw', async () => {
    await browser.generate()
    expect(events).toEqual([
      {
        type: 'answered',
        operation: 'generate',
        status: 'authentication-required',
        creditReportId: 'report-1',
        test: false,
        wallet: { cost: 500, balance: 999_500 },
        requestId: 'request-1',
      },
    ])
    mount({
      onEvent: () => {
        throw new Error('monitoring is down')
      },
    })
    expect((await browser.generate()).status).toBe(200)
  })
})

describe('limits', () => {
  test('five checks in ten minutes from one address, then a time to come back', async () => {
    mount({ limits: {} })
    for (let time = 0; time < 5; time += 1) expect((await browser.generate()).status).toBe(200)
    nowMs += 60_000
    const response = await browser.generate()
    expect(response.headers.get('Retry-After')).toBe('540')
    expect(await refused(response)).toMatchObject({ status: 429, code: 'rate-limited' })
    expect(service.reports.size).toBe(5)
    nowMs += 540_000
    expect((await browser.generate()).status).toBe(200)
  })

  test('a typing mistake does not count', async () => {
    mount({ limits: { generatesMax: 1 } })
    for (const mistake of [{ firstName: '' }, { dateOfBirth: '2026-11-15' }, { dateOfBirth: '1990-02-30' }]) {
      expect((await browser.generate(mistake)).status).toBe(400)
    }
    expect((await browser.generate()).status).toBe(200)
  })

  test('writes of any kind are limited too', async () => {
    mount({ limits: { writesMax: 3 } })
    for (let time = 0; time < 3; time += 1)
      expect((await browser.post('/credit-reports/x/otp-challenge', {})).status).toBe(400)
    expect((await browser.post('/credit-reports/x/otp-challenge', {})).status).toBe(429)
  })
})

describe('what the service refuses', () => {
  const cases: [string, number, object, { status: number; code: string }][] = [
    [
      'an empty wallet, by one name',
      402,
      { code: 'insufficient-funds', message: 'wallet' },
      { status: 402, code: 'insufficient-funds' },
    ],
    [
      'an empty wallet, by the other',
      402,
      { code: 'insufficient-credits', message: 'wallet' },
      { status: 402, code: 'insufficient-funds' },
    ],
    ['its own token', 401, { code: 'unauthorized', message: 'x' }, { status: 503, code: 'unavailable' }],
    ['the tenant', 403, { code: 'forbidden', message: 'x' }, { status: 503, code: 'unavailable' }],
    ['the pace', 429, { code: 'rate-limited', message: 'x' }, { status: 429, code: 'rate-limited' }],
    [
      'an error of its own',
      500,
      { code: 'internal-error', message: 'at /srv/app.js' },
      { status: 503, code: 'unavailable' },
    ],
    ['a body that is no error', 502, { html: '<h1>Bad gateway</h1>' }, { status: 503, code: 'unavailable' }],
    ['a redirect', 302, {}, { status: 503, code: 'unavailable' }],
    ['a path it does not know', 404, { code: 'not-found', message: 'x' }, { status: 503, code: 'unavailable' }],
    [
      'a field',
      400,
      { code: 'validation-error', message: 'mobileNumber: is required' },
      { status: 400, code: 'validation-error' },
    ],
    [
      'a field the proxy adds',
      400,
      { code: 'validation-error', message: 'bureaus: must be one of "x"' },
      { status: 503, code: 'unavailable' },
    ],
  ]
  test.each(cases)('%s', async (_what, status, body, expected) => {
    service.misbehave = (request, response) => {
      if (request.path === '/v1/oauth/token') return false
      answer(response, status, body, { Location: 'http://169.254.169.254/', 'X-Secret': 'header', 'Set-Cookie': 'a=b' })
      return true
    }
    const response = await browser.generate()
    expect(response.headers.has('X-Secret')).toBe(false)
    expect(response.headers.has('Set-Cookie')).toBe(false)
    const read = await refused(response)
    expect(read).toMatchObject(expected)
    expect(read.message).not.toMatch(/wallet|funds|credit balance|\/srv|html/i)
  })

  test('a problem with a field reaches the browser by its path, and only that', async () => {
    service.misbehave = (request, response) => {
      if (request.path === '/v1/oauth/token') return false
      refuse(response, 400, 'validation-error', 'ipAddress: must be an address; mobileNumber: is required')
      return true
    }
    expect(await refused(await browser.generate())).toMatchObject({ message: 'mobileNumber: is required' })
  })

  test('a wait the service asks for reaches the browser', async () => {
    service.misbehave = (request, response) => {
      if (request.path === '/v1/oauth/token') return false
      answer(response, 503, { code: 'unavailable', message: 'x' }, { 'Retry-After': '7' })
      return true
    }
    expect((await browser.generate()).headers.get('Retry-After')).toBe('7')
  })

  test('an empty wallet and wrong credentials reach the lender', async () => {
    service.misbehave = (request, response) => {
      if (request.path === '/v1/oauth/token') return false
      refuse(response, 402, 'insufficient-credits')
      return true
    }
    await browser.generate()
    expect(events).toMatchObject([{ type: 'insufficient-funds', operation: 'generate' }])
    mount({ credentials: { clientId: 'demo-lender', clientSecret: 'wrong' } })
    service.misbehave = null
    await browser.generate()
    expect(events).toMatchObject([{ type: 'misconfigured', problem: expect.stringContaining('`credentials`') }])
  })

  test('a text refused because another tab had the last one: the texts left are none', async () => {
    const { base, challengeId } = await begin()
    const before = new Map([...browser.cookies].map(([name, cookie]) => [name, { ...cookie }]))
    await browser.post(`${base}/resend-sms`, { challengeId })
    await browser.post(`${base}/resend-sms`, { challengeId })
    browser.cookies = before
    expect(await report(await browser.get('/credit-reports/current'))).toMatchObject({
      challenge: { textsRemaining: 2 },
    })
    expect((await browser.post(`${base}/resend-sms`, { challengeId })).status).toBe(429)
    expect(await report(await browser.get('/credit-reports/current'))).toMatchObject({
      challenge: { textsRemaining: 0 },
    })
  })

  test('a fourth text is refused without a time to wait, and the texts left are none', async () => {
    const { base, challengeId } = await begin()
    await browser.post(`${base}/resend-sms`, { challengeId })
    await browser.post(`${base}/resend-sms`, { challengeId })
    const response = await browser.post(`${base}/resend-sms`, { challengeId })
    expect(response.status).toBe(429)
    expect(response.headers.has('Retry-After')).toBe(false)
    expect(await report(await browser.get('/credit-reports/current'))).toMatchObject({
      challenge: { textsRemaining: 0 },
    })
  })

  test.each([
    ['not JSON', 'oops'],
    ['a status of the future', JSON.stringify({ meta: {}, data: { status: 'pondering' } })],
    [
      'an id that climbs',
      JSON.stringify({
        meta: { request: { timeTakenMs: 1 }, wallet: { cost: 0, balance: 0 } },
        data: { status: 'blocked', creditReportId: '../..' },
      }),
    ],
  ])('an answer that is %s is not passed on', async (_what, text) => {
    service.misbehave = (request, response) => {
      if (request.path === '/v1/oauth/token') return false
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(text)
      return true
    }
    expect(await refused(await browser.generate())).toMatchObject({ status: 503, code: 'unavailable' })
    expect(events.at(-1)).toMatchObject({ type: 'unavailable', reason: 'unexpected-answer' })
  })
})

describe('test mode', () => {
  test('the whole mount can run in it', async () => {
    mount({ test: 'challenge' })
    await browser.generate()
    expect(lastBody()).toMatchObject({ test: true, challengeOptions: { status: 'challenge' } })
  })

  test('a preview chooses branch and scenario by path, and keeps a cookie of its own there', async () => {
    mount({ testScenarios: true, limits: { generatesMax: 0, writesMax: 0 } })
    const path = '/credit-reports/test/challenge/test003/tile-1'
    const first = await report(await browser.post(path, sampleDetails))
    expect(lastBody()).toMatchObject({
      test: true,
      challengeOptions: { status: 'challenge' },
      email: 'test003@example.com',
    })
    expect([...browser.cookies.values()].map((cookie) => cookie.path)).toEqual([path])
    const { challengeId } = first.challenge ?? {}
    expect(await report(await browser.get(`${path}/current`))).toMatchObject({ creditReportId: 'report-1' })
    expect(await report(await browser.get('/credit-reports/current'))).toEqual({ status: 'none' })
    expect(await report(await browser.get('/credit-reports/test/challenge/test003/tile-2/current'))).toEqual({
      status: 'none',
    })
    expect(
      await report(await browser.post(`${path}/report-1/otp-challenge`, { challengeId, code: '123456' })),
    ).toMatchObject({
      status: 'complete',
    })
  })

  test('the cookie of the mount and of a preview below it do not get in each other’s way', async () => {
    mount({ testScenarios: true })
    await browser.generate()
    const path = '/credit-reports/test/challenge/default/tile-1'
    await browser.post(path, sampleDetails)
    expect(await report(await browser.get(`${path}/current`))).toMatchObject({ creditReportId: 'report-2' })
    expect(await report(await browser.get('/credit-reports/current'))).toMatchObject({ creditReportId: 'report-1' })
  })

  test.each([
    ['off, the paths are not there', false, '/credit-reports/test/allow/default/a'],
    ['a branch that is none', true, '/credit-reports/test/refund/default/a'],
    ['a scenario that is none', true, '/credit-reports/test/allow/test999/a'],
    ['a label too many', true, '/credit-reports/test/allow/default/a/b'],
  ])('%s → 404', async (_what, testScenarios, path) => {
    mount({ testScenarios })
    expect(await refused(await browser.post(path, sampleDetails))).toMatchObject({ status: 404, code: 'not-found' })
    expect(service.seen).toHaveLength(0)
  })
})

test('the cookie is sealed, bound to the mount, unreadable to scripts, and lives as long as the challenge and its grace', async () => {
  await browser.generate()
  const [cookie] = browser.cookies.values()
  expect(cookie?.header).toMatch(
    /^__Secure-credit-report=[\w-]+; Path=\/credit-reports; HttpOnly; SameSite=Strict; Secure; Max-Age=600$/,
  )
  const opened = Buffer.from(cookie?.value ?? '', 'base64url').toString('latin1')
  expect(opened).not.toContain('report-1')
  const local = createTestBrowser(proxy, { origin: 'http://localhost:4200' })
  await local.generate()
  expect([...local.cookies.values()][0]?.header).toMatch(
    /^credit-report=[\w-]+; Path=\/credit-reports; HttpOnly; SameSite=Strict; Max-Age=600$/,
  )
})

test('a mistake in the proxy is an answer too', async () => {
  mount({
    clock: () => {
      throw new Error('no time')
    },
  })
  expect(await refused(await browser.generate())).toEqual({
    status: 500,
    code: 'internal-error',
    message: 'Something went wrong.',
  })
  expect(events).toMatchObject([{ type: 'internal-error' }])
})
