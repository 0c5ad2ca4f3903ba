// Generate, on every engine: what each branch answers, and what it does to the wallet.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { GenerateResponse } from '../../contract/generate.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { createFaultyProviders } from '../../testing/faulty-providers.ts'
import { createTestApp, liveRequest, type TestApp, testRequest } from '../../testing/test-app.ts'
import { ProviderUnavailable } from '../providers/providers.ts'

onEachEngine('generate', (place) => {
  const { faults, asked, providers } = createFaultyProviders()
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp({ ...(await place()), providers })
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
      const askedBefore = asked.bureaus
      const { body } = await app.generate(liveRequest('Block'))
      expect(body.data).toEqual({ status: 'blocked', creditReportId: expect.any(String), test: false })
      expect(body.meta.wallet).toEqual({ balance: before, cost: 0 })
      expect(await app.wallet()).toMatchObject({ balanceCredits: before, heldCredits: 0 })
      expect(await app.lines(body.data.creditReportId)).toEqual(['hold report 500', 'release report 500'])
      expect(asked.bureaus).toBe(askedBefore)
    })

    test('challenge: report and text are held, and the balance says so', async () => {
      const { balanceCredits: before, heldCredits } = await app.wallet()
      const { body, headers } = await app.generate(liveRequest())
      expect(body.data).toEqual({
        status: 'authentication-required',
        challengeType: 'otp',
        creditReportId: expect.any(String),
        test: false,
        challenge: { challengeId: expect.any(String) },
      })
      expect(headers.get('X-Challenge-Expires-In')).toBe('300')
      expect(body.meta.wallet).toEqual({ balance: before - 540, cost: 500 })
      expect(await app.wallet()).toMatchObject({ balanceCredits: before - 540, heldCredits: heldCredits + 500 })
      expect(await app.lines(body.data.creditReportId)).toEqual(['hold report 500', 'hold text 40', 'capture text 40'])
      expect(await app.codes(body.data.creditReportId)).toHaveLength(1)
    })

    test('a challenge that takes the last credits answers a balance of 0, now and when it is replayed', async () => {
      const token = await app.newTenant(540)
      const key = { token, 'Idempotency-Key': 'the-last-credits' }
      const { body } = await app.generate(liveRequest(), key)
      expect(body.meta.wallet).toEqual({ balance: 0, cost: 500 })
      expect(await app.wallet(token)).toMatchObject({ balanceCredits: 0 })
      expect((await app.generate(liveRequest(), key)).body.meta.wallet).toEqual({ balance: 0, cost: 500 })
      expect((await app.resend(body.data, { token })).status).toBe(402)
    })

    test('the price is the one of this moment, whatever the last report cost', async () => {
      const token = await app.newTenant(10_000)
      const setPrice = (credits: number | null) =>
        app.database.run('UPDATE tenant SET report_price_credits = ? WHERE id = ?', credits, token)
      for (const price of [700, 0, 300, null]) {
        await setPrice(price)
        const many = await Promise.all(Array.from({ length: 3 }, () => app.generate(liveRequest('Allow'), { token })))
        for (const { body } of many) {
          expect(body.meta.wallet.cost).toBe(price ?? 500)
          expect(await app.lines(body.data.creditReportId, token)).toEqual([
            `hold report ${price ?? 500}`,
            `capture report ${price ?? 500}`,
          ])
        }
      }
      expect(await app.wallet(token)).toMatchObject({ balanceCredits: 10_000 - 3 * 1_500, heldCredits: 0 })
    })

    test('a lender that is not there is refused, and nothing is written', async () => {
      const { status, body } = await app.generate(liveRequest('Allow'), { token: 'no-one' })
      expect([status, body.code]).toEqual([403, 'forbidden'])
      expect(await app.database.first(`SELECT id FROM credit_report WHERE tenant_id = 'no-one'`)).toBeNull()
    })

    test('the balance is the one after the operation, whatever others spent while it ran', async () => {
      const token = await app.newTenant(2_000)
      let goOn = () => {}
      const asking = new Promise<void>((isAsking) => {
        faults.risk = () => {
          isAsking()
          return new Promise((decide) => {
            goOn = () => decide('allow')
          })
        }
      })
      const slow = app.generate(liveRequest('Allow'), { token })
      await asking
      delete faults.risk
      expect((await app.generate(liveRequest('Allow'), { token })).body.meta.wallet.balance).toBe(1_000)
      goOn()
      expect((await slow).body.meta.wallet).toEqual({ balance: 1_000, cost: 500 })
      expect((await app.wallet(token)).balanceCredits).toBe(1_000)
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
      ['a report for a person who is blocked', 500, 'Block', 200],
    ])('a wallet with %s', async (_name, credits, lastName, expected) => {
      const token = await app.newTenant(credits)
      const askedBefore = asked.bureaus
      const { status, body } = await app.generate(liveRequest(lastName), { token })
      expect(status).toBe(expected)
      if (expected === 402) {
        expect(body).toEqual({ code: 'insufficient-funds', message: expect.any(String) })
        expect(asked.bureaus).toBe(askedBefore)
        expect(await app.wallet(token)).toMatchObject({ balanceCredits: credits, heldCredits: 0 })
      }
    })

    test.each([
      ['/demo-lender/v1/wallet/lines?after=%00', undefined],
      ['/demo-lender/v1/wallet/lines?creditReportId=a%00b', undefined],
      ['/demo-lender/v1/credit-reports/a%00b/otp-challenge', { challengeId: 'a', code: '1' }],
    ])('a NUL in an address is refused, not looked up: %s', async (path, body) => {
      expect(await app.call(path, body)).toMatchObject({ status: 400, body: { code: 'validation-error' } })
    })

    test('a NUL in a client’s name is an unknown client', async () => {
      const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'a\0b', client_secret: 'c' })
      const request = new Request('http://service.test/v1/oauth/token', { method: 'POST', body: form })
      expect((await app.fetch(request)).status).toBe(401)
    })

    test('a caller who does not belong to the tenant is refused before anything is read', async () => {
      const foreign = await app.call('/other-lender/v1/credit-reports', liveRequest())
      expect(foreign).toMatchObject({ status: 403, body: { code: 'forbidden' } })
      const stranger = await app.generate(liveRequest(), { token: 'no-such-tenant' })
      expect(stranger).toMatchObject({ status: 403, body: { code: 'forbidden' } })
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
      expect(headers.get('Retry-After')).toBe('5')
      expect(await app.wallet()).toEqual(before)
    })
  })

  describe('test mode', () => {
    test.each([
      ['allow', 'complete', 1],
      ['challenge', 'authentication-required', 1],
      ['block', 'blocked', 0],
    ] as const)('%s answers %s, costs nothing, and keeps %i reports', async (branch, expected, kept) => {
      const before = await app.wallet()
      const { body } = await app.generate(testRequest(branch))
      expect(body.data.status).toBe(expected)
      expect(body.meta.wallet).toEqual({ balance: before.balanceCredits, cost: 0 })
      expect(await app.wallet()).toEqual(before)
      expect(await app.lines(body.data.creditReportId)).toEqual([])
      expect(await app.codes(body.data.creditReportId)).toEqual([])
      const sealed = 'SELECT report_id FROM sealed_report WHERE report_id = ?'
      expect(await app.database.all(sealed, body.data.creditReportId)).toHaveLength(kept)
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
})
