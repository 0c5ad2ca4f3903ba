import { expect, test } from 'vitest'
import { createAddressLimit } from './address-limit.ts'

function limited(usesMax: number) {
  const { take } = createAddressLimit({ usesMax, windowMs: 60_000, clock: () => 1_000_000 })
  /** How many of these addresses got through. */
  return (addresses: readonly string[], scope?: string) =>
    addresses.filter((address) => take(address, scope) === 0).length
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

test('scopes are counted apart', () => {
  const allowed = limited(1)
  expect(allowed(['203.0.113.7'], 'one')).toBe(1)
  expect(allowed(['203.0.113.7'], 'other')).toBe(1)
  expect(allowed(['203.0.113.7'], 'one')).toBe(0)
})
