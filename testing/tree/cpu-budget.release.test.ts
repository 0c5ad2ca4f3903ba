// One request must not be able to stop the event loop. Every route of the service, the portal and the tenant proxy gets
// hostile text in each of its fields, parameters and headers, and may take no more CPU time than a small multiple of an
// honest request of its size.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ADDRESS_TEXT_LENGTH_MAX, ADDRESSES_MAX } from '../../contract/limits.ts'
import { PROXY_PATH } from '../../contract/proxy-path.ts'
import { sampleRequest } from '../../contract/samples.ts'
import { proxyDocument } from '../../openapi/proxy-document.ts'
import { describeAll } from '../../portal/rows.ts'
import { type Call, callsOf, FORM_TYPE, hostileRequests, requestOf } from '../hostile-requests.ts'
import { ORIGIN, SAM, startTestService, type TestService } from '../portal-service.ts'
import { ORIGIN as SHOP } from '../proxy-browser.ts'
import { createTestMount, type TestMount } from '../proxy-mount.ts'
import { sampleDetails } from '../proxy-service.ts'
import { hashQuickly } from '../quick-passwords.ts'
import type { TestBrowser } from '../service-browser.ts'

type Handle = (request: Request) => Promise<Response> | Response

/**
 * The factor by which a hostile request may take longer than an honest one of its size: noise stays below, what grows
 * with the square of the text far above.
 */
const MULTIPLE = 8
/** Garbage collection and compilation fall into some measurements; what the request itself takes is in all of them. */
const TRIES = 6
/** A request that is over by so much three times is not measured again. */
const CERTAIN = 5

hashQuickly()

let service: TestService
let mount: TestMount
let token: string
let msPerByte: number

beforeAll(async () => {
  service = await startTestService({
    // So that the routes for its receipts are there.
    SMS_PROVIDER: 'twilio',
    SMS_URL: 'http://127.0.0.1:9',
    SMS_FROM: '+447700900000',
    TWILIO_ACCOUNT_SID: 'AC0123456789abcdef0123456789abcdef',
    TWILIO_AUTH_TOKEN: '0123456789abcdef0123456789abcdef',
  })
  mount = await createTestMount()
  const webhookSecrets = [`whsec_${'A'.repeat(44)}`]
  mount.mount({ findAddresses: async () => [], webhookSecrets, limits: { writesMax: 1e6, generatesMax: 1e6 } })
  token = await service.tokenOf('demo-lender', 'demo-secret')
  msPerByte = await measureFullRequest()
})

afterAll(async () => {
  await service.stop()
  await mount.service.stop()
})

/** Per byte of a request that is as long as an honest one can be. */
async function measureFullRequest(): Promise<number> {
  const [address] = sampleRequest.addresses
  const line = 'e'.repeat(ADDRESS_TEXT_LENGTH_MAX)
  const lines = { subBuildingName: line, buildingName: line, thoroughfare: line, district: line, townOrCity: line }
  const entry = { type: line, ukAddress: { ...address?.ukAddress, ...lines } }
  const body = JSON.stringify({ ...sampleRequest, addresses: Array(ADDRESSES_MAX).fill(entry) })
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` }
  const full = () => new Request(`${ORIGIN}/demo-lender/v1/credit-reports`, { method: 'POST', body, headers })
  expect((await service.fetch(full())).status).toBe(200)
  return (await leastMs(service.fetch, full, 20)) / body.length
}

async function cpuMs(handle: Handle, request: Request): Promise<number> {
  const before = process.cpuUsage()
  await (await handle(request)).arrayBuffer()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

async function leastMs(handle: Handle, request: () => Request, times: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let time = 0; time < times; time += 1) least = Math.min(least, await cpuMs(handle, request()))
  return least
}

/** The requests that take too long, in words. */
async function findSlow(handle: Handle, origin: string, calls: readonly Call[]): Promise<string[]> {
  const slow: string[] = []
  for (const call of calls) {
    const reads = await headersRead(handle, requestOf(origin, call))
    const honestMs = await leastMs(handle, () => requestOf(origin, call), 3)
    for (const { name, request, bytes } of hostileRequests(origin, call, reads)) {
      const budgetMs = MULTIPLE * (honestMs + bytes * msPerByte)
      let ms = await cpuMs(handle, request())
      for (let tries = 1; tries < TRIES && ms > budgetMs && (tries < 3 || ms < CERTAIN * budgetMs); tries += 1)
        ms = Math.min(ms, await cpuMs(handle, request()))
      if (ms <= budgetMs) continue
      slow.push(`${call.method} ${call.path}: ${name} takes ${ms.toFixed(1)} ms, more than ${budgetMs.toFixed(1)}`)
    }
  }
  return slow
}

/** The names of the headers that a route looks at. */
async function headersRead(handle: Handle, request: Request): Promise<string[]> {
  const names = new Set<string>()
  const { get } = Headers.prototype
  const spy = vi.spyOn(Headers.prototype, 'get').mockImplementation(function (this: Headers, name) {
    names.add(name.toLowerCase())
    return get.call(this, name)
  })
  await (await handle(request)).arrayBuffer()
  spy.mockRestore()
  return [...names]
}

test('the machine API is within its budget', async () => {
  const calls = callsOf(describeAll()).map((call) => ({
    ...call,
    headers: { Authorization: `Bearer ${token}`, ...call.headers },
  }))
  expect(calls.length).toBeGreaterThan(20)
  expect(await findSlow(service.fetch, ORIGIN, calls)).toEqual([])
})

test('so are the pages for people', async () => {
  const browser = service.browser()
  await browser.signIn(...SAM)
  const forms = await readForms(browser)
  const isDescribed = new Set(callsOf(describeAll()).map(({ method, path }) => `${method} ${path}`))
  const slow: string[] = []
  for (const route of service.routes) {
    const [method = '', pattern = ''] = route.split(' ')
    const path = pattern.replace(/:(\w+)(?:\{[^/]*\})?/g, '{$1}')
    if (isDescribed.has(`${method} ${path}`) || method === 'ALL') continue
    // Some routes end the session they are tried with.
    if ((await browser.ask('/console/profile')).status !== 200) await browser.signIn(...SAM)
    const names = namesOf(forms, path)
    const call: Call = {
      method,
      path,
      pathValues: Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, 'x'])),
      query: {},
      headers: {
        Cookie: [...browser.jar.values()].map((each) => `${each.name}=${each.value}`).join('; '),
        Origin: ORIGIN,
      },
      fields: names.map((name) => [name]),
      ...(method === 'POST'
        ? { body: { type: FORM_TYPE, value: Object.fromEntries(names.map((name) => [name, 'x'])) } }
        : {}),
    }
    slow.push(...(await findSlow(service.fetch, ORIGIN, [call])))
  }
  expect(slow).toEqual([])
})

/** Of the form that is sent to `path`; of every form where no page shows one. */
function namesOf(forms: Map<string, string[]>, path: string): string[] {
  const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`)
  const shown = [...forms].find(([action]) => pattern.test(action))
  return shown?.[1] ?? [...new Set([...forms.values()].flat())]
}

/** The names of the fields of every form on the pages that need no id, by the path they are sent to. */
async function readForms(browser: TestBrowser): Promise<Map<string, string[]>> {
  const forms = new Map<string, string[]>()
  for (const route of service.routes) {
    const [method, path = ''] = route.split(' ')
    if (method !== 'GET' || !path.startsWith('/console') || /[:*]/.test(path)) continue
    const page = await (await browser.ask(path)).text()
    for (const [form, action = path] of page.matchAll(/<form[^>]*?(?:action="([^"]*)"[^>]*)?>.*?<\/form>/gs)) {
      const names = [...form.matchAll(/<(?:input|select|textarea)[^>]* name="([^"]+)"/g)].map(([, name = '']) => name)
      forms.set(action, [...new Set([...(forms.get(action) ?? []), ...names])])
    }
  }
  expect(forms.size).toBeGreaterThan(3)
  return forms
}

test('so is the tenant proxy', async () => {
  const { browser } = mount
  const honest = await browser.generate()
  expect(honest.status).toBe(200)
  const cookies = [...browser.cookies].map(([key, { value }]) => `${key.split(' ')[0]}=${value}`)
  const headers = { Origin: SHOP, 'Sec-Fetch-Site': 'same-origin', Cookie: cookies.join('; ') }
  const calls: Call[] = callsOf(proxyDocument()).map((call) => ({
    ...call,
    path: PROXY_PATH + (call.path === '/' ? '' : call.path),
    ...(call.body ? { body: { ...call.body, value: sampleDetails } } : {}),
    headers: { ...headers, ...call.headers },
  }))
  const signed = { 'webhook-id': 'x', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' }
  const plain = { pathValues: {}, query: {}, fields: [] }
  const body = { type: 'application/json', value: {} }
  calls.push(
    { ...plain, method: 'POST', path: `${PROXY_PATH}/webhook`, headers: signed, body },
    { ...plain, method: 'GET', path: `${PROXY_PATH}/{file}`, headers, pathValues: { file: 'widget.js' } },
  )
  const handle: Handle = (request) => mount.proxy(request, { remoteAddress: '203.0.113.7' })
  expect(await findSlow(handle, SHOP, calls)).toEqual([])
})

test('a request that takes quadratic time is found', async () => {
  const handle: Handle = async (request) => new Response((await request.text()).slice(0, 28_000).normalize('NFC'))
  const call: Call = {
    method: 'POST',
    path: '/',
    pathValues: {},
    query: {},
    headers: {},
    body: { type: 'application/json', value: { name: 'x' } },
    fields: [['name']],
  }
  expect(await findSlow(handle, SHOP, [call])).toEqual([expect.stringContaining('combining marks in name')])
})
