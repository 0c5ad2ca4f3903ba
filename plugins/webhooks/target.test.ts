import type { lookup } from 'node:dns'
import { describe, expect, test } from 'vitest'
import {
  createGuardedLookup,
  ForbiddenTarget,
  isForbidden,
  literalOf,
  problemOfTarget,
  webhookRulesOf,
} from './target.ts'

const production = { httpsOnly: true, allowLoopback: false }
const development = { httpsOnly: false, allowLoopback: true }

describe('an address that is registered', () => {
  test.each([
    'https://shop.example/webhook',
    'https://shop.example:8443/a?b=c',
    'https://93.184.216.34/webhook',
    'https://[2606:2800:220:1::1]/webhook',
    `https://shop.example/${'a'.repeat(479)}`,
  ])('%s is taken', (url) => {
    expect(problemOfTarget(url, production)).toBeNull()
  })

  test.each([
    ['http://shop.example/webhook', 'https://'],
    ['ftp://shop.example/webhook', 'https://'],
    ['shop.example', 'an address such as'],
    ['https://user@shop.example/', 'user name'],
    ['https://user:secret@shop.example/', 'user name'],
    ['https://:secret@shop.example/', 'user name'],
    ['https://shop.example/#top', '#'],
    ['https://127.0.0.1/', 'public internet'],
    ['https://2130706433/', 'public internet'],
    ['https://0x7f.1/', 'public internet'],
    ['https://[::1]/', 'public internet'],
    ['https://[::ffff:10.0.0.1]/', 'public internet'],
    [`https://shop.example/${'a'.repeat(480)}`, '500 characters'],
  ])('%s is refused', (url, why) => {
    expect(problemOfTarget(url, production)).toContain(why)
  })

  test('outside production this machine is allowed, its neighbours are not', () => {
    expect(problemOfTarget('http://127.0.0.1:4200/webhook', development)).toBeNull()
    expect(problemOfTarget('http://192.168.1.1/webhook', development)).toContain('public internet')
    expect(problemOfTarget('http://shop.example/webhook', development)).toBeNull()
    expect(problemOfTarget('https://shop.example/webhook', development)).toBeNull()
    expect(problemOfTarget('ftp://127.0.0.1/webhook', development)).toBe('the address must begin with https://')
  })
})

test.each([
  ['127.0.0.1', true],
  ['127.255.255.254', true],
  ['0.0.0.0', true],
  ['10.1.2.3', true],
  ['100.64.0.1', true],
  ['169.254.169.254', true],
  ['172.31.255.255', true],
  ['172.32.0.1', false],
  ['192.168.0.1', true],
  ['224.0.0.1', true],
  ['255.255.255.255', true],
  ['93.184.216.34', false],
  ['203.0.113.7', true],
  ['2001:db8::1', true],
  ['::', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['::ffff:169.254.169.254', true],
  ['::ffff:93.184.216.34', false],
  ['::127.0.0.1', true],
  ['64:ff9b::7f00:1', true],
  ['::ffff:0:127.0.0.1', true],
  ['3fff:fff::1', true],
  ['4000::1', false],
  ['5f00::1', true],
  ['2002:7f00:1::', true],
  ['fd00::1', true],
  ['fe80::1', true],
  ['ff02::1', true],
  ['2606:2800:220:1::1', false],
  ['not an address', true],
])('%s is forbidden: %s', (address, forbidden) => {
  expect(isForbidden(address, { allowLoopback: false })).toBe(forbidden)
})

test.each([
  ['127.0.0.1', false],
  ['::1', false],
  ['10.1.2.3', true],
  ['203.0.113.7', true],
  ['93.184.216.34', false],
])('%s is forbidden where this machine is allowed: %s', (address, forbidden) => {
  expect(isForbidden(address, { allowLoopback: true })).toBe(forbidden)
})

test.each([
  ['shop.example', null],
  ['127.0.0.1', '127.0.0.1'],
  ['[::1]', '::1'],
])('the host %s is the address %s', (hostname, address) => {
  expect(literalOf(hostname)).toBe(address)
})

describe('a name', () => {
  const resolvingTo = (...addresses: string[]) =>
    createGuardedLookup({ allowLoopback: false }, ((
      _name: string,
      _options: object,
      answer: (error: null, found: object[]) => void,
    ) =>
      answer(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )) as typeof lookup)

  const look = (guarded: ReturnType<typeof resolvingTo>, all: boolean) =>
    new Promise((settle) => {
      guarded('shop.example', { all }, (error, address) => settle(error?.name ?? address))
    })

  test('that resolves to the public internet is connected to', async () => {
    expect(await look(resolvingTo('93.184.216.34'), false)).toBe('93.184.216.34')
    expect(await look(resolvingTo('93.184.216.34'), true)).toEqual([{ address: '93.184.216.34', family: 4 }])
  })

  test('one of whose addresses is ours is not, whichever would be chosen', async () => {
    expect(await look(resolvingTo('93.184.216.34', '127.0.0.1'), true)).toBe('ForbiddenTarget')
    expect(await look(resolvingTo('93.184.216.34', 'fd00::1'), false)).toBe('ForbiddenTarget')
    expect(await look(resolvingTo(), true)).toBe('ForbiddenTarget')
    expect(new ForbiddenTarget().message).toBe('the name resolves to an address that webhooks may not go to')
  })

  test('is looked up whole, and its first address is answered with its family', async () => {
    const asked: unknown[] = []
    const guarded = createGuardedLookup({ allowLoopback: false }, ((
      name: string,
      options: object,
      answer: (error: null, found: object[]) => void,
    ) => {
      asked.push(name, options)
      answer(null, [
        { address: '2606:2800:220:1::1', family: 6 },
        { address: '93.184.216.34', family: 4 },
      ])
    }) as typeof lookup)
    const answered = await new Promise((settle) => {
      guarded('shop.example', { family: 0, all: false }, (...given) => settle(given))
    })
    expect(answered).toEqual([null, '2606:2800:220:1::1', 6])
    expect(asked).toEqual(['shop.example', { family: 0, all: true }])
  })

  test('that cannot be looked up says why', async () => {
    const failure = new Error('ENOTFOUND')
    const guarded = createGuardedLookup({ allowLoopback: false }, ((
      _name: string,
      _options: object,
      answer: (error: Error, found: undefined) => void,
    ) => answer(failure, undefined)) as unknown as typeof lookup)
    const answered = await new Promise((settle) => {
      guarded('shop.example', { all: true }, (...given) => settle(given))
    })
    expect(answered).toEqual([failure, []])
  })
})

test.each([
  [true, production],
  [false, development],
])('where webhooks may go with production %s', (isProduction, rules) => {
  expect(webhookRulesOf({ production: isProduction })).toEqual(rules)
})
