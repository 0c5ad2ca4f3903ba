import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DOCTOR_FINDINGS } from '../../contract/doctor.ts'
import { enveloped } from '../../testing/data-of.ts'
import { answer, proxyOptions, startTestService, type TestService } from '../../testing/proxy-service.ts'
import type { TenantProxyOptions } from '../options.ts'
import { createTenantProxy } from '../tenant-proxy.ts'
import type { Diagnosis } from './diagnosis.ts'

let service: TestService
let widgetFiles: string

beforeEach(async () => {
  service = await startTestService()
  widgetFiles = mkdtempSync(join(tmpdir(), 'doctor-'))
  writeFileSync(join(widgetFiles, 'widget.js'), 'widget')
  writeFileSync(join(widgetFiles, 'manifest.json'), '{}')
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await service.stop()
  rmSync(widgetFiles, { recursive: true })
})

const proxyWith = (change: Partial<TenantProxyOptions> = {}) =>
  createTenantProxy({ ...proxyOptions(service), widgetFiles, ...change })

async function complaints(change: Partial<TenantProxyOptions> = {}) {
  const found = await proxyWith(change).doctor()
  return found.filter(({ ok }) => !ok).map(({ check, fix }) => `${check}: ${fix}`)
}

async function messageOf(asked: Diagnosis['check'], change: Partial<TenantProxyOptions> = {}) {
  return (await proxyWith(change).doctor()).find(({ check }) => check === asked)?.message
}

test('a healthy mount: every check is good, and nothing was charged or texted', async () => {
  const found = await proxyWith().doctor()
  expect(found.map(({ check, ok }) => `${check} ${ok}`)).toEqual([
    'configuration true',
    'service true',
    'credentials true',
    'tenant true',
    'exposed-report true',
    'clock true',
    'fingerprint-script true',
    'widget-files true',
  ])
  expect(found.filter(({ ok }) => ok).map(({ message }) => message)).toEqual([
    'is complete',
    `answers at ${service.url}`,
    'are accepted for demo-lender',
    'demo-lender belongs to these credentials',
    'depends on whether the service matches persons and numbers',
    'agrees with the service',
    `is served at ${service.url}`,
    'are all there, as they were built',
  ])
  expect(service.reports.size).toBe(0)
})

test.each([
  ['full', 'a code proves a phone, not a person'],
  ['matched', 'where the mobile number is known for the person'],
  ['summary', 'the browser gets the figures'],
  ['none', 'the browser gets nothing'],
] as const)('what the browser gets of a report is said: %s', async (exposeReport, words) => {
  expect(await messageOf('exposed-report', { exposeReport })).toContain(words)
})

test.each([
  ['test mode', { test: true }, 'remove `test`: every report is invented'],
  ['cookies that may travel unencrypted', { secureCookies: false }, 'remove `secureCookies: false`'],
] as const)('%s in production, which is fine elsewhere', async (_what, change, fix) => {
  expect(await complaints(change)).toEqual([])
  vi.stubEnv('NODE_ENV', 'production')
  expect(await complaints()).toEqual([])
  expect(await complaints(change)).toEqual([`configuration: ${fix}`])
})

test('test mode is named, and bureaus that are none of the usual', async () => {
  expect(await messageOf('configuration')).toBe('is complete')
  expect(await messageOf('configuration', { test: true })).toBe('is complete; test mode, nothing is charged')
  const bureaus = ['equifax', 'acme']
  expect(await messageOf('agencies', { bureaus })).toBe('bureaus acme are unusual')
  expect(await complaints({ bureaus })).toEqual(['agencies: the service usually knows equifax, experian, transunion'])
})

test.each([
  [
    'service',
    { service: () => '' },
    'createTenantProxy: `service` must be the address of the service without a path, such as https://service.example',
  ],
  [
    'credentials',
    { credentials: () => ({ clientId: 'a', clientSecret: '' }) },
    'createTenantProxy: `credentials.clientSecret` must be a text',
  ],
  [
    'credentials',
    {
      credentials: () => {
        throw 'the vault is shut'
      },
    },
    'the vault is shut',
  ],
])('a mistake in what the function for `%s` returns is a line, not an exception', async (_name, change, message) => {
  const [found, ...others] = await proxyWith(change).doctor()
  expect(found).toMatchObject({ check: 'configuration', ok: false, fix: expect.any(String) })
  expect(found?.message.startsWith(message)).toBe(true)
  expect(others).toEqual([])
})

test('a wrong secret', async () => {
  const credentials = { clientId: 'demo-lender', clientSecret: 'wrong' }
  expect(await complaints({ credentials })).toEqual([
    'credentials: check `credentials`: the client id or the secret is wrong, or was revoked',
  ])
})

test('a tenant of another lender', async () => {
  expect(await complaints({ tenantId: 'other-lender' })).toEqual(['tenant: check `tenantId`'])
})

test('a service that is not there', async () => {
  const gone = await startTestService()
  await gone.stop()
  expect(await complaints({ service: gone.url })).toEqual([
    'service: check `service`, and that this machine may reach it',
  ])
})

test.each([
  [500, 'the service is not up: ask its operator'],
  [429, 'the service is not up: ask its operator'],
  [404, 'check `service`: this is not the service'],
])('a service that answers %i', async (status, fix) => {
  service.misbehave = (_request, response) => {
    answer(response, status, {})
    return true
  }
  expect((await complaints())[0]).toBe(`service: ${fix}`)
  expect(await messageOf('service')).toBe(`answers ${status} at ${service.url}/v1/fingerprints/device`)
  // Credentials are not sent to what may be another's server.
  expect(service.tokenRequests).toEqual([])
})

test('a tenant that cannot be checked', async () => {
  let status: number | null = 500
  service.misbehave = ({ path }, response) => {
    if (!path.endsWith('/otp-challenge')) return false
    if (status === null) response.destroy()
    else answer(response, status, {})
    return true
  }
  expect(await messageOf('tenant')).toBe('demo-lender could not be checked (HTTP 500)')
  status = null
  expect(await messageOf('tenant')).toBe('demo-lender could not be checked (HTTP error)')
})

test('a clock that is ahead, behind, or has nothing to compare with', async () => {
  const messageAt = (skewMs: number) => messageOf('clock', { clock: () => Date.now() + skewMs })
  expect(await messageAt(3_600_000)).toMatch(/^is 360\d s ahead of the service$/)
  expect(await messageAt(-3_600_000)).toMatch(/^is (?:3600|359\d) s behind the service$/)
  service.misbehave = (_request, response) => {
    response.sendDate = false
    return false
  }
  expect(await messageAt(3_600_000)).toBe('the service names no time to compare with')
})

test('a clock that is wrong', async () => {
  expect(await complaints({ clock: () => Date.now() - 3_600_000 })).toEqual([
    'clock: synchronise this machine’s clock (NTP)',
  ])
})

test.each([
  [500, 'the service is up but gives no tokens'],
  [429, 'the service is up but gives no tokens'],
  [404, 'check `service`: this is not the service'],
])('a service that answers %i where tokens are', async (status, advice) => {
  service.misbehave = (request, response) => {
    if (request.path !== '/v1/oauth/token') return false
    answer(response, status, {})
    return true
  }
  expect((await complaints())[0]).toMatch(new RegExp(`^credentials: ${advice}`))
})

test('widget files that are missing, or not those of the manifest', async () => {
  const expected = [expect.stringMatching(/^widget-files: set `widgetFiles` to a whole copy/)]
  writeFileSync(join(widgetFiles, 'manifest.json'), JSON.stringify({ 'widget.js': { integrity: 'sha384-other' } }))
  expect(await complaints()).toEqual(expected)
  rmSync(join(widgetFiles, 'widget.js'))
  expect(await complaints()).toEqual(expected)
})

test('only developers can read it below the mount', async () => {
  const ask = (change: Partial<TenantProxyOptions>) =>
    proxyWith(change)(new Request('http://localhost/credit-reports/doctor'))
  expect(await (await ask({ testScenarios: true })).json()).toHaveLength(8)
  expect((await ask({})).status).toBe(404)
})

test('the diagnosis never names the secret', async () => {
  expect(JSON.stringify(await proxyWith().doctor())).not.toContain('demo-secret')
})

test('the service hears the codes of what is wrong, and nothing else', async () => {
  const sent = () => service.seen.filter(({ path }) => path.endsWith('/doctor')).map(({ body }) => JSON.parse(body))
  await proxyWith().doctor()
  expect(sent()).toEqual([{ test: false, findings: [] }])
  rmSync(join(widgetFiles, 'widget.js'))
  const found = await proxyWith({ test: true, bureaus: ['acme'] }).doctor()
  expect(sent()[1]).toEqual({ test: true, findings: ['unusual-bureaus', 'widget-files'] })
  const codes = found.flatMap(({ ok, code }) => (ok ? [] : [code]))
  expect(codes).toEqual(sent()[1].findings)
})

test('a service that does not take the report, or never answers, changes nothing', async () => {
  for (const misbehave of [404, 500, null]) {
    service.misbehave = ({ path }, response) => {
      if (!path.endsWith('/doctor')) return false
      if (misbehave === null) response.destroy()
      else answer(response, misbehave, {})
      return true
    }
    expect(await complaints()).toEqual([])
  }
})

test('without a token nothing is reported', async () => {
  await complaints({ credentials: { clientId: 'demo-lender', clientSecret: 'wrong' } })
  expect(service.seen.filter(({ path }) => path.endsWith('/doctor'))).toEqual([])
})

test('every code has a sentence', () => {
  for (const [code, sentence] of Object.entries(DOCTOR_FINDINGS)) {
    expect(code).toMatch(/^[a-z-]{1,40}$/)
    expect(sentence).toMatch(/^.{20,160}\.$/)
  }
})

/** Answers for the wallet as a service does that lets this client read it. */
function withWallet(wallet: { balanceCredits: number; matchPriceCredits?: number }, status = 200) {
  service.misbehave = ({ path }, response) => {
    if (!path.endsWith('/wallet')) return false
    const prices = { heldCredits: 0, reportPriceCredits: 500, textPriceCredits: 40 }
    answer(response, status, enveloped({ tenantId: 'demo-lender', ...prices, ...wallet }))
    return true
  }
}

const FULL_WALLET = 'holds 500 credits, and a report costs 500'
const EMPTY_WALLET = 'holds 499 credits, and a report costs 500'
test.each([
  ['that holds one report', 500, {}, 200, { ok: true, message: FULL_WALLET }],
  ['a credit short of one', 499, {}, 200, { ok: false, message: EMPTY_WALLET, code: 'empty-wallet' }],
  ['too low in test mode, where nothing is charged', 499, { test: true }, 200, { ok: true, message: EMPTY_WALLET }],
  ['this client may not read', 499, {}, 403, undefined],
])('a wallet %s', async (_what, balanceCredits, change, status, expected) => {
  withWallet({ balanceCredits }, status)
  const wallet = (await proxyWith(change).doctor()).find(({ check }) => check === 'wallet')
  if (expected === undefined) expect(wallet).toBeUndefined()
  else expect(wallet).toMatchObject(expected)
})

const [WHOLE, MATCHED] = ['the browser gets the whole report:', 'the browser gets the whole report where']
test.each([
  ['nothing is chosen and the service matches', undefined, 50, false, true, MATCHED],
  ['nothing is chosen and it does not', undefined, undefined, false, true, WHOLE],
  ['"matched" is chosen and it matches', 'matched', 50, false, true, MATCHED],
  ['"matched" is chosen and it does not', 'matched', undefined, false, false, 'no one sees a whole report'],
  ['the same in test mode', 'matched', undefined, true, true, MATCHED],
  ['"full" is chosen', 'full', 50, false, true, WHOLE],
] as const)('who sees a report when %s', async (_when, exposeReport, matchPriceCredits, test, ok, words) => {
  withWallet({ balanceCredits: 500, ...(matchPriceCredits && { matchPriceCredits }) })
  const found = await proxyWith({ test, ...(exposeReport && { exposeReport }) }).doctor()
  const exposed = found.find(({ check }) => check === 'exposed-report')
  expect(exposed).toMatchObject({ ok, message: expect.stringContaining(words) })
  expect(exposed?.code).toBe(ok ? undefined : 'no-match-provider')
})

test('a service that cannot be asked says nothing of clock, tenant or wallet', async () => {
  service.misbehave = (_request, response) => {
    response.destroy()
    return true
  }
  expect((await proxyWith().doctor()).map(({ check, ok, message }) => `${check} ${ok} ${message}`)).toEqual([
    'configuration true is complete',
    `service false does not answer at ${service.url}`,
    'exposed-report true depends on whether the service matches persons and numbers',
    'widget-files true are all there, as they were built',
  ])
})

test.each([
  ['thirty seconds ahead', 30_000, 'agrees with the service'],
  ['a little more', 30_001, 'is 30 s ahead of the service'],
  ['thirty seconds behind', -30_000, 'agrees with the service'],
  ['much further behind', -61_000, 'is 61 s behind the service'],
])('a clock that is %s', async (_what, skewMs, message) => {
  const serviceMs = Date.parse('2026-11-15T12:00:00Z')
  service.misbehave = (_request, response) => {
    response.setHeader('Date', new Date(serviceMs).toUTCString())
    return false
  }
  expect(await messageOf('clock', { clock: () => serviceMs + skewMs })).toBe(message)
})
