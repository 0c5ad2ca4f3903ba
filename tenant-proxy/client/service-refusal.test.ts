import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestMount, refused, report, type TestMount } from '../../testing/proxy-mount.ts'
import { answer, refuse } from '../../testing/proxy-service.ts'

let at: TestMount
beforeEach(async () => {
  at = await createTestMount()
})
afterEach(() => at.service.stop())

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
    ['its own token', 401, { code: 'unauthorized', message: 'x' }, { status: 503, code: 'misconfigured' }],
    ['the tenant', 403, { code: 'forbidden', message: 'x' }, { status: 503, code: 'misconfigured' }],
    ['a spend cap', 429, { code: 'spend-cap-reached', message: 'x' }, { status: 429, code: 'spend-cap-reached' }],
    ['the pace', 429, { code: 'rate-limited', message: 'x' }, { status: 429, code: 'rate-limited' }],
    [
      'an error of its own',
      500,
      { code: 'internal-error', message: 'at /srv/app.js' },
      { status: 503, code: 'unavailable' },
    ],
    ['a body that is no error', 502, { html: '<h1>Bad gateway</h1>' }, { status: 503, code: 'unavailable' }],
    ['a redirect', 302, {}, { status: 503, code: 'unavailable' }],
    ['a path it does not know', 404, { code: 'not-found', message: 'x' }, { status: 503, code: 'misconfigured' }],
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
      { status: 503, code: 'misconfigured' },
    ],
  ]
  test.each(cases)('%s', async (_what, status, body, expected) => {
    at.service.misbehave = (request, response) => {
      if (request.path === '/v1/oauth/token') return false
      answer(response, status, body, { Location: 'http://169.254.169.254/', 'X-Secret': 'header', 'Set-Cookie': 'a=b' })
      return true
    }
    const response = await at.browser.generate()
    expect(response.headers.has('X-Secret')).toBe(false)
    expect(response.headers.has('Set-Cookie')).toBe(false)
    const read = await refused(response)
    expect(read).toMatchObject(expected)
    expect(read.message).not.toMatch(/wallet|funds|credit balance|\/srv|html/i)
  })

  test('a problem with a field reaches the browser by its path, and only that', async () => {
    at.service.misbehave = (request, response) => {
      if (request.path === '/v1/oauth/token') return false
      refuse(response, 400, 'validation-error', 'ipAddress: must be an address; mobileNumber: is required')
      return true
    }
    expect(await refused(await at.browser.generate())).toMatchObject({ message: 'mobileNumber: is required' })
  })

  test('a wait the service asks for reaches the browser', async () => {
    at.service.misbehave = (request, response) => {
      if (request.path === '/v1/oauth/token') return false
      answer(response, 503, { code: 'unavailable', message: 'x' }, { 'Retry-After': '7' })
      return true
    }
    expect((await at.browser.generate()).headers.get('Retry-After')).toBe('7')
  })

  test('a code that is still being judged may be sent again after a second', async () => {
    const { base, challengeId } = await at.begin()
    at.service.misbehave = (_request, response) => {
      refuse(response, 409, 'request-in-progress')
      return true
    }
    const response = await at.browser.post(`${base}/otp-challenge`, { challengeId, code: '123456' })
    expect([response.status, response.headers.get('Retry-After')]).toEqual([409, '1'])
  })

  test.each([200, 307, 404])(
    'a %i where tokens are given: the lender reads that it is not the service',
    async (status) => {
      at.service.misbehave = (_request, response) => {
        answer(response, status, {}, { Location: '/login' })
        return true
      }
      expect(await refused(await at.browser.generate())).toMatchObject({ status: 503, code: 'misconfigured' })
      expect(at.events).toEqual([{ type: 'misconfigured', problem: expect.stringContaining(`(HTTP ${status})`) }])
    },
  )

  test('an empty wallet, a spend cap and wrong credentials reach the lender', async () => {
    const refusals: [number, string][] = [
      [402, 'insufficient-credits'],
      [429, 'spend-cap-reached'],
    ]
    at.service.misbehave = (request, response) => {
      if (request.path === '/v1/oauth/token') return false
      const [status, code] = refusals.shift() ?? [500, 'internal-error']
      refuse(response, status, code)
      return true
    }
    await at.browser.generate()
    await at.browser.generate()
    expect(at.events).toMatchObject([
      { type: 'insufficient-funds', operation: 'generate' },
      { type: 'spend-cap-reached', operation: 'generate' },
    ])
    at.mount({ credentials: { clientId: 'demo-lender', clientSecret: 'wrong' } })
    at.service.misbehave = null
    await at.browser.generate()
    expect(at.events).toMatchObject([{ type: 'misconfigured', problem: expect.stringContaining('`credentials`') }])
  })

  test('a text refused because another tab had the last one: the texts left are none', async () => {
    const { base, challengeId } = await at.begin()
    const before = new Map([...at.browser.cookies].map(([name, cookie]) => [name, { ...cookie }]))
    await at.browser.post(`${base}/resend-sms`, { challengeId })
    await at.browser.post(`${base}/resend-sms`, { challengeId })
    at.browser.cookies = before
    // Without the service's word, the cookie's is passed on.
    at.service.misbehave = (request, response) => {
      if (request.method === 'GET') refuse(response, 500, 'internal-error')
      return request.method === 'GET'
    }
    expect(await report(await at.browser.get('/credit-reports/current'))).toMatchObject({
      challenge: { textsRemaining: 2 },
    })
    expect((await at.browser.post(`${base}/resend-sms`, { challengeId })).status).toBe(429)
    expect(await report(await at.browser.get('/credit-reports/current'))).toMatchObject({
      challenge: { textsRemaining: 0 },
    })
  })

  test('a fourth text is refused without a time to wait, and the texts left are none', async () => {
    const { base, challengeId } = await at.begin()
    await at.browser.post(`${base}/resend-sms`, { challengeId })
    await at.browser.post(`${base}/resend-sms`, { challengeId })
    const response = await at.browser.post(`${base}/resend-sms`, { challengeId })
    expect(response.status).toBe(429)
    expect(response.headers.has('Retry-After')).toBe(false)
    expect(await report(await at.browser.get('/credit-reports/current'))).toMatchObject({
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
        data: { status: 'blocked', creditReportId: '../..', test: false },
      }),
    ],
  ])('an answer that is %s is not passed on', async (_what, text) => {
    at.service.misbehave = (request, response) => {
      if (request.path === '/v1/oauth/token') return false
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(text)
      return true
    }
    expect(await refused(await at.browser.generate())).toMatchObject({ status: 503, code: 'unavailable' })
    expect(at.events.at(-1)).toMatchObject({ type: 'unavailable', reason: 'unexpected-answer' })
  })
})
