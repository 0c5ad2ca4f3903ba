import { describe, expect, test } from 'vitest'
import { type IdempotencyKey, inProgress, readIdempotencyKey, requireSameBody } from './idempotency-key.ts'

const newest = new Uint8Array(32).fill(1)
const older = new Uint8Array(32).fill(2)
const asked = { tenantId: 'acme', operation: 'generate', body: { firstName: 'Sam' } }

type Headers = { [name: string]: string }
function keyOf(headers: Headers, given: Partial<typeof asked> & { body?: unknown } = {}): IdempotencyKey | null {
  const request = new Request('https://service.example/', { headers })
  return readIdempotencyKey(request, [newest], { ...asked, ...given })
}

function read(headers: Headers, given: Parameters<typeof keyOf>[1] = {}): IdempotencyKey {
  return keyOf({ 'Idempotency-Key': 'key-1', ...headers }, given) ?? expect.fail('no key')
}

test('a request without a key has none', () => {
  expect(keyOf({})).toBeNull()
  expect(keyOf({ 'Idempotency-Owner': 'two words' })).toBeNull()
})

describe('a key', () => {
  const tooLong = 'must be 1 to 255 visible ASCII characters'
  test.each(['!', '~', 'a', 'x'.repeat(255)])('may be %j', (given) => {
    expect(keyOf({ 'Idempotency-Key': given })).toMatchObject({ older: [] })
    expect(read({ 'Idempotency-Owner': given })).toMatchObject({ older: [] })
  })

  test.each(['', 'a b', '\x7f', 'é', 'x'.repeat(256)])('may not be %j, nor may its owner', (given) => {
    expect(() => keyOf({ 'Idempotency-Key': given })).toThrow(`Idempotency-Key: ${tooLong}`)
    expect(() => read({ 'Idempotency-Owner': given })).toThrow(`Idempotency-Owner: ${tooLong}`)
  })

  test.each<[string, Headers, Parameters<typeof keyOf>[1], (keyof IdempotencyKey)[]]>([
    ['the same request', {}, {}, []],
    ['another key', { 'Idempotency-Key': 'key-2' }, {}, ['scope']],
    ['another lender', {}, { tenantId: 'other' }, ['scope']],
    ['another operation', {}, { operation: 'resend' }, ['scope']],
    ['another body', {}, { body: { firstName: 'Kim' } }, ['fingerprint']],
    ['an owner', { 'Idempotency-Owner': 'browser' }, {}, ['fingerprint']],
    ['a field that is ignored', { 'Idempotency-Ignore': 'sessionId' }, {}, ['fingerprint']],
  ])('changes with %s where it should', (_what, headers, given, differing) => {
    const [one, other] = [read({}), read(headers, given)]
    const names = ['scope', 'fingerprint'] as const
    expect(names.filter((name) => one[name] !== other[name])).toEqual(differing)
  })

  test('shows nothing of the request, and is known by every secret there is', () => {
    const request = new Request('https://service.example/', { headers: { 'Idempotency-Key': 'key-1' } })
    const key = readIdempotencyKey(request, [newest, older], asked) ?? expect.fail('no key')
    const [before, ...others] = key.older
    expect(others).toEqual([])
    expect(key).toMatchObject({ ...read({}), older: [before] })
    expect(before).toEqual({ scope: expect.any(String), fingerprint: expect.any(String) })
    const names = [key, before].flatMap((each) => [each?.scope, each?.fingerprint])
    expect(new Set(names).size).toBe(4)
    expect(names.join()).not.toMatch(/acme|Sam|key-1/)
  })
})

describe('what a repeat must have in common', () => {
  const body = { firstName: 'Sam', sessionId: 'one', ipAddress: '203.0.113.7', addresses: [{ postcode: 'M1 1AE' }] }
  const printOf = (names: string, changes: object = {}) =>
    read({ 'Idempotency-Ignore': names }, { body: { ...body, ...changes } as typeof asked.body }).fingerprint

  test('is all that is not ignored, in whatever order it is ignored', () => {
    const first = printOf('sessionId, ipAddress')
    expect(printOf(' ipAddress ,sessionId', { sessionId: 'two', ipAddress: '198.51.100.1' })).toBe(first)
    expect(printOf('sessionId, ipAddress', { firstName: 'Kim' })).not.toBe(first)
    expect(printOf('sessionId, ipAddress', { addresses: [] })).not.toBe(first)
    expect(printOf('sessionId', { sessionId: 'two' })).not.toBe(first)
  })

  test.each(['', 'firstName', 'sessionId,', 'sessionId, addresses', 'SessionId'])(
    'nothing is ignored by %j',
    (names) => {
      const expected = 'Idempotency-Ignore: may name ipAddress, sessionId, externalReference and nothing else'
      expect(() => printOf(names)).toThrow(expected)
    },
  )
})

describe('a key that was used', () => {
  const key: IdempotencyKey = { scope: 's', fingerprint: 'now', older: [{ scope: 's2', fingerprint: 'before' }] }

  test.each(['now', 'before'])('with the same body, as any secret knows it, is used again (%s)', (fingerprint) => {
    expect(() => requireSameBody({ fingerprint }, key)).not.toThrow()
  })

  test('with another body is refused, and says so in a header', () => {
    const reuse = () => requireSameBody({ fingerprint: 'other' }, key)
    expect(reuse).toThrow('Idempotency-Key: was used with another body; use a new key')
    expect(reuse).toThrow(expect.objectContaining({ headers: { 'Idempotency-Key-Reused': 'true' } }))
  })

  test('and is in progress is to be asked about in a second', () => {
    expect(inProgress()).toMatchObject({ code: 'request-in-progress', headers: { 'Retry-After': '1' } })
    expect(inProgress().message).toBe('a request with this Idempotency-Key is still in progress; ask again shortly')
  })
})
