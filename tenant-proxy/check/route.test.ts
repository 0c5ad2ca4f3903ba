import { describe, expect, test } from 'vitest'
import { findPlace, isIdentifier, requireMethod } from './route.ts'

const MOUNT = '/credit-reports'
const answer = async () => ({ body: null })
const extras = [{}, { routes: [{ path: '/current/open', methods: ['POST'], answer }] }]
const placeOf = (path: string, testScenarios = false) => findPlace(path, { path: MOUNT, testScenarios, extras })

describe('where a path leads', () => {
  test.each([
    ['/credit-reports', { to: 'generate' }],
    ['/credit-reports/', { to: 'generate' }],
    ['/credit-reports/current', { to: 'current' }],
    ['/credit-reports/current/', { to: 'current' }],
    ['/credit-reports/r-1/otp-challenge/', { to: 'otp-challenge', creditReportId: 'r-1' }],
    ['/credit-reports/r-1/otp-challenge', { to: 'otp-challenge', creditReportId: 'r-1' }],
    ['/credit-reports/r-1/resend-sms', { to: 'resend-sms', creditReportId: 'r-1' }],
    ['/credit-reports/widget.js', { to: 'file', name: 'widget.js' }],
    ['/credit-reports/report.Ab3_-9xQ.js', { to: 'file', name: 'report.Ab3_-9xQ.js' }],
    ['/credit-reports/manifest.json', { to: 'file', name: 'manifest.json' }],
  ])('%s', (path, route) => {
    expect(placeOf(path)).toEqual({ subPath: '', route })
  })

  test.each(['', '/'])('what an extra answers, with "%s" at the end', (slash) => {
    const route = { to: 'extra', methods: ['POST'], answer }
    expect(placeOf(`/credit-reports/current/open${slash}`)).toEqual({ subPath: '', route })
  })

  test.each([
    '/credit-reports//',
    '/credit-reports/current//',
    '/credit-reports/widget.js/',
    '/credit-reports/r-1',
    '/credit-reports//otp-challenge',
    '/credit-reports/../otp-challenge',
    '/credit-reports/./otp-challenge',
    '/credit-reports/..%2f..%2fv1/otp-challenge',
    '/credit-reports/%2e%2e/otp-challenge',
    '/credit-reports/r;1/otp-challenge',
    '/credit-reports/r@evil.example/otp-challenge',
    '/credit-reports/r%00/otp-challenge',
    `/credit-reports/${'r'.repeat(201)}/otp-challenge`,
    '/credit-reports/.js',
    '/credit-reports/..js',
    '/credit-reports/widget.js.map',
    '/credit-reports/package.json/..',
    '/credit-reports/sub/widget.js',
    '/credit-reports/..\\widget.js',
    '/credit-reports/test/allow/default/a',
  ])('%s leads nowhere', (path) => {
    expect(placeOf(path)).toEqual({ subPath: '', route: null })
  })

  test.each(['/', '/credit-report', '/credit-reportsx', '/x/credit-reports', '//credit-reports'])(
    '%s is not below the mount',
    (path) => {
      expect(placeOf(path, true)).toBeNull()
    },
  )

  test('a story below the mount', () => {
    expect(placeOf('/credit-reports/test/challenge/test004/tile-1/r-1/resend-sms', true)).toEqual({
      subPath: '/test/challenge/test004/tile-1',
      story: { branch: 'challenge', scenario: 'test004' },
      route: { to: 'resend-sms', creditReportId: 'r-1' },
    })
  })
})

test.each(['/test/dance/test004/a', '/test/allow/dance/a'])('%s is no story', (path) => {
  expect(placeOf(MOUNT + path, true)).toEqual({ subPath: '', route: null })
})

test('a route that does not answer a method says which it answers', () => {
  expect(() => requireMethod('DELETE', { to: 'current' })).not.toThrow()
  expect(() => requireMethod('PUT', { to: 'current' })).toThrow(
    expect.objectContaining({ code: 'method-not-allowed', allow: 'GET, HEAD, DELETE' }),
  )
})

test.each([
  ['r3pF7d2uQk6m0vQH1xw5Lg', true],
  ['018f6f5e-0000-7000-8000-000000000000', true],
  ['cr_1.2~3', true],
  ['', false],
  ['.', false],
  ['..', false],
  ['a/b', false],
  ['a b', false],
  ['r\n', false],
])('%s is an identifier: %s', (value, expected) => {
  expect(isIdentifier(value)).toBe(expected)
})
