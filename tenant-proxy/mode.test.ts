// A check belongs to one lender, one mode and one installation: invented data never counts as a person's.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestBrowser, ORIGIN, type TestBrowser } from '../testing/proxy-browser.ts'
import { createTestMount, refused, report, type TestMount } from '../testing/proxy-mount.ts'
import { answer } from '../testing/proxy-service.ts'

let at: TestMount
beforeEach(async () => {
  at = await createTestMount()
})
afterEach(() => at.service.stop())

const CURRENT = '/credit-reports/current'
const cookiesOf = ({ cookies }: TestBrowser) =>
  [...cookies].map(([key, { value }]) => `${key.split(' ')[0]}=${value}`).join('; ')
const completed = (cookie = cookiesOf(at.browser), origin = ORIGIN) =>
  at.proxy.completed(new Request(`${origin}/checkout`, { headers: { Cookie: cookie } }))
const problems = () => at.events.flatMap((event) => (event.type === 'misconfigured' ? [event.problem] : []))

async function complete() {
  const { base, challengeId, creditReportId } = await at.begin()
  await at.browser.post(`${base}/otp-challenge`, { challengeId, code: '123456' })
  return creditReportId
}

/** Another mount with the cookies of the browser at this one. */
function moveTo(options: Parameters<TestMount['mount']>[0], origin = ORIGIN) {
  const { cookies } = at.browser
  at.mount(options)
  at.browser = createTestBrowser(at.proxy, { origin })
  at.browser.cookies = cookies
}

describe.each(['test', 'live'] as const)('a check completed in %s mode', (mode) => {
  test('is nothing to a mount in the other mode, which says so once', async () => {
    at.mount({ test: mode === 'test' && 'challenge' })
    const creditReportId = await complete()
    expect(completed()).toMatchObject({ creditReportId, test: mode === 'test' })
    const reports: unknown[] = []
    moveTo({ test: mode === 'live' && 'challenge', onReport: (_, context) => reports.push(context) })
    expect(completed()).toBeNull()
    expect(await report(await at.browser.get(CURRENT))).toEqual({ status: 'none' })
    expect(completed()).toBeNull()
    expect(reports).toEqual([])
    expect(problems()).toEqual([expect.stringMatching(new RegExp(`made in ${mode} mode .* was refused`))])
  })
})

test('a check begun at another host of the same lender is refused, in words', async () => {
  await complete()
  moveTo({}, 'https://www.lender.example')
  expect(completed(cookiesOf(at.browser), 'https://www.lender.example')).toBeNull()
  expect(await report(await at.browser.get(CURRENT))).toEqual({ status: 'none' })
  expect(problems()).toEqual([expect.stringContaining('shop.lender.example came to www.lender.example')])
})

test('where `origins` names the installation, the host that a reverse proxy writes does not matter', async () => {
  at.mount({ origins: [ORIGIN] })
  const creditReportId = await complete()
  moveTo({ origins: [ORIGIN] }, 'https://internal:3000')
  expect(completed(cookiesOf(at.browser), 'https://internal:3000')).toMatchObject({ creditReportId })
})

test('the report of a check is in the mode the service says, not in the one that was asked for', async () => {
  at.service.branch = 'allow'
  at.service.misbehave = (request, response) => {
    if (!request.path.endsWith('/credit-reports')) return false
    const data = { status: 'complete', challengeType: 'none', creditReportId: 'r-1', test: true, creditReport: {} }
    answer(response, 200, { meta: { request: { timeTakenMs: 1 }, wallet: { balance: 1, cost: 0 } }, data })
    return true
  }
  const reports: unknown[] = []
  at.mount({ onReport: (given) => reports.push(given) })
  expect(await refused(await at.browser.generate())).toMatchObject({ status: 503, code: 'misconfigured' })
  expect([reports, completed()]).toEqual([[], null])
  expect(problems()).toHaveLength(1)
})

test('so is the report that a code leads to', async () => {
  const reports: unknown[] = []
  at.mount({ onReport: (given) => reports.push(given) })
  const { base, challengeId, creditReportId } = await at.begin()
  Object.assign(at.service.reports.get(creditReportId) ?? {}, { test: true })
  const response = await at.browser.post(`${base}/otp-challenge`, { challengeId, code: '123456' })
  expect(await refused(response)).toMatchObject({ status: 503, code: 'misconfigured' })
  expect([reports, completed()]).toEqual([[], null])
  expect(problems()).toEqual([expect.stringContaining('made in test mode')])
})

describe('proxy.completed', () => {
  test('says what this browser has completed, for an hour, also when the report was closed', async () => {
    at.mount({ externalReference: () => 'order-7' })
    const { base, challengeId, creditReportId } = await at.begin()
    expect(completed()).toBeNull()
    await at.browser.post(`${base}/otp-challenge`, { challengeId, code: '123456' })
    const completedAt = new Date(at.nowMs).toISOString()
    const proof = { creditReportId, externalReference: 'order-7', completedAt, test: false }
    expect(completed()).toEqual(proof)
    const { host } = new URL(ORIGIN)
    for (const headers of [{ host }, { ':authority': host }])
      for (const url of [undefined, '/checkout'])
        expect(at.proxy.completed({ headers: { cookie: cookiesOf(at.browser), ...headers }, url })).toEqual(proof)
    await at.browser.delete(CURRENT)
    expect(completed()).toEqual(proof)
    at.nowMs += 3_600_000
    expect(completed()).toBeNull()
  })

  test.each<[string, object, string, boolean]>([
    ['nothing on a host with neighbours', {}, ORIGIN, false],
    ['nothing on such a host, even where cookies are not secure', { secureCookies: false }, ORIGIN, false],
    ['nothing on this machine in production', { secureCookies: true }, 'http://localhost:3000', false],
    ['what was completed on this machine', {}, 'http://localhost:3000', true],
  ])('a cookie by the plain name proves %s', async (_what, options, origin, isProof) => {
    at.mount(options)
    at.browser = createTestBrowser(at.proxy, { origin })
    await complete()
    const plain = cookiesOf(at.browser).replaceAll('__Host-', '')
    expect(completed(plain, origin) !== null).toBe(isProof)
  })

  test.each(['__Host-credit-report=AAAA', ''])('says nothing for the cookie "%s"', (cookie) => {
    expect(completed(cookie)).toBeNull()
  })
})

describe('a closed report stays closed', () => {
  test('for an older copy of the cookie', async () => {
    const creditReportId = await complete()
    const before = new Map(at.browser.cookies)
    expect(await report(await at.browser.get(CURRENT))).toMatchObject({ status: 'complete' })
    await at.browser.delete(CURRENT)
    at.browser.cookies = before
    for (const path of [CURRENT, `${CURRENT}?creditReportId=${creditReportId}`])
      expect(await report(await at.browser.get(path))).toEqual({ status: 'complete', creditReportId, closed: true })
    expect(completed()).toMatchObject({ creditReportId })
  })

  test('for a copy from before the code', async () => {
    const { base, challengeId } = await at.begin()
    const before = new Map(at.browser.cookies)
    await at.browser.post(`${base}/otp-challenge`, { challengeId, code: '123456' })
    await at.browser.delete(CURRENT)
    at.browser.cookies = before
    expect(await report(await at.browser.get(CURRENT))).toMatchObject({ status: 'complete', closed: true })
    const again = await at.browser.post(`${base}/otp-challenge`, { challengeId, code: '123456' })
    expect(await report(again)).toMatchObject({ status: 'complete', closed: true })
  })
})
