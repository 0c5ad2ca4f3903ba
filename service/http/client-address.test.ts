import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { clientAddress, isLocal } from './client-address.ts'

async function addressOf(trustedHops: number, forwarded: string | null, socket: string | null): Promise<string | null> {
  const app = new Hono().get('/', (context) => context.json(clientAddress(context, trustedHops)))
  const headers: HeadersInit = forwarded === null ? {} : { 'X-Forwarded-For': forwarded }
  const env = socket === null ? {} : { incoming: { socket: { remoteAddress: socket } } }
  return (await app.request('/', { headers }, env)).json()
}

type Row = [name: string, hops: number, forwarded: string | null, socket: string | null, expected: string | null]

test.each<Row>([
  ['the socket, when no proxy is trusted', 0, null, '10.0.0.1', '10.0.0.1'],
  ['the socket, whatever a stranger claims', 0, '1.1.1.1', '10.0.0.1', '10.0.0.1'],
  ['whom the one trusted proxy heard', 1, '203.0.113.9', '10.0.0.1', '203.0.113.9'],
  [
    'whom the one trusted proxy heard, whatever was claimed before',
    1,
    '1.1.1.1, 203.0.113.9',
    '10.0.0.1',
    '203.0.113.9',
  ],
  ['two proxies back', 2, '1.1.1.1, 203.0.113.9, 10.0.0.2', '10.0.0.1', '203.0.113.9'],
  ['the socket, when the proxies said nothing', 1, null, '10.0.0.1', '10.0.0.1'],
  [
    'the furthest address heard, when fewer proxies spoke than are trusted',
    2,
    '203.0.113.9',
    '10.0.0.1',
    '203.0.113.9',
  ],
  ['the last entry of a list without end', 1, `${'1.1.1.1,'.repeat(10_000)} 203.0.113.9`, '10.0.0.1', '203.0.113.9'],
  ['an address without the port some proxies add', 1, '203.0.113.9:50123', '10.0.0.1', '203.0.113.9'],
  ['an address out of its brackets', 1, '[2001:db8::9]:50123', '10.0.0.1', '2001:db8::9'],
  ['an address without its zone', 1, 'fe80::9%eth0', '10.0.0.1', 'fe80::9'],
  ['the socket, when the proxy hides whom it heard', 1, 'unknown', '10.0.0.1', '10.0.0.1'],
  ['none, when there is no socket', 1, '203.0.113.9', null, null],
])('%s', async (_name, hops, forwarded, socket, expected) => {
  expect(await addressOf(hops, forwarded, socket)).toBe(expected)
})

test.each<[name: string, forwarded: string | null, socket: string | null, expected: boolean]>([
  ['this machine', null, '127.0.0.1', true],
  ['this machine behind a proxy on it', '203.0.113.9', '127.0.0.1', false],
  ['another machine', null, '10.0.0.1', false],
  ['a handler that was called directly', null, null, false],
])('whether %s is local', async (_name, forwarded, socket, expected) => {
  const app = new Hono().get('/', (context) => context.json(isLocal(context)))
  const headers: HeadersInit = forwarded === null ? {} : { 'X-Forwarded-For': forwarded }
  const env = socket === null ? undefined : { incoming: { socket: { remoteAddress: socket } } }
  expect(await (await app.request('/', { headers }, env)).json()).toBe(expected)
})
