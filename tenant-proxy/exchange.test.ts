import { describe, expect, test } from 'vitest'
import { BODY_BYTES_MAX } from '../contract/limits.ts'
import { Refusal } from './check/refusal.ts'
import { BodyTaken, fromRequest, json, protect, refusal, toResponse } from './exchange.ts'

describe('the body of a Request', () => {
  const given = (...chunks: string[]) => {
    let taken = 0
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const chunk = chunks[taken]
          taken += 1
          if (chunk === undefined) controller.close()
          else controller.enqueue(Buffer.from(chunk))
        },
      },
      { highWaterMark: 0 },
    )
    // The types do not know `duplex`, which a stream needs.
    const init = { method: 'POST', body, duplex: 'half' } as RequestInit
    const request = new Request('https://shop.example/credit-reports', init)
    return { request, taken: () => taken }
  }

  test('is whole, in however many pieces it comes', async () => {
    const { request } = given('one', 'two', 'three')
    expect(Buffer.from(await fromRequest(request).readBody()).toString()).toBe('onetwothree')
  })

  test('may be as large as the limit, and is left where it is beyond', async () => {
    const largest = given('x'.repeat(BODY_BYTES_MAX), 'y', 'z')
    expect(await fromRequest(largest.request).readBody()).toHaveLength(BODY_BYTES_MAX + 1)
    expect(largest.taken()).toBe(2)
  })

  test('is empty where there is none', async () => {
    expect(await fromRequest(new Request('https://shop.example/')).readBody()).toHaveLength(0)
  })

  test('cannot be read a second time', async () => {
    const { request } = given('one')
    await request.text()
    await expect(fromRequest(request).readBody()).rejects.toBeInstanceOf(BodyTaken)
  })
})

describe('an answer', () => {
  const stored = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }

  test('is JSON that is never cached', async () => {
    expect(json({ a: 1 })).toEqual({ status: 200, headers: stored, body: '{"a":1}' })
    const response = toResponse(json({ a: 1 }, 201, { 'X-B': '2' }))
    expect([response.status, response.headers.get('X-B'), await response.json()]).toEqual([201, '2', { a: 1 }])
  })

  test('that refuses says what it knows, and leaves out what it does not', () => {
    expect(refusal(new Refusal('not-found'))).toStrictEqual({
      status: 404,
      headers: stored,
      body: '{"code":"not-found","message":"There is nothing here."}',
    })
    const whole = new Refusal('rate-limited', { retryAfterSeconds: 7, allow: 'GET', requestId: 'request-1' })
    const headers = { ...stored, 'Retry-After': '7', Allow: 'GET', 'X-Request-Id': 'request-1' }
    expect(refusal(whole)).toMatchObject({ status: 429, headers })
  })

  test('is for this page alone', () => {
    expect(protect(json({}))).toEqual({
      status: 200,
      headers: {
        ...stored,
        'Cross-Origin-Resource-Policy': 'same-origin',
        'X-Content-Type-Options': 'nosniff',
        'Referrer-Policy': 'no-referrer',
        'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      },
      body: '{}',
    })
  })
})

test('the lender’s hooks get the request that came', () => {
  const request = new Request('https://shop.example/credit-reports')
  expect(fromRequest(request).toRequest()).toBe(request)
})
