import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { VERSION, WIDGET_VERSION_HEADER } from '../../contract/versions.ts'
import { createTestBrowser } from '../../testing/proxy-browser.ts'
import { createTestMount, type TestMount } from '../../testing/proxy-mount.ts'
import type { ProxyEvent } from '../events.ts'
import { createNotices } from './notices.ts'

let at: TestMount
beforeEach(async () => {
  at = await createTestMount()
})
afterEach(() => {
  vi.unstubAllEnvs()
  return at.service.stop()
})

/** Another consumer in a browser of their own, as the balancer passes them on. */
function check(remoteAddress: string, headers: Record<string, string> = {}): Promise<Response> {
  const browser = createTestBrowser(at.proxy)
  browser.address = remoteAddress
  return browser.generate({}, headers)
}
const problems = () => at.events.flatMap((event) => (event.type === 'misconfigured' ? [event.problem] : []))
const limited = () => at.events.filter((event) => event.type === 'refused' && event.code === 'rate-limited').length

test('a forwarded header without `trustedHops` is said once, before the form, and by the doctor', async () => {
  at.mount({ limits: {} })
  const page = createTestBrowser(at.proxy)
  page.address = '10.0.0.5'
  await page.get('/credit-reports/current', { 'X-Forwarded-For': '203.0.113.6' })
  expect(problems()).toHaveLength(1)
  for (const consumer of ['203.0.113.7', '203.0.113.8', '203.0.113.9'])
    await check('10.0.0.5', { 'X-Forwarded-For': consumer })
  expect(problems()).toEqual([expect.stringContaining('x-forwarded-for, and `trustedHops` is 0: set `trustedHops`')])
  const [configuration] = await at.proxy.doctor()
  expect(configuration).toMatchObject({ ok: false, message: expect.stringContaining('10.0.0.5') })
})

test('a balancer that adds no header is noticed when its consumers meet the limit', async () => {
  at.mount({ limits: {} })
  for (let time = 0; time < 8; time += 1) await check('10.0.0.5')
  expect(limited()).toBe(3)
  expect(problems()).toEqual([expect.stringContaining('private address 10.0.0.5')])
})

test.each([
  ['a consumer of the internet who asks too often', '203.0.113.7', {}],
  ['a header that a consumer wrote by themselves', '203.0.113.7', { 'X-Forwarded-For': '10.0.0.1' }],
])('%s is no mistake of the lender’s', async (_who, address, headers) => {
  at.mount({ limits: {} })
  for (let time = 0; time < 8; time += 1) await check(address, headers)
  expect(limited()).toBe(3)
  expect(problems()).toEqual([])
})

test('with `trustedHops` the header is what it should be', async () => {
  at.mount({ limits: {}, trustedHops: 1 })
  for (let time = 0; time < 8; time += 1) await check('10.0.0.5', { 'X-Forwarded-For': `203.0.113.${time}` })
  expect(limited()).toBe(0)
  expect(problems()).toEqual([])
})

test('a developer on loopback may try as often as they like; in production the limit holds there too', async () => {
  at.mount({ limits: {} })
  for (let time = 0; time < 70; time += 1) await check('127.0.0.1')
  expect(limited()).toBe(0)
  vi.stubEnv('NODE_ENV', 'production')
  at.mount({ limits: {} })
  for (let time = 0; time < 8; time += 1) await check('::1')
  expect(limited()).toBe(3)
})

test('a limit that the lender chose holds for developers too', async () => {
  at.mount({ limits: { generatesMax: 2 } })
  for (let time = 0; time < 3; time += 1) await check('127.0.0.1')
  expect(limited()).toBe(1)
})

describe('by itself', () => {
  const said: string[] = []
  const notices = (trustedHops = 0) => {
    said.length = 0
    const emit = (event: ProxyEvent) => said.push(event.type === 'misconfigured' ? event.problem : event.type)
    return createNotices({
      forwardedHeader: 'x-forwarded-for',
      trustedHops,
      path: '/credit-reports',
      origins: [],
      emit,
    })
  }

  test.each([
    ['/widget.js', 1],
    ['/shop/credit-reports/current', 1],
    ['/basket', 0],
    ['/current/basket', 0],
  ])('a request for %s outside the mount is reported %i times', (path, times) => {
    const { seeOutside, found } = notices()
    seeOutside(path)
    seeOutside(path)
    expect(said).toHaveLength(times)
    expect(found()).toHaveLength(times)
    expect(said.join()).toContain(times === 0 ? '' : `a request for ${path} came to the proxy`)
  })

  const HTTPS = 'serve the page over https, or in development from http://localhost'
  const ORIGINS = 'if both are this shop, let the reverse proxy pass `Host` on as it came, or set `origins`'
  const HOPS =
    'set `trustedHops` to how many reverse proxies stand in front, or all consumers share one limit and one address'
  const shop = { origin: 'shop.example', isSecure: true, isPreview: false }
  type Page = [string, string | null, Partial<typeof shop>, { [name: string]: string }, string | null]

  test.each<Page>([
    ['of this shop', 'https://shop.example/basket', {}, {}, null],
    ['that does not say where it is', null, {}, {}, null],
    ['that says nonsense', 'shop', {}, {}, null],
    [
      'on plain http',
      'http://shop.example/basket',
      {},
      {},
      `the page at http://shop.example is on plain http, where browsers keep no \`Secure\` cookie: ${HTTPS}`,
    ],
    ['on plain http, where cookies are not secure', 'http://shop.example/', { isSecure: false }, {}, null],
    ['of a developer', 'http://localhost:3000/', { origin: 'localhost' }, {}, null],
    [
      'of another host',
      'https://www.example:8443/basket',
      {},
      {},
      `the page at https://www.example:8443 may not begin a check: this server gets the host shop.example: ${ORIGINS}`,
    ],
    [
      'of another host that a browser vouches for',
      'https://www.example/',
      {},
      { 'Sec-Fetch-Site': 'same-origin' },
      null,
    ],
    ['of another host in a preview', 'http://www.example/', { isPreview: true }, {}, null],
  ])('a page %s', (_what, pageAddress, place, headers, expected) => {
    const seen = { incoming: { headers: new Headers(headers) }, address: '203.0.113.7', place: { ...shop, ...place } }
    notices().seePage(seen, pageAddress)
    expect(said).toEqual(expected === null ? [] : [expected])
  })

  test('a page of another host is fine where `origins` names it', () => {
    const emit = (event: ProxyEvent) => said.push(event.type)
    said.length = 0
    const named = createNotices({
      forwardedHeader: 'x-forwarded-for',
      trustedHops: 0,
      path: '/credit-reports',
      origins: ['https://www.example'],
      emit,
    })
    const seen = { incoming: { headers: new Headers() }, address: '203.0.113.7', place: shop }
    named.seePage(seen, 'https://www.example/')
    expect(said).toEqual([])
  })

  const given = (times: number) => Array.from({ length: times }, () => 'given' as const)
  test.each<[string, ('given' | 'returned')[], (string | null)[], string[]]>([
    ['lost four times', given(4), ['203.0.113.7'], []],
    ['lost a fifth time', given(6), ['203.0.113.7'], ['5 times']],
    ['lost in three homes', given(6), ['203.0.113.7', '203.0.113.8', '203.0.113.9'], []],
    ['lost where no address is known', given(6), [null], []],
    ['that came back once', ['given', 'returned', ...given(6)], ['203.0.113.7'], []],
  ])('a cookie that is %s', (_what, seen, addresses, expected) => {
    const { seeCookie } = notices()
    for (const [index, cookie] of seen.entries()) seeCookie(cookie, addresses[index % addresses.length] ?? null)
    expect(said).toEqual(
      expected.map((times) => expect.stringContaining(`given a cookie ${times}, and none came back`)),
    )
  })

  test.each([
    ['a private address', '10.0.0.5', { 'X-Forwarded-For': '203.0.113.7' }, 'the header x-forwarded-for'],
    ['the standard header', '10.0.0.5', { Forwarded: 'for=203.0.113.7' }, 'the header forwarded'],
    ['an address of the internet', '203.0.113.7', { 'X-Forwarded-For': '10.0.0.1' }, null],
    ['no header', '10.0.0.5', {}, null],
  ])('a check from %s', (_what, address, headers, words) => {
    notices().seeCheck(address, new Headers(headers))
    const expected = `requests come from ${address} with ${words}, and \`trustedHops\` is 0: ${HOPS}`
    expect(said).toEqual(words === null ? [] : [expected])
  })

  test('each is said in its own words, once, and found by the doctor under its code', () => {
    const { seeForeign, seeLimit, seeLookupCap, seeStart, seeNoAddress, found } = notices(2)
    const place = { test: false, origin: 'shop.example' }
    for (let time = 0; time < 2; time += 1) {
      seeForeign({ mode: 'test' }, place)
      seeForeign({ origin: 'staging.example' }, place)
      seeLimit('10.0.0.5')
      seeLimit('203.0.113.7')
      seeLookupCap(500)
      seeStart()
      seeNoAddress()
    }
    expect(said).toEqual([
      expect.stringContaining('a check made in test mode came to this mount, which is in live mode, and was refused'),
      `a check begun at staging.example came to shop.example and was refused: ${ORIGINS}`,
      `too many checks came from the private address 10.0.0.5, and \`trustedHops\` is 2: ${HOPS}`,
      expect.stringContaining('500 address lookups were made in an hour, and the next was refused: if they were'),
      expect.stringContaining('a page brought a start that this mount did not make: call `begin`'),
      'the consumer’s address is unknown: `trustedHops` is 2 and no x-forwarded-for arrived: let the reverse proxy append it, or pass `context.remoteAddress` where there is none',
    ])
    expect(found().map(({ code }) => code)).toEqual([
      'mixed-modes',
      'other-host',
      'trusted-hops',
      'lookup-cap',
      'foreign-start',
      'no-address',
    ])
    expect(found().map(({ message, fix }) => `${message}: ${fix}`)).toEqual(said)
  })

  test('a live check at a mount in test mode is refused in those words', () => {
    notices().seeForeign({ mode: 'live' }, { test: true, origin: 'shop.example' })
    expect(said).toEqual([expect.stringContaining('made in live mode came to this mount, which is in test mode')])
  })

  test('a consumer on the lender’s own network, behind as many hops as are trusted, is no mistake', () => {
    notices(1).seeCheck('10.0.0.5', new Headers({ 'X-Forwarded-For': '10.0.0.5' }))
    expect(said).toEqual([])
  })

  test.each([
    ['the same', VERSION],
    ['none', undefined],
    ['a text that is no version', '999.0.0 <script>'],
  ])('a widget whose version is %s is served', (_what, theirs) => {
    const headers = new Headers(theirs === undefined ? {} : { [WIDGET_VERSION_HEADER]: theirs })
    expect(() => notices().requireVersion(headers)).not.toThrow()
    expect(said).toEqual([])
  })

  test('a widget of a distant version is refused, and the lender gets an event', () => {
    const headers = new Headers({ [WIDGET_VERSION_HEADER]: '999.0.0' })
    const words = `the page's widget is version 999.0.0, the proxy ${VERSION}: take both from one release of the package`
    expect(() => notices().requireVersion(headers)).toThrow(
      expect.objectContaining({ code: 'misconfigured', message: words }),
    )
    expect(said).toEqual([words])
  })
})
