import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { VERSION, WIDGET_VERSION_HEADER } from '../contract/versions.ts'
import { createTestBrowser } from '../testing/proxy-browser.ts'
import { createTestMount, type TestMount } from '../testing/proxy-mount.ts'
import type { ProxyEvent } from './events.ts'
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
    return createNotices({ trustedHops, path: '/credit-reports', origins: [], emit })
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
