import { expect, test, vi } from 'vitest'
import { readCapped } from '../kit/json-body.ts'
import { BodyStalled, inTime, startPatience } from './patience.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

test('a stream that stalls is given up and cancelled', async () => {
  const cancel = vi.fn()
  const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(bytes('one')), cancel })
  await expect(readCapped(inTime(body, { idleMs: 20, wholeMs: 60_000 }), 100)).rejects.toBeInstanceOf(BodyStalled)
  expect(cancel).toHaveBeenCalled()
})

test('a stream that ends is read whole', async () => {
  const body = new Blob(['one', 'two']).stream()
  expect(Buffer.from(await readCapped(inTime(body), 100)).toString()).toBe('onetwo')
})

test('time runs anew with each byte, and not for ever', () => {
  vi.useFakeTimers()
  const over = vi.fn()
  const waiting = startPatience(over, { idleMs: 5_000, wholeMs: 30_000 })
  for (let second = 0; second < 29; second += 1) {
    vi.advanceTimersByTime(1_000)
    waiting.moved()
  }
  expect(over).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1_000)
  expect(over).toHaveBeenCalledOnce()
  vi.useRealTimers()
})
