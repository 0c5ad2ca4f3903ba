import { expect, test } from 'vitest'
import { countDown, isAdult, isLong } from './sample.ts'

test('adults are eighteen', () => {
  expect([17, 18, 0].map(isAdult)).toEqual([false, true, false])
})

test('says something about a text', () => {
  expect([true, false, undefined]).toContain(isLong('text'))
})

test('a count ends', () => {
  expect(countDown(3)).toBe(0)
})
