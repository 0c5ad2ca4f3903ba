// Generate through the proxy: exactly what the service gets, and what a repeated submission finds.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sampleReport } from '../../contract/samples.ts'
import { VERSION, WIDGET_VERSION_HEADER } from '../../contract/versions.ts'
import { createTestBrowser } from '../../testing/proxy-browser.ts'
import { createTestMount, refused, report, type TestMount } from '../../testing/proxy-mount.ts'
import { answer, sampleDetails } from '../../testing/proxy-service.ts'

let at: TestMount
beforeEach(async () => {
  at = await createTestMount()
})
afterEach(() => at.service.stop())

const CURRENT = '/credit-reports/current'
const KEY = { 'Idempotency-Key': 'c0ffee00-0000-4000-8000-000000000000' }
const problems = () => at.events.flatMap((event) => (event.type === 'misconfigured' ? [event.problem] : []))

/** The answer to every check: one that waits for its code, which still lives so long. */
function challengeFor(expiresIn: string) {
  at.service.misbehave = ({ method, path }, response) => {
    if (method !== 'POST' || !path.endsWith('/credit-reports')) return false
    const challenge = { challengeId: 'challenge-of-report-1' }
    const data = {
      status: 'authentication-required',
      challengeType: 'otp',
      creditReportId: 'report-1',
      test: false,
      challenge,
    }
    const meta = { request: { timeTakenMs: 1 }, wallet: { balance: 1, cost: 0 } }
    answer(response, 200, { meta, data }, { 'X-Challenge-Expires-In': expiresIn })
    return true
  }
}

test('the service gets the details, and of its own accord nothing but agencies, address and kind of search', async () => {
  await at.browser.generate()
  const { consent: _consent, ...details } = sampleDetails
  expect(at.lastBody()).toEqual({
    ...details,
    bureaus: ['equifax', 'experian', 'transunion'],
    ipAddress: '203.0.113.7',
    searchType: 'pcp',
  })
})

test.each([
  ['a version', VERSION, VERSION],
  ['what is none', 'the latest', undefined],
  ['nothing', undefined, undefined],
])('a widget that says %s of itself', async (_what, said, passedOn) => {
  await at.browser.generate({}, said === undefined ? {} : { [WIDGET_VERSION_HEADER]: said })
  expect(at.service.seen.at(-1)?.headers[WIDGET_VERSION_HEADER.toLowerCase()]).toBe(passedOn)
})

describe('the same press again', () => {
  test('keeps what the cookie knows: time, attempts and texts', async () => {
    const first = await report(await at.browser.generate({}, KEY))
    const { challengeId } = first.challenge ?? {}
    at.nowMs += 40_000
    await at.browser.post('/credit-reports/report-1/resend-sms', { challengeId })
    await at.browser.post('/credit-reports/report-1/otp-challenge', { challengeId, code: '000000' })
    at.nowMs += 20_000
    const again = await report(await at.browser.generate({}, KEY))
    expect(again.challenge).toMatchObject({ expiresInSeconds: 280, attemptsRemaining: 2, textsRemaining: 1 })
    expect(at.service.reports.size).toBe(1)
  })

  test('of a check begun before a later one leaves the later one the latest', async () => {
    await at.browser.generate({}, KEY)
    at.nowMs += 1_000
    const { creditReportId } = await at.begin()
    at.nowMs += 1_000
    await at.browser.generate({}, KEY)
    expect(await report(await at.browser.get(CURRENT))).toMatchObject({ creditReportId })
  })

  test('after the right code gets the report', async () => {
    const { challenge } = await report(await at.browser.generate({}, KEY))
    const code = { challengeId: challenge?.challengeId, code: '123456' }
    await at.browser.post('/credit-reports/report-1/otp-challenge', code)
    expect(await report(await at.browser.generate({}, KEY))).toMatchObject({
      status: 'complete',
      creditReport: sampleReport,
    })
  })

  test.each([
    ['has no time left asks how the check ended', '0', 'blocked', 1],
    ['has a second left is waited for', '1', 'authentication-required', 0],
  ])('whose challenge %s', async (_what, expiresIn, status, timesAsked) => {
    challengeFor(expiresIn)
    const known = { creditReportId: 'report-1', attempts: 0, sends: 1, test: false }
    at.service.reports.set('report-1', { ...known, status: 'blocked' })
    expect(await report(await at.browser.generate())).toMatchObject({ status, creditReportId: 'report-1' })
    expect(at.service.seen.filter(({ method }) => method === 'GET')).toHaveLength(timesAsked)
  })

  test('at once has one reference, and so has any later one', async () => {
    let orders = 0
    at.mount({
      externalReference: async () => {
        orders += 1
        const order = `order-${orders}`
        await new Promise(setImmediate)
        return order
      },
    })
    await at.browser.get(CURRENT)
    await Promise.all([at.browser.generate({}, KEY), at.browser.generate({}, KEY)])
    await at.browser.generate({}, KEY)
    const sent = at.service.seen.filter(({ method }) => method === 'POST')
    const references = sent.map(({ body }) => JSON.parse(body).externalReference)
    expect([references.length, new Set(references).size, orders]).toEqual([2, 1, 2])
    expect(at.service.reports.size).toBe(1)
  })
})

describe('limits', () => {
  test('in the last second of the wait a check is still refused', async () => {
    at.mount({ limits: { generatesMax: 1 } })
    await at.browser.generate()
    at.nowMs += 599_500
    const response = await at.browser.generate()
    expect([response.status, response.headers.get('Retry-After')]).toEqual([429, '1'])
    at.nowMs += 500
    expect((await at.browser.generate()).status).toBe(200)
  })

  test('four homes’ worth of checks come from an IPv6 /56, sixteen from a /48', async () => {
    at.mount({ limits: { generatesMax: 1 } })
    await at.browser.get(CURRENT)
    const allowed = async (addresses: string[]) => {
      const statuses: number[] = []
      for (const address of addresses) {
        at.browser.address = address
        statuses.push((await at.browser.generate()).status)
      }
      return statuses.filter((status) => status === 200).length
    }
    expect(await allowed(Array.from({ length: 6 }, (_, home) => `2001:db8:1:${home + 1}::1`))).toBe(4)
    expect(await allowed(Array.from({ length: 20 }, (_, block) => `2001:db8:2:${block + 1}00::1`))).toBe(16)
  })
})

describe('a balancer that `trustedHops` does not know of', () => {
  const behind = { 'X-Forwarded-For': '203.0.113.9' }

  test('is noticed at a check whose page another process has served', async () => {
    const { cookies } = at.browser
    await at.browser.get(CURRENT)
    at.mount()
    Object.assign(at.browser, { cookies, address: '10.0.0.5' })
    await at.browser.generate({}, behind)
    expect(problems()).toEqual([expect.stringContaining('requests come from 10.0.0.5')])
  })

  test('is no matter in a preview, which its developers may reach as they like', async () => {
    at.mount({ testScenarios: true })
    at.browser.address = '10.0.0.5'
    const path = '/credit-reports/test/allow/default/a'
    expect((await at.browser.post(path, sampleDetails, behind)).status).toBe(200)
    expect(problems()).toEqual([])
  })
})

test('a check of test mode, which costs nothing, says nothing of the wallet', async () => {
  at.mount({ testScenarios: true })
  at.service.misbehave = ({ path }, response) => {
    if (!path.endsWith('/credit-reports')) return false
    const data = { status: 'blocked', creditReportId: 'report-1', test: true }
    answer(response, 200, { meta: { request: { timeTakenMs: 1 }, wallet: { cost: 500, balance: 0 } }, data })
    return true
  }
  expect((await at.browser.post('/credit-reports/test/block/default/a', sampleDetails)).status).toBe(200)
  expect((await createTestBrowser(at.proxy).get(CURRENT)).status).toBe(200)
})

test('an empty wallet is not taken for a start that was used', async () => {
  const start = at.proxy.begin({ externalReference: 'order-7' })
  at.service.misbehave = ({ path }, response) => {
    if (!path.endsWith('/credit-reports')) return false
    answer(response, 402, { code: 'insufficient-funds', message: 'too low' })
    return true
  }
  expect(await refused(await at.browser.generate({}, { 'X-Credit-Report-Start': start }))).toMatchObject({
    status: 402,
    code: 'insufficient-funds',
  })
})
