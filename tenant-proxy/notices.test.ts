import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTestBrowser } from '../testing/proxy-browser.ts'
import { createTestMount, type TestMount } from '../testing/proxy-mount.ts'

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

test('a forwarded header without `trustedHops` is said at the first check, once, and by the doctor', async () => {
  at.mount({ limits: {} })
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
