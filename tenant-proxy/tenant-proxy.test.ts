import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sampleReport } from '../contract/samples.ts'
import { ProxyReport, ProxyResend } from '../contract/tenant-proxy.ts'
import { WIDGET_VERSION_HEADER } from '../contract/versions.ts'
import { createTestBrowser } from '../testing/proxy-browser.ts'
import { createTestMount, refused, report, type TestMount } from '../testing/proxy-mount.ts'
import { answer, sampleDetails } from '../testing/proxy-service.ts'

let at: TestMount
beforeEach(async () => {
  at = await createTestMount()
})
afterEach(() => at.service.stop())

describe('the way of a check', () => {
  test('an allowed check answers with the report and nothing about the wallet', async () => {
    at.service.branch = 'allow'
    const response = await at.browser.generate()
    const body = await response.text()
    expect(ProxyReport.parse(JSON.parse(body)).data).toMatchObject({ status: 'complete', creditReport: sampleReport })
    expect(body).not.toMatch(/wallet|balance":999500|cost/)
  })

  test('a blocked check says so', async () => {
    at.service.branch = 'block'
    expect(await report(await at.browser.generate())).toEqual({ status: 'blocked', creditReportId: 'report-1' })
  })

  test('a challenged check ends with the right code, and each answer says what is left', async () => {
    const first = await report(await at.browser.generate())
    expect(first).toEqual({
      status: 'authentication-required',
      creditReportId: 'report-1',
      challengeType: 'otp',
      challenge: {
        challengeId: 'challenge-of-report-1',
        expiresInSeconds: 300,
        attemptsRemaining: 3,
        textsRemaining: 2,
        mobileNumberEnding: '123',
      },
    })
    const { challengeId } = first.challenge ?? {}
    const wrong = await report(
      await at.browser.post('/credit-reports/report-1/otp-challenge', { challengeId, code: '000000' }),
    )
    expect(wrong).toMatchObject({
      status: 'retry',
      attemptsRemaining: 2,
      challenge: { attemptsRemaining: 2, textsRemaining: 2 },
    })
    const resent = await at.browser.post('/credit-reports/report-1/resend-sms', { challengeId })
    expect(ProxyResend.parse(await resent.json()).data).toMatchObject({
      remainingSmsCount: 1,
      smsSentCount: 2,
      challenge: { attemptsRemaining: 2, textsRemaining: 1, expiresInSeconds: 300 },
    })
    const right = await report(
      await at.browser.post('/credit-reports/report-1/otp-challenge', { challengeId, code: '123456' }),
    )
    expect(right).toMatchObject({ status: 'complete', creditReport: sampleReport })
  })

  test('the third wrong code fails', async () => {
    const { base, challengeId } = await at.begin()
    for (const status of ['retry', 'retry', 'failed']) {
      expect(
        await report(await at.browser.post(`${base}/otp-challenge`, { challengeId, code: '000000' })),
      ).toMatchObject({
        status,
      })
    }
  })

  test('a check that has failed is answered here: the service hears nothing more of it', async () => {
    const { base, challengeId } = await at.begin()
    const submit = () => at.browser.post(`${base}/otp-challenge`, { challengeId, code: '000000' })
    for (let attempt = 0; attempt < 3; attempt += 1) await submit()
    const asked = at.service.seen.length
    expect(await report(await submit())).toMatchObject({ status: 'failed' })
    expect(at.service.seen).toHaveLength(asked)
  })

  test('not even when its old cookie is played back', async () => {
    const { base, challengeId } = await at.begin()
    const cookies = new Map(at.browser.cookies)
    const submit = () => at.browser.post(`${base}/otp-challenge`, { challengeId, code: '000000' })
    for (let attempt = 0; attempt < 3; attempt += 1) await submit()
    const asked = at.service.seen.length
    for (const [name, value] of cookies) at.browser.cookies.set(name, value)
    expect(await report(await submit())).toMatchObject({ status: 'failed' })
    expect(at.service.seen).toHaveLength(asked)
  })

  test('a check that never ends gets ten codes of the service’s time, then a time to wait', async () => {
    const { base, challengeId } = await at.begin()
    at.service.misbehave = (request, response) => {
      if (!request.path.endsWith('/otp-challenge')) return false
      answer(response, 410, { code: 'challenge-expired', message: 'the code of an older text' })
      return true
    }
    const statuses: number[] = []
    for (let attempt = 0; attempt < 12; attempt += 1) {
      statuses.push((await at.browser.post(`${base}/otp-challenge`, { challengeId, code: '123456' })).status)
    }
    expect(statuses).toEqual([...Array(10).fill(410), 429, 429])
  })

  test('every answer names the fingerprint script, the agencies and whether it is a test', async () => {
    at.mount({ publicServiceUrl: 'https://public.service.example', test: true, bureaus: ['experian'] })
    const body = ProxyReport.parse(await (await at.browser.get('/credit-reports/current')).json())
    expect(body).toEqual({
      meta: {
        test: true,
        fingerprintSrc: 'https://public.service.example/v1/fingerprints/device',
        takesSteps: true,
        draft: null,
        cookieKept: false,
        bureaus: ['experian'],
      },
      data: { status: 'none' },
    })
  })

  test('a completed challenge can be asked for again with the same code when the answer got lost', async () => {
    const { base, challengeId } = await at.begin()
    await at.browser.post(`${base}/otp-challenge`, { challengeId, code: '123456' })
    expect(await report(await at.browser.post(`${base}/otp-challenge`, { challengeId, code: '123456' }))).toMatchObject(
      {
        status: 'complete',
      },
    )
  })
})

describe('GET /current', () => {
  test('resumes with what is left of time, attempts and texts', async () => {
    const { base, challengeId } = await at.begin()
    await at.browser.post(`${base}/otp-challenge`, { challengeId, code: '000000' })
    await at.browser.post(`${base}/resend-sms`, { challengeId })
    at.nowMs += 100_000
    expect(await report(await at.browser.get('/credit-reports/current'))).toEqual({
      status: 'authentication-required',
      creditReportId: 'report-1',
      challengeType: 'otp',
      challenge: {
        challengeId,
        expiresInSeconds: 200,
        attemptsRemaining: 2,
        textsRemaining: 1,
        mobileNumberEnding: '123',
      },
    })
  })

  test('of two tabs, comes back to the one texted last, and both can finish', async () => {
    const first = await at.begin()
    at.nowMs += 1_000
    const second = await at.begin()
    expect(await report(await at.browser.get('/credit-reports/current'))).toMatchObject({
      creditReportId: second.creditReportId,
    })
    for (const { base, challengeId } of [first, second]) {
      expect(
        await report(await at.browser.post(`${base}/otp-challenge`, { challengeId, code: '123456' })),
      ).toMatchObject({
        status: 'complete',
      })
    }
  })

  test('time that passes while an answer is put together is never given twice', async () => {
    at.mount({ clock: () => ++at.nowMs })
    const { base, challengeId } = await at.begin()
    const retried = await report(await at.browser.post(`${base}/otp-challenge`, { challengeId, code: '000000' }))
    const resent = ProxyResend.parse(await (await at.browser.post(`${base}/resend-sms`, { challengeId })).json())
    expect([retried.challenge?.expiresInSeconds, resent.data.challenge.expiresInSeconds]).toEqual([300, 300])
  })

  test('follows the time the service gives', async () => {
    at.service.misbehave = (request, response) => {
      if (!request.path.endsWith('/credit-reports')) return false
      const data = {
        status: 'authentication-required',
        challengeType: 'otp',
        creditReportId: 'r',
        test: false,
        challenge: { challengeId: 'c' },
      }
      const meta = { request: { timeTakenMs: 1 }, wallet: { balance: 1, cost: 0 } }
      answer(response, 200, { meta, data }, { 'X-Challenge-Expires-In': '42' })
      return true
    }
    expect(await report(await at.browser.generate())).toMatchObject({ challenge: { expiresInSeconds: 42 } })
  })
})

describe('another browser', () => {
  test('gets 404 for ids it did not begin, the same bytes as for ids that never were, and the service hears nothing', async () => {
    const { base, challengeId } = await at.begin()
    const stranger = createTestBrowser(at.proxy)
    const asked = at.service.seen.length
    const bodies = await Promise.all(
      [
        [`${base}/otp-challenge`, { challengeId, code: '123456' }],
        ['/credit-reports/report-99/otp-challenge', { challengeId: 'no', code: '123456' }],
        [`${base}/resend-sms`, { challengeId }],
      ].map(async ([path, body]) => {
        const response = await stranger.post(String(path), body)
        expect(response.status).toBe(404)
        return response.text()
      }),
    )
    expect(new Set(bodies).size).toBe(1)
    expect(JSON.parse(bodies[0] ?? '')).toMatchObject({ code: 'credit-report-not-found' })
    expect(at.service.seen).toHaveLength(asked)
  })

  test('gets its own answer even with the same idempotency key', async () => {
    const headers = { 'Idempotency-Key': 'not-so-random' }
    at.service.branch = 'allow'
    const mine = await report(await at.browser.generate({}, headers))
    const theirs = await report(await createTestBrowser(at.proxy).generate({ firstName: 'Alex' }, headers))
    expect(theirs.creditReportId).not.toBe(mine.creditReportId)
    expect(at.service.reports.size).toBe(2)
  })

  test('of its own: a challenge id of another report is not found', async () => {
    const { base } = await at.begin()
    expect(
      await refused(await at.browser.post(`${base}/otp-challenge`, { challengeId: 'other', code: '123456' })),
    ).toMatchObject({
      status: 404,
      code: 'challenge-not-found',
    })
  })
})

describe('limits', () => {
  test('five checks in ten minutes from one address, then a time to come back', async () => {
    at.mount({ limits: {} })
    for (const lastName of ['A', 'B', 'C', 'D', 'E']) expect((await at.browser.generate({ lastName })).status).toBe(200)
    at.nowMs += 60_000
    const response = await at.browser.generate()
    expect(response.headers.get('Retry-After')).toBe('540')
    expect(await refused(response)).toMatchObject({ status: 429, code: 'rate-limited' })
    expect(at.service.reports.size).toBe(5)
    at.nowMs += 540_000
    expect((await at.browser.generate()).status).toBe(200)
  })

  test('a typing mistake does not count', async () => {
    at.mount({ limits: { generatesMax: 1 } })
    for (const mistake of [{ firstName: '' }, { dateOfBirth: '2026-11-15' }, { dateOfBirth: '1990-02-30' }]) {
      expect((await at.browser.generate(mistake)).status).toBe(400)
    }
    expect((await at.browser.generate()).status).toBe(200)
  })

  test('writes of any kind are limited too', async () => {
    at.mount({ limits: { writesMax: 3 } })
    for (let time = 0; time < 3; time += 1)
      expect((await at.browser.post('/credit-reports/x/otp-challenge', {})).status).toBe(400)
    expect((await at.browser.post('/credit-reports/x/otp-challenge', {})).status).toBe(429)
  })
})

describe('test mode', () => {
  test('the whole mount can run in it', async () => {
    at.mount({ test: 'challenge' })
    await at.browser.generate()
    expect(at.lastBody()).toMatchObject({ test: true, challengeOptions: { status: 'challenge' } })
  })

  test('a preview chooses branch and scenario by path, and keeps a cookie of its own there', async () => {
    at.mount({ testScenarios: true, limits: { generatesMax: 0, writesMax: 0 } })
    const path = '/credit-reports/test/challenge/test003/tile-1'
    const first = await report(await at.browser.post(path, sampleDetails))
    expect(at.lastBody()).toMatchObject({
      test: true,
      challengeOptions: { status: 'challenge' },
      email: 'test003@example.com',
    })
    expect([...at.browser.cookies.values()].map((cookie) => cookie.path)).toEqual([path, path])
    const { challengeId } = first.challenge ?? {}
    expect(await report(await at.browser.get(`${path}/current`))).toMatchObject({ creditReportId: 'report-1' })
    expect(await report(await at.browser.get('/credit-reports/current'))).toEqual({ status: 'none' })
    expect(await report(await at.browser.get('/credit-reports/test/challenge/test003/tile-2/current'))).toEqual({
      status: 'none',
    })
    expect(
      await report(await at.browser.post(`${path}/report-1/otp-challenge`, { challengeId, code: '123456' })),
    ).toMatchObject({
      status: 'complete',
    })
  })

  test('the cookie of the mount and of a preview below it do not get in each other’s way', async () => {
    at.mount({ testScenarios: true })
    await at.browser.generate()
    const path = '/credit-reports/test/challenge/default/tile-1'
    await at.browser.get(`${path}/current`)
    await at.browser.post(path, sampleDetails)
    expect(await report(await at.browser.get(`${path}/current`))).toMatchObject({ creditReportId: 'report-2' })
    expect(await report(await at.browser.get('/credit-reports/current'))).toMatchObject({ creditReportId: 'report-1' })
  })

  test.each([
    ['off, the paths are not there', false, '/credit-reports/test/allow/default/a'],
    ['a branch that is none', true, '/credit-reports/test/refund/default/a'],
    ['a scenario that is none', true, '/credit-reports/test/allow/test999/a'],
    ['a label too many', true, '/credit-reports/test/allow/default/a/b'],
  ])('%s → 404', async (_what, testScenarios, path) => {
    at.mount({ testScenarios })
    expect(await refused(await at.browser.post(path, sampleDetails))).toMatchObject({ status: 404, code: 'not-found' })
    expect(at.service.seen).toHaveLength(0)
  })
})

test('the cookie is sealed, set by no other host, unreadable to scripts, and lives as long as there is something to come back to', async () => {
  await at.browser.generate()
  const cookie = at.browser.cookies.get('__Host-credit-report /')
  expect(cookie?.header).toMatch(
    /^__Host-credit-report=[\w-]+; Path=\/; HttpOnly; SameSite=Strict; Secure; Max-Age=3900$/,
  )
  const opened = Buffer.from(cookie?.value ?? '', 'base64url').toString('latin1')
  expect(opened).not.toContain('report-1')
  const local = createTestBrowser(at.proxy, { origin: 'http://localhost:4200' })
  await local.generate()
  expect(local.cookies.get('credit-report /')?.header).toMatch(
    /^credit-report=[\w-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=3900$/,
  )
})

test('two mounts on one host keep cookies of their own', async () => {
  at.mount({ path: '/loans/checks' })
  await createTestBrowser(at.proxy, { mount: '/loans/checks' }).generate()
  expect(at.service.reports.size).toBe(1)
  const browser = createTestBrowser(at.proxy, { mount: '/loans/checks' })
  await browser.generate()
  expect([...browser.cookies.keys()]).toEqual([
    '__Host-credit-report.loans.checks-probe /',
    '__Host-credit-report.loans.checks /',
  ])
})

test('a mistake in the proxy is an answer too', async () => {
  at.mount({
    clock: () => {
      throw new Error('no time')
    },
  })
  expect(await refused(await at.browser.generate())).toEqual({
    status: 500,
    code: 'internal-error',
    message: 'Something went wrong.',
  })
  expect(at.events.at(-1)).toMatchObject({ type: 'internal-error' })
})

test('a widget of a release too far away is refused before its details go anywhere', async () => {
  const headers = { [WIDGET_VERSION_HEADER]: '999.0.0' }
  expect(await refused(await at.browser.generate({}, headers))).toMatchObject({ status: 503, code: 'misconfigured' })
  expect(at.service.seen).toEqual([])
})

test('a widget that is asked for outside the mount is not found, and the lender reads why', async () => {
  expect((await at.browser.get('/widget.js')).status).toBe(404)
  expect(at.events).toEqual([{ type: 'misconfigured', problem: expect.stringContaining('`publicPath`') }])
})
