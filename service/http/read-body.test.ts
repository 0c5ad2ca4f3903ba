import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readBody } from './read-body.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A body that begins and does not go on. */
function stalled(headers: { [name: string]: string } = {}): Request {
  const body = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array([1])) })
  return new Request('http://service.example', { method: 'POST', body, headers, duplex: 'half' } as RequestInit)
}

test.each([
  ['a declared length', { 'Content-Length': '9' }, 3_010],
  ['no declared length', {}, 3_020],
  ['a long body', { 'Content-Length': '65536' }, 7_010],
])('%s: a body that stalls is given up', async (_name, headers, withinMs) => {
  const refused = expect(readBody(stalled(headers), 65_536 / (withinMs === 3_020 ? 256 : 1))).rejects.toMatchObject({
    code: 'validation-error',
    message: 'body: arrived too slowly',
    headers: { Connection: 'close' },
  })
  await vi.advanceTimersByTimeAsync(withinMs)
  await refused
})

test('a long body is given more time than a short one', async () => {
  let isOver = false
  readBody(stalled({ 'Content-Length': '65536' }), 65_536).catch(() => {
    isOver = true
  })
  await vi.advanceTimersByTimeAsync(6_900)
  expect(isOver).toBe(false)
  await vi.advanceTimersByTimeAsync(200)
  expect(isOver).toBe(true)
})
