// The tries of a call, and the waits between them. Waits are noted and not waited for.
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { createCall } from './call.ts'
import { InProgressError, UnavailableError } from './errors.ts'
import { NoAnswer, type Transport } from './transport.ts'

let waitsMs: number[]
beforeEach(() => {
  waitsMs = []
  vi.spyOn(timers, 'setTimeout').mockImplementation(async (ms = 0) => {
    waitsMs.push(ms)
  })
  // For modules that import it by name.
  syncBuiltinESMExports()
})
afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

type Answered = { status: number; headers?: { [name: string]: string }; body?: unknown }
type Sent = Parameters<Transport>[0]

/** More often than anything is tried. */
const SENT_MAX = 20

/** A call over a line that gives these answers, the last one again and again. */
function callOver(...answers: (Answered | Error)[]) {
  const sent: Sent[] = []
  let tokens = 1
  const transport: Transport = async (asked) => {
    const answer = answers[Math.min(sent.length, answers.length - 1)]
    sent.push(asked)
    if (sent.length > SENT_MAX) throw new Error('it is sent without end')
    if (answer === undefined || answer instanceof Error) throw answer
    const { status, headers = {}, body = {} } = answer
    return { status, header: (name) => headers[name] ?? null, body }
  }
  const accessToken = {
    get: async () => `token-${tokens}`,
    forget: (token: string) => {
      if (token === `token-${tokens}`) tokens += 1
    },
  }
  return { call: createCall({ transport, accessToken }), sent }
}

const get = { method: 'GET', url: 'https://service.example/v1/x', timeoutMs: 20_000, answer: z.unknown() } as const
const post = { ...get, method: 'POST', body: { a: 1 } } as const
const keyed = { ...post, idempotencyKey: 'key-1' } as const
const failureOf = (answer: Promise<unknown>) => answer.then(() => null).catch((error) => error)

describe('a request that is still being worked on', () => {
  test('is asked for five times more, a second apart, under its key', async () => {
    const { call, sent } = callOver({ status: 409 })
    expect(await failureOf(call(keyed))).toBeInstanceOf(InProgressError)
    expect([sent.length, waitsMs]).toEqual([6, [1_000, 1_000, 1_000, 1_000, 1_000]])
  })

  test.each([
    ['without a key', post],
    ['without a second left', { ...keyed, timeoutMs: 1_000 }],
  ])('is not asked for again %s', async (_what, asked) => {
    const { call, sent } = callOver({ status: 409 })
    expect(await failureOf(call(asked))).toBeInstanceOf(InProgressError)
    expect([sent.length, waitsMs]).toEqual([1, []])
  })
})

describe('a service that restarts', () => {
  test.each([
    ['says nothing: a second, twice', 503, undefined, [1_000, 1_000]],
    ['a gateway says it', 502, undefined, [1_000, 1_000]],
    ['a gateway that waited in vain says it', 504, undefined, [1_000, 1_000]],
    ['says at once', 503, '0', [0, 0]],
    ['says five seconds', 503, '5', [5_000, 5_000]],
    ['says more than a caller waits for', 503, '6', []],
    ['is broken instead', 500, undefined, []],
  ])('%s', async (_what, status, retryAfter, expected) => {
    const { call, sent } = callOver({ status, headers: retryAfter === undefined ? {} : { 'Retry-After': retryAfter } })
    expect(await failureOf(call(get))).toBeInstanceOf(UnavailableError)
    expect([sent.length, waitsMs]).toEqual([expected.length + 1, expected])
  })

  test.each([
    ['a code, which might count twice', post],
    ['what has no time left', { ...get, timeoutMs: 1_000 }],
  ])('is not asked again for %s', async (_what, asked) => {
    const { call, sent } = callOver({ status: 503 })
    await failureOf(call(asked))
    expect([sent.length, waitsMs]).toEqual([1, []])
  })

  test('and is back gives its answer', async () => {
    const { call } = callOver({ status: 503 }, { status: 409 }, { status: 200, body: { a: 1 } })
    expect((await call(keyed)).value).toEqual({ a: 1 })
    expect(waitsMs).toEqual([1_000, 1_000])
  })
})

describe('a line that breaks', () => {
  const cut = new NoAnswer(new Error('socket hang up'))
  const refused = new NoAnswer(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
  const late = new NoAnswer(new DOMException('took too long', 'TimeoutError'))
  test.each([
    ['is tried once more for what may be repeated', keyed, cut, 2],
    ['and for reading', get, cut, 2],
    ['and for what was not sent', post, refused, 2],
    ['but not for what may have counted', post, cut, 1],
    ['nor when the time is over', get, late, 1],
  ])('%s', async (_what, asked, error, times) => {
    const { call, sent } = callOver(error)
    expect(await failureOf(call(asked))).toBeInstanceOf(UnavailableError)
    expect(sent).toHaveLength(times)
  })

  test('with a mistake of ours is that mistake, at once', async () => {
    const mistake = new RangeError('index')
    const { call, sent } = callOver(mistake)
    expect(await failureOf(call(get))).toBe(mistake)
    expect(sent).toHaveLength(1)
  })
})

test('a token that is refused is renewed once', async () => {
  const { call, sent } = callOver({ status: 401 })
  expect(await failureOf(call(post))).toMatchObject({ name: 'CredentialsError', status: 401 })
  expect(sent.map(({ headers }) => headers.Authorization)).toEqual(['Bearer token-1', 'Bearer token-2'])
})

test('of headers there are these and no others', async () => {
  const { call, sent } = callOver({ status: 200 })
  await call(get)
  await call({ ...keyed, mayDiffer: ['ipAddress', 'sessionId'], owner: 'owner-1', trace: { 'X-Request-Id': 'edge-1' } })
  const usual = { Accept: 'application/json', Authorization: 'Bearer token-1', 'User-Agent': expect.any(String) }
  expect(sent.map(({ headers }) => headers)).toStrictEqual([
    usual,
    {
      ...usual,
      'Content-Type': 'application/json',
      'Idempotency-Key': 'key-1',
      'Idempotency-Ignore': 'ipAddress, sessionId',
      'Idempotency-Owner': 'owner-1',
      'X-Request-Id': 'edge-1',
    },
  ])
  expect(sent.map((asked) => ('body' in asked ? asked.body : 'none'))).toEqual(['none', '{"a":1}'])
  expect(sent.every(({ timeoutMs }) => timeoutMs > 0 && timeoutMs <= 20_000)).toBe(true)
})

describe('an answer', () => {
  test.each([
    [{}, { expiresInSeconds: null, isReplayed: false, requestId: undefined }],
    [{ 'X-Challenge-Expires-In': '300' }, { expiresInSeconds: 300 }],
    [{ 'X-Challenge-Expires-In': '3601' }, { expiresInSeconds: 3_600 }],
    [{ 'Idempotent-Replayed': 'true' }, { isReplayed: true }],
    [{ 'Idempotent-Replayed': 'false' }, { isReplayed: false }],
    [{ 'X-Request-Id': 'request-1' }, { requestId: 'request-1' }],
    [{ 'X-Request-Id': 'two words' }, { requestId: undefined }],
    [{ 'X-Request-Id': 'x'.repeat(129) }, { requestId: undefined }],
  ])('with %j', async (headers, expected) => {
    const { call } = callOver({ status: 200, headers: Object.fromEntries(Object.entries(headers)) })
    expect(await call(get)).toMatchObject({ value: {}, ...expected })
  })

  test('may be nothing at all, where nothing is agreed', async () => {
    expect((await callOver({ status: 204, body: null }).call(get)).value).toBeNull()
  })

  test.each([201, 302])('of %i is none', async (status) => {
    expect(await failureOf(callOver({ status }).call(get))).toMatchObject({ name: 'UnavailableError', status })
  })

  test('that is not as agreed names the request for support', async () => {
    const { call } = callOver({ status: 200, headers: { 'X-Request-Id': 'request-1' } })
    expect(await failureOf(call({ ...get, answer: z.object({ a: z.string() }) }))).toMatchObject({
      code: 'unavailable',
      message: 'the service did not answer as agreed',
      status: 200,
      requestId: 'request-1',
      reason: 'unexpected-answer',
    })
  })
})
