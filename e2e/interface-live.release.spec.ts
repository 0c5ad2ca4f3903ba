// The service interface from outside, live, with the simulated providers: what is charged, held, texted and given back.
import { type Json, RIGHT, useInterface, WRONG } from './interface-client.ts'
import { expect, test } from './worker.ts'

const { service, token, call, generate, balance } = useInterface()

test.describe('live, with the simulated providers', () => {
  async function session(): Promise<string> {
    const response = await fetch(`${service().url}/v1/fingerprints/device/sessions`, { method: 'POST', body: 'a=1' })
    return response.text()
  }
  const texts = async (creditReportId: string): Promise<Json[]> => {
    const { body } = await call('/demo/sms')
    const list: Json[] = Array.isArray(body) ? body : body.texts
    return list.filter((text) => text.creditReportId === creditReportId)
  }

  test('allowed: the report is there and its price is gone', async () => {
    const before = await balance()
    const { body } = await generate({ lastName: 'Allow', sessionId: await session() })
    expect(body.data).toMatchObject({ status: 'complete', challengeType: 'none' })
    expect(body.meta.wallet).toEqual({ cost: 500, balance: before - 500 })
    expect(await balance()).toBe(before - 500)
  })

  test('blocked: nothing is charged', async () => {
    const before = await balance()
    const { body } = await generate({ lastName: 'Block', sessionId: await session() })
    expect(body.data.status).toBe('blocked')
    expect(body.meta.wallet).toEqual({ cost: 0, balance: before })
    expect(await balance()).toBe(before)
  })

  test('challenged: the price is held, each text is its own line, the code from the text completes', async () => {
    const before = await balance()
    const generated = await generate({ sessionId: await session() })
    expect(generated.body.data.status).toBe('authentication-required')
    expect(generated.body.meta.wallet).toEqual({ cost: 500, balance: before - 540 })
    expect(await balance()).toBe(before - 540)
    const { creditReportId, challenge } = generated.body.data
    const [text] = await texts(creditReportId)
    const code = /\b(\d{6})\b/.exec(String(text?.body))?.[1]
    const submitted = await call(`/demo-lender/v1/credit-reports/${creditReportId}/otp-challenge`, {
      challengeId: challenge.challengeId,
      code,
    })
    expect(submitted.body.data.status).toBe('complete')
    expect(submitted.body.meta.wallet).toEqual({ cost: 0, balance: before - 540 })
    const lines = (await call(`/demo-lender/v1/wallet/lines?creditReportId=${creditReportId}`)).body.data.lines
    const kinds = lines.map(({ kind, purpose, credits }: Json) => `${kind} ${purpose} ${credits}`).sort()
    expect(kinds).toEqual(['capture report -500', 'capture text -40', 'hold report -500', 'hold text -40'])
  })

  test('123456 is no key to a live challenge, and failing gives the price back but not the text’s', async () => {
    const before = await balance()
    const { body } = await generate({ sessionId: await session() })
    const { creditReportId, challenge } = body.data
    const [text] = await texts(creditReportId)
    const wrong = /\b123456\b/.test(String(text?.body)) ? WRONG : RIGHT
    const submit = () =>
      call(`/demo-lender/v1/credit-reports/${creditReportId}/otp-challenge`, {
        challengeId: challenge.challengeId,
        code: wrong,
      })
    expect((await submit()).body.data.status).toBe('retry')
    await submit()
    expect((await submit()).body).toMatchObject({
      data: { status: 'failed' },
      meta: { wallet: { cost: 0, balance: before - 40 } },
    })
    expect(await balance()).toBe(before - 40)
  })

  test('an unknown device cannot pass the challenge', async () => {
    const { body } = await generate({ sessionId: 'made-up' })
    const { creditReportId, challenge } = body.data
    const [text] = await texts(creditReportId)
    const code = /\b(\d{6})\b/.exec(String(text?.body))?.[1]
    const submitted = await call(`/demo-lender/v1/credit-reports/${creditReportId}/otp-challenge`, {
      challengeId: challenge.challengeId,
      code,
    })
    expect(submitted.body.data.status).toBe('failed')
  })

  test('without a mobile number there can be no challenge, and nothing stays held', async () => {
    const before = await balance()
    const answer = await generate({ sessionId: await session(), mobileNumber: undefined })
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation-error' } })
    expect(answer.body.message).toContain('mobileNumber')
    expect(await balance()).toBe(before)
  })

  test('an empty wallet gets 402 before anyone is asked', async () => {
    const authorization = `Bearer ${await token('empty-lender', 'empty-secret')}`
    const answer = await generate({ sessionId: await session() }, { authorization }, 'empty-lender')
    expect(answer).toMatchObject({ status: 402, body: { code: 'insufficient-funds' } })
    expect(Object.keys(answer.body).sort()).toEqual(['code', 'message'])
  })

  test('a request repeated with its key is answered again and charged once', async () => {
    const before = await balance()
    const key = { 'idempotency-key': `key-${Date.now()}` }
    const sessionId = await session()
    const [first, second] = [
      await generate({ lastName: 'Allow', sessionId }, key),
      await generate({ lastName: 'Allow', sessionId }, key),
    ]
    const { timeTakenMs } = second.body.meta.request
    expect(second.body).toEqual({ ...first.body, meta: { ...first.body.meta, request: { timeTakenMs } } })
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(await balance()).toBe(before - 500)
    expect(await generate({ lastName: 'Allow', sessionId, firstName: 'Other' }, key)).toMatchObject({
      status: 400,
      body: { code: 'validation-error' },
    })
  })

  test('twenty at once with one key are one report', async () => {
    const before = await balance()
    const authorization = `Bearer ${await token()}`
    const sessionId = await session()
    const key = { authorization, 'idempotency-key': `burst-${Date.now()}` }
    const answers = await Promise.all(Array.from({ length: 20 }, () => generate({ lastName: 'Allow', sessionId }, key)))
    const ids = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.data.creditReportId))
    expect(ids.size).toBe(1)
    expect(
      answers.every(({ status, body }) => status === 200 || (status === 409 && body.code === 'request-in-progress')),
    ).toBe(true)
    expect(await balance()).toBe(before - 500)
  })
})
