// A lender's mistakes in front of the real, built service: what passes by itself, what stays, and versions that do not
// fit. Each wrong option and each front is in e2e/set-ups.release.spec.ts.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ErrorBody } from '../contract/envelope.ts'
import { VERSION, WIDGET_VERSION_HEADER } from '../contract/versions.ts'
import { type BuiltService, startBuiltService } from '../prove/cuts/built-service.ts'
import { createTestBrowser } from '../testing/proxy-browser.ts'
import type { ProxyEvent } from './events.ts'
import type { TenantProxyOptions } from './options.ts'
import { createTenantProxy } from './tenant-proxy.ts'

let service: BuiltService
beforeAll(async () => {
  service = await startBuiltService({ RATE_LIMIT_PER_MINUTE: '1000000' })
})
afterAll(() => service.stop())

function open(change: Partial<TenantProxyOptions>) {
  const events: ProxyEvent[] = []
  const at = { nowMs: Date.now() }
  const proxy = createTenantProxy({
    service: service.url,
    tenantId: 'demo-lender',
    credentials: { clientId: 'demo-lender', clientSecret: 'demo-secret' },
    clock: () => at.nowMs,
    onEvent: (event) => events.push(event),
    ...change,
  })
  const logged = () =>
    events.map((event) => {
      if (event.type === 'misconfigured') return event.problem
      return event.type === 'unavailable' ? `${event.type}: ${event.reason}` : event.type
    })
  return { at, proxy, logged, newcomer: () => createTestBrowser(proxy) }
}

const codeOf = async (response: Response) =>
  response.ok ? response.status : ErrorBody.parse(await response.json()).code
const complaints = async (proxy: ReturnType<typeof createTenantProxy>) =>
  (await proxy.doctor()).flatMap(({ ok, check, fix }) => (ok ? [] : [`${check}: ${fix}`]))

const wrongSecret = { clientId: 'demo-lender', clientSecret: 'wrong' }

test('once it is fixed at the service, the page works again by itself', async () => {
  let secret = 'wrong'
  const { at, newcomer } = open({
    credentials: wrongSecret,
    // The operator gives the client the secret that the lender has.
    fetch: (url, init) => {
      const body = String(init?.body ?? '').replace('client_secret=wrong', `client_secret=${secret}`)
      return fetch(url, { ...init, ...(init?.body ? { body } : {}) })
    },
  })
  await newcomer().generate()
  secret = 'demo-secret'
  expect(await codeOf(await newcomer().get('/credit-reports/current'))).toBe('misconfigured')
  at.nowMs += 15_000
  expect(await codeOf(await newcomer().get('/credit-reports/current'))).toBe(200)
})

test('a service that is down is not the lender’s mistake: the form stays, and a later try may succeed', async () => {
  const { proxy, newcomer, logged } = open({ service: 'http://127.0.0.1:9' })
  expect(await codeOf(await newcomer().generate())).toBe('unavailable')
  expect(logged()).toEqual(['unavailable: unreachable'])
  expect(await codeOf(await newcomer().get('/credit-reports/current'))).toBe(200)
  expect((await complaints(proxy))[0]).toBe('service: check `service`, and that this machine may reach it')
})

test('a mount that gets other paths than it was set up for', async () => {
  const { proxy, newcomer, logged } = open({ path: '/credit-reports' })
  const browser = newcomer()
  for (const path of ['/favicon.ico', '/shop/credit-reports/current', '/shop/credit-reports/widget.js'])
    expect(await codeOf(await browser.get(path))).toBe('not-found')
  expect(logged()).toEqual([
    expect.stringMatching(/^a request for \/shop\/credit-reports\/current .* mounted at \/credit-reports: set `path`/),
  ])
  expect((await complaints(proxy))[0]).toMatch(/^configuration: set `path`/)
})

const major = Number(VERSION.split('.')[0])
const withVersion = (version: string) => ({ [WIDGET_VERSION_HEADER]: version })

test.each([
  ['older', `${Math.max(0, major - 1)}.9.0`],
  ['newer', `${major + 1}.0.0`],
  ['not said', ''],
  ['nonsense', '99.0.0 "forged": "line"'],
])('a widget whose version is %s: a neighbour, or unknown, is served', async (_name, version) => {
  const { newcomer, logged } = open({ test: true })
  const browser = newcomer()
  const headers = withVersion(version)
  expect(await codeOf(await browser.get('/credit-reports/current', headers))).toBe(200)
  expect(await codeOf(await browser.generate({}, headers))).toBe(200)
  expect(logged()).toEqual(['answered'])
})

test('a widget two majors away is refused before the form and at its end, and both versions are named', async () => {
  const { proxy, newcomer, logged } = open({ test: true })
  const browser = newcomer()
  const theirs = `${major + 2}.0.0`
  const refusal = await browser.get('/credit-reports/current', withVersion(theirs))
  const words = `the page's widget is version ${theirs}, the proxy ${VERSION}: take both from one release of the package`
  expect(await refusal.json()).toEqual({ code: 'misconfigured', message: words })
  await browser.get('/credit-reports/current')
  expect(await codeOf(await browser.generate({}, withVersion(theirs)))).toBe('misconfigured')
  expect(logged()).toEqual([words])
  expect(await complaints(proxy)).toEqual(['configuration: take both from one release of the package'])
  // Other pages are served.
  expect(await codeOf(await browser.generate({}, withVersion(VERSION)))).toBe(200)
})

test('a check that was begun before a deploy goes on, whatever the versions', async () => {
  const { newcomer } = open({ test: 'challenge' })
  const browser = newcomer()
  const { data } = await (await browser.generate({}, withVersion(VERSION))).json()
  const headers = withVersion(`${major + 2}.0.0`)
  expect(await codeOf(await browser.get('/credit-reports/current', headers))).toBe(200)
  const code = { challengeId: data.challenge.challengeId, code: '123456' }
  const answer = await browser.post(`/credit-reports/${data.creditReportId}/otp-challenge`, code, headers)
  expect(await answer.json()).toMatchObject({ data: { status: 'complete' } })
})
