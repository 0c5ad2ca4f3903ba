// The service interface from outside, in test mode: the built service in its own process, spoken to over HTTP.
import { type Answer, CONSUMER, type Json, RIGHT, useInterface, WRONG } from './interface-client.ts'
import { expect, test } from './worker.ts'

const { token, call, generate, inTest, challenged, balance, advance } = useInterface()

test.describe('generating in test mode', () => {
  const scenarios: [prefix: string, types: string[], status: string][] = [
    ['test001', [], 'open'],
    ['test002', ['hire-purchase'], 'open'],
    ['TEST003', ['credit-card', 'hire-purchase', 'mortgage'], 'open'],
    ['Test004', ['credit-card', 'hire-purchase'], 'settled'],
    ['anyone', ['credit-card', 'hire-purchase', 'hire-purchase', 'mortgage'], 'open'],
  ]
  for (const [prefix, types, status] of scenarios) {
    for (const bureaus of [CONSUMER.bureaus, ['experian'], ['transunion', 'equifax']]) {
      test(`${prefix} with ${bureaus.join(' and ')} has ${types.length} ${status} records`, async () => {
        const { body, status: http } = await inTest('allow', { email: `${prefix}@example.org`, bureaus })
        expect(http).toBe(200)
        expect(body.data).toMatchObject({ status: 'complete', challengeType: 'none' })
        const { records } = body.data.creditReport.consumerData
        expect(records.map((record: Json) => record.accountType).sort()).toEqual(types)
        if (prefix !== 'anyone') expect(records.every((record: Json) => record.accountStatus === status)).toBe(true)
        if (status === 'settled')
          expect(records.every((record: Answer['body']) => record.balance.amount === 0)).toBe(true)
        if (types.length === 0) expect(body.data.creditReport.previousSearches.providers).toEqual([])
        const asked = new Set(records.flatMap((record: Answer['body']) => record.bureaus.map(({ id }: Json) => id)))
        expect([...asked].every((id) => bureaus.includes(String(id)))).toBe(true)
      })
    }
    for (const branch of ['challenge', 'block']) {
      test(`${prefix} combines with ${branch}`, async () => {
        const { body } = await inTest(branch, { email: `${prefix}@example.org` })
        expect(body.data.status).toBe(branch === 'block' ? 'blocked' : 'authentication-required')
      })
    }
  }

  test('the same person has the same report twice, to the letter', async () => {
    const [first, second] = [await inTest('allow'), await inTest('allow')]
    expect(first.body.data.creditReport).toEqual(second.body.data.creditReport)
  })

  test('costs nothing, whatever happens', async () => {
    const before = await balance()
    for (const branch of ['allow', 'challenge', 'block']) {
      expect((await inTest(branch)).body.meta.wallet).toEqual({ balance: before, cost: 0 })
    }
    const challenge = await challenged()
    await challenge.resend()
    expect((await challenge.submit(RIGHT)).body.meta.wallet).toEqual({ balance: before, cost: 0 })
    expect(await balance()).toBe(before)
  })

  test('without options it is allowed; an empty wallet is no obstacle', async () => {
    const authorization = `Bearer ${await token('empty-lender', 'empty-secret')}`
    const { status, body } = await generate({ test: true }, { authorization }, 'empty-lender')
    expect(status).toBe(200)
    expect(body.data.status).toBe('complete')
    expect(body.meta.wallet).toEqual({ balance: 0, cost: 0 })
  })

  test('the shapes are those of the interface', async () => {
    const { body } = await inTest('challenge')
    expect(Object.keys(body).sort()).toEqual(['data', 'meta'])
    expect(Object.keys(body.meta).sort()).toEqual(['request', 'wallet'])
    expect(Number.isInteger(body.meta.request.timeTakenMs)).toBe(true)
    expect(Object.keys(body.data).sort()).toEqual(['challenge', 'challengeType', 'creditReportId', 'status', 'test'])
    expect(body.data.challengeType).toBe('otp')
    const blocked = await inTest('block')
    expect(Object.keys(blocked.body.data).sort()).toEqual(['creditReportId', 'status', 'test'])
  })
})

test.describe('answering a challenge', () => {
  test('the right code completes, and the same code again recovers a lost answer', async () => {
    const challenge = await challenged()
    const first = await challenge.submit(RIGHT)
    expect(first.body.data).toMatchObject({ status: 'complete', creditReportId: challenge.creditReportId })
    expect(first.body.data.creditReport.person.lastName).toBe('Example')
    expect((await challenge.submit(RIGHT)).body.data).toEqual(first.body.data)
    expect(await challenge.submit(WRONG)).toMatchObject({ status: 410, body: { code: 'challenge-expired' } })
    expect((await challenge.resend()).status).toBe(410)
  })

  test('wrong, wrong, right completes', async () => {
    const challenge = await challenged()
    expect((await challenge.submit(WRONG)).body.data).toMatchObject({ status: 'retry', attemptsRemaining: 2 })
    const second = await challenge.submit(WRONG)
    expect(second.body.data).toMatchObject({ status: 'retry', attemptsRemaining: 1 })
    expect(typeof second.body.data.errorMessage).toBe('string')
    expect((await challenge.submit(RIGHT)).body.data.status).toBe('complete')
  })

  test('three wrong codes fail it for ever, right code and resend included', async () => {
    const challenge = await challenged()
    await challenge.submit(WRONG)
    await challenge.submit(WRONG)
    const third = await challenge.submit(WRONG)
    expect(third).toMatchObject({ status: 200, body: { data: { status: 'failed' } } })
    expect(third.body.data.errorMessage).toBeTruthy()
    expect((await challenge.submit(RIGHT)).body.data.status).toBe('failed')
    expect((await challenge.resend()).status).toBe(410)
  })

  test('a resend buys no attempts', async () => {
    const challenge = await challenged()
    await challenge.submit(WRONG)
    await challenge.submit(WRONG)
    await challenge.resend()
    expect((await challenge.submit(WRONG)).body.data.status).toBe('failed')
  })

  test('200 wrong codes at once count three', async () => {
    const challenge = await challenged()
    const authorization = `Bearer ${await token()}`
    const path = `/demo-lender/v1/credit-reports/${challenge.creditReportId}/otp-challenge`
    const answers = await Promise.all(
      Array.from({ length: 200 }, () =>
        call(path, { challengeId: challenge.challengeId, code: WRONG }, { authorization }),
      ),
    )
    const statuses = answers.map(({ body }) => body.data.status)
    expect(statuses.filter((status) => status === 'retry')).toHaveLength(2)
    expect(statuses.filter((status) => status === 'failed')).toHaveLength(198)
  })

  test('two resends, then no more', async () => {
    const challenge = await challenged()
    const first = await challenge.resend()
    expect(first.body.data).toEqual({ smsSentCount: 2, remainingSmsCount: 1 })
    expect(Object.keys(first.body.meta)).toEqual(['request'])
    expect((await challenge.resend()).body.data).toEqual({ smsSentCount: 3, remainingSmsCount: 0 })
    const fourth = await challenge.resend()
    expect(fourth).toMatchObject({ status: 429, body: { code: 'rate-limited' } })
    expect(fourth.headers.get('retry-after')).toBeNull()
    expect((await challenge.submit(RIGHT)).body.data.status).toBe('complete')
  })

  for (const code of [undefined, '', 123456, null, ['123456'], {}]) {
    test(`a code of ${JSON.stringify(code)} is refused and uses no attempt`, async () => {
      const challenge = await challenged()
      expect(await challenge.submit(code)).toMatchObject({ status: 400, body: { code: 'validation-error' } })
      expect((await challenge.submit(WRONG)).body.data.attemptsRemaining).toBe(2)
    })
  }

  test('unknown reports and challenges are two errors, and another tenant’s report is unknown', async () => {
    const [mine, other] = [await challenged(), await challenged()]
    expect(
      await call('/demo-lender/v1/credit-reports/nothing/otp-challenge', {
        challengeId: mine.challengeId,
        code: RIGHT,
      }),
    ).toMatchObject({
      status: 404,
      body: { code: 'credit-report-not-found' },
    })
    expect(await mine.submit(RIGHT, 'nothing')).toMatchObject({ status: 404, body: { code: 'challenge-not-found' } })
    expect(await mine.submit(RIGHT, other.challengeId)).toMatchObject({
      status: 404,
      body: { code: 'challenge-not-found' },
    })
    const authorization = `Bearer ${await token('other-lender', 'other-secret')}`
    const foreign = await call(
      `/other-lender/v1/credit-reports/${mine.creditReportId}/otp-challenge`,
      { challengeId: mine.challengeId, code: RIGHT },
      { authorization },
    )
    expect(foreign).toMatchObject({ status: 404, body: { code: 'credit-report-not-found' } })
  })

  test('five minutes are enough, a second more is not, and a resend starts them anew', async () => {
    const [inTime, resent, late] = [await challenged(), await challenged(), await challenged()]
    await advance(290)
    expect((await inTime.submit(RIGHT)).body.data.status).toBe('complete')
    expect((await resent.resend()).status).toBe(200)
    await advance(12)
    expect(await late.submit(RIGHT)).toMatchObject({ status: 410, body: { code: 'challenge-expired' } })
    expect((await late.resend()).status).toBe(410)
    expect((await resent.submit(RIGHT)).body.data.status).toBe('complete')
  })
})
