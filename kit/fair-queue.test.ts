import { expect, test } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

test('one of each lane in turn, each lane in its own order, whatever the size of the bites', () => {
  for (const bite of [1, 2, 7]) {
    const queue = createFairQueue<string>()
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.push(item.charAt(0), item)
    const taken: string[] = []
    for (let left = 6; left > 0; left -= bite) {
      expect(queue.size()).toBe(left)
      taken.push(...queue.take(bite))
    }
    expect(queue.size()).toBe(0)
    expect(taken).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3'])
  }
})
