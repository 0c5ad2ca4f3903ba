import { describe, expect, test } from 'vitest'
import type { ErrorCode } from '../../contract/error.ts'
import { TokenError } from './access-token.ts'
import { CredentialsError, errorFor, errorWithout, UnavailableError, wholeSeconds } from './errors.ts'
import { NoAnswer } from './transport.ts'

test.each([
  ['0', 0],
  ['7', 7],
  ['60', 60],
  ['61', 60],
  ['999999999', 60],
  ['1000000000', null],
  ['-1', null],
  ['1.5', null],
  ['Wed, 21 Oct 2026 07:28:00 GMT', null],
  ['', null],
  [null, null],
])('a header that says %j counts as %j seconds of 60 at most', (value, seconds) => {
  expect(wholeSeconds(value, 60)).toBe(seconds)
})

function received(status: number, body: unknown, headers: { [name: string]: string } = {}) {
  return { status, body, requestId: 'request-1', header: (name: string) => headers[name] ?? null }
}

describe('the error of an answer', () => {
  test('says everything that the service said', () => {
    const said = { code: 'rate-limited', message: 'slower' }
    expect(errorFor(received(429, said, { 'Retry-After': '7' }))).toMatchObject({
      ...said,
      name: 'RateLimitedError',
      status: 429,
      requestId: 'request-1',
      retryAfterSeconds: 7,
    })
  })

  test.each([
    ['a day', '86400', 86_400],
    ['a day at most', '86401', 86_400],
    ['nothing', '', undefined],
  ])('asks for %s of patience', (_what, value, seconds) => {
    const error = errorFor(received(503, {}, { 'Retry-After': value }))
    expect(error.retryAfterSeconds).toBe(seconds)
  })

  test.each([
    [429, { code: 'rate-limited' }, 'rate-limited', 'the service answered 429', undefined],
    [499, null, 'internal-error', 'the service answered 499', 'unexpected-answer'],
    [500, '<html>', 'internal-error', 'the service answered 500', 'service-error'],
    [413, null, 'internal-error', 'the service answered 413', 'unexpected-answer'],
    [413, { code: 'payload-too-large', message: 'x' }, 'payload-too-large', 'x', 'unexpected-answer'],
    [503, { code: 'unavailable', message: 'x' }, 'unavailable', 'x', 'service-error'],
  ] satisfies [number, unknown, ErrorCode, string, string | undefined][])(
    'of %i with %j has the code %s',
    (status, body, code, message, reason) => {
      const error = errorFor(received(status, body))
      expect([error.code, error.message]).toEqual([code, message])
      expect(error instanceof UnavailableError ? error.reason : undefined).toBe(reason)
    },
  )
})

describe('the error of a call that was not answered', () => {
  const timedOut = new NoAnswer(new DOMException('took too long', 'TimeoutError'))
  const cut = new NoAnswer(new Error('socket hang up'))

  test.each([
    ['a line that was cut', cut, 'unreachable', undefined],
    ['a service that is too slow', timedOut, 'timed-out', undefined],
    [
      'a slow one that was asked for a token',
      new TokenError({ isRefused: false, cause: timedOut }),
      'timed-out',
      undefined,
    ],
    ['a cut line to where tokens are', new TokenError({ isRefused: false, cause: cut }), 'unreachable', undefined],
    ['a token that is rationed', new TokenError({ isRefused: false, status: 429 }), 'rate-limited', 429],
    ['a token that fails', new TokenError({ isRefused: false, status: 500 }), 'service-error', 500],
    ['a page instead of a token', new TokenError({ isRefused: false, status: 499 }), 'unexpected-answer', 499],
  ])('%s', (_what, cause, reason, status) => {
    const error = errorWithout(cause)
    expect(error).toBeInstanceOf(UnavailableError)
    expect(error).toMatchObject({ code: 'unavailable', message: cause.message, reason, status, cause })
  })

  test('credentials that were refused are the caller’s to fix', () => {
    const cause = new TokenError({ isRefused: true, status: 401 })
    const error = errorWithout(cause)
    expect(error).toBeInstanceOf(CredentialsError)
    expect(error).toMatchObject({ code: 'unauthorized', status: 401, isWithoutToken: true, cause })
  })

  test('a mistake of ours stays one', () => {
    const mistake = new TypeError('undefined is not a function')
    expect(errorWithout(mistake)).toBe(mistake)
  })
})
