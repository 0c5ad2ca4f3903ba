import { expect, test } from 'vitest'
import { createBackOff } from './back-off.ts'

function afterFailures(count: number) {
  const time = { nowMs: 1_000_000 }
  const backOff = createBackOff(() => time.nowMs)
  for (let failures = 0; failures < count; failures += 1) backOff.failed('key')
  return { backOff, time, wait: () => backOff.waitSeconds('key') }
}

test('nine failures are free, ten cost the rest of the minute', () => {
  expect(afterFailures(9).wait()).toBeNull()
  const { backOff, time, wait } = afterFailures(10)
  expect(wait()).toBe(60)
  expect(backOff.waitSeconds('another')).toBeNull()
  time.nowMs += 1_001
  expect(wait()).toBe(59)
  time.nowMs += 58_998
  expect(wait()).toBe(1)
  time.nowMs += 1
  expect(wait()).toBeNull()
})

test('the minute begins with the first failure, and the next minute counts anew', () => {
  const { backOff, time, wait } = afterFailures(9)
  time.nowMs += 59_999
  backOff.failed('key')
  expect(wait()).toBe(1)
  time.nowMs += 1
  backOff.failed('key')
  expect(wait()).toBeNull()
})

test('a success forgets the failures', () => {
  const { backOff, wait } = afterFailures(10)
  backOff.succeeded('key')
  expect(wait()).toBeNull()
})

test('a clock that is set back locks nobody out', () => {
  const { time, wait } = afterFailures(10)
  time.nowMs -= 1
  expect(wait()).toBeNull()
})
