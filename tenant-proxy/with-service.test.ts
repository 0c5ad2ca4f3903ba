// The proxy in front of the real, built service: no stand-in.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ErrorBody } from '../contract/envelope.ts'
import { ProxyReport, ProxyResend } from '../contract/tenant-proxy.ts'
import { type BuiltService, startBuiltService } from '../prove/cuts/built-service.ts'
import { run } from '../prove/cuts.ts'
import { createTestBrowser } from '../testing/proxy-browser.ts'
import { sampleDetails } from '../testing/proxy-service.ts'
import type { ProxyEvent } from './events.ts'
import type { TenantProxyOptions } from './options.ts'
import { createTenantProxy } from './tenant-proxy.ts'

let service: BuiltService
beforeAll(async () => {
  service = await startBuiltService({ RATE_LIMIT_PER_MINUTE: '1000000' })
})
afterAll(() => service.stop())

function open(options: Partial<TenantProxyOptions> = {}) {
  const events: ProxyEvent[] = []
  const proxy = createTenantProxy({
    service: service.url,
    tenantId: 'demo-lender',
    credentials: { clientId: 'demo-lender', clientSecret: 'demo-secret' },
    testScenarios: true,
    limits: { generatesMax: 1_000, writesMax: 1_000 },
    onEvent: (event) => events.push(event),
    ...options,
  })
  return { proxy, events, browser: createTestBrowser(proxy) }
}

async function report(response: Response) {
  const body = await response.text()
  expect([response.status, body]).toEqual([200, expect.not.stringMatching(/wallet|balanceCredits/)])
  return ProxyReport.parse(JSON.parse(body)).data
}

async function refused(response: Response) {
  return { status: response.status, code: ErrorBody.parse(await response.json()).code }
}

describe.each([
  ['test001', 0],
  ['test002', 1],
  ['test003', 3],
  ['test004', 2],
  ['default', 4],
])('scenario %s', (scenario, records) => {
  test(`allowed, it has ${records} records`, async () => {
    const { browser } = open()
    const data = await report(await browser.post(`/credit-reports/test/allow/${scenario}/a`, sampleDetails))
    expect(data.status).toBe('complete')
    expect(data.creditReport?.consumerData?.records).toHaveLength(records)
  })

  test('challenged, a wrong code and a resend later it is the same report', async () => {
    const { browser } = open()
    const path = `/credit-reports/test/challenge/${scenario}/a`
    const begun = await report(await browser.post(path, sampleDetails))
    const { challengeId } = begun.challenge ?? {}
    const at = `${path}/${begun.creditReportId}`
    expect(await report(await browser.post(`${at}/otp-challenge`, { challengeId, code: '000000' }))).toMatchObject({
      status: 'retry',
      challenge: { attemptsRemaining: 2, textsRemaining: 2 },
    })
    const resent = ProxyResend.parse(await (await browser.post(`${at}/resend-sms`, { challengeId })).json())
    expect(resent.data).toMatchObject({ smsSentCount: 2, remainingSmsCount: 1, challenge: { expiresInSeconds: 300 } })
    expect(await report(await browser.get(`${path}/current`))).toMatchObject({
      creditReportId: begun.creditReportId,
      challenge: { attemptsRemaining: 2, textsRemaining: 1 },
    })
    const done = await report(await browser.post(`${at}/otp-challenge`, { challengeId, code: '123456' }))
    expect(done.creditReport?.consumerData?.records).toHaveLength(records)
    const lost = await report(await browser.post(`${at}/otp-challenge`, { challengeId, code: '123456' }))
    expect(lost).toEqual(done)
  })

  test('blocked, it ends there', async () => {
    const { browser } = open()
    expect(await report(await browser.post(`/credit-reports/test/block/${scenario}/a`, sampleDetails))).toEqual({
      status: 'blocked',
      creditReportId: expect.any(String),
    })
  })
})

test('three wrong codes fail for good', async () => {
  const { browser } = open({ test: 'challenge' })
  const begun = await report(await browser.generate())
  const submit = async (code: string) =>
    (
      await report(
        await browser.post(`/credit-reports/${begun.creditReportId}/otp-challenge`, {
          challengeId: begun.challenge?.challengeId,
          code,
        }),
      )
    ).status
  expect([await submit('000000'), await submit('000001'), await submit('000002'), await submit('123456')]).toEqual([
    'retry',
    'retry',
    'failed',
    'failed',
  ])
})

test('a fourth text is refused without a time to wait', async () => {
  const { browser } = open({ test: 'challenge' })
  const { creditReportId, challenge } = await report(await browser.generate())
  const resend = () =>
    browser.post(`/credit-reports/${creditReportId}/resend-sms`, { challengeId: challenge?.challengeId })
  expect([(await resend()).status, (await resend()).status]).toEqual([200, 200])
  const fourth = await resend()
  expect(fourth.headers.has('Retry-After')).toBe(false)
  expect(await refused(fourth)).toEqual({ status: 429, code: 'rate-limited' })
})

test('an empty wallet is a neutral refusal for the consumer and an event for the lender', async () => {
  const { browser, events } = open({
    tenantId: 'empty-lender',
    credentials: { clientId: 'empty-lender', clientSecret: 'empty-secret' },
  })
  expect(await refused(await browser.generate())).toEqual({ status: 402, code: 'insufficient-funds' })
  expect(events).toMatchObject([{ type: 'insufficient-funds', operation: 'generate', requestId: expect.any(String) }])
})

test('a live challenge without a mobile number comes back to that field', async () => {
  const { browser } = open()
  const response = await browser.generate({ mobileNumber: undefined })
  expect(await response.json()).toEqual({ code: 'validation-error', message: expect.stringMatching(/^mobileNumber: /) })
})

test('the same press of a button from another network is one report', async () => {
  const { browser, events } = open()
  const key = { 'Idempotency-Key': crypto.randomUUID() }
  const first = await report(await browser.generate({ lastName: 'Allow' }, key))
  browser.address = '198.51.100.20'
  expect(await report(await browser.generate({ lastName: 'Allow' }, key))).toEqual(first)
  const balances = events.map((event) => (event.type === 'answered' ? event.wallet?.balance : undefined))
  expect(new Set(balances).size).toBe(1)
})

test('the answer lost, the page reloaded, the proxy restarted and the phone on another network: one report, one charge', async () => {
  const key = { 'Idempotency-Key': crypto.randomUUID() }
  const before = open()
  const first = await report(await before.browser.generate({ lastName: 'Allow' }, key))
  const after = open()
  after.browser.address = '198.51.100.20'
  const details = { lastName: 'Allow', sessionId: 'the-session-of-the-reloaded-page' }
  expect(await report(await after.browser.generate(details, key))).toEqual(first)
  const [charged, repeated] = [before, after].map(({ events }) => events.find(({ type }) => type === 'answered'))
  expect(repeated).toMatchObject({ wallet: charged?.type === 'answered' ? charged.wallet : null })
})

test('the doctor finds the real service well', async () => {
  const found = await open({ widgetFiles: 'dist/widget' }).proxy.doctor()
  expect(found.filter(({ ok }) => !ok)).toEqual([])
})

test('a line cut at random bytes costs no second charge or text', async () => {
  const { ok, counts } = await run({ scale: 0.03 })
  expect(counts).toMatchObject({
    unanswered: 0,
    'answers that changed': 0,
    'unknown reports': 0,
    'charges too many': 0,
    'texts too many': 0,
  })
  expect(ok).toBe(true)
})
