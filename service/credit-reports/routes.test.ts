import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleRequest } from '../../contract/samples.ts'
import { createTestApp, KNOWN_SESSION, type TestApp } from '../test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

const path = '/demo-lender/v1/credit-reports'
const testMode = (status: string) => ({ ...sampleRequest, challengeOptions: { status } })
const { test: _test, challengeOptions: _options, ...consumer } = sampleRequest
const live = (lastName = 'Example') => ({ ...consumer, lastName, sessionId: KNOWN_SESSION })

async function balance(tenantId = 'demo-lender'): Promise<number> {
  return (await app.call(`/${tenantId}/v1/wallet`, undefined, { token: tenantId })).body.balanceCredits
}

describe('test mode', () => {
  test('allow completes at once and costs nothing', async () => {
    const before = await balance()
    const { status, body } = await app.call(path, testMode('allow'))
    expect(status).toBe(200)
    expect(body.meta.wallet).toEqual({ balance: before, cost: 0 })
    expect(body.data).toMatchObject({ status: 'complete', challengeType: 'none' })
    expect(body.data.creditReport.consumerData.records).toHaveLength(1)
  })

  test('challenge completes with 123456', async () => {
    const { body, headers } = await app.call(path, testMode('challenge'))
    expect(headers.get('X-Challenge-Expires-In')).toBe('300')
    const { creditReportId, challenge } = body.data
    const answer = await app.call(`${path}/${creditReportId}/otp-challenge`, { ...challenge, code: '123456' })
    expect(answer.body.data).toMatchObject({ status: 'complete', creditReportId })
  })
})

describe('live', () => {
  test('allow charges the report', async () => {
    const before = await balance()
    const { body } = await app.call(path, live('Allow'))
    expect(body.data.status).toBe('complete')
    expect(body.meta.wallet).toEqual({ balance: before - 500, cost: 500 })
    expect(await balance()).toBe(before - 500)
  })

  test('a challenge texts a code, and the code completes it', async () => {
    const before = await balance()
    const { body } = await app.call(path, live())
    expect(body.meta.wallet).toEqual({ balance: before - 500, cost: 500 })
    const { creditReportId, challenge } = body.data
    const [text] = app.phone.texts()
    const code = /^\d{6}/.exec(text?.body ?? '')?.[0]
    const answer = await app.call(`${path}/${creditReportId}/otp-challenge`, { ...challenge, code })
    expect(answer.body.data).toMatchObject({ status: 'complete', creditReportId })
    expect(answer.body.meta.wallet).toEqual({ balance: before - 540, cost: 0 })
  })
})
