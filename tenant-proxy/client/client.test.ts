import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { TEST_MODE_CODE } from '../../contract/limits.ts'
import { sampleRequest } from '../../contract/samples.ts'
import { ORIGIN, type TestService as Service, startTestService as startService } from '../../testing/portal-service.ts'
import { answer, refuse, startTestService, type TestService } from '../../testing/proxy-service.ts'
import { type Client, type ClientOptions, createClient, createClientOver } from './client.ts'
import {
  ChallengeExpiredError,
  CredentialsError,
  InProgressError,
  InsufficientFundsError,
  NotFoundError,
  RateLimitedError,
  ServiceError,
  SpendCapReachedError,
  UnavailableError,
  ValidationError,
} from './errors.ts'
import type { Transport } from './transport.ts'

const LENDER = { tenantId: 'demo-lender', credentials: { clientId: 'demo-lender', clientSecret: 'demo-secret' } }

describe('with the service itself', () => {
  let service: Service
  let client: Client
  beforeAll(async () => {
    service = await startService()
    client = clientOf()
  })
  afterAll(() => service.stop())

  function clientOf(options: Partial<ClientOptions> = {}): Client {
    const fetch: typeof globalThis.fetch = async (input, init) => service.fetch(new Request(input, init))
    return createClient({ service: `${ORIGIN}/`, ...LENDER, fetch, ...options })
  }

  test('a report is asked for, its code is wrong, sent again, right', async () => {
    const begun = await client.generate(sampleRequest)
    expect(begun).toMatchObject({ meta: { wallet: { cost: 0 } }, expiresInSeconds: 300, isReplayed: false })
    if (begun.data.status !== 'authentication-required') throw new Error(begun.data.status)
    const { creditReportId, challenge } = begun.data
    const challenged = { creditReportId, ...challenge }

    const wrong = await client.submitCode({ ...challenged, code: '000000' })
    expect(wrong.data).toMatchObject({ status: 'retry', attemptsRemaining: 2 })
    expect((await client.resend(challenged)).data).toEqual({ remainingSmsCount: 1, smsSentCount: 2 })
    const { data } = await client.submitCode({ ...challenged, code: TEST_MODE_CODE })
    expect(data.status === 'complete' && data.creditReport.consumerData?.records).toHaveLength(1)
  })

  test('the same key gets the first answer again; without one each request is its own', async () => {
    const first = await client.generate(sampleRequest, { idempotencyKey: 'order-7' })
    const again = await client.generate(sampleRequest, { idempotencyKey: 'order-7' })
    expect(again.data).toEqual(first.data)
    expect(again.isReplayed).toBe(true)
    expect((await client.generate(sampleRequest)).data.creditReportId).not.toBe(first.data.creditReportId)
  })

  test('a report is read again, and found by its reference', async () => {
    const externalReference = 'order-to-find'
    const allowed = { ...sampleRequest, externalReference, challengeOptions: { status: 'allow' } } as const
    const { data } = await client.generate(allowed)
    const { creditReportId } = data
    const again = await client.get(creditReportId)
    expect(again).toMatchObject({ meta: { request: {} }, data: { status: 'complete', externalReference } })
    expect(again.data.status === 'complete' && again.data.creditReport).toEqual(
      data.status === 'complete' && data.creditReport,
    )
    const listed = await client.list({ externalReference, limit: 1 })
    expect(listed.data.creditReports).toMatchObject([{ creditReportId, status: 'complete' }])
    const opened = await client.open({ creditReportId, dateOfBirth: sampleRequest.dateOfBirth })
    expect(opened.data).toEqual({ creditReportId, status: 'open', attemptsRemaining: 3 })
    await expect(client.get('no-such-report')).rejects.toBeInstanceOf(NotFoundError)
  })

  test('the wallet and its lines are read', async () => {
    expect(await client.wallet()).toMatchObject({ tenantId: 'demo-lender', reportPriceCredits: 500 })
    const { lines } = await client.walletLines({ limit: 1 })
    expect(lines).toMatchObject([{ kind: 'top-up' }])
  })

  test('what the service refuses is an error that says where', async () => {
    const error = await client
      .generate({ ...sampleRequest, firstName: ' ', dateOfBirth: '2024-01-01' })
      .catch((caught) => caught)
    expect(error).toBeInstanceOf(ValidationError)
    expect(error.problems.map(({ path }: { path: string }) => path)).toEqual(['firstName', 'dateOfBirth'])
    expect(error.requestId).toMatch(/\w/)
  })

  test('wrong credentials and a foreign tenant are two errors', async () => {
    const wrong = clientOf({ credentials: { clientId: 'demo-lender', clientSecret: 'wrong' } })
    await expect(wrong.wallet()).rejects.toMatchObject({ name: 'CredentialsError', isWithoutToken: true })
    const foreign = clientOf({ tenantId: 'other-lender' })
    await expect(foreign.wallet()).rejects.toMatchObject({
      name: 'CredentialsError',
      isWithoutToken: false,
      status: 403,
    })
  })

  test('an empty wallet is an error of its own, unless it is a test', async () => {
    const empty = clientOf({
      tenantId: 'empty-lender',
      credentials: { clientId: 'empty-lender', clientSecret: 'empty-secret' },
    })
    const { test: _test, challengeOptions: _options, ...live } = sampleRequest
    await expect(empty.generate(live)).rejects.toBeInstanceOf(InsufficientFundsError)
    expect((await empty.generate(sampleRequest)).data.status).toBe('authentication-required')
  })
})

describe('whatever the service answers', () => {
  let service: TestService
  let client: Client
  beforeAll(async () => {
    service = await startTestService()
  })
  beforeEach(() => {
    service.misbehave = null
    service.seen.length = 0
    client = createClient({ service: service.url, ...LENDER })
  })
  afterAll(() => service.stop())

  const kinds: [number, string, new (...details: never[]) => ServiceError][] = [
    [400, 'validation-error', ValidationError],
    [401, 'unauthorized', CredentialsError],
    [402, 'insufficient-funds', InsufficientFundsError],
    [402, 'insufficient-credits', InsufficientFundsError],
    [403, 'forbidden', CredentialsError],
    [403, '<html>', CredentialsError],
    [404, 'credit-report-not-found', NotFoundError],
    [404, '<html>', NotFoundError],
    [409, 'request-in-progress', InProgressError],
    [410, 'challenge-expired', ChallengeExpiredError],
    [410, 'a-code-of-a-newer-service', ChallengeExpiredError],
    [413, 'payload-too-large', UnavailableError],
    [429, 'rate-limited', RateLimitedError],
    [429, 'spend-cap-reached', SpendCapReachedError],
    [500, 'internal-error', UnavailableError],
    [502, '<html>', UnavailableError],
    [307, 'elsewhere', UnavailableError],
  ]
  test.each(kinds)('%d %s has its class', async (status, code, kind) => {
    service.misbehave = (request, response) => {
      if (request.path === '/v1/oauth/token') return false
      refuse(response, status, code)
      return true
    }
    const error = await client
      .submitCode({ creditReportId: 'r1', challengeId: 'c1', code: '1' })
      .catch((caught) => caught)
    expect(error).toBeInstanceOf(kind)
    expect(error).toBeInstanceOf(ServiceError)
    expect(error.status).toBe(status)
    if (kind === UnavailableError) expect(error.reason).toBe(status < 500 ? 'unexpected-answer' : 'service-error')
    // Only a token that was refused may be the reason to send a code again.
    expect(service.seen).toHaveLength(status === 401 ? 2 : 1)
  })

  test.each([
    ['credit-report-not-found', 'credit-report-not-found'],
    // Codes that do not belong to a 404, the last one a name of every object.
    ['challenge-expired', 'not-found'],
    ['toString', 'not-found'],
  ])('a 404 with the code %s has the code %s', async (said, code) => {
    service.misbehave = (request, response) => {
      if (request.path === '/v1/oauth/token') return false
      refuse(response, 404, said)
      return true
    }
    await expect(client.get('r1')).rejects.toMatchObject({ code, status: 404, message: `refused: ${said}` })
  })

  test.each([
    ['a header of the service', 'in any words', { 'Idempotency-Key-Reused': 'true' }, true],
    ['a key of the wrong shape', 'Idempotency-Key: must be 1 to 255 visible ASCII characters', {}, false],
    ['a field', 'mobileNumber: is required', {}, false],
  ])('a key that was used before, by %s', async (_how, message, headers, isKeyReused) => {
    service.misbehave = (request, response) => {
      if (request.path === '/v1/oauth/token') return false
      answer(response, 400, { code: 'validation-error', message }, headers)
      return true
    }
    await expect(client.get('r1')).rejects.toMatchObject({ isKeyReused })
  })

  test('how long to wait is said in seconds', async () => {
    service.misbehave = (request, response) => {
      if (request.path === '/v1/oauth/token') return false
      answer(response, 429, { code: 'rate-limited', message: 'slower' }, { 'Retry-After': '7' })
      return true
    }
    await expect(client.wallet()).rejects.toMatchObject({ retryAfterSeconds: 7, message: 'slower' })
  })

  test('an answer that is not as agreed is no answer', async () => {
    service.misbehave = (request, response) => {
      if (request.path === '/v1/oauth/token') return false
      answer(response, 200, { hello: 'world' })
      return true
    }
    await expect(client.wallet()).rejects.toMatchObject({ name: 'UnavailableError', reason: 'unexpected-answer' })
  })

  test('a broken line: reading is tried once more, a code is not', async () => {
    let broken = 0
    service.misbehave = (request, response) => {
      if (request.path === '/v1/oauth/token') return false
      if (broken++ === 0) response.destroy()
      else refuse(response, 404, 'credit-report-not-found')
      return true
    }
    await expect(client.get('report-0')).rejects.toBeInstanceOf(NotFoundError)
    expect(service.seen).toHaveLength(2)
    // Without a body there is no type of one.
    expect(service.seen[0]?.headers).not.toHaveProperty('content-type')
    broken = 0
    service.seen.length = 0
    await expect(client.submitCode({ creditReportId: 'r1', challengeId: 'c1', code: '1' })).rejects.toMatchObject({
      reason: 'unreachable',
    })
    expect(service.seen).toHaveLength(1)
  })

  test('ids and references cannot leave their place in an address', async () => {
    service.misbehave = (request, response) => {
      if (request.path === '/v1/oauth/token') return false
      refuse(response, 404, 'credit-report-not-found')
      return true
    }
    await expect(client.get('../../other-lender/v1/wallet?x=')).rejects.toBeInstanceOf(NotFoundError)
    await expect(client.list({ externalReference: 'a&limit=1', after: 'r/1', limit: 5 })).rejects.toThrow()
    const unsaid: object = { after: undefined }
    await expect(client.list(unsaid)).rejects.toThrow()
    expect(service.seen.map(({ path }) => path)).toEqual([
      '/demo-lender/v1/credit-reports/..%2F..%2Fother-lender%2Fv1%2Fwallet%3Fx%3D',
      '/demo-lender/v1/credit-reports?externalReference=a%26limit%3D1&after=r%2F1&limit=5',
      '/demo-lender/v1/credit-reports',
    ])
  })
})

test.each(['', 'reports.example', 'ftp://reports.example'])('%j is no address of a service', (address) => {
  expect(() => createClient({ service: address, ...LENDER })).toThrow('`service` must be')
})

describe('what is sent', () => {
  const challenge = { creditReportId: 'r/1', challengeId: 'c1' }
  const calls: [string, (client: Client) => Promise<unknown>, string, string, unknown, number][] = [
    ['generate', (client) => client.generate(sampleRequest), 'POST', '/credit-reports', sampleRequest, 20_000],
    [
      'submitCode',
      (client) => client.submitCode({ ...challenge, code: '123456' }),
      'POST',
      '/credit-reports/r%2F1/otp-challenge',
      { challengeId: 'c1', code: '123456' },
      10_000,
    ],
    [
      'resend',
      (client) => client.resend(challenge),
      'POST',
      '/credit-reports/r%2F1/resend-sms',
      { challengeId: 'c1' },
      10_000,
    ],
    ['get', (client) => client.get('r/1'), 'GET', '/credit-reports/r%2F1', undefined, 10_000],
    ['list', (client) => client.list(), 'GET', '/credit-reports', undefined, 10_000],
    ['erase', (client) => client.erase('r/1'), 'DELETE', '/credit-reports/r%2F1', undefined, 10_000],
    [
      'countSteps',
      (client) => client.countSteps({ test: true, steps: [] }),
      'POST',
      '/steps',
      { test: true, steps: [] },
      10_000,
    ],
    ['wallet', (client) => client.wallet(), 'GET', '/wallet', undefined, 10_000],
    ['walletLines', (client) => client.walletLines({ limit: 1 }), 'GET', '/wallet/lines?limit=1', undefined, 10_000],
  ]

  test.each(calls)('%s has its method, path, body and time', async (_name, ask, method, path, body, timeoutMs) => {
    const sent: Parameters<Transport>[0][] = []
    const transport: Transport = async (asked) => {
      const isToken = asked.url.endsWith('/v1/oauth/token')
      if (!isToken) sent.push(asked)
      const token = { access_token: 'token', expires_in: 900 }
      return { status: isToken ? 200 : 404, header: () => null, body: isToken ? token : {} }
    }
    const settings = { serviceUrl: 'https://service.example', ...LENDER, timeoutMs: 20_000, clock: Date.now }
    await expect(ask(createClientOver(transport, settings))).rejects.toBeInstanceOf(NotFoundError)
    const [asked] = sent
    expect([asked?.method, asked?.url]).toEqual([method, `https://service.example/demo-lender/v1${path}`])
    expect(asked?.body).toBe(body === undefined ? undefined : JSON.stringify(body))
    // The time left when it was sent.
    expect(asked?.timeoutMs).toBeLessThanOrEqual(timeoutMs)
    expect(asked?.timeoutMs).toBeGreaterThan(timeoutMs - 5_000)
  })
})
