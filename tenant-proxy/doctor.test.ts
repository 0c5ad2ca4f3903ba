import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { answer, proxyOptions, startTestService, type TestService } from '../testing/proxy-service.ts'
import type { TenantProxyOptions } from './options.ts'
import { createTenantProxy } from './tenant-proxy.ts'

let service: TestService
let widgetFiles: string

beforeEach(async () => {
  service = await startTestService()
  widgetFiles = mkdtempSync(join(tmpdir(), 'doctor-'))
  writeFileSync(join(widgetFiles, 'widget.js'), 'widget')
})
afterEach(async () => {
  await service.stop()
  rmSync(widgetFiles, { recursive: true })
})

const proxyWith = (change: Partial<TenantProxyOptions> = {}) =>
  createTenantProxy({ ...proxyOptions(service), widgetFiles, ...change })

async function complaints(change: Partial<TenantProxyOptions> = {}) {
  const found = await proxyWith(change).doctor()
  return found.filter(({ ok }) => !ok).map(({ check, fix }) => `${check}: ${fix}`)
}

test('a healthy mount: every check is good, and nothing was charged or texted', async () => {
  const found = await proxyWith().doctor()
  expect(found.map(({ check, ok }) => `${check} ${ok}`)).toEqual([
    'configuration true',
    'exposed-report true',
    'service true',
    'credentials true',
    'tenant true',
    'clock true',
    'fingerprint-script true',
    'widget-files true',
  ])
  expect(service.reports.size).toBe(0)
})

test.each([
  ['full', 'a code proves a phone, not a person'],
  ['summary', 'the browser gets the figures'],
  ['none', 'the browser gets nothing'],
] as const)('what the browser gets of a report is said: %s', async (exposeReport, words) => {
  const said = (await proxyWith({ exposeReport }).doctor()).find(({ check }) => check === 'exposed-report')
  expect(said?.message).toContain(words)
})

test.each([
  [
    'service',
    { service: () => '' },
    '`service` must be an address such as https://service.example; is the environment',
  ],
  [
    'credentials',
    { credentials: () => ({ clientId: 'a', clientSecret: '' }) },
    '`credentials.clientSecret` must be a text',
  ],
])('a mistake in what the function for `%s` returns is a line, not an exception', async (_name, change, message) => {
  expect(await proxyWith(change).doctor()).toEqual([
    { check: 'configuration', ok: false, message: expect.stringContaining(message), fix: expect.any(String) },
  ])
})

test('a wrong secret', async () => {
  const credentials = { clientId: 'demo-lender', clientSecret: 'wrong' }
  expect(await complaints({ credentials })).toEqual([
    'credentials: check `credentials`: the client id or the secret is wrong, or was revoked',
    'tenant: mend the credentials first',
  ])
})

test('a tenant of somebody else', async () => {
  expect(await complaints({ tenantId: 'other-lender' })).toEqual(['tenant: check `tenantId`'])
})

test('a service that is not there', async () => {
  const gone = await startTestService()
  await gone.stop()
  expect(await complaints({ service: gone.url })).toEqual([
    'service: check `service`, and that this machine may reach it',
    'fingerprint-script: set `publicServiceUrl` to the address browsers reach the service at',
  ])
})

test('a clock that is wrong', async () => {
  expect(await complaints({ clock: () => Date.now() - 3_600_000 })).toEqual([
    'clock: synchronise this machine’s clock (NTP)',
  ])
})

test('a service that gives no tokens', async () => {
  service.misbehave = (request, response) => {
    if (request.path !== '/v1/oauth/token') return false
    answer(response, 500, {})
    return true
  }
  expect((await complaints())[0]).toMatch(/^credentials: the service is up but gives no tokens/)
})

test('widget files that are missing, or not those of the manifest', async () => {
  writeFileSync(join(widgetFiles, 'manifest.json'), JSON.stringify({ 'widget.js': { integrity: 'sha384-other' } }))
  expect(await complaints()).toEqual(['widget-files: reinstall or rebuild the package'])
  rmSync(join(widgetFiles, 'widget.js'))
  expect(await complaints()).toEqual(['widget-files: set `widgetFiles` to the folder `dist/widget` of the package'])
})

test('developers can read it below the mount; nobody else can', async () => {
  const ask = (change: Partial<TenantProxyOptions>) =>
    proxyWith(change)(new Request('http://localhost/credit-reports/doctor'))
  expect(await (await ask({ testScenarios: true })).json()).toHaveLength(8)
  expect((await ask({})).status).toBe(404)
})

test('the diagnosis never names the secret', async () => {
  expect(JSON.stringify(await proxyWith().doctor())).not.toContain('demo-secret')
})
