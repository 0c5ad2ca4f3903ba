import { expect, test } from 'vitest'
import { createBuckets, createCounter, takeForAddress } from './limits.ts'

function limited(usesMax: number) {
  const counter = createCounter({ windowMs: 60_000, clock: () => 1_000_000 })
  const widths = [usesMax, 4 * usesMax, 16 * usesMax]
  /** The number of these addresses that were let through. */
  return (addresses: readonly string[], scope?: string) =>
    addresses.filter((address) => takeForAddress(counter, address, widths, scope) === 0).length
}

const times = (count: number, address: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => address(at))

test.each<[string, (index: number) => string, number]>([
  ['one IPv4 address', () => '203.0.113.7', 2],
  ['an IPv4 address as a dual-stack socket writes it', (at) => (at % 2 ? '203.0.113.7' : '::ffff:203.0.113.7'), 2],
  ['one /64', (at) => `2001:db8:1:1::${at}`, 2],
  ['all /64s of one /56', (at) => `2001:db8:1:${(0x100 + at).toString(16)}::1`, 8],
  ['all /56s of one /48', (at) => `2001:db8:1:${(at * 0x100).toString(16)}::1`, 32],
  ['many /48s', (at) => `2001:db8:${at.toString(16)}::1`, 200],
])('%s', (_who, address, allowed) => {
  expect(limited(2)(times(200, address))).toBe(allowed)
})

test('a home that has used up its own takes nothing from its neighbours', () => {
  const allowed = limited(2)
  expect(allowed(times(200, () => '2001:db8:1:1::1'))).toBe(2)
  expect(allowed(['2001:db8:1:2::1'])).toBe(1)
})

test('a network around the home without a number of its own gets nothing', () => {
  const counter = createCounter({ windowMs: 60_000, clock: () => 1_000_000 })
  expect(takeForAddress(counter, '2001:db8:1:1::1', [5])).toBe(60)
  expect(takeForAddress(counter, '203.0.113.7', [5])).toBe(0)
})

test('scopes are counted apart', () => {
  const allowed = limited(1)
  expect(allowed(['203.0.113.7'], 'one')).toBe(1)
  expect(allowed(['203.0.113.7'], 'other')).toBe(1)
  expect(allowed(['203.0.113.7'], 'one')).toBe(0)
})

test('one use too many gets the seconds to wait, the last one included', () => {
  const time = { nowMs: 1_000_000 }
  const counter = createCounter({ windowMs: 60_000, clock: () => time.nowMs })
  const take = (address: string) => takeForAddress(counter, address, [1, 4, 16])
  expect(take('203.0.113.7')).toBe(0)
  expect(take('203.0.113.7')).toBe(60)
  time.nowMs += 59_500
  expect(take('203.0.113.7')).toBe(1)
})

function limitOf(usesMax: number) {
  const time = { nowMs: 1_000_000 }
  const counter = createCounter({ windowMs: 60_000, clock: () => time.nowMs })
  return { time, counter, limit: (key: string) => counter.take(key, usesMax) }
}

test('so many uses in any stretch of time, then the seconds until the oldest is over', () => {
  const { time, limit } = limitOf(2)
  expect(limit('a')).toBe(0)
  time.nowMs += 10_000
  expect(limit('a')).toBe(0)
  expect(limit('a')).toBe(50)
  time.nowMs += 49_999
  expect(limit('a')).toBe(1)
  time.nowMs += 1
  expect(limit('a')).toBe(0)
  expect(limit('a')).toBe(10)
})

test('a refusal does not make the wait longer', () => {
  const { time, limit } = limitOf(1)
  limit('a')
  for (let times = 0; times < 5; times += 1) expect(limit('a')).toBe(60)
  time.nowMs += 60_000
  expect(limit('a')).toBe(0)
})

test('each key counts for itself', () => {
  const { limit } = limitOf(1)
  expect(limit('a')).toBe(0)
  expect(limit('b')).toBe(0)
})

test('a clock that is set back locks no key out', () => {
  const { time, limit } = limitOf(1)
  limit('a')
  time.nowMs -= 3_600_000
  expect(limit('a')).toBe(0)
})

test('a flood of keys is forgotten oldest first, and memory stays bounded', () => {
  const { limit } = limitOf(1)
  limit('first')
  for (let index = 0; index < 10_000; index += 1) limit(`key-${index}`)
  expect(limit('key-9999')).toBe(60)
  expect(limit('first')).toBe(0)
})

test('a limit of none lets nothing through', () => {
  expect(limitOf(0).limit('a')).toBe(60)
})

test('reading the wait counts nothing, and a forgotten key starts again', () => {
  const { time, counter, limit } = limitOf(1)
  expect([counter.waitSeconds('a', 1), counter.waitSeconds('a', 1)]).toEqual([0, 0])
  limit('a')
  time.nowMs += 1_001
  expect(counter.waitSeconds('a', 1)).toBe(59)
  counter.forget('a')
  expect(counter.waitSeconds('a', 1)).toBe(0)
})

test('a bucket gives what a minute holds at once, then as much a minute, and never more than a minute’s', () => {
  const time = { nowMs: 1_000_000 }
  const take = createBuckets(4, () => time.nowMs)
  const takeMany = (count: number) => Array.from({ length: count }, () => take('a'))
  expect(takeMany(5)).toEqual([null, null, null, null, 15])
  // A refusal takes nothing.
  time.nowMs += 7_500
  expect(takeMany(2)).toEqual([8, 8])
  time.nowMs += 7_500
  expect(takeMany(2)).toEqual([null, 15])
  expect(take('b')).toBeNull()
  time.nowMs += 600_000
  expect(takeMany(5)).toEqual([null, null, null, null, 15])
})

test('a clock that is set back neither fills a bucket nor empties it', () => {
  const time = { nowMs: 1_000_000 }
  const take = createBuckets(2, () => time.nowMs)
  take('a')
  time.nowMs -= 60_000
  expect(take('a')).toBeNull()
  expect(take('a')).toBe(30)
})

test('a bucket does not fill while its clock stands still', () => {
  const take = createBuckets(60_000, () => 1_000_000)
  for (let time = 0; time < 60_000; time += 1) take('a')
  expect(take('a')).toBe(1)
})
