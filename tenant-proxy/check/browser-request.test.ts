import { describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { BODY_BYTES_MAX } from '../../contract/limits.ts'
import { BodyTaken, type Incoming } from '../exchange.ts'
import type { Settings } from '../settings.ts'
import { readIdempotencyKey, readJson, scopeKey, secondsToWait, toBrowserRequest } from './browser-request.ts'
import type { Place } from './route.ts'

const Code = z.object({ code: z.string() })
const json = (value: unknown) => Buffer.from(JSON.stringify(value))

function incoming(body: Uint8Array | Error, headers: Record<string, string> = {}): Incoming {
  const request = new Request('https://shop.example/credit-reports', { method: 'POST' })
  return {
    method: 'POST',
    url: new URL(request.url),
    headers: new Headers({ 'Content-Type': 'application/json', ...headers }),
    hostCompresses: false,
    readBody: vi.fn(async () => {
      if (body instanceof Error) throw body
      return body
    }),
    toRequest: () => request,
  }
}

describe('a body', () => {
  test('that fits gives what the schema names, and nothing else', async () => {
    expect(await readJson(incoming(json({ code: '123456', tenantId: 'other' })), Code)).toEqual({ code: '123456' })
  })

  test('may be as large as the limit', async () => {
    const largest = Buffer.from(JSON.stringify({ code: '1' }).padEnd(BODY_BYTES_MAX))
    const headers = { 'Content-Length': String(BODY_BYTES_MAX) }
    expect(await readJson(incoming(largest, headers), Code)).toEqual({ code: '1' })
  })

  test('that says it is larger is refused unread', async () => {
    const large = incoming(json({ code: '1' }), { 'Content-Length': String(BODY_BYTES_MAX + 1) })
    await expect(readJson(large, Code)).rejects.toMatchObject({ code: 'payload-too-large' })
    expect(large.readBody).not.toHaveBeenCalled()
  })

  test.each<[string, Incoming, object]>([
    [
      'that is larger without saying so',
      incoming(Buffer.from(JSON.stringify({ code: '1' }).padEnd(BODY_BYTES_MAX + 1))),
      { code: 'payload-too-large' },
    ],
    ['of another type', incoming(json({}), { 'Content-Type': 'text/plain' }), { code: 'unsupported-media-type' }],
    ['that is no JSON', incoming(Buffer.from('{')), { code: 'validation-error', message: /valid JSON/ }],
    ['that breaks off', incoming(new Error('gone')), { code: 'validation-error', message: /before it was complete/ }],
    ['that lacks something', incoming(json({})), { code: 'validation-error', message: /code/ }],
  ])('%s is refused', async (_what, given, { code, message = /./ }: { code?: string; message?: RegExp }) => {
    const refusal = await readJson(given, Code).catch((error) => error)
    expect(refusal.code).toBe(code)
    expect(refusal.message).toMatch(message)
  })

  test('that something else has taken is the lender’s mistake, not the consumer’s', async () => {
    await expect(readJson(incoming(new BodyTaken()), Code)).rejects.toBeInstanceOf(BodyTaken)
  })
})

describe('an idempotency key', () => {
  const read = (key?: string) => readIdempotencyKey(new Headers(key === undefined ? {} : { 'Idempotency-Key': key }))

  test.each(['12345678', 'k'.repeat(255)])('%s is taken as it is', (key) => {
    expect(read(key)).toBe(key)
  })

  test.each(['1234567', 'k'.repeat(256), 'key with spaces', 'clé-clé-clé'])('%s is refused', (key) => {
    expect(() => read(key)).toThrow(expect.objectContaining({ code: 'validation-error' }))
  })

  test('that is missing is made, a new one each time', () => {
    expect(read()).toMatch(/^[0-9a-f-]{36}$/)
    expect(read()).not.toBe(read())
  })

  test('becomes another one for other details', () => {
    expect(scopeKey(['key', 'a'])).toBe(scopeKey(['key', 'a']))
    expect(new Set([scopeKey(['key', 'a']), scopeKey(['key', 'b']), scopeKey(['keya', ''])]).size).toBe(3)
  })
})

test.each<[Settings['secureCookies'], string, boolean]>([
  ['unless-loopback', 'https://shop.example/credit-reports', true],
  ['unless-loopback', 'http://localhost:3000/credit-reports', false],
  [true, 'http://localhost:3000/credit-reports', true],
  [false, 'https://shop.example/credit-reports', false],
])('with secure cookies %s, those of %s are secure: %s', (secureCookies, url, isSecure) => {
  const mount = { publicPath: '/credit-reports', trustedHops: 0, origins: [], test: null }
  const settings = { ...({} as Settings), ...mount, secureCookies }
  const place = { subPath: '', route: null }
  expect(toBrowserRequest({ ...incoming(json({})), url: new URL(url) }, {}, place, settings).place).toEqual({
    path: '/credit-reports',
    origin: new URL(url).hostname,
    test: false,
    isSecure,
    isPreview: false,
  })
})

test.each<[string, { host?: string }, Partial<Settings>, Partial<Place>, object]>([
  ['its host, without port and in small letters', { host: 'SHOP.example:8443' }, {}, {}, { origin: 'shop.example' }],
  [
    'the first of `origins`',
    {},
    { origins: ['https://a.example', 'https://b.example'] },
    {},
    { origin: 'https://a.example' },
  ],
  ['the mode of the mount', {}, { test: { branch: 'allow' } }, {}, { test: true, isPreview: false }],
  [
    'a story below it, in test mode',
    {},
    {},
    { subPath: '/test/allow/default/a', story: { branch: 'block' } },
    { path: '/checks/test/allow/default/a', test: true, isPreview: true },
  ],
])('the cookies of a request belong to %s', (_what, headers, change, place, expected) => {
  const mount = { publicPath: '/checks', trustedHops: 0, origins: [], test: null, secureCookies: true as const }
  const settings = { ...({} as Settings), ...mount, ...change }
  const request = toBrowserRequest(incoming(json({}), headers), {}, { subPath: '', route: null, ...place }, settings)
  expect(request.place).toMatchObject(expected)
  expect(request.story).toEqual(place.story ?? settings.test)
})

test('a use is counted for an address that is known, and never in a preview', () => {
  const limit = () => 7
  const wait = (address: string | null, isPreview: boolean) =>
    secondsToWait(limit, { address, place: { isPreview } } as Parameters<typeof secondsToWait>[1])
  expect([wait('203.0.113.7', false), wait('203.0.113.7', true), wait(null, false)]).toEqual([7, 0, 0])
})
