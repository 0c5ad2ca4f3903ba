// Test support: what the interface document asks of machines, against any assembly of the handler.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CreditReport } from '../contract/credit-report.ts'
import { sampleRequest } from '../contract/samples.ts'
import { CORE_CREDITS, type CoreApp } from './core-app.ts'

const REPORT = 500
const SMS = 40
export const error = (code: string) => ({ code, message: expect.any(String) })
const inTest = (status: 'allow' | 'challenge' | 'block', email = 'test002@example.com') => ({
  ...sampleRequest,
  email,
  challengeOptions: { status },
})
const wrongOf = (code: string) => (code === '000000' ? '000001' : '000000')

export function interfaceSuite(name: string, createApp: () => Promise<CoreApp>): void {
  describe(name, () => {
    let app: CoreApp
    beforeAll(async () => {
      app = await createApp()
    })
    afterAll(() => app?.close())
    const balance = async () => (await app.get('wallet')).body.data.balanceCredits

    describe('the machine’s token', () => {
      test('is a JWT for client credentials, and opens the lender’s paths', async () => {
        expect((await app.tokenOf('acme')).split('.')).toHaveLength(3)
        expect((await app.get('wallet')).status).toBe(200)
      })

      test('is refused for a wrong secret, in the words of RFC 6749', async () => {
        const form = 'grant_type=client_credentials&client_id=acme&client_secret=wrong'
        const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
        const { status, body } = await app.call('/v1/oauth/token', { body: form, headers })
        expect([status, body.error]).toEqual([401, 'invalid_client'])
      })

      test.each([
        'POST credit-reports',
        'POST credit-reports/x/otp-challenge',
        'POST credit-reports/x/resend-sms',
        'GET wallet',
      ])('without one, or with a broken one, %s is 401', async (route) => {
        const [method = '', path = ''] = route.split(' ')
        for (const token of [undefined, 'broken', `${await app.tokenOf('acme')}x`]) {
          const given = { method, ...(token && { token }), ...(method === 'POST' && { body: {} }) }
          const { status, body, headers } = await app.call(`/acme/v1/${path}`, given)
          expect([status, body]).toEqual([401, error('unauthorized')])
          expect(headers.get('WWW-Authenticate')).toMatch(/^Bearer/)
        }
      })

      test('of another lender is 403, and so is one of a lender that does not exist', async () => {
        const token = await app.tokenOf('poor')
        for (const tenantId of ['acme', 'no-one']) {
          const { status, body } = await app.call(`/${tenantId}/v1/credit-reports`, { token, body: inTest('allow') })
          expect([status, body]).toEqual([403, error('forbidden')])
        }
      })
    })

    describe('the fingerprint script', () => {
      test('is served to anyone, and again by its hash', async () => {
        const { status, text, headers } = await app.call('/v1/fingerprints/device')
        expect([status, text]).toEqual([200, '/* the fingerprint script */'])
        expect(headers.get('Content-Type')).toContain('text/javascript')
        const pinned = await app.call(headers.get('Content-Location') ?? '')
        expect([pinned.status, pinned.text]).toEqual([200, text])
      })

      test('opens sessions, each another', async () => {
        const ids = [await app.openSession(), await app.openSession()]
        for (const id of ids) expect(id).toMatch(/^\S{16,}$/)
        expect(new Set(ids).size).toBe(2)
      })
    })

    describe('in test mode, without cost', () => {
      test('allow completes at once', async () => {
        const before = await balance()
        const { status, body } = await app.generate(inTest('allow'))
        expect(status).toBe(200)
        expect(body.meta).toMatchObject({
          request: { timeTakenMs: expect.any(Number) },
          wallet: { balance: before, cost: 0 },
        })
        expect(body.data).toMatchObject({
          status: 'complete',
          challengeType: 'none',
          creditReportId: expect.any(String),
        })
        expect(CreditReport.safeParse(body.data.creditReport).error).toBeUndefined()
        expect(await balance()).toBe(before)
      })

      test.each([
        ['test001', 0],
        ['test002', 1],
        ['test003', 3],
        ['test004', 2],
        ['TEST003', 3],
        ['anyone', 4],
      ])('%s has %i records, after each branch', async (prefix, count) => {
        const email = `${prefix}@example.com`
        const allowed = (await app.generate(inTest('allow', email))).body.data
        const challenged = (await app.generate(inTest('challenge', email))).body.data
        const verified = (await app.submit(challenged, '123456')).body.data
        for (const { status, creditReport } of [allowed, verified]) {
          expect([status, creditReport.consumerData.records.length]).toEqual(['complete', count])
        }
      })

      test('block is the end, without a report', async () => {
        const { status, body } = await app.generate(inTest('block'))
        expect([status, body.data.status, body.meta.wallet.cost]).toEqual([200, 'blocked', 0])
        expect(Object.keys(body.data)).not.toContain('creditReport')
      })

      test('challenge takes 123456, after two wrong codes too', async () => {
        const { data } = (await app.generate(inTest('challenge'))).body
        expect(data).toMatchObject({ status: 'authentication-required', challengeType: 'otp' })
        expect((await app.submit(data, '000000')).body.data).toMatchObject({ status: 'retry', attemptsRemaining: 2 })
        expect((await app.submit(data, '000000')).body.data).toMatchObject({ status: 'retry', attemptsRemaining: 1 })
        const { body } = await app.submit(data, '123456')
        expect(body.data).toMatchObject({ status: 'complete', creditReportId: data.creditReportId })
        expect(body.meta.wallet.cost).toBe(0)
      })

      test('the third wrong code fails it for good', async () => {
        const { data } = (await app.generate(inTest('challenge'))).body
        for (const _attempt of [1, 2]) await app.submit(data, '000000')
        for (const code of ['000000', '123456']) {
          const failed = (await app.submit(data, code)).body.data
          expect(failed).toMatchObject({ status: 'failed', errorMessage: expect.any(String) })
        }
      })

      test('a text is sent again twice, and no real one at all', async () => {
        const { data } = (await app.generate(inTest('challenge'))).body
        const counts = async () => (await app.resend(data)).body
        expect(await counts()).toMatchObject({ data: { smsSentCount: 2, remainingSmsCount: 1 } })
        const second = await counts()
        expect(second.data).toEqual({ smsSentCount: 3, remainingSmsCount: 0 })
        expect(second.meta).not.toHaveProperty('wallet')
        const { status, body } = await app.resend(data)
        expect([status, body]).toEqual([429, error('rate-limited')])
        expect(app.codes(data.creditReportId)).toEqual([])
      })

      test('a lender without credits is served', async () => {
        expect((await app.generate(inTest('allow'), 'poor')).body.data.status).toBe('complete')
      })
    })

    describe('live', () => {
      test('allow completes at once and costs a report', async () => {
        const before = await balance()
        const { status, body } = await app.generate(await app.liveRequest('Allow'))
        expect([status, body.data.status, body.data.challengeType]).toEqual([200, 'complete', 'none'])
        expect(body.meta.wallet).toEqual({ balance: before - REPORT, cost: REPORT })
        expect(CreditReport.safeParse(body.data.creditReport).error).toBeUndefined()
        expect(await balance()).toBe(before - REPORT)
      })

      test('block is the end, and costs nothing', async () => {
        const before = await balance()
        const { status, body } = await app.generate(await app.liveRequest('Block'))
        expect([status, body.data.status, body.meta.wallet.cost]).toEqual([200, 'blocked', 0])
        expect(await balance()).toBe(before)
      })

      test('a challenge is texted; the right code completes it, and the price was held', async () => {
        const before = await balance()
        const { data, meta } = (await app.generate(await app.liveRequest())).body
        expect(data).toMatchObject({ status: 'authentication-required', challengeType: 'otp' })
        expect(meta.wallet.cost).toBe(REPORT)
        const [code = ''] = app.codes(data.creditReportId)
        const retry = await app.submit(data, wrongOf(code))
        expect(retry.body.data).toMatchObject({
          status: 'retry',
          attemptsRemaining: 2,
          errorMessage: expect.any(String),
        })
        const { status, body } = await app.submit(data, code)
        expect([status, body.data.status, body.meta.wallet.cost]).toEqual([200, 'complete', 0])
        expect(CreditReport.safeParse(body.data.creditReport).error).toBeUndefined()
        expect(await balance()).toBe(before - REPORT - SMS)
        expect((await app.get('wallet')).body.data.heldCredits).toBe(0)
      })

      test('the third wrong code fails it for good; the text is paid, the report is not', async () => {
        const before = await balance()
        const { data } = (await app.generate(await app.liveRequest())).body
        const [code = ''] = app.codes(data.creditReportId)
        const statuses: string[] = []
        for (const each of [wrongOf(code), wrongOf(code), wrongOf(code), code])
          statuses.push((await app.submit(data, each)).body.data.status)
        expect(statuses).toEqual(['retry', 'retry', 'failed', 'failed'])
        expect(await balance()).toBe(before - SMS)
      })

      test('a text is sent again twice, each is paid, and each code counts', async () => {
        const before = await balance()
        const { data } = (await app.generate(await app.liveRequest())).body
        expect((await app.resend(data)).body.data).toEqual({ smsSentCount: 2, remainingSmsCount: 1 })
        expect((await app.resend(data)).body.data).toEqual({ smsSentCount: 3, remainingSmsCount: 0 })
        expect((await app.resend(data)).status).toBe(429)
        const codes = app.codes(data.creditReportId)
        expect(codes).toHaveLength(3)
        expect((await app.submit(data, codes[2] ?? '')).body.data.status).toBe('complete')
        expect(await balance()).toBe(before - REPORT - 3 * SMS)
      })

      test('without a session of the script the challenge fails', async () => {
        const { data } = (await app.generate({ ...(await app.liveRequest()), sessionId: 'unknown' })).body
        expect(data.status).toBe('authentication-required')
        expect((await app.submit(data, app.codes(data.creditReportId)[0] ?? '')).body.data.status).toBe('failed')
      })

      test('a lender without credits is 402, and nothing is written', async () => {
        const reports = await app.countRows('credit_report')
        const { status, body } = await app.generate(await app.liveRequest('Allow'), 'poor')
        expect([status, body]).toEqual([402, error('insufficient-funds')])
        expect(await app.countRows('credit_report')).toBe(reports)
      })

      test.each([false, true])('five minutes after the last text it is 410 (test mode: %s)', async (isTest) => {
        const { data } = (await app.generate(isTest ? inTest('challenge') : await app.liveRequest())).body
        const code = isTest ? '123456' : (app.codes(data.creditReportId)[0] ?? '')
        app.time.nowMs += 300_001
        for (const answer of [await app.submit(data, code), await app.resend(data)])
          expect([answer.status, answer.body]).toEqual([410, error('challenge-expired')])
      })
    })

    describe('after the end', () => {
      test.each([false, true])('one report is read, and found by its reference (test mode: %s)', async (isTest) => {
        const externalReference = `order of ${isTest ? 'a test' : 'a live check'}`
        const request = { ...(isTest ? inTest('allow') : await app.liveRequest('Allow')), externalReference }
        const { data } = (await app.generate(request)).body
        const { creditReportId, creditReport } = data
        const read = await app.get(`credit-reports/${creditReportId}`)
        expect(read.body.data).toMatchObject({ status: 'complete', externalReference, creditReport })
        const found = await app.get(`credit-reports?externalReference=${encodeURIComponent(externalReference)}`)
        expect(found.body.data.creditReports).toMatchObject([{ creditReportId, status: 'complete', test: isTest }])
        expect((await app.get(`credit-reports/${creditReportId}`, 'poor')).status).toBe(404)
      })

      test('the wallet says what is left, and the prices', async () => {
        const { status, body } = await app.get('wallet', 'poor')
        const empty = { tenantId: 'poor', balanceCredits: 0, heldCredits: 0 }
        const site = { bureaus: ['equifax', 'experian', 'transunion'], simulated: ['bureau', 'sms'] }
        expect([status, body.data]).toEqual([
          200,
          { ...empty, reportPriceCredits: REPORT, textPriceCredits: SMS, ...site },
        ])
        const lines = await app.database.first<{ sum: number }>(
          `SELECT SUM(CASE kind WHEN 'hold' THEN -credits WHEN 'capture' THEN 0 ELSE credits END) AS sum FROM wallet_line`,
        )
        expect(lines?.sum).toBe(await balance())
        expect(await balance()).toBeLessThan(CORE_CREDITS)
      })
    })

    describe('what is not there', () => {
      test('an unknown report is 404, and so is the challenge of another', async () => {
        const [one, other] = [
          (await app.generate(inTest('challenge'))).body.data,
          (await app.generate(inTest('challenge'))).body.data,
        ]
        for (const ask of [app.submit, app.resend]) {
          const noReport = await ask({ ...one, creditReportId: '018f6f5e-0000-7000-8000-000000000000' }, '123456')
          expect([noReport.status, noReport.body]).toEqual([404, error('credit-report-not-found')])
          const noChallenge = await ask({ ...one, challenge: other.challenge }, '123456')
          expect([noChallenge.status, noChallenge.body]).toEqual([404, error('challenge-not-found')])
        }
      })

      test('a request without what it needs is 400, and names it', async () => {
        const { sessionId: _sessionId, ...request } = sampleRequest
        const { status, body } = await app.generate(request)
        expect([status, body.code, body.message]).toEqual([
          400,
          'validation-error',
          expect.stringContaining('sessionId'),
        ])
      })
    })
  })
}
