// The service interface from outside: the built service in its own process, spoken to over HTTP by a client that knows only the wire.
import { expect, test } from '@playwright/test'
import { type ServiceProcess, startServiceProcess } from './service-process.ts'

let service: ServiceProcess
test.describe.configure({ mode: 'default' })
test.beforeAll(async () => {
  service = await startServiceProcess({ RATE_LIMIT_PER_MINUTE: '100000' })
})
test.afterAll(() => service.stop())

const CONSUMER = {
  sessionId: 'a-device-session',
  bureaus: ['equifax', 'experian', 'transunion'],
  ipAddress: '203.0.113.9',
  searchType: 'pcp',
  firstName: 'Sam',
  lastName: 'Example',
  dateOfBirth: '1985-03-27',
  addresses: [
    {
      type: 'current',
      ukAddress: { buildingNumber: '10', thoroughfare: 'Orchard Lane', townOrCity: 'Ambleford', postcode: 'SW1A 1AA' },
    },
  ],
  mobileNumber: '+447700900123',
}
const RIGHT = '123456'
const WRONG = '654321'

type Json = { [key: string]: unknown }
// biome-ignore lint/suspicious/noExplicitAny: an outside client reads answers as they come
type Answer = { status: number; headers: Headers; body: any }

async function token(client = 'demo-lender', secret = 'demo-secret'): Promise<string> {
  const response = await fetch(`${service.url}/v1/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${client}:${secret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  const { access_token, token_type, expires_in } = await response.json()
  expect({ token_type, expires_in }).toEqual({ token_type: 'Bearer', expires_in: 900 })
  return access_token
}

async function call(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const authorization = headers.authorization ?? `Bearer ${await token()}`
  const response = await fetch(service.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...headers, authorization },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text,
  }
}

const generate = (fields: Json = {}, headers: Record<string, string> = {}, tenant = 'demo-lender') =>
  call(`/${tenant}/v1/credit-reports`, { ...CONSUMER, ...fields }, headers)
const inTest = (branch: string, fields: Json = {}) =>
  generate({ test: true, challengeOptions: { status: branch }, ...fields })

async function challenged(fields: Json = {}) {
  const { body } = await inTest('challenge', fields)
  const { creditReportId, challenge } = body.data
  const path = `/demo-lender/v1/credit-reports/${creditReportId}`
  return {
    creditReportId,
    challengeId: challenge.challengeId,
    submit: (code: unknown, challengeId = challenge.challengeId) =>
      call(`${path}/otp-challenge`, { challengeId, code }),
    resend: (headers: Record<string, string> = {}) =>
      call(`${path}/resend-sms`, { challengeId: challenge.challengeId }, headers),
  }
}

const balance = async (tenant = 'demo-lender') => (await call(`/${tenant}/v1/wallet`)).body.balanceCredits
const advance = (seconds: number) => call('/demo/clock', { advanceSeconds: seconds })

test.describe('generating in test mode', () => {
  const scenarios: [prefix: string, types: string[], status: string][] = [
    ['test001', [], 'open'],
    ['test002', ['hire-purchase'], 'open'],
    ['TEST003', ['credit-card', 'hire-purchase', 'mortgage'], 'open'],
    ['Test004', ['credit-card', 'hire-purchase'], 'settled'],
    ['anyone', ['credit-card', 'hire-purchase', 'hire-purchase', 'mortgage'], 'open'],
  ]
  for (const [prefix, types, status] of scenarios) {
    for (const bureaus of [CONSUMER.bureaus, ['experian'], ['transunion', 'equifax']]) {
      test(`${prefix} with ${bureaus.join(' and ')} has ${types.length} ${status} records`, async () => {
        const { body, status: http } = await inTest('allow', { email: `${prefix}@example.org`, bureaus })
        expect(http).toBe(200)
        expect(body.data).toMatchObject({ status: 'complete', challengeType: 'none' })
        const { records } = body.data.creditReport.consumerData
        expect(records.map((record: Json) => record.accountType).sort()).toEqual(types)
        if (prefix !== 'anyone') expect(records.every((record: Json) => record.accountStatus === status)).toBe(true)
        if (status === 'settled')
          expect(records.every((record: Answer['body']) => record.balance.amount === 0)).toBe(true)
        if (types.length === 0) expect(body.data.creditReport.previousSearches.providers).toEqual([])
        const asked = new Set(records.flatMap((record: Answer['body']) => record.bureaus.map(({ id }: Json) => id)))
        expect([...asked].every((id) => bureaus.includes(String(id)))).toBe(true)
      })
    }
    for (const branch of ['challenge', 'block']) {
      test(`${prefix} combines with ${branch}`, async () => {
        const { body } = await inTest(branch, { email: `${prefix}@example.org` })
        expect(body.data.status).toBe(branch === 'block' ? 'blocked' : 'authentication-required')
      })
    }
  }

  test('the same person has the same report twice, to the letter', async () => {
    const [first, second] = [await inTest('allow'), await inTest('allow')]
    expect(first.body.data.creditReport).toEqual(second.body.data.creditReport)
  })

  test('costs nothing, whatever happens', async () => {
    const before = await balance()
    for (const branch of ['allow', 'challenge', 'block']) {
      expect((await inTest(branch)).body.meta.wallet).toEqual({ balance: before, cost: 0 })
    }
    const challenge = await challenged()
    await challenge.resend()
    expect((await challenge.submit(RIGHT)).body.meta.wallet).toEqual({ balance: before, cost: 0 })
    expect(await balance()).toBe(before)
  })

  test('without options it is allowed; an empty wallet is no obstacle', async () => {
    const authorization = `Bearer ${await token('empty-lender', 'empty-secret')}`
    const { status, body } = await generate({ test: true }, { authorization }, 'empty-lender')
    expect(status).toBe(200)
    expect(body.data.status).toBe('complete')
    expect(body.meta.wallet).toEqual({ balance: 0, cost: 0 })
  })

  test('the shapes are those of the interface', async () => {
    const { body } = await inTest('challenge')
    expect(Object.keys(body).sort()).toEqual(['data', 'meta'])
    expect(Object.keys(body.meta).sort()).toEqual(['request', 'wallet'])
    expect(Number.isInteger(body.meta.request.timeTakenMs)).toBe(true)
    expect(Object.keys(body.data).sort()).toEqual(['challenge', 'challengeType', 'creditReportId', 'status'])
    expect(body.data.challengeType).toBe('otp')
    const blocked = await inTest('block')
    expect(Object.keys(blocked.body.data).sort()).toEqual(['creditReportId', 'status'])
  })
})

test.describe('answering a challenge', () => {
  test('the right code completes, and the same code again recovers a lost answer', async () => {
    const challenge = await challenged()
    const first = await challenge.submit(RIGHT)
    expect(first.body.data).toMatchObject({ status: 'complete', creditReportId: challenge.creditReportId })
    expect(first.body.data.creditReport.person.lastName).toBe('Example')
    expect((await challenge.submit(RIGHT)).body.data).toEqual(first.body.data)
    expect(await challenge.submit(WRONG)).toMatchObject({ status: 410, body: { code: 'challenge-expired' } })
    expect((await challenge.resend()).status).toBe(410)
  })

  test('wrong, wrong, right completes', async () => {
    const challenge = await challenged()
    expect((await challenge.submit(WRONG)).body.data).toMatchObject({ status: 'retry', attemptsRemaining: 2 })
    const second = await challenge.submit(WRONG)
    expect(second.body.data).toMatchObject({ status: 'retry', attemptsRemaining: 1 })
    expect(typeof second.body.data.errorMessage).toBe('string')
    expect((await challenge.submit(RIGHT)).body.data.status).toBe('complete')
  })

  test('three wrong codes fail it for ever, right code and resend included', async () => {
    const challenge = await challenged()
    await challenge.submit(WRONG)
    await challenge.submit(WRONG)
    const third = await challenge.submit(WRONG)
    expect(third).toMatchObject({ status: 200, body: { data: { status: 'failed' } } })
    expect(third.body.data.errorMessage).toBeTruthy()
    expect((await challenge.submit(RIGHT)).body.data.status).toBe('failed')
    expect((await challenge.resend()).status).toBe(410)
  })

  test('a resend buys no attempts', async () => {
    const challenge = await challenged()
    await challenge.submit(WRONG)
    await challenge.submit(WRONG)
    await challenge.resend()
    expect((await challenge.submit(WRONG)).body.data.status).toBe('failed')
  })

  test('200 wrong codes at once count three', async () => {
    const challenge = await challenged()
    const authorization = `Bearer ${await token()}`
    const path = `/demo-lender/v1/credit-reports/${challenge.creditReportId}/otp-challenge`
    const answers = await Promise.all(
      Array.from({ length: 200 }, () =>
        call(path, { challengeId: challenge.challengeId, code: WRONG }, { authorization }),
      ),
    )
    const statuses = answers.map(({ body }) => body.data.status)
    expect(statuses.filter((status) => status === 'retry')).toHaveLength(2)
    expect(statuses.filter((status) => status === 'failed')).toHaveLength(198)
  })

  test('two resends, then no more', async () => {
    const challenge = await challenged()
    const first = await challenge.resend()
    expect(first.body.data).toEqual({ smsSentCount: 2, remainingSmsCount: 1 })
    expect(Object.keys(first.body.meta)).toEqual(['request'])
    expect((await challenge.resend()).body.data).toEqual({ smsSentCount: 3, remainingSmsCount: 0 })
    const fourth = await challenge.resend()
    expect(fourth).toMatchObject({ status: 429, body: { code: 'rate-limited' } })
    expect(fourth.headers.get('retry-after')).toBeNull()
    expect((await challenge.submit(RIGHT)).body.data.status).toBe('complete')
  })

  for (const code of [undefined, '', 123456, null, ['123456'], {}]) {
    test(`a code of ${JSON.stringify(code)} is refused and uses no attempt`, async () => {
      const challenge = await challenged()
      expect(await challenge.submit(code)).toMatchObject({ status: 400, body: { code: 'validation-error' } })
      expect((await challenge.submit(WRONG)).body.data.attemptsRemaining).toBe(2)
    })
  }

  test('unknown reports and challenges are told apart, and another tenant’s report is unknown', async () => {
    const [mine, other] = [await challenged(), await challenged()]
    expect(
      await call('/demo-lender/v1/credit-reports/nothing/otp-challenge', {
        challengeId: mine.challengeId,
        code: RIGHT,
      }),
    ).toMatchObject({
      status: 404,
      body: { code: 'credit-report-not-found' },
    })
    expect(await mine.submit(RIGHT, 'nothing')).toMatchObject({ status: 404, body: { code: 'challenge-not-found' } })
    expect(await mine.submit(RIGHT, other.challengeId)).toMatchObject({
      status: 404,
      body: { code: 'challenge-not-found' },
    })
    const authorization = `Bearer ${await token('other-lender', 'other-secret')}`
    const foreign = await call(
      `/other-lender/v1/credit-reports/${mine.creditReportId}/otp-challenge`,
      { challengeId: mine.challengeId, code: RIGHT },
      { authorization },
    )
    expect(foreign).toMatchObject({ status: 404, body: { code: 'credit-report-not-found' } })
  })

  test('five minutes are enough, a second more is not, and a resend starts them anew', async () => {
    const [inTime, resent, late] = [await challenged(), await challenged(), await challenged()]
    await advance(290)
    expect((await inTime.submit(RIGHT)).body.data.status).toBe('complete')
    expect((await resent.resend()).status).toBe(200)
    await advance(12)
    expect(await late.submit(RIGHT)).toMatchObject({ status: 410, body: { code: 'challenge-expired' } })
    expect((await late.resend()).status).toBe(410)
    expect((await resent.submit(RIGHT)).body.data.status).toBe('complete')
  })
})

test.describe('live, with the simulated providers', () => {
  async function session(): Promise<string> {
    const response = await fetch(`${service.url}/v1/fingerprints/device/sessions`, { method: 'POST', body: 'a=1' })
    return response.text()
  }
  const texts = async (creditReportId: string): Promise<Json[]> => {
    const { body } = await call('/demo/sms')
    const list: Json[] = Array.isArray(body) ? body : body.texts
    return list.filter((text) => text.creditReportId === creditReportId)
  }

  test('allowed: the report is there and its price is gone', async () => {
    const before = await balance()
    const { body } = await generate({ lastName: 'Allow', sessionId: await session() })
    expect(body.data).toMatchObject({ status: 'complete', challengeType: 'none' })
    expect(body.meta.wallet).toEqual({ cost: 500, balance: before - 500 })
    expect(await balance()).toBe(before - 500)
  })

  test('blocked: nothing is charged', async () => {
    const before = await balance()
    const { body } = await generate({ lastName: 'Block', sessionId: await session() })
    expect(body.data.status).toBe('blocked')
    expect(body.meta.wallet).toEqual({ cost: 0, balance: before })
    expect(await balance()).toBe(before)
  })

  test('challenged: the price is held, each text is its own line, the code from the text completes', async () => {
    const before = await balance()
    const generated = await generate({ sessionId: await session() })
    expect(generated.body.data.status).toBe('authentication-required')
    expect(generated.body.meta.wallet).toEqual({ cost: 500, balance: before - 500 })
    expect(await balance()).toBe(before - 540)
    const { creditReportId, challenge } = generated.body.data
    const [text] = await texts(creditReportId)
    const code = /\b(\d{6})\b/.exec(String(text?.body))?.[1]
    const submitted = await call(`/demo-lender/v1/credit-reports/${creditReportId}/otp-challenge`, {
      challengeId: challenge.challengeId,
      code,
    })
    expect(submitted.body.data.status).toBe('complete')
    expect(submitted.body.meta.wallet).toEqual({ cost: 0, balance: before - 540 })
    const lines = (await call(`/demo-lender/v1/wallet/lines?creditReportId=${creditReportId}`)).body.lines
    const kinds = lines.map(({ kind, purpose, credits }: Json) => `${kind} ${purpose} ${credits}`).sort()
    expect(kinds).toEqual(['capture report 500', 'capture sms 40', 'hold report 500', 'hold sms 40'])
  })

  test('123456 is no key to a live challenge, and failing gives the price back but not the text’s', async () => {
    const before = await balance()
    const { body } = await generate({ sessionId: await session() })
    const { creditReportId, challenge } = body.data
    const [text] = await texts(creditReportId)
    const wrong = /\b123456\b/.test(String(text?.body)) ? WRONG : RIGHT
    const submit = () =>
      call(`/demo-lender/v1/credit-reports/${creditReportId}/otp-challenge`, {
        challengeId: challenge.challengeId,
        code: wrong,
      })
    expect((await submit()).body.data.status).toBe('retry')
    await submit()
    expect((await submit()).body).toMatchObject({
      data: { status: 'failed' },
      meta: { wallet: { cost: 0, balance: before - 40 } },
    })
    expect(await balance()).toBe(before - 40)
  })

  test('a device nobody knows cannot pass the challenge', async () => {
    const { body } = await generate({ sessionId: 'made-up' })
    const { creditReportId, challenge } = body.data
    const [text] = await texts(creditReportId)
    const code = /\b(\d{6})\b/.exec(String(text?.body))?.[1]
    const submitted = await call(`/demo-lender/v1/credit-reports/${creditReportId}/otp-challenge`, {
      challengeId: challenge.challengeId,
      code,
    })
    expect(submitted.body.data.status).toBe('failed')
  })

  test('without a mobile number there can be no challenge, and nothing stays held', async () => {
    const before = await balance()
    const answer = await generate({ sessionId: await session(), mobileNumber: undefined })
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation-error' } })
    expect(answer.body.message).toContain('mobileNumber')
    expect(await balance()).toBe(before)
  })

  test('an empty wallet gets 402 before anyone is asked', async () => {
    const authorization = `Bearer ${await token('empty-lender', 'empty-secret')}`
    const answer = await generate({ sessionId: await session() }, { authorization }, 'empty-lender')
    expect(answer).toMatchObject({ status: 402, body: { code: 'insufficient-funds' } })
    expect(Object.keys(answer.body).sort()).toEqual(['code', 'message'])
  })

  test('a request repeated with its key is answered again and charged once', async () => {
    const before = await balance()
    const key = { 'idempotency-key': `key-${Date.now()}` }
    const sessionId = await session()
    const [first, second] = [
      await generate({ lastName: 'Allow', sessionId }, key),
      await generate({ lastName: 'Allow', sessionId }, key),
    ]
    expect(second.body).toEqual(first.body)
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(await balance()).toBe(before - 500)
    expect(await generate({ lastName: 'Allow', sessionId, firstName: 'Other' }, key)).toMatchObject({
      status: 400,
      body: { code: 'validation-error' },
    })
  })

  test('twenty at once with one key are one report', async () => {
    const before = await balance()
    const authorization = `Bearer ${await token()}`
    const sessionId = await session()
    const key = { authorization, 'idempotency-key': `burst-${Date.now()}` }
    const answers = await Promise.all(Array.from({ length: 20 }, () => generate({ lastName: 'Allow', sessionId }, key)))
    const ids = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.data.creditReportId))
    expect(ids.size).toBe(1)
    expect(
      answers.every(({ status, body }) => status === 200 || (status === 409 && body.code === 'request-in-progress')),
    ).toBe(true)
    expect(await balance()).toBe(before - 500)
  })
})

test.describe('who may', () => {
  const generated = '/demo-lender/v1/credit-reports'
  for (const [what, authorization] of [
    ['no token', ''],
    ['a token of letters', 'Bearer abc'],
    ['another scheme', 'Basic ZGVtbzpkZW1v'],
  ] as const) {
    test(`${what} is 401`, async () => {
      const response = await fetch(service.url + generated, {
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
    for (const tenant of ['other-lender', 'nobody']) {
      expect(await call(`/${tenant}/v1/credit-reports`, 'not json')).toMatchObject({
        status: 403,
        body: { code: 'forbidden' },
      })
    }
  })

  test('a wrong secret gets an RFC 6749 error', async () => {
    const response = await fetch(`${service.url}/v1/oauth/token`, {
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

  test('an address nobody serves, and a method nobody offers', async () => {
    expect(await call('/nothing/here')).toMatchObject({ status: 404, body: { code: 'not-found' } })
    const wrongMethod = await call(post)
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
