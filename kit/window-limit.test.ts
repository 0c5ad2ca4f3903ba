import { expect, test } from 'vitest'
import { createWindowLimit } from './window-limit.ts'

function limitOf(usesMax: number) {
  const time = { nowMs: 1_000_000 }
  return { time, limit: createWindowLimit({ usesMax, windowMs: 60_000, clock: () => time.nowMs }) }
}

test('so many uses in any stretch of time, then the seconds until the oldest is over', () => {
  const { time, limit } = limitOf(2)
  expect(limit.take('a')).toBe(0)
  time.nowMs += 10_000
  expect(limit.take('a')).toBe(0)
  expect(limit.take('a')).toBe(50)
  time.nowMs += 49_999
  expect(limit.take('a')).toBe(1)
  time.nowMs += 1
  expect(limit.take('a')).toBe(0)
  expect(limit.take('a')).toBe(10)
})

test('a refusal does not make the wait longer', () => {
  const { time, limit } = limitOf(1)
  limit.take('a')
  for (let times = 0; times < 5; times += 1) expect(limit.take('a')).toBe(60)
  time.nowMs += 60_000
  expect(limit.take('a')).toBe(0)
})

test('each key counts for itself', () => {
  const { limit } = limitOf(1)
  expect(limit.take('a')).toBe(0)
  expect(limit.take('b')).toBe(0)
})

test('a clock that is set back locks nobody out', () => {
  const { time, limit } = limitOf(1)
  limit.take('a')
  time.nowMs -= 3_600_000
  expect(limit.take('a')).toBe(0)
})

test('a flood of keys is forgotten oldest first, and memory stays bounded', () => {
  const { limit } = limitOf(1)
  limit.take('first')
  for (let index = 0; index < 10_000; index += 1) limit.take(`key-${index}`)
  expect(limit.take('key-9999')).toBe(60)
  expect(limit.take('first')).toBe(0)
})

test('a limit of none lets nothing through', () => {
  expect(limitOf(0).limit.take('a')).toBe(60)
})
