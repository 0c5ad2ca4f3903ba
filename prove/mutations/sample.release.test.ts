import { expect, test } from 'vitest'
import { countDown, isAdult } from './sample.ts'

test('adults are eighteen', () => {
  expect([17, 18, 0].map(isAdult)).toEqual([false, true, false])
})

test('a count ends', () => {
  expect(countDown(3)).toBe(0)
})
