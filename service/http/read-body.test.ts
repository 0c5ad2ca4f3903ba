import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readBody } from './read-body.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A body that begins and does not go on. */
function stalled(headers: { [name: string]: string } = {}): Request {
  const body = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array([1])) })
  return new Request('http://service.example', { method: 'POST', body, headers, duplex: 'half' } as RequestInit)
}

function post(body: BodyInit | null, headers: { [name: string]: string } = {}): Request {
  return new Request('http://service.example', { method: 'POST', body, headers, duplex: 'half' } as RequestInit)
}

test.each([
  ['a short body of a declared length', { 'Content-Length': '0' }, 65_536, 3_000],
  ['a long one', { 'Content-Length': '65536' }, 65_536, 7_000],
  ['one of no declared length: as if it were the longest', {}, 16_384, 4_000],
])('%s is given up when it stalls', async (_name, headers, bytesMax, withinMs) => {
  let error: unknown = null
  readBody(stalled(headers), bytesMax).catch((reason: unknown) => {
    error = reason
  })
  await vi.advanceTimersByTimeAsync(withinMs - 1)
  expect(error).toBeNull()
  await vi.advanceTimersByTimeAsync(1)
  expect(error).toMatchObject({
    code: 'validation-error',
    message: 'body: arrived too slowly',
    headers: { Connection: 'close' },
  })
})

test.each([
  ['a declared length', { 'Content-Length': '4' }],
  ['no declared length', {}],
])('with %s, a body of as many bytes as allowed is read, and one more is refused', async (_name, headers) => {
  expect(await readBody(post('abcd', headers), 4)).toEqual(new Uint8Array(Buffer.from('abcd')))
  await expect(readBody(post('abcd', headers), 3)).rejects.toMatchObject({
    code: 'payload-too-large',
    message: 'the body must have at most 3 bytes',
  })
  // Nothing is left that would wait for the rest.
  expect(vi.getTimerCount()).toBe(0)
})

test('no body is an empty one', async () => {
  expect(await readBody(post(null), 4)).toEqual(new Uint8Array())
})

test.each([
  ['a declared length', { 'Content-Length': '9' }],
  ['no declared length', {}],
])('with %s, a body that breaks off is refused', async (_name, headers) => {
  const broken = new ReadableStream({ start: (controller) => controller.error(new Error('reset')) })
  await expect(readBody(post(broken, headers), 100)).rejects.toMatchObject({
    code: 'validation-error',
    message: 'body: ended before it was complete',
  })
})
