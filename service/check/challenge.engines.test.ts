// Codes and texts, on every engine: order of checks, limits, replays, expiry and what they do to the wallet.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OtpResponse, ResendResponse } from '../../contract/challenge.ts'
import { isClean, reconcile } from '../../plugins/statement/reconcile.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { repeated } from '../../testing/repeated.ts'
import { createTestApp, liveRequest, type TestApp, testRequest } from '../../testing/test-app.ts'
import { topUp } from '../ledger/ledger.ts'

const RIGHT = '123456'
const WRONG = '000000'

onEachEngine('a challenge', (place) => {
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp(await place())
  })
  afterAll(async () => {
    expect(isClean(await reconcile(app.database))).toBe(true)
    await app.close()
  })

  const startTest = async () => (await app.generate(testRequest('challenge'))).body.data
  const startLive = async (request = liveRequest()) => (await app.generate(request)).body.data
  const wait = (ms: number) => {
    app.time.nowMs += ms
  }
  /** A code that none of the report's texts carried. */
  async function wrongCode(creditReportId: string): Promise<string> {
    const codes = await app.codes(creditReportId)
    return ['000000', '000001', '000002', '000003'].find((code) => !codes.includes(code)) ?? ''
  }

  describe('the order of checks', () => {
    test('no token, then not yours, then a bad body, then no report, then no challenge', async () => {
      const path = '/demo-lender/v1/credit-reports/nothing/otp-challenge'
      const bad = { challengeId: 1 }
      expect((await app.call(path, bad, { token: '' })).status).toBe(401)
      expect((await app.call(path, bad, { token: 'other-lender' })).status).toBe(403)
      expect((await app.call(path, bad)).status).toBe(400)
      const body = { challengeId: 'nothing', code: RIGHT }
      expect((await app.call(path, body)).body.code).toBe('credit-report-not-found')
      const { creditReportId } = await startTest()
      const started = { creditReportId, challenge: { challengeId: 'nothing' } }
      expect((await app.submit(started, RIGHT)).body.code).toBe('challenge-not-found')
      expect((await app.resend(started)).body.code).toBe('challenge-not-found')
    })

    test('only the own report with its own challenge opens', async () => {
      const token = (tenant: string) => ({ token: tenant })
      const tenants = ['demo-lender', 'other-lender']
      const started = await Promise.all(
        tenants.flatMap((tenant) =>
          [1, 2].map(async () => ({
            tenant,
            data: (await app.generate(testRequest('challenge'), token(tenant))).body.data,
          })),
        ),
      )
      for (const caller of tenants) {
        for (const report of started) {
          for (const other of started) {
            const mixed = { creditReportId: report.data.creditReportId, challenge: other.data.challenge }
            const { status, body } = await app.submit(mixed, WRONG, token(caller))
            const own = report.tenant === caller
            if (own && report === other) expect(status).toBe(200)
            else expect(body.code).toBe(own ? 'challenge-not-found' : 'credit-report-not-found')
          }
        }
      }
    })

    test('a report without a challenge has none to be found', async () => {
      const { body } = await app.generate(testRequest('allow'))
      const started = { ...body.data, challenge: { challengeId: 'nothing' } }
      expect((await app.submit(started, RIGHT)).body.code).toBe('challenge-not-found')
    })

    test.each([undefined, '', 123_456, null, ['123456'], {}, true])('a code of %j uses no attempt', async (code) => {
      const started = await startTest()
      expect(await app.submit(started, code)).toMatchObject({ status: 400, body: { code: 'validation-error' } })
      expect((await app.submit(started, WRONG)).body.data.attemptsRemaining).toBe(2)
    })

    test.each([' 123456', '12345', '１２３４５６', 'abc', '0x1E240'])('a code of %j is a wrong code', async (code) => {
      expect((await app.submit(await startTest(), code)).body.data).toMatchObject({ status: 'retry' })
    })
  })

  describe('in test mode', () => {
    test('retry, retry, complete, and the same code again', async () => {
      const started = await startTest()
      const first = await app.submit(started, WRONG)
      expect(first.body.data).toEqual({
        status: 'retry',
        creditReportId: started.creditReportId,
        test: true,
        attemptsRemaining: 2,
        errorMessage: 'The code is wrong: 2 attempts are left.',
      })
      expect(first.headers.get('X-Challenge-Expires-In')).toBe('300')
      expect((await app.submit(started, WRONG)).body.data).toMatchObject({
        attemptsRemaining: 1,
        errorMessage: 'The code is wrong: 1 attempt is left.',
      })
      const done = await app.submit(started, RIGHT)
      expect(OtpResponse.safeParse(done.body).success).toBe(true)
      expect(done.body.data).toMatchObject({ status: 'complete', creditReportId: started.creditReportId })
      expect(done.body.data).not.toHaveProperty('challengeType')
      expect(done.headers.get('X-Challenge-Expires-In')).toBeNull()
      expect(done.headers.get('Idempotent-Replayed')).toBeNull()
      expect((await app.submit(started, RIGHT)).body.data).toEqual(done.body.data)
      expect(await app.submit(started, WRONG)).toMatchObject({ status: 410, body: { code: 'challenge-expired' } })
      expect((await app.resend(started)).status).toBe(410)
    })

    test('three wrong codes fail it for ever', async () => {
      const started = await startTest()
      await app.submit(started, WRONG)
      await app.submit(started, WRONG)
      const { creditReportId } = started
      const failed = { status: 'failed', creditReportId, test: true, errorMessage: expect.any(String) }
      expect((await app.submit(started, WRONG)).body.data).toEqual(failed)
      wait(10 * 86_400_000)
      expect(await app.submit(started, RIGHT)).toMatchObject({ status: 200, body: { data: failed } })
      expect((await app.resend(started)).status).toBe(410)
    })

    test('the last millisecond counts, the one after does not', async () => {
      const [inTime, late] = [await startTest(), await startTest()]
      wait(300_000)
      expect((await app.submit(inTime, RIGHT)).body.data.status).toBe('complete')
      wait(1)
      expect((await app.submit(late, RIGHT)).status).toBe(410)
      expect((await app.resend(late)).status).toBe(410)
      // Expired is expired: no clock brings it back.
      wait(-1_000)
      expect((await app.submit(late, RIGHT)).status).toBe(410)
      wait(1_000)
    })

    test('a resend starts the timer again and keeps the attempts', async () => {
      const started = await startTest()
      await app.submit(started, WRONG)
      wait(299_000)
      const resent = await app.resend(started)
      expect(ResendResponse.safeParse(resent.body).success).toBe(true)
      expect(resent.body.data).toEqual({ smsSentCount: 2, remainingSmsCount: 1 })
      expect(resent.body.meta).toEqual({ request: { timeTakenMs: expect.any(Number) } })
      expect(resent.headers.get('X-Challenge-Expires-In')).toBe('300')
      wait(299_000)
      expect((await app.submit(started, WRONG)).body.data.attemptsRemaining).toBe(1)
      expect((await app.submit(started, RIGHT)).body.data.status).toBe('complete')
    })

    test('the fourth text is refused and leaves the timer alone', async () => {
      const started = await startTest()
      await app.resend(started)
      expect((await app.resend(started)).body.data).toEqual({ smsSentCount: 3, remainingSmsCount: 0 })
      wait(200_000)
      const fourth = await app.resend(started)
      expect(fourth).toMatchObject({ status: 429, body: { code: 'rate-limited' } })
      expect(fourth.headers.get('Retry-After')).toBeNull()
      wait(100_001)
      expect((await app.submit(started, RIGHT)).status).toBe(410)
    })

    test('the demo clock moves test-mode challenges of its tenant, and nothing else', async () => {
      const live = await startLive()
      const [early, mine, later] = [await startTest(), await startTest(), await startTest()]
      const theirs = await app.generate(testRequest('challenge'), { token: 'other-lender' })
      await app.call('/demo/clock', { advanceSeconds: 200 })
      expect((await app.submit(early, RIGHT)).body.data.status).toBe('complete')
      expect((await app.call('/demo/clock', { advanceSeconds: 101 })).body).toEqual({
        tenantId: 'demo-lender',
        aheadSeconds: 301,
      })
      expect((await app.submit(mine, RIGHT)).status).toBe(410)
      const [code] = await app.codes(live.creditReportId)
      expect((await app.submit(live, code)).body.data.status).toBe('complete')
      const other = await app.submit(theirs.body.data, RIGHT, { token: 'other-lender' })
      expect(other.body.data.status).toBe('complete')
      const fresh = await startTest()
      expect((await app.submit(fresh, RIGHT)).body.data.status).toBe('complete')
      await app.call('/demo/clock', { reset: true })
      expect((await app.submit(later, RIGHT)).body.data.status).toBe('complete')
    })

    test.each([{}, { advanceSeconds: -1 }, { advanceSeconds: 1.5 }, { advanceSeconds: '5' }])(
      'the demo clock refuses %j',
      async (body) => {
        expect(await app.call('/demo/clock', body)).toMatchObject({ status: 400, body: { code: 'validation-error' } })
      },
    )
  })

  describe('live', () => {
    test('the texted code completes and captures; the answer says cost 0 and the true balance', async () => {
      const before = (await app.wallet()).balanceCredits
      const started = await startLive()
      const [code] = await app.codes(started.creditReportId)
      const { body } = await app.submit(started, code)
      expect(body.data.status).toBe('complete')
      expect(body.meta.wallet).toEqual({ balance: before - 540, cost: 0 })
      expect(await app.lines(started.creditReportId)).toEqual([
        'hold report 500',
        'hold text 40',
        'capture text 40',
        'capture report 500',
      ])
      expect((await app.submit(started, code)).body.data).toEqual(body.data)
      expect(await app.lines(started.creditReportId)).toHaveLength(4)
    })

    test('123456 opens no live challenge', async () => {
      const started = await startLive()
      expect(await app.codes(started.creditReportId)).not.toContain(RIGHT)
      expect((await app.submit(started, RIGHT)).body.data.status).toBe('retry')
    })

    test('the third wrong code gives the hold back', async () => {
      const before = (await app.wallet()).balanceCredits
      const started = await startLive()
      const code = await wrongCode(started.creditReportId)
      expect((await app.submit(started, code)).body.meta.wallet).toEqual({ balance: before - 540, cost: 0 })
      await app.submit(started, code)
      const { body } = await app.submit(started, code)
      expect(body.data.status).toBe('failed')
      expect(body.meta.wallet).toEqual({ balance: before - 40, cost: 0 })
      expect((await app.lines(started.creditReportId)).at(-1)).toBe('release report 500')
    })

    test('an unknown device session fails at the first code, right or wrong', async () => {
      const started = await startLive({ ...liveRequest(), sessionId: 'never-minted' })
      const [code] = await app.codes(started.creditReportId)
      expect((await app.submit(started, code)).body.data).toMatchObject({
        status: 'failed',
        errorMessage: 'The device could not be verified.',
      })
      expect((await app.lines(started.creditReportId)).at(-1)).toBe('release report 500')
    })

    test('each text has its own code, and a late one still works', async () => {
      const started = await startLive()
      wait(100_000)
      await app.resend(started)
      const codes = await app.codes(started.creditReportId)
      expect(new Set(codes).size).toBe(2)
      wait(200_000)
      expect((await app.submit(started, codes[0])).body.data.status).toBe('complete')
    })

    test('an older code past its own five minutes is too old and no attempt, though the challenge lives', async () => {
      const started = await startLive()
      wait(100_000)
      await app.resend(started)
      const codes = await app.codes(started.creditReportId)
      wait(200_001)
      for (let tries = 0; tries < 4; tries += 1) {
        const { status, body, headers } = await app.submit(started, codes[0])
        expect([status, body.data]).toMatchObject([200, { status: 'retry', attemptsRemaining: 3 }])
        expect(body.data.errorMessage).toContain('newest text')
        expect(headers.get('X-Challenge-Expires-In')).toBe('99')
      }
      const wrong = await wrongCode(started.creditReportId)
      expect((await app.submit(started, wrong)).body.data).toMatchObject({ status: 'retry', attemptsRemaining: 2 })
      expect((await app.submit(started, codes[1])).body.data.status).toBe('complete')
    })

    test('no code comes: the hold goes back with the next code or text or with the sweeper, once', async () => {
      const [asked, texted, silent] = [await startLive(), await startLive(), await startLive()]
      wait(300_001)
      expect((await app.submit(asked, WRONG)).status).toBe(410)
      expect((await app.resend(texted)).status).toBe(410)
      for (const { creditReportId } of [asked, texted])
        expect((await app.lines(creditReportId)).at(-1)).toBe('release report 500')
      await app.sweeper.sweep()
      await app.sweeper.sweep()
      expect(await app.lines(silent.creditReportId)).toEqual([
        'hold report 500',
        'hold text 40',
        'capture text 40',
        'release report 500',
      ])
      expect((await app.submit(silent, WRONG)).status).toBe(410)
      for (const { creditReportId } of [asked, texted, silent]) expect((await app.lines(creditReportId)).length).toBe(4)
    })

    test('a resend without the price of a text is refused, and the challenge stays alive', async () => {
      const token = await app.newTenant(540)
      const started = (await app.generate(liveRequest(), { token })).body.data
      const refused = await app.resend(started, { token })
      expect(refused).toMatchObject({ status: 402, body: { code: 'insufficient-funds' } })
      const [code, ...others] = await app.codes(started.creditReportId)
      expect(others).toEqual([])
      await topUp(app.database, { tenantId: token, credits: 40, reference: 'two', nowMs: app.time.nowMs })
      expect((await app.resend(started, { token })).body.data.smsSentCount).toBe(2)
      // The wallet is empty now, and a code is never refused for that.
      const { status, body } = await app.submit(started, code, { token })
      expect(status).toBe(200)
      expect(body.meta.wallet).toEqual({ balance: 0, cost: 0 })
    })
  })

  describe('a resend with an idempotency key', () => {
    test.each(['test', 'live'])('sends once and answers the same again (%s)', async (mode) => {
      const started = mode === 'test' ? await startTest() : await startLive()
      const key = { 'Idempotency-Key': `resend-${mode}` }
      const first = await app.resend(started, key)
      expect(first.headers.get('Idempotent-Replayed')).toBeNull()
      const again = await app.resend(started, key)
      expect(again.body).toEqual(repeated(first.body))
      expect(again.headers.get('Idempotent-Replayed')).toBe('true')
      expect(await app.codes(started.creditReportId)).toHaveLength(mode === 'test' ? 0 : 2)
      expect((await app.resend(started, { 'Idempotency-Key': `${key['Idempotency-Key']}-2` })).body.data).toEqual({
        smsSentCount: 3,
        remainingSmsCount: 0,
      })
      expect((await app.resend(started, key)).body).toEqual(repeated(first.body))
    })

    test('says the same after the challenge is over, and that no time is left', async () => {
      const started = await startLive()
      const key = { 'Idempotency-Key': `resend-late` }
      const first = await app.resend(started, key)
      wait(300_001)
      await app.sweeper.sweep()
      const again = await app.resend(started, key)
      expect(again.body).toEqual(repeated(first.body))
      expect(again.headers.get('X-Challenge-Expires-In')).toBe('0')
    })

    test('at once, it sends once', async () => {
      const started = await startLive()
      const key = { 'Idempotency-Key': `resend-at-once` }
      const answers = await Promise.all(Array.from({ length: 10 }, () => app.resend(started, key)))
      expect(answers.map(({ body }) => body.data?.smsSentCount)).toEqual(Array(10).fill(2))
      expect(await app.codes(started.creditReportId)).toHaveLength(2)
    })
  })

  describe('at once', () => {
    // As many as the limit lets through; two processes and 200 are tried in their own test.
    const many = 20
    test(`${many} wrong codes count exactly three`, async () => {
      const started = await startTest()
      const answers = await Promise.all(Array.from({ length: many }, () => app.submit(started, WRONG)))
      const statuses = answers.map(({ body }) => body.data?.status)
      expect(statuses.filter((status) => status === 'retry')).toHaveLength(2)
      expect(statuses.filter((status) => status === 'failed')).toHaveLength(many - 2)
    })

    test('one right code among many wrong ones: complete or failed, never both, one capture or one release', async () => {
      for (let round = 0; round < 5; round += 1) {
        const started = await startLive()
        const [code] = await app.codes(started.creditReportId)
        const wrong = await wrongCode(started.creditReportId)
        const guesses = Array.from({ length: many }, (_, index) => (index === round * 4 ? code : wrong))
        const answers = await Promise.all(guesses.map((guess) => app.submit(started, guess)))
        const statuses = new Set(answers.map(({ status, body }) => (status === 410 ? 410 : body.data.status)))
        expect(statuses.has('complete') && statuses.has('failed')).toBe(false)
        const settled = (await app.lines(started.creditReportId)).filter((line) =>
          /^(capture|release) report/.test(line),
        )
        expect(settled).toEqual([statuses.has('failed') ? 'release report 500' : 'capture report 500'])
      }
    })

    test(`the right code ${many} times completes once and charges once`, async () => {
      const started = await startLive()
      const [code] = await app.codes(started.creditReportId)
      const answers = await Promise.all(Array.from({ length: many }, () => app.submit(started, code)))
      expect(answers.every(({ body }) => body.data.status === 'complete')).toBe(true)
      expect((await app.lines(started.creditReportId)).filter((line) => line === 'capture report 500')).toHaveLength(1)
    })

    test('forty resends send two texts', async () => {
      const started = await startLive()
      const answers = await Promise.all(Array.from({ length: 40 }, () => app.resend(started)))
      expect(
        answers
          .map(({ status }) => status)
          .sort()
          .slice(0, 3),
      ).toEqual([200, 200, 429])
      expect(await app.codes(started.creditReportId)).toHaveLength(3)
    })
  })
})
