// The service interface from outside: who may ask, what is refused, and what every answer says about itself.
import { CONSUMER, useInterface } from './interface-client.ts'
import { startServiceProcess } from './service-process.ts'
import { expect, test } from './worker.ts'

const { service, call, generate, inTest } = useInterface()

test.describe('who may', () => {
  const generated = '/demo-lender/v1/credit-reports'
  for (const [what, authorization] of [
    ['no token', ''],
    ['a token of letters', 'Bearer abc'],
    ['another scheme', 'Basic ZGVtbzpkZW1v'],
  ] as const) {
    test(`${what} is 401`, async () => {
      const response = await fetch(service().url + generated, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) },
        body: '{}',
      })
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toContain('Bearer')
      const body = await response.json()
      expect(Object.keys(body).sort()).toEqual(['code', 'message'])
      expect(body.code).toBe('unauthorized')
    })
  }

  test('another tenant, known or not, is 403, before the body is looked at', async () => {
    for (const tenant of ['other-lender', 'unknown-lender']) {
      expect(await call(`/${tenant}/v1/credit-reports`, 'not json')).toMatchObject({
        status: 403,
        body: { code: 'forbidden' },
      })
    }
  })

  test('a wrong secret gets an RFC 6749 error', async () => {
    const response = await fetch(`${service().url}/v1/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id: 'demo-lender', client_secret: 'wrong' }),
    })
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ error: 'invalid_client' })
  })

  test('a machine has its own tenant and no profile', async () => {
    expect((await call('/v1/my/tenants')).body).toEqual([{ id: 'demo-lender', name: expect.any(String) }])
    expect(await call('/v1/my/profile')).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect((await call('/v1/my/tenants/select', { tenantId: 'demo-lender' })).body).toMatchObject({ id: 'demo-lender' })
    expect(await call('/v1/my/tenants/select', { tenantId: 'other-lender' })).toMatchObject({ status: 403 })
  })
})

test.describe('what is refused', () => {
  const post = '/demo-lender/v1/credit-reports'
  test('a body that is not JSON, is too large, or is another type', async () => {
    expect(await call(post, '{"a":')).toMatchObject({ status: 400, body: { code: 'validation-error' } })
    expect(await call(post, JSON.stringify({ ...CONSUMER, pad: 'x'.repeat(70_000) }))).toMatchObject({
      status: 413,
      body: { code: 'payload-too-large' },
    })
    expect(await call(post, 'a=1', { 'content-type': 'text/plain' })).toMatchObject({
      status: 415,
      body: { code: 'unsupported-media-type' },
    })
  })

  test('an unknown address, and an unknown method', async () => {
    expect(await call('/nothing/here')).toMatchObject({ status: 404, body: { code: 'not-found' } })
    const wrongMethod = await call(`${post}/some-report/otp-challenge`)
    expect(wrongMethod).toMatchObject({ status: 405, body: { code: 'method-not-allowed' } })
    expect(wrongMethod.headers.get('allow')).toContain('POST')
  })

  test('fields that are missing or wrong, each named', async () => {
    const { status, body } = await generate({
      firstName: '',
      addresses: [{ type: 'current', ukAddress: { townOrCity: 'X', postcode: 'M1 1AE' } }],
      test: true,
    })
    expect(status).toBe(400)
    expect(Object.keys(body).sort()).toEqual(['code', 'message'])
    expect(body.message).toContain('firstName')
    expect(body.message).toContain('addresses[0].ukAddress')
  })
})

test('every answer names its request and is kept from caches', async () => {
  const { headers } = await inTest('allow')
  expect(headers.get('x-request-id')).toBeTruthy()
  expect(headers.get('cache-control')).toContain('no-store')
  expect(headers.get('ratelimit-limit')).toBe('100000')
})

test('beyond its limit a credential is asked to wait', async () => {
  const limited = await startServiceProcess({ RATE_LIMIT_PER_MINUTE: '5' })
  try {
    const basic = `Basic ${Buffer.from('demo-lender:demo-secret').toString('base64')}`
    const issued = await fetch(`${limited.url}/v1/oauth/token`, {
      method: 'POST',
      headers: { authorization: basic },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    })
    const { access_token } = await issued.json()
    const ask = () =>
      fetch(`${limited.url}/demo-lender/v1/wallet`, { headers: { authorization: `Bearer ${access_token}` } })
    const statuses: number[] = []
    for (let count = 0; count < 5; count += 1) statuses.push((await ask()).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200])
    const refused = await ask()
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await refused.json()).toMatchObject({ code: 'rate-limited' })
  } finally {
    await limited.stop()
  }
})
