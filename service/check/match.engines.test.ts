// The match of number and person, on every engine: asked before the text, kept, answered, and charged once.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Match } from '../../contract/credit-report.ts'
import { isClean, reconcile } from '../../plugins/statement/reconcile.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { repeated } from '../../testing/repeated.ts'
import { createTestApp, liveRequest, type TestApp, testRequest } from '../../testing/test-app.ts'
import { type MatchProvider, ProviderUnavailable } from '../providers/providers.ts'

onEachEngine('a person behind the phone', (place) => {
  let answer: MatchProvider['match'] = async () => 'matched'
  let textsBefore = -1
  let app: TestApp
  beforeAll(async () => {
    const match: MatchProvider = {
      async match(...question) {
        textsBefore = (await app.codes(question[0].creditReportId)).length
        return answer(...question)
      },
    }
    app = await createTestApp({ ...(await place()), providers: { match } })
  })
  afterEach(() => {
    answer = async () => 'matched'
  })
  afterAll(async () => {
    expect(isClean(await reconcile(app.database))).toBe(true)
    await app.close()
  })

  const finish = async (token = 'demo-lender') => {
    const started = (await app.generate(liveRequest(), { token })).body.data
    const [code = ''] = await app.codes(started.creditReportId)
    return { started, ended: (await app.submit(started, code, { token })).body.data }
  }
  const PAID = ['hold match 50', 'capture match 50']
  const linesOf = async (creditReportId: string, token = 'demo-lender') =>
    (await app.lines(creditReportId, token)).filter((line) => line.endsWith(' 50'))

  test.each<Match>(['matched', 'not-matched', 'unknown'])(
    '%s is asked before the text, kept, and paid for',
    async (match) => {
      answer = async () => match
      const { started, ended } = await finish()
      expect(textsBefore).toBe(0)
      expect(started).not.toHaveProperty('match')
      expect(ended).toMatchObject({ status: 'complete', match })
      const { body } = await app.call(`/demo-lender/v1/credit-reports/${started.creditReportId}`)
      expect(body.data.match).toBe(match)
      expect(await linesOf(started.creditReportId)).toEqual(PAID)
      const { lines } = (await app.read(`/demo-lender/v1/wallet/lines?creditReportId=${started.creditReportId}`)).body
      expect(lines.filter(({ purpose }: { purpose: string }) => purpose === 'match')).toHaveLength(2)
    },
  )

  test.each([
    ['fails', () => Promise.reject(new ProviderUnavailable('match', 'time-out'))],
    ['breaks', () => Promise.reject(new TypeError('not a function'))],
  ])('a provider that %s leaves it unknown, costs nothing and stops no one', async (_how, fails) => {
    answer = fails
    const { started, ended } = await finish()
    expect(ended).toMatchObject({ status: 'complete', match: 'unknown' })
    expect(await linesOf(started.creditReportId)).toEqual([])
  })

  test('a check without a challenge is matched too; without a number no one can say', async () => {
    const headers = { 'Idempotency-Key': 'matched-at-once' }
    const { body } = await app.generate(liveRequest('Allow'), headers)
    expect(body.data.match).toBe('matched')
    expect((await app.generate(liveRequest('Allow'), headers)).body).toEqual(repeated(body))
    expect(await linesOf(body.data.creditReportId)).toEqual(PAID)
    const { mobileNumber: _none, ...silent } = liveRequest('Allow')
    expect((await app.generate(silent)).body.data.match).toBe('unknown')
  })

  test('a wallet without room for the match still has its report', async () => {
    const token = await app.newTenant(540)
    const { started, ended } = await finish(token)
    expect(ended).toMatchObject({ status: 'complete', match: 'matched' })
    expect((await app.wallet(token)).balanceCredits).toBe(0)
    expect(await linesOf(started.creditReportId, token)).toEqual([])
  })

  test.each([
    ['Match', 'matched'],
    ['Mismatch', 'not-matched'],
    ['Nomatch', 'unknown'],
    ['Example', undefined],
  ])('in test mode the last name %s makes it %s', async (lastName, match) => {
    expect((await app.generate({ ...testRequest('allow'), lastName })).body.data.match).toBe(match)
    const started = (await app.generate({ ...testRequest('challenge'), lastName })).body.data
    expect((await app.submit(started, '123456')).body.data.match).toBe(match)
  })

  test('the wallet says what a match costs, so that a lender knows there is one', async () => {
    expect((await app.wallet()).matchPriceCredits).toBe(50)
  })
})
