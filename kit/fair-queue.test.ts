import { expect, test } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

test('one of each lane in turn, each lane in its own order, whatever the size of the bites', () => {
  for (const bite of [1, 2, 7]) {
    const queue = createFairQueue<string>()
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.push(item.charAt(0), item)
    const taken: string[] = []
    while (queue.size() > 0) taken.push(...queue.take(bite))
    expect(taken).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3'])
  }
})

test('one that goes away is not served, and cannot go twice', () => {
  const queue = createFairQueue<string>()
  for (const item of ['a1', 'a2']) queue.push('a', item)
  expect([queue.remove('a', 'a1'), queue.remove('a', 'a1'), queue.remove('b', 'a2'), queue.size()]).toEqual([
    true,
    false,
    false,
    1,
  ])
  expect(queue.take(5)).toEqual(['a2'])
})
