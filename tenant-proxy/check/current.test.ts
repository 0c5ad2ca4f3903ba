// The state that a browser returns to: reload, second tab, restored tab, a lost answer.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sampleReport } from '../../contract/samples.ts'
import { ProxyReport } from '../../contract/tenant-proxy.ts'
import { WIDGET_VERSION_HEADER } from '../../contract/versions.ts'
import { createTestBrowser } from '../../testing/proxy-browser.ts'
import { createTestMount, refused, report, type TestMount } from '../../testing/proxy-mount.ts'
import { another, refuse } from '../../testing/proxy-service.ts'

let at: TestMount
beforeEach(async () => {
  at = await createTestMount()
})
afterEach(() => at.service.stop())

const CURRENT = '/credit-reports/current'
const MINUTE_MS = 60_000
const current = async (query = '') => report(await at.browser.get(CURRENT + query))

/** A check that has come to an end. */
async function ended(
  how: 'complete' | 'failed' | 'blocked' | 'expired' | 'complete without a code',
  change: object = {},
) {
  at.service.branch = how === 'blocked' ? 'block' : how === 'complete without a code' ? 'allow' : 'challenge'
  const { base, challengeId, creditReportId } = await at.begin(change)
  const submit = (code: string) => at.browser.post(`${base}/otp-challenge`, { challengeId, code })
  if (how === 'complete') await submit('123456')
  if (how === 'failed') for (const code of ['000000', '000001', '000002']) await submit(code)
  if (how === 'expired') expire(creditReportId)
  return { base, challengeId, creditReportId }
}

function expire(creditReportId: string) {
  const known = at.service.reports.get(creditReportId)
  if (known) known.status = 'expired'
}

const ends = ['complete', 'complete without a code', 'failed', 'blocked', 'expired'] as const

describe.each(ends)('after %s', (how) => {
  const [status = ''] = how.split(' ')
  const isComplete = status === 'complete'
  const expected = { status, ...(isComplete ? { creditReport: sampleReport } : {}) }

  test('a reload says so, for a quarter of an hour; a report counts from its last sight', async () => {
    const { creditReportId } = await ended(how)
    expect(await current()).toMatchObject({ ...expected, creditReportId })
    at.nowMs += 15 * MINUTE_MS - 1
    expect(await current()).toMatchObject(expected)
    at.nowMs += isComplete ? 15 * MINUTE_MS : 1
    expect(await current()).toEqual(isComplete ? { status, creditReportId, closed: true } : { status: 'none' })
  })

  test('the cookie that says so is not written again', async () => {
    await ended(how)
    await current()
    const again = await at.browser.get(CURRENT)
    expect(again.headers.getSetCookie()).toEqual([])
  })

  test('so it is on another instance, after a restart', async () => {
    await ended(how)
    const { cookies } = at.browser
    at.mount()
    at.browser.cookies = cookies
    expect(await current()).toMatchObject(expected)
  })

  test('another instance does not count its quarter of an hour anew', async () => {
    const { creditReportId } = await ended(how)
    await current()
    const { cookies } = at.browser
    at.nowMs += 14 * MINUTE_MS
    at.mount()
    at.browser.cookies = cookies
    expect(await current()).toMatchObject(expected)
    at.nowMs += isComplete ? 15 * MINUTE_MS : MINUTE_MS
    expect(await current()).toEqual(isComplete ? { status, creditReportId, closed: true } : { status: 'none' })
  })

  test('forgotten, there is nothing to come back to; closed, that it was complete', async () => {
    const { creditReportId } = await ended(how)
    await current()
    expect(await report(await at.browser.delete(CURRENT))).toEqual({ status: 'none' })
    expect(await current()).toEqual(isComplete ? { status, creditReportId, closed: true } : { status: 'none' })
    await at.browser.delete(`${CURRENT}?forget=1`)
    expect(await current()).toEqual({ status: 'none' })
  })

  test('another browser gets nothing', async () => {
    const { creditReportId } = await ended(how)
    const stranger = createTestBrowser(at.proxy)
    expect(await report(await stranger.get(`${CURRENT}?creditReportId=${creditReportId}`))).toEqual({ status: 'none' })
  })
})

test.each(['summary', 'none'] as const)('exposeReport %s holds for those who come back', async (exposeReport) => {
  at.mount({ exposeReport })
  await ended('complete')
  const data = await current()
  expect(data).toMatchObject({ status: 'complete' })
  expect([data.creditReport, data.summary !== undefined]).toEqual([undefined, exposeReport === 'summary'])
})

test('the answer to the right code got lost, cookie and all: the next question has the report, and so has the lender', async () => {
  const reports: unknown[] = []
  at.mount({ onReport: (given) => reports.push(given) })
  const { base, challengeId } = await at.begin()
  const before = new Map(at.browser.cookies)
  await at.browser.post(`${base}/otp-challenge`, { challengeId, code: '123456' })
  at.browser.cookies = before
  expect(await current()).toMatchObject({ status: 'complete', creditReport: sampleReport })
  expect(reports).toHaveLength(1)
})

test('a report that completed where this process did not see it is delivered when its browser comes back', async () => {
  const reports: unknown[] = []
  const { creditReportId } = await at.begin()
  const { cookies } = at.browser
  at.mount({ onReport: (given, context) => reports.push([given, context]) })
  at.browser.cookies = cookies
  const known = at.service.reports.get(creditReportId)
  if (known) known.status = 'complete'
  await current()
  await current()
  expect(reports).toEqual([[sampleReport, { creditReportId, test: false }]])
})

test('while the service cannot be asked, a code in its time can be typed; a report is not invented and an end not guessed', async () => {
  const { base, challengeId } = await at.begin()
  const isDown = (isDown: boolean) => {
    at.service.misbehave = (_request, response) => {
      if (isDown) refuse(response, 500, 'internal-error')
      return isDown
    }
  }
  isDown(true)
  expect(await current()).toMatchObject({ status: 'authentication-required', challenge: { challengeId } })
  at.nowMs += 300_000
  expect(await refused(await at.browser.get(CURRENT))).toMatchObject({ status: 503 })
  isDown(false)
  await at.browser.post(`${base}/otp-challenge`, { challengeId, code: '123456' })
  isDown(true)
  expect(await refused(await at.browser.get(CURRENT))).toMatchObject({ status: 503 })
  isDown(false)
  expect(await current()).toMatchObject({ status: 'complete' })
})

test('erased at the service, it is forgotten here, and nothing else is', async () => {
  const first = await at.begin()
  at.nowMs += 1_000
  const { creditReportId } = await ended('complete', another)
  at.service.reports.delete(creditReportId)
  expect(await current()).toEqual({ status: 'none' })
  expect(await current()).toMatchObject({ creditReportId: first.creditReportId })
})

test('a widget too far from the proxy is refused before its form, not within a check', async () => {
  const ask = () => at.browser.get(CURRENT, { [WIDGET_VERSION_HEADER]: '999.0.0' })
  expect(await refused(await ask())).toMatchObject({ status: 503, code: 'misconfigured' })
  await at.begin()
  expect((await ask()).status).toBe(200)
})

test('what another tab has used up of attempts and texts is counted', async () => {
  const { creditReportId } = await at.begin()
  Object.assign(at.service.reports.get(creditReportId) ?? {}, { attempts: 2, sends: 3 })
  expect(await current()).toMatchObject({ challenge: { attemptsRemaining: 1, textsRemaining: 0 } })
})

test('a tab that knows its check gets that one, not a later one', async () => {
  const first = await at.begin()
  at.nowMs += 1_000
  const second = await ended('complete', another)
  expect(await current()).toMatchObject({ creditReportId: second.creditReportId })
  expect(await current(`?creditReportId=${first.creditReportId}`)).toMatchObject({
    status: 'authentication-required',
    creditReportId: first.creditReportId,
  })
})

test('an old cookie played back opens no check that has ended, and the service hears nothing of its codes', async () => {
  const { base, challengeId } = await at.begin()
  const before = new Map(at.browser.cookies)
  for (const code of ['000000', '000001', '000002']) {
    await at.browser.post(`${base}/otp-challenge`, { challengeId, code })
  }
  const heard = at.service.seen.length
  at.browser.cookies = before
  expect(await report(await at.browser.post(`${base}/otp-challenge`, { challengeId, code: '123456' }))).toMatchObject({
    status: 'failed',
  })
  expect(await refused(await at.browser.post(`${base}/resend-sms`, { challengeId }))).toMatchObject({ status: 410 })
  expect(at.service.seen).toHaveLength(heard)
})

test('a check gets ten codes passed on, however they are answered', async () => {
  const { base, challengeId } = await at.begin()
  at.service.misbehave = (request, response) => {
    if (!request.path.endsWith('/otp-challenge')) return false
    refuse(response, 500, 'internal-error')
    return true
  }
  const submit = () => at.browser.post(`${base}/otp-challenge`, { challengeId, code: '000000' })
  for (let time = 0; time < 10; time += 1) expect((await submit()).status).toBe(503)
  const heard = at.service.seen.length
  const refusal = await submit()
  expect([refusal.status, refusal.headers.get('Retry-After')]).toEqual([429, '300'])
  expect(at.service.seen).toHaveLength(heard)
})

test('questions that the service must answer are limited; a code in its time can be typed all the same', async () => {
  at.mount({ limits: { writesMax: 5 } })
  await at.begin()
  const heard = at.service.seen.length
  for (let time = 0; time < 7; time += 1) {
    expect(await current()).toMatchObject({ status: 'authentication-required' })
  }
  expect(at.service.seen.length - heard).toBe(5)
})

test('a check that is asked about too often is its own browser’s: others at the address are not refused', async () => {
  at.mount({ limits: { writesMax: 3 } })
  await ended('complete without a code')
  for (let time = 0; time < 3; time += 1) await at.browser.get(CURRENT)
  expect((await at.browser.get(CURRENT)).status).toBe(429)
  at.browser = createTestBrowser(at.proxy)
  await ended('complete without a code')
  expect(await current()).toMatchObject({ status: 'complete' })
})

describe('the nonce of a page', () => {
  const metaOf = async (query: string) => ProxyReport.parse(await (await at.browser.get(CURRENT + query)).json()).meta

  test('comes back with nothing, a check in progress and its end', async () => {
    expect(await metaOf('?nonce=a-1_Z')).toMatchObject({ nonce: 'a-1_Z' })
    const { base, challengeId } = await at.begin()
    expect(await metaOf('?nonce=2')).toMatchObject({ nonce: '2' })
    await at.browser.post(`${base}/otp-challenge`, { challengeId, code: '123456' })
    expect(await metaOf(`?nonce=${'x'.repeat(64)}`)).toMatchObject({ nonce: 'x'.repeat(64) })
    await at.browser.delete(CURRENT)
    expect(await metaOf('?nonce=4')).toMatchObject({ nonce: '4' })
  })

  test.each(['', '?nonce=', '?nonce=a%0Ab', '?nonce=<b>', `?nonce=${'x'.repeat(65)}`])(
    '%s is ignored',
    async (query) => {
      expect(await metaOf(query)).not.toHaveProperty('nonce')
    },
  )
})

test('a foreign page cannot make a browser forget', async () => {
  await ended('complete')
  const response = await at.browser.delete(CURRENT, { 'Sec-Fetch-Site': 'cross-site' })
  expect(await refused(response)).toMatchObject({ status: 403, code: 'forbidden' })
  expect(await current()).toMatchObject({ status: 'complete' })
})

describe('a browser without cookies', () => {
  test('is found out before anything is spent', async () => {
    at.browser.keepsCookies = false
    expect(await refused(await at.browser.generate())).toMatchObject({ status: 403, code: 'cookies-required' })
    expect(at.service.seen).toHaveLength(0)
    expect(at.events).toEqual([{ type: 'refused', operation: 'generate', code: 'cookies-required' }])
  })

  test('that allows them after all begins once it has asked how things stand', async () => {
    at.browser.keepsCookies = false
    await at.browser.generate()
    at.browser.keepsCookies = true
    expect((await at.browser.generate()).status).toBe(200)
  })

  test('is probed by the first question only', async () => {
    const [first, second] = [await at.browser.get(CURRENT), await at.browser.get(CURRENT)]
    expect([first.headers.getSetCookie().length, second.headers.getSetCookie().length]).toEqual([1, 0])
  })
})

const { person, consumerData, residencies, previousSearches } = sampleReport
test.each([
  ['a title that is null', { ...sampleReport, person: { ...person, title: null } }],
  ['no person at all', { consumerData, residencies, previousSearches }],
  [
    'a search without a date',
    { ...sampleReport, previousSearches: { providers: [{ companyName: 'A', records: [{}] }] } },
  ],
  ['no searches', { person, residencies, consumerData }],
  ['lists that are null', { person, residencies: null, consumerData: { records: null }, previousSearches: null }],
  ['nothing', {}],
  ['unknown fields', { ...sampleReport, score: { value: 700 } }],
])('a report with %s reaches browser and lender as it is', async (_what, given) => {
  const reports: unknown[] = []
  for (const exposeReport of ['full', 'summary'] as const) {
    at.mount({ exposeReport, onReport: (received) => reports.push(received) })
    at.service.report = given
    const { base, challengeId } = await at.begin()
    const done = await report(await at.browser.post(`${base}/otp-challenge`, { challengeId, code: '123456' }))
    expect(done.status).toBe('complete')
    if (exposeReport === 'full') expect([done.creditReport, (await current()).creditReport]).toEqual([given, given])
  }
  expect(reports).toEqual([given, given])
})

describe('while the service works on it', () => {
  function pend(creditReportId: string, status: 'pending' | 'authentication-required' = 'pending') {
    const known = at.service.reports.get(creditReportId)
    if (known) known.status = status
  }

  test('the code can be given again, even past its time', async () => {
    const { creditReportId } = await at.begin()
    pend(creditReportId)
    at.nowMs += 6 * MINUTE_MS
    expect(await current()).toMatchObject({ status: 'authentication-required', creditReportId })
  })

  test.each(['pending', 'authentication-required'] as const)(
    'a report that was complete before is not there for now: %s',
    async (status) => {
      const { creditReportId } = await ended('complete')
      pend(creditReportId, status)
      expect(await refused(await at.browser.get(CURRENT))).toMatchObject({ status: 503, code: 'unavailable' })
    },
  )
})

test('the lender gets one event for an end, from the first process that learns of it', async () => {
  const { creditReportId } = await ended('expired')
  const ends = () => at.events.filter((event) => event.type === 'answered' && event.operation === 'current')
  await current()
  await current()
  expect(ends()).toMatchObject([{ status: 'expired', creditReportId }])
  at.events = []
  await ended('complete')
  await current()
  expect(ends()).toEqual([])
})

test('of two checks that end alike, each is remembered as ended', async () => {
  const [one, other] = [await ended('failed'), await ended('failed')]
  const asked = at.service.seen.length
  for (const { creditReportId } of [one, other])
    expect(await current(`?creditReportId=${creditReportId}`)).toMatchObject({ status: 'failed', creditReportId })
  expect(at.service.seen).toHaveLength(asked)
})

test('who asks too often for a report waits for the whole window, its last second included', async () => {
  at.mount({ limits: { writesMax: 3, windowSeconds: 60 } })
  await ended('complete without a code')
  for (let time = 0; time < 3; time += 1) await at.browser.get(CURRENT)
  at.nowMs += 59_500
  const response = await at.browser.get(CURRENT)
  expect([response.status, response.headers.get('Retry-After')]).toEqual([429, '1'])
})
