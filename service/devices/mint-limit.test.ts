import { expect, test } from 'vitest'
import { createMintLimit } from './routes.ts'

const HOME = '203.0.113.1'
const NEIGHBOUR = '203.0.113.200'
const ELSEWHERE = '198.51.100.1'

function limited(perMinute: number) {
  let nowMs = 1_000_000
  const limit = createMintLimit(() => nowMs, perMinute)
  return { limit, passSeconds: (seconds: number) => (nowMs += seconds * 1000) }
}

test('an address gets as many sessions as a minute holds, and its neighbours keep theirs', () => {
  const { limit } = limited(3)
  expect([limit(HOME), limit(HOME), limit(HOME)]).toEqual([null, null, null])
  expect(limit(HOME)).toBe(20)
  expect(limit(NEIGHBOUR)).toBeNull()
  expect(limit(ELSEWHERE)).toBeNull()
})

test('a network gets ten times as many, and then reads how long to wait', () => {
  const { limit } = limited(3)
  const network = Array.from({ length: 31 }, (_, index) => limit(`203.0.113.${index}`))
  expect(network.filter((wait) => wait === null)).toHaveLength(30)
  expect(network.at(-1)).toBe(2)
  expect(limit(ELSEWHERE)).toBeNull()
})

test('after the wait it gets exactly one more', () => {
  const { limit, passSeconds } = limited(3)
  for (let count = 0; count < 3; count++) limit(HOME)
  passSeconds(19.9)
  expect(limit(HOME)).toBe(1)
  passSeconds(0.1)
  expect(limit(HOME)).toBeNull()
  expect(limit(HOME)).toBe(20)
})

test('a quiet hour saves up no more than one minute', () => {
  const { limit, passSeconds } = limited(2)
  limit(HOME)
  passSeconds(3600)
  expect([limit(HOME), limit(HOME)]).toEqual([null, null])
  expect(limit(HOME)).not.toBeNull()
})

test('a clock that is set back takes nothing away', () => {
  const { limit, passSeconds } = limited(2)
  limit(HOME)
  passSeconds(-3600)
  expect(limit(HOME)).toBeNull()
})

test('requests without an address share one allowance', () => {
  const { limit } = limited(1)
  expect(limit(null)).toBeNull()
  expect(limit('rubbish')).not.toBeNull()
})

test('a flood from many networks does not make it remember them all', () => {
  const { limit } = limited(1)
  limit(HOME)
  for (let network = 0; network < 10_000; network++) limit(`10.${network >> 8}.${network & 255}.1`)
  // Forgotten, so it may begin again.
  expect(limit(HOME)).toBeNull()
})

test('without another limit it is six hundred a minute', () => {
  const limit = createMintLimit(() => 1_000_000)
  const waits = Array.from({ length: 601 }, () => limit(HOME))
  expect(waits.filter((wait) => wait === null)).toHaveLength(600)
  expect(waits.at(-1)).toBe(1)
})

test('what an address may no longer do is not taken from its network', () => {
  const { limit } = limited(1)
  for (let count = 0; count < 20; count += 1) limit(HOME)
  const neighbours = Array.from({ length: 9 }, (_, index) => limit(`203.0.113.${100 + index}`))
  expect(neighbours).toEqual(Array(9).fill(null))
  expect(limit(NEIGHBOUR)).not.toBeNull()
})
