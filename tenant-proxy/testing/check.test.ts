// The kit in front of a lender's proxy, and what docs/lender says of triggers.
import { readFileSync } from 'node:fs'
import { beforeEach, expect, test } from 'vitest'
import { sampleRequest } from '../../contract/samples.ts'
import { TRIGGERS } from '../../contract/test-triggers.ts'
import type { ProxyEvent } from '../events.ts'
import type { TenantProxyOptions } from '../options.ts'
import { createTenantProxy } from '../tenant-proxy.ts'
import { playCheck } from './check.ts'
import { createTestService, type TestService } from './service.ts'
import { signedWebhook } from './webhook.ts'

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
let service: TestService
let events: ProxyEvent[]
beforeEach(() => {
  service = createTestService()
  events = []
})
const createProxy = (options: Partial<TenantProxyOptions> = {}) =>
  createTenantProxy({ ...service.options, test: true, onEvent: (event) => events.push(event), ...options })
const expected = { lastName: 'Example', dateOfBirth: '1985-03-27' }

test.each<[string, Parameters<typeof playCheck>[1], string]>([
  ['the code completes it', {}, 'complete'],
  ['without a code it is open', { code: null }, 'open'],
  ['a wrong code leaves it open', { code: '000000' }, 'open'],
  ['another person is a mismatch', { details: { lastName: 'Another' } }, 'mismatch'],
  ['a device that is not verified fails', { details: { mobileNumber: '+447700900803' } }, 'failed'],
])('%s', async (_name, options, status) => {
  const proxy = createProxy()
  const { request } = await playCheck(proxy, options)
  expect(await proxy.decide(request, { expect: expected })).toMatchObject({ status, test: true })
})

test('it works with the options that a lender sets, and outside test mode', async () => {
  const origin = 'https://checkout.lender.example'
  const order = (request: Request) => request.headers.get('X-Order') ?? undefined
  const proxy = createProxy({ test: false, origins: [origin], path: '/pay', trustedHops: 1, externalReference: order })
  const check = await playCheck(proxy, { origin, path: '/pay', headers: { 'X-Order': 'order-7', Cookie: 'own=1' } })
  expect(check.status).toBe('complete')
  expect(check.request.headers.get('Cookie')).toMatch(/^own=1; /)
  const decision = await proxy.decide(check.request, { externalReference: 'order-7', expect: expected })
  expect(decision).toMatchObject({ status: 'complete', test: false, externalReference: 'order-7' })
})

test('a start of begin() chooses the person, and more checks than the limit of an address allows can be played', async () => {
  const proxy = createProxy({ requireStart: true, limits: { generatesMax: 1 } })
  for (let checks = 0; checks < 8; checks += 1) {
    const start = proxy.begin({ externalReference: `order-${checks}`, person: { lastName: 'Begun' } })
    const { request, ...played } = await playCheck(proxy, { start })
    expect(played).toMatchObject({ status: 'complete' })
    const decision = await proxy.decide(request, { externalReference: `order-${checks}` })
    expect(decision).toMatchObject({ status: 'complete', person: { lastName: 'Begun' } })
  }
  expect((await playCheck(proxy)).code).toBe('start-refused')
})

test('a webhook of its event reaches onReport and onOutcome once', async () => {
  const proxy = createProxy()
  const { creditReportId = '' } = await playCheck(proxy)
  const failed = await playCheck(proxy, { details: { mobileNumber: '+447700900803' } })
  const seen: string[] = []
  const other = createProxy({
    webhookSecrets: [SECRET],
    onReport: (_report, about) => seen.push(`complete ${about.creditReportId}`),
    onOutcome: ({ status, ...about }) => seen.push(`${status} ${about.creditReportId}`),
  })
  for (const id of [creditReportId, creditReportId, failed.creditReportId ?? '']) {
    const signed = signedWebhook(SECRET, service.eventOf(id))
    expect((await other(new Request('https://shop.test/credit-reports/webhook', signed))).status).toBe(200)
  }
  expect(seen).toEqual([`complete ${creditReportId}`, `failed ${failed.creditReportId}`])
  const open = await playCheck(proxy, { code: null })
  expect(() => service.eventOf(open.creditReportId ?? '')).toThrow('is still open')
  expect(() => service.eventOf('nothing')).toThrow('there is no check "nothing"')
})

const rowsOf = (page: string, first: RegExp) =>
  readFileSync(page, 'utf8')
    .split('\n')
    .flatMap((line) => (first.test(line) ? [line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, ''))] : []))

test('docs/lender/testing.md lists every trigger, word for word', () => {
  const rows = rowsOf('docs/lender/testing.md', /^\| `(?:\+44\d+|[A-Z][a-z]+)` \|/)
  expect(rows).toEqual(TRIGGERS.map(({ value, says }) => [`\`${value}\``, says]))
})

const errorRows = rowsOf('docs/lender/errors.md', /^\| `[\w-]+` \|/).map((cells) => ({
  code: (cells[0] ?? '').replaceAll('`', ''),
  how: cells.at(-1) ?? '',
}))
// Software in front of the mount answers `http-…`; no trigger can play it.
const isOurs = (code: string) => !code.startsWith('http-')
const triggered = errorRows.filter(({ code, how }) => isOurs(code) && !how.startsWith('by hand: '))

test('docs/lender/errors.md says of each code how it is seen, and of each that a trigger plays, by which', () => {
  expect(errorRows.length).toBeGreaterThan(25)
  const played = TRIGGERS.flatMap(({ plays }) => ('refuses' in plays ? plays.code : []))
  const named = triggered.map(({ code }) => code)
  expect(played.filter((code) => !named.includes(code))).toEqual([])
})

test.each(triggered)('$code is what $how plays, at the service or behind the proxy', async ({ code, how }) => {
  const value = how.replaceAll('`', '')
  const trigger = TRIGGERS.find((each) => each.value === value)
  if (trigger === undefined) throw new Error(`there is no trigger ${value}`)
  const details = { [trigger.field]: value }
  const behindProxy = await playCheck(createProxy(), { details })
  const asked = { ...sampleRequest, ...details }
  const headers = { Authorization: 'Bearer test-token', 'Content-Type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(asked) }
  const address = `${service.options.service}/${service.options.tenantId}/v1/credit-reports`
  const atService = await (await service.options.fetch(address, init)).json()
  expect([behindProxy.code, atService.code]).toContain(code)
})
