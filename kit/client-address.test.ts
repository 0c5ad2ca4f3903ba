import { describe, expect, test } from 'vitest'
import { findClientAddress, readAddress } from './client-address.ts'

const SOCKET = '192.0.2.1'

type Row = [
  string,
  { trustedHops: number; headers: Record<string, string>; remoteAddress?: string | undefined },
  string | null,
]
const rows: Row[] = [
  ['without trusted hops the connection says', { trustedHops: 0, headers: {} }, SOCKET],
  [
    'without trusted hops a forwarded header is only a claim',
    { trustedHops: 0, headers: { 'X-Forwarded-For': '203.0.113.9' } },
    SOCKET,
  ],
  [
    'and so is every other header of the kind',
    {
      trustedHops: 0,
      headers: {
        Forwarded: 'for=203.0.113.9',
        'X-Real-IP': '203.0.113.9',
        'CF-Connecting-IP': '203.0.113.9',
        'True-Client-IP': '203.0.113.9',
      },
    },
    SOCKET,
  ],
  [
    'one hop: its own entry, the last',
    { trustedHops: 1, headers: { 'X-Forwarded-For': '198.51.100.66, 203.0.113.9' } },
    '203.0.113.9',
  ],
  [
    'two hops: the last but one',
    { trustedHops: 2, headers: { 'X-Forwarded-For': '198.51.100.66, 203.0.113.9, 10.0.0.2' } },
    '203.0.113.9',
  ],
  [
    'a hundred invented entries change nothing',
    { trustedHops: 1, headers: { 'X-Forwarded-For': `${'198.51.100.66, '.repeat(100)}203.0.113.9` } },
    '203.0.113.9',
  ],
  [
    'a header of megabytes is read from its right end',
    { trustedHops: 1, headers: { 'X-Forwarded-For': `${'9'.repeat(100_000)}, 203.0.113.9` } },
    '203.0.113.9',
  ],
  [
    'what is further left than any honest chain is not read',
    { trustedHops: 2, headers: { 'X-Forwarded-For': `198.51.100.66${' '.repeat(4_096)}, 203.0.113.9` } },
    '203.0.113.9',
  ],
  [
    'fewer entries than hops: the furthest a hop vouches for',
    { trustedHops: 3, headers: { 'X-Forwarded-For': '203.0.113.9' } },
    '203.0.113.9',
  ],
  ['no entry at all: the connection', { trustedHops: 1, headers: {} }, SOCKET],
  [
    'a hop that hides its peer: the next nearer address',
    { trustedHops: 2, headers: { 'X-Forwarded-For': '198.51.100.66, unknown, 10.0.0.2' } },
    '10.0.0.2',
  ],
  ['all hidden: the connection', { trustedHops: 1, headers: { 'X-Forwarded-For': '198.51.100.66, _hidden' } }, SOCKET],
  [
    'with XFF trusted, Forwarded is only a claim',
    { trustedHops: 1, headers: { Forwarded: 'for=198.51.100.66', 'X-Forwarded-For': '203.0.113.9' } },
    '203.0.113.9',
  ],
  [
    'with XFF trusted and absent, Forwarded still is',
    { trustedHops: 1, headers: { Forwarded: 'for=198.51.100.66' } },
    SOCKET,
  ],
  [
    'no connection known, a trusted hop says',
    { trustedHops: 1, headers: { 'X-Forwarded-For': '203.0.113.9' }, remoteAddress: undefined },
    '203.0.113.9',
  ],
  ['no source', { trustedHops: 0, headers: { 'X-Forwarded-For': '203.0.113.9' }, remoteAddress: undefined }, null],
]

test.each(rows)('%s', (_name, { headers, ...clues }, expected) => {
  const given = { remoteAddress: SOCKET, forwardedHeader: 'x-forwarded-for' as const, ...clues }
  expect(findClientAddress({ ...given, headers: new Headers(headers) })).toBe(expected)
})

test('a repeated header is one chain, in the order it came', () => {
  const headers = new Headers([
    ['X-Forwarded-For', '198.51.100.66'],
    ['X-Forwarded-For', '203.0.113.9'],
  ])
  expect(
    findClientAddress({ remoteAddress: SOCKET, headers, trustedHops: 1, forwardedHeader: 'x-forwarded-for' }),
  ).toBe('203.0.113.9')
})

test.each([
  ['for=203.0.113.9', '203.0.113.9'],
  ['for="203.0.113.9:4711";proto=https;by=10.0.0.2', '203.0.113.9'],
  ['by=10.0.0.2; FOR="[2001:db8::7]:443"', '2001:db8::7'],
  ['for=198.51.100.66, for=203.0.113.9', '203.0.113.9'],
  ['for=203.0.113.9;host="a,for=198.51.100.66"', '203.0.113.9'],
  ['host="a;for=198.51.100.66";for=203.0.113.9', '203.0.113.9'],
  ['for=203.0.113.9;host="a\\",for=198.51.100.66"', '203.0.113.9'],
  ['for=203.0.113.9;host="a,for=198.51.100.66\\\\"', '203.0.113.9'],
  ['for=203.0.113.9;host="a\\\\\\",for=198.51.100.66"', '203.0.113.9'],
  ['for="198.51.100.66, for=203.0.113.9', '203.0.113.9'],
  [',for=203.0.113.9', '203.0.113.9'],
  ['proto=https', SOCKET],
  ['for=unknown', SOCKET],
])('Forwarded: %s, when that is the header to trust', (value, expected) => {
  const headers = new Headers({ Forwarded: value, 'X-Forwarded-For': '198.51.100.66' })
  expect(findClientAddress({ remoteAddress: SOCKET, headers, trustedHops: 1, forwardedHeader: 'forwarded' })).toBe(
    expected,
  )
})

describe('reading one address', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    [' 203.0.113.7 ', '203.0.113.7'],
    ['203.0.113.7:4711', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['[2001:DB8::1]:443', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['', null],
    ['unknown', null],
    ['203.0.113', null],
    ['203.0.113.256', null],
    ['0x7f.1', null],
    ['localhost', null],
    ['203.0.113.7, 10.0.0.1', null],
    ['[203.0.113.7', null],
  ])('%s → %s', (entry, expected) => {
    expect(readAddress(entry)).toBe(expected)
  })
})
