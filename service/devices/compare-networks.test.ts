import { expect, test } from 'vitest'
import { compareNetworks } from './compare-networks.ts'

test.each([
  ['4:home', '4:home', 'same'],
  ['4:home', '4:work', 'other'],
  ['6:home', '4:home', 'unknown'],
  [null, '4:home', 'unknown'],
  ['4:home', null, 'unknown'],
] as const)('%s and %s: %s', (seen, shown, expected) => {
  expect(compareNetworks(seen, shown)).toBe(expected)
})
