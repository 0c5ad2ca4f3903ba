import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { answer, type Misbehaviour, startTestService, type TestService } from '../../testing/proxy-service.ts'
import { createAccessToken, TokenError } from './access-token.ts'
import { nodeTransport } from './transport.ts'

let service: TestService
let nowMs = 0

beforeEach(async () => {
  service = await startTestService()
  nowMs = 1_000_000
})
afterEach(() => service.stop())

function tokenOf(clientSecret = 'demo-secret') {
  const credentials = { clientId: 'demo-lender', clientSecret }
  return createAccessToken({
    serviceUrl: service.url,
    credentials,
    timeoutMs: 120_000,
    transport: nodeTransport,
    clock: () => nowMs,
  })
}

test('any number of requests share one token and one question for it', async () => {
  const token = tokenOf()
  const tokens = await Promise.all(Array.from({ length: 50 }, () => token.get()))
  expect(new Set(tokens)).toEqual(new Set(['token-1']))
  expect(service.tokenRequests).toHaveLength(1)
})

test('it is asked for with form-encoded client credentials', async () => {
  await tokenOf().get()
  const [request] = service.tokenRequests
  expect(request?.headers['content-type']).toBe('application/x-www-form-urlencoded')
  expect(request?.body).toBe('grant_type=client_credentials&client_id=demo-lender&client_secret=demo-secret')
})

test('at four fifths of its life it is renewed behind the requests that still use it', async () => {
  const token = tokenOf()
  await token.get()
  nowMs += 900_000 * 0.8 - 1
  expect(await token.get()).toBe('token-1')
  expect(service.tokenRequests).toHaveLength(1)
  nowMs += 1
  expect(await Promise.all([token.get(), token.get(), token.get()])).toEqual(['token-1', 'token-1', 'token-1'])
  await expect.poll(() => token.get()).toBe('token-2')
  expect(service.tokenRequests).toHaveLength(2)
})

test('before that no request is sent', async () => {
  let asked = 0
  const token = createAccessToken({
    serviceUrl: service.url,
    credentials: { clientId: 'demo-lender', clientSecret: 'demo-secret' },
    timeoutMs: 120_000,
    transport: async () => {
      asked += 1
      return { status: 200, header: () => null, body: { access_token: 'token', expires_in: 900 } }
    },
    clock: () => nowMs,
  })
  await token.get()
  nowMs += 900_000 * 0.8 - 1
  await token.get()
  expect(asked).toBe(1)
})

test('a renewal that fails late in its life has no effect on requests', async () => {
  const token = tokenOf()
  await token.get()
  nowMs += 800_000
  service.misbehave = (_request, response) => {
    answer(response, 503, {})
    return true
  }
  expect(await token.get()).toBe('token-1')
  await expect.poll(() => service.tokenRequests.length).toBe(2)
  service.misbehave = null
  await expect.poll(() => token.get()).toBe('token-2')
})

test('past its life it is not used any more', async () => {
  const token = tokenOf()
  await token.get()
  nowMs += 900_000
  expect(await token.get()).toBe('token-2')
})

test('a token the service did not accept is replaced, once for all who held it', async () => {
  const token = tokenOf()
  const first = await token.get()
  token.forget(first)
  expect(await token.get()).toBe('token-2')
  token.forget(first)
  expect(await token.get()).toBe('token-2')
})

describe('says why there is none', () => {
  const say =
    (status: number, body: unknown): Misbehaviour =>
    (_request, response) => {
      answer(response, status, body, { Location: 'http://127.0.0.1:1/' })
      return true
    }
  test.each([
    ['wrong credentials', say(401, { error: 'invalid_client' }), true],
    ['credentials in a form it does not take', say(400, { error: 'invalid_request' }), true],
    ['credentials it has locked', say(403, {}), true],
    ['a service in trouble', say(503, {}), false],
    ['a redirect, which is not followed', say(307, {}), false],
    ['a token that is promised for later', say(202, { access_token: 'token', expires_in: 900 }), false],
    ['an answer without a token', say(200, { expires_in: 900 }), false],
    ['an answer without a life', say(200, { access_token: 'token' }), false],
    ['a token that would add a header', say(200, { access_token: 'token\r\nX-Evil: 1', expires_in: 900 }), false],
  ])('%s', async (_what, misbehave, isRefused) => {
    service.misbehave = misbehave
    const failure = await tokenOf()
      .get()
      .catch((error) => error)
    expect(failure).toBeInstanceOf(TokenError)
    expect(failure.isRefused).toBe(isRefused)
    expect(failure.status).toEqual(expect.any(Number))
    expect(failure.name).toBe('TokenError')
    expect(failure.message).toContain(isRefused ? 'refused the client credentials' : 'gave no access token')
    expect(`${failure.message}`).not.toContain('demo-secret')
  })

  test('a line that is cut, with its reason', async () => {
    service.misbehave = (_request, response) => {
      response.destroy()
      return true
    }
    const failure = await tokenOf()
      .get()
      .catch((error) => error)
    expect(failure).toMatchObject({ isRefused: false, status: undefined, cause: expect.any(Error) })
  })

  test('and asks again next time', async () => {
    const token = tokenOf()
    service.misbehave = say(503, {})
    await token.get().catch(() => {})
    service.misbehave = null
    expect(await token.get()).toBe('token-1')
  })
})
