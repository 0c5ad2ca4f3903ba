import { expect, test } from 'vitest'
import { chooseEncoding, matchesEtag } from './headers.ts'

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['br;q=0.1, gzip;q=1', 'br'],
  ['deflate', 'identity'],
  ['gzip, br;q=0', 'gzip'],
  ['gzip;q=0, br; q = 0.000', 'identity'],
  ['BR ; Q=0.5, gzip', 'br'],
  ['gzip;q=wrong', 'identity'],
  [`br${' '.repeat(15_500)}x`, 'br'],
  [`${'x,'.repeat(600)}br`, 'identity'],
])('%s', (header, encoding) => {
  expect(chooseEncoding(header)).toBe(encoding)
})

test.each([
  [null, false],
  ['"a"', true],
  ['"b"', false],
  ['"b", W/"a"', true],
  ['*', true],
])('If-None-Match: %s', (ifNoneMatch, isKnown) => {
  expect(matchesEtag(ifNoneMatch, '"a"')).toBe(isKnown)
})
