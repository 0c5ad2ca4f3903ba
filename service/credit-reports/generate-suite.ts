// Generate, on every engine: what each branch answers, what it does to the wallet, and what a retry gets.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { GenerateResponse } from '../../contract/generate.ts'
import { type BureauProvider, ProviderUnavailable, type RiskProvider } from '../providers/providers.ts'
import { createSimulatedBureau } from '../providers/simulated-bureau.ts'
import { createSimulatedRisk } from '../providers/simulated-risk.ts'
import { createTestApp, liveRequest, type TestApp, type TestAppOptions, testRequest } from '../test-app.ts'
import { topUp } from '../wallet/store.ts'
import { WORK_LEASE_MS } from './generate-live.ts'

export function describeGenerate(engine: string, options: () => Promise<TestAppOptions>): void {
  describe(`${engine}: generate`, () => {
    let app: TestApp
    /** What stands between the service and its providers; a test may put something there. */
    const faults: { risk?: RiskProvider['assess']; bureau?: BureauProvider['query'] } = {}
    let bureausAsked = 0

    beforeAll(async () => {
      const [risk, bureau] = [createSimulatedRisk(), createSimulatedBureau()]
      app = await createTestApp({
        ...(await options()),
        providers: {
          risk: { assess: (...question) => (faults.risk ?? risk.assess)(...question) },
          bureau: {
            query(...question) {
              bureausAsked += 1
              return (faults.bureau ?? bureau.query)(...question)
            },
          },
        },
      })
    })
    afterAll(() => app.close())

    describe('live', () => {
      test('allow: the report at once, held and captured', async () => {
        const before = (await app.wallet()).balanceCredits
        const { status, body, headers } = await app.generate(liveRequest('Allow'))
        expect(status).toBe(200)
        expect(GenerateResponse.safeParse(body).success).toBe(true)
        expect(body.data).toMatchObject({ status: 'complete', challengeType: 'none' })
        expect(body.meta.wallet).toEqual({ balance: before - 500, cost: 500 })
        expect(await app.wallet()).toMatchObject({ balanceCredits: before - 500, heldCredits: 0 })
        expect(await app.lines(body.data.creditReportId)).toEqual(['hold report 500', 'capture report 500'])
        expect(headers.get('X-Challenge-Expires-In')).toBeNull()
        expect(headers.get('Idempotent-Replayed')).toBeNull()
      })

      test('block: no report, no cost, the hold given back', async () => {
        const before = (await app.wallet()).balanceCredits
        const asked = bureausAsked
        const { body } = await app.generate(liveRequest('Block'))
        expect(body.data).toEqual({ status: 'blocked', creditReportId: expect.any(String) })
        expect(body.meta.wallet).toEqual({ balance: before, cost: 0 })
        expect(await app.wallet()).toMatchObject({ balanceCredits: before, heldCredits: 0 })
        expect(await app.lines(body.data.creditReportId)).toEqual(['hold report 500', 'release report 500'])
        expect(bureausAsked).toBe(asked)
      })

      test('challenge: the report is held, the text is charged on delivery and shows in the next balance', async () => {
        const { balanceCredits: before, heldCredits } = await app.wallet()
        const { body, headers } = await app.generate(liveRequest())
        expect(body.data).toEqual({
          status: 'authentication-required',
          challengeType: 'otp',
          creditReportId: expect.any(String),
          challenge: { challengeId: expect.any(String) },
        })
        expect(headers.get('X-Challenge-Expires-In')).toBe('300')
        expect(body.meta.wallet).toEqual({ balance: before - 500, cost: 500 })
        expect(await app.wallet()).toMatchObject({ balanceCredits: before - 540, heldCredits: heldCredits + 500 })
        expect(await app.lines(body.data.creditReportId)).toEqual(['hold report 500', 'hold sms 40', 'capture sms 40'])
        expect(await app.codes(body.data.creditReportId)).toHaveLength(1)
      })

      test('a challenge without a mobile number is refused by name, and nothing stays held', async () => {
        const { mobileNumber: _number, ...request } = liveRequest()
        const before = await app.wallet()
        const { status, body } = await app.generate(request)
        expect(status).toBe(400)
        expect(body).toEqual({ code: 'validation-error', message: expect.stringContaining('mobileNumber: ') })
        expect(await app.wallet()).toEqual(before)
      })

      test('who is allowed or blocked needs no mobile number', async () => {
        const { mobileNumber: _number, ...request } = liveRequest('Allow')
        expect((await app.generate(request)).body.data.status).toBe('complete')
        expect((await app.generate({ ...request, lastName: 'Block' })).body.data.status).toBe('blocked')
      })

      test('challengeOptions count for nothing', async () => {
        const { body } = await app.generate({ ...liveRequest('Block'), challengeOptions: { status: 'allow' } })
        expect(body.data.status).toBe('blocked')
      })

      test.each([
        ['a text', 'challenge'],
        ['a word that is no branch', { status: 'maybe' }],
        ['null', null],
      ])('nor can anything be wrong with them: %s', async (_name, challengeOptions) => {
        const live = { ...liveRequest('Block'), challengeOptions }
        expect((await app.generate(live)).body.data?.status).toBe('blocked')
        expect((await app.generate({ ...live, test: false })).body.data?.status).toBe('blocked')
        const inTestMode = await app.generate({ ...live, test: true })
        expect(inTestMode.body).toEqual({
          code: 'validation-error',
          message: expect.stringMatching(/^challengeOptions/),
        })
      })

      test.each([
        ['one credit short of a report', 499, 'Allow', 402],
        ['exactly a report', 500, 'Allow', 200],
        ['a report, but one credit short of its text', 539, 'Example', 402],
        ['exactly a report and its text', 540, 'Example', 200],
        ['a report for somebody who is blocked', 500, 'Block', 200],
      ])('a wallet with %s', async (_name, credits, lastName, expected) => {
        const token = await app.newTenant(credits)
        const asked = bureausAsked
        const { status, body } = await app.generate(liveRequest(lastName), { token })
        expect(status).toBe(expected)
        if (expected === 402) {
          expect(body).toEqual({ code: 'insufficient-funds', message: expect.any(String) })
          expect(bureausAsked).toBe(asked)
          expect(await app.wallet(token)).toMatchObject({ balanceCredits: credits, heldCredits: 0 })
        }
      })

      test.each([
        ['/demo-lender/v1/wallet/lines?before=%00', undefined],
        ['/demo-lender/v1/wallet/lines?creditReportId=a%00b', undefined],
        ['/demo-lender/v1/credit-reports/a%00b/otp-challenge', { challengeId: 'a', code: '1' }],
      ])('a NUL in an address is refused, not looked up: %s', async (path, body) => {
        expect(await app.call(path, body)).toMatchObject({ status: 400, body: { code: 'validation-error' } })
      })

      test('a NUL in a client’s name is a client nobody knows', async () => {
        const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'a\0b', client_secret: 'c' })
        const request = new Request('http://service.test/v1/oauth/token', { method: 'POST', body: form })
        expect((await app.fetch(request)).status).toBe(401)
      })

      test('whoever calls without belonging to the tenant is refused before anything is read', async () => {
        const foreign = await app.call('/other-lender/v1/credit-reports', liveRequest())
        expect(foreign).toMatchObject({ status: 403, body: { code: 'forbidden' } })
        const nobody = await app.generate(liveRequest(), { token: 'no-such-tenant' })
        expect(nobody).toMatchObject({ status: 403, body: { code: 'forbidden' } })
      })

      test.each([
        ['the risk provider', 'risk'],
        ['a bureau', 'bureau'],
      ] as const)('without %s: 503, nothing charged, nothing held', async (_name, part) => {
        const before = await app.wallet()
        const away = () => Promise.reject(new ProviderUnavailable(part, 'unreachable'))
        if (part === 'risk') faults.risk = away
        else faults.bureau = away
        const { status, body, headers } = await app.generate(liveRequest('Allow'))
        delete faults[part]
        expect(status).toBe(503)
        expect(body.code).toBe('unavailable')
        expect(headers.get('Retry-After')).toMatch(/^\d+$/)
        expect(await app.wallet()).toEqual(before)
      })
    })

    describe('test mode', () => {
      test.each([
        ['allow', 'complete'],
        ['challenge', 'authentication-required'],
        ['block', 'blocked'],
      ] as const)('%s answers %s and costs nothing', async (branch, expected) => {
        const before = await app.wallet()
        const { body } = await app.generate(testRequest(branch))
        expect(body.data.status).toBe(expected)
        expect(body.meta.wallet).toEqual({ balance: before.balanceCredits, cost: 0 })
        expect(await app.wallet()).toEqual(before)
        expect(await app.lines(body.data.creditReportId)).toEqual([])
        expect(await app.codes(body.data.creditReportId)).toEqual([])
      })

      test('without options it is allowed, without a mobile number it can be challenged', async () => {
        const { challengeOptions: _options, ...plain } = testRequest('allow')
        expect((await app.generate(plain)).body.data.status).toBe('complete')
        const { mobileNumber: _number, ...silent } = testRequest('challenge')
        expect((await app.generate(silent)).body.data.status).toBe('authentication-required')
      })

      test('an empty wallet is no obstacle', async () => {
        const { body } = await app.generate(testRequest('challenge'), { token: 'empty-lender' })
        expect(body.meta.wallet).toEqual({ balance: 0, cost: 0 })
        expect((await app.resend(body.data, { token: 'empty-lender' })).status).toBe(200)
      })

      test('asks no provider', async () => {
        faults.risk = () => Promise.reject(new Error('asked'))
        faults.bureau = () => Promise.reject(new Error('asked'))
        expect((await app.generate(testRequest('allow'))).status).toBe(200)
        delete faults.risk
        delete faults.bureau
      })
    })

    describe('with an idempotency key', () => {
      let keys = 0
      const newKey = () => {
        keys += 1
        return { 'Idempotency-Key': `key-${engine}-${keys}` }
      }

      test.each([
        ['a live report', liveRequest('Allow')],
        ['a live block', liveRequest('Block')],
        ['a live challenge', liveRequest()],
        ['a test report', testRequest('allow')],
        ['a test challenge', testRequest('challenge')],
        ['a test block', testRequest('block')],
      ])('%s is made once, and the answer repeats word for word', async (_name, request) => {
        const key = newKey()
        const first = await app.generate(request, key)
        const wallet = await app.wallet()
        const second = await app.generate(request, key)
        expect(first.status).toBe(200)
        expect(first.headers.get('Idempotent-Replayed')).toBeNull()
        expect(second.headers.get('Idempotent-Replayed')).toBe('true')
        expect(second.body).toEqual(first.body)
        expect(second.headers.get('X-Challenge-Expires-In')).toBe(first.headers.get('X-Challenge-Expires-In'))
        expect(await app.wallet()).toEqual(wallet)
      })

      test('the answer stays the first one, even when the challenge has moved on', async () => {
        const key = newKey()
        const first = await app.generate(testRequest('challenge'), key)
        await app.submit(first.body.data, '123456')
        const again = await app.generate(testRequest('challenge'), key)
        expect(again.body).toEqual(first.body)
        expect(again.headers.get('X-Challenge-Expires-In')).toBe('0')
      })

      test('a challenge that nobody answered does not look new to whoever hears of it only now', async () => {
        const key = newKey()
        const first = await app.generate(liveRequest(), key)
        app.time.nowMs += 300_001
        await app.sweeper.sweep()
        const again = await app.generate(liveRequest(), key)
        expect(again.body).toEqual(first.body)
        expect(again.headers.get('X-Challenge-Expires-In')).toBe('0')
      })

      test('spaces and the order of fields make no other body; a value does', async () => {
        const key = newKey()
        const request = testRequest('allow')
        const first = await app.generate(request, key)
        const shuffled = Object.fromEntries(Object.entries(request).reverse())
        expect((await app.generate({ ...shuffled, unknown: 1 }, key)).body).toEqual(first.body)
        const other = await app.generate({ ...request, firstName: 'Kim' }, key)
        expect(other).toMatchObject({ status: 400, body: { code: 'validation-error' } })
        expect(other.body.message).toContain('Idempotency-Key')
      })

      test('what the caller asks to ignore may differ, and nothing else', async () => {
        const key = { ...newKey(), 'Idempotency-Ignore': 'sessionId, ipAddress' }
        const request = { ...testRequest('allow'), sessionId: 'before', ipAddress: '203.0.113.7' }
        const moved = { ...request, sessionId: 'after', ipAddress: '198.51.100.20' }
        const first = await app.generate(request, key)
        expect((await app.generate(moved, key)).body).toEqual(first.body)
        for (const [other, headers] of [
          [{ ...moved, firstName: 'Kim' }, key],
          [{ ...moved, externalReference: 'another order' }, key],
          [request, { ...key, 'Idempotency-Ignore': 'sessionId' }],
        ] as const) {
          const { status, body } = await app.generate(other, headers)
          expect([status, body.message]).toEqual([400, expect.stringContaining('Idempotency-Key')])
        }
      })

      test.each(['', 'firstName', 'sessionId, addresses', '*'])('nothing may be ignored by %j', async (names) => {
        const { status, body } = await app.generate(testRequest('allow'), { ...newKey(), 'Idempotency-Ignore': names })
        expect([status, body.message]).toEqual([400, expect.stringContaining('Idempotency-Ignore')])
      })

      test('a key belongs to its tenant', async () => {
        const key = newKey()
        const mine = await app.generate(testRequest('allow'), key)
        const theirs = await app.generate(testRequest('allow'), { ...key, token: 'other-lender' })
        expect(theirs.status).toBe(200)
        expect(theirs.body.data.creditReportId).not.toBe(mine.body.data.creditReportId)
      })

      test.each(['', 'a b', 'é', 'x'.repeat(256)])('%j is no key', async (text) => {
        const { status, body } = await app.generate(testRequest('allow'), { 'Idempotency-Key': text })
        expect(status).toBe(400)
        expect(body.message).toContain('Idempotency-Key')
      })

      test('too few credits are not kept: after a top-up the same key works', async () => {
        const tenantId = await app.newTenant(499)
        const key = { ...newKey(), token: tenantId }
        expect((await app.generate(liveRequest('Allow'), key)).status).toBe(402)
        await topUp(app.database, { tenantId, credits: 1, reference: 'second', nowMs: app.time.nowMs })
        const { status, headers } = await app.generate(liveRequest('Allow'), key)
        expect(status).toBe(200)
        expect(headers.get('Idempotent-Replayed')).toBeNull()
      })

      test('a provider that was away is not kept either', async () => {
        const key = newKey()
        faults.bureau = () => Promise.reject(new ProviderUnavailable('bureau', 'unreachable'))
        expect((await app.generate(liveRequest('Allow'), key)).status).toBe(503)
        delete faults.bureau
        expect((await app.generate(liveRequest('Allow'), key)).body.data.status).toBe('complete')
      })

      test('a refusal for want of a mobile number is not kept: the body may be mended under a new key', async () => {
        const key = newKey()
        const { mobileNumber: _number, ...request } = liveRequest()
        expect((await app.generate(request, key)).status).toBe(400)
        expect((await app.generate(liveRequest(), key)).status).toBe(200)
      })

      test('twenty identical requests at once make one report, one hold and one text', async () => {
        const key = newKey()
        const before = (await app.wallet()).balanceCredits
        const answers = await Promise.all(Array.from({ length: 20 }, () => app.generate(liveRequest(), key)))
        const made = answers.filter(({ status }) => status === 200)
        expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true)
        expect(new Set(made.map(({ body }) => body.data.creditReportId)).size).toBe(1)
        expect((await app.wallet()).balanceCredits).toBe(before - 540)
        expect(await app.codes(made[0]?.body.data.creditReportId)).toHaveLength(1)
      })

      test('while the first is at work, the second is told to wait', async () => {
        const key = newKey()
        let answerRisk: (decision: 'allow') => void = () => {}
        const asked = new Promise<void>((wasAsked) => {
          faults.risk = () =>
            new Promise((resolve) => {
              answerRisk = resolve
              wasAsked()
            })
        })
        const first = app.generate(liveRequest('Allow'), key)
        await asked
        const second = await app.generate(liveRequest('Allow'), key)
        expect(second).toMatchObject({ status: 409, body: { code: 'request-in-progress' } })
        expect(second.headers.get('Retry-After')).toBe('1')
        answerRisk('allow')
        delete faults.risk
        expect((await first).body.data.status).toBe('complete')
        expect((await app.generate(liveRequest('Allow'), key)).headers.get('Idempotent-Replayed')).toBe('true')
      })

      test('after a day the key is free again', async () => {
        const key = newKey()
        const first = await app.generate(testRequest('allow'), key)
        app.time.nowMs += 86_400_001
        const second = await app.generate(testRequest('allow'), key)
        expect(second.headers.get('Idempotent-Replayed')).toBeNull()
        expect(second.body.data.creditReportId).not.toBe(first.body.data.creditReportId)
      })
    })

    describe('when the worker dies between hold and answer', () => {
      /** A request whose process stopped in the middle of asking: its promise never settles. */
      async function strand(key: { 'Idempotency-Key': string }): Promise<string> {
        const asked = new Promise<string>((wasAsked) => {
          faults.risk = ({ creditReportId }) => {
            wasAsked(creditReportId)
            return new Promise(() => {})
          }
        })
        void app.generate(liveRequest('Allow'), key)
        const creditReportId = await asked
        delete faults.risk
        return creditReportId
      }

      test('a retry with the same key takes the report over, once the lease is up', async () => {
        const key = { 'Idempotency-Key': `stranded-${engine}-1` }
        const before = (await app.wallet()).balanceCredits
        const creditReportId = await strand(key)
        expect((await app.generate(liveRequest('Allow'), key)).status).toBe(409)
        app.time.nowMs += WORK_LEASE_MS + 1
        const { body } = await app.generate(liveRequest('Allow'), key)
        expect(body.data).toMatchObject({ status: 'complete', creditReportId })
        expect(body.meta.wallet).toEqual({ balance: before - 500, cost: 500 })
        expect(await app.lines(creditReportId)).toEqual(['hold report 500', 'capture report 500'])
      })

      test('nobody comes back: the sweeper gives the hold back, and the key is free', async () => {
        const key = { 'Idempotency-Key': `stranded-${engine}-2` }
        const before = (await app.wallet()).balanceCredits
        const creditReportId = await strand(key)
        expect((await app.wallet()).balanceCredits).toBe(before - 500)
        app.time.nowMs += WORK_LEASE_MS + 60_001
        expect((await app.sweeper.sweep()).abandonedReports).toBe(1)
        expect(await app.lines(creditReportId)).toEqual(['hold report 500', 'release report 500'])
        const { body } = await app.generate(liveRequest('Allow'), key)
        expect(body.data.creditReportId).not.toBe(creditReportId)
      })

      test('a worker that wakes up after its lease went to another writes nothing', async () => {
        const key = { 'Idempotency-Key': `stranded-${engine}-3` }
        let answerRisk: (decision: 'allow') => void = () => {}
        const asked = new Promise<void>((wasAsked) => {
          faults.risk = () =>
            new Promise((resolve) => {
              answerRisk = resolve
              wasAsked()
            })
        })
        const sleeper = app.generate(liveRequest('Allow'), key)
        await asked
        delete faults.risk
        app.time.nowMs += WORK_LEASE_MS + 1
        const taken = await app.generate(liveRequest('Allow'), key)
        answerRisk('allow')
        expect((await sleeper).status).toBe(503)
        expect(await app.lines(taken.body.data.creditReportId)).toEqual(['hold report 500', 'capture report 500'])
      })
    })
  })
}
