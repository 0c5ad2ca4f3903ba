// The kit's service answers as the real one does, call by call: every trigger, every branch, every scenario.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleRequest } from '../../contract/samples.ts'
import { TRIGGERS } from '../../contract/test-triggers.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { createClient } from '../client/client.ts'
import { createTestService } from './service.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

const CODE = '123456'
const branches = ['challenge', 'allow', 'block'] as const
const plain = branches.map((status) => ({ name: status, change: { challengeOptions: { status } } }))
const scenarios = ['test001', 'test002', 'test003', 'test004', 'nobody'].map((prefix) => ({
  name: prefix,
  change: { email: `${prefix}@example.com` },
}))
const triggers = TRIGGERS.map(({ field, value }) => ({ name: value, change: { [field]: value } }))
const alone = ['Nofile', 'Unavailable'].map((lastName) => ({
  name: `${lastName} of one agency`,
  change: { lastName, bureaus: ['equifax'] },
}))

/** One of the two services: a call of a path below the lender's, with a body or without. */
type Call = (
  path: string,
  body?: unknown,
) => Promise<{ status: number; headers: Headers; body: ReturnType<typeof JSON.parse> }>

test.each([...plain, ...scenarios, ...triggers, ...alone])('$name', async ({ name, change }) => {
  const request = { ...sampleRequest, externalReference: `${name} ${randomUUID()}`, ...change }
  const kit = createTestService({ tenantId: 'demo-lender', clock: () => app.time.nowMs })
  const ofKit: Call = async (path, body) => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const headers = { Authorization: 'Bearer test-token', 'Content-Type': 'application/json' }
    const response = await kit.options.fetch(`https://service.test/demo-lender/v1/${path}`, { ...init, headers })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
  const ofApp: Call = (path, body) => app.call(`/demo-lender/v1/${path}`, body)
  expect(await play(ofKit, request)).toEqual(await play(ofApp, request))
})

async function play(call: Call, request: { externalReference: string }) {
  const begun = await call('credit-reports', request)
  const { creditReportId = 'unknown', challenge } = begun.body.data ?? {}
  const path = `credit-reports/${creditReportId}`
  const answers = [begun]
  if (challenge) {
    const type = (code: string) => call(`${path}/otp-challenge`, { ...challenge, code })
    answers.push(await type('000000'), await call(`${path}/resend-sms`, challenge), await call(path))
    answers.push(await type(CODE), await type(CODE), await type('000000'), await call(`${path}/resend-sms`, challenge))
    answers.push(await call(`${path}/otp-challenge`, { challengeId: 'other', code: CODE }))
  }
  answers.push(await call(path), await call('credit-reports/unknown'), await call('wallet'))
  for (const dateOfBirth of ['1985-03-27', '1985-03-28']) answers.push(await call(`${path}/open`, { dateOfBirth }))
  answers.push(await call(`credit-reports?externalReference=${encodeURIComponent(request.externalReference)}`))
  return answers.map(({ status, headers, body }) => ({
    status,
    retryAfter: headers.get('Retry-After'),
    expiresIn: headers.get('X-Challenge-Expires-In'),
    body: comparable(body),
  }))
}

/** Without what differs between two services: ids, words for people, balances, and what a report invents. */
function comparable(body: object): unknown {
  return JSON.parse(
    JSON.stringify(body, (name, value) => {
      if (['meta', 'message', 'errorMessage', 'balanceCredits'].includes(name)) return undefined
      if (['creditReportId', 'challengeId', 'reference', 'externalReference'].includes(name)) return typeof value
      if (name !== 'creditReport') return value
      const { person, residencies, consumerData, previousSearches } = value
      return {
        person,
        addresses: residencies.map(({ address }: { address: unknown }) => address),
        accounts: consumerData.records
          .map(
            (record: Record<'accountType' | 'accountStatus', string>) =>
              `${record.accountStatus} ${record.accountType}`,
          )
          .toSorted(),
        isSearched: previousSearches.providers.length > 0,
        fields: Object.keys(consumerData.records[0] ?? {}).toSorted(),
      }
    }),
  )
}

test('the client takes its answers, a repeat gets the first one, and credits are spent outside test mode alone', async () => {
  const { options, requests } = createTestService()
  const client = createClient(options)
  const { test: _test, challengeOptions: _options, ...live } = sampleRequest
  const before = await client.wallet()
  const allowed = await client.generate({ ...live, lastName: 'Allow' }, { idempotencyKey: 'key-1' })
  const again = await client.generate({ ...live, lastName: 'Allow' }, { idempotencyKey: 'key-1' })
  expect(again).toMatchObject({ isReplayed: true, data: { creditReportId: allowed.data.creditReportId, test: false } })
  await client.generate({ ...sampleRequest, challengeOptions: { status: 'allow' } })
  expect((await client.wallet()).balanceCredits).toBe(before.balanceCredits - before.reportPriceCredits)
  expect(requests.filter(({ path }) => path.endsWith('/credit-reports'))).toHaveLength(3)
  expect((await client.erase(allowed.data.creditReportId)).data).toEqual({
    creditReportId: allowed.data.creditReportId,
    erased: true,
  })
  await expect(client.get(allowed.data.creditReportId)).rejects.toMatchObject({ code: 'credit-report-not-found' })
})

test('a challenge without an answer expires after five minutes, one by one and in the list', async () => {
  let nowMs = Date.UTC(2026, 0, 1)
  const { options } = createTestService({ clock: () => nowMs })
  const client = createClient(options)
  const externalReference = 'order-7'
  const make = async () => (await client.generate({ ...sampleRequest, externalReference })).data.creditReportId
  const [asked, listed] = [await make(), await make()]
  nowMs += 5 * 60_000
  expect((await client.get(asked)).data.status).toBe('authentication-required')
  nowMs += 1
  expect((await client.get(asked)).data.status).toBe('expired')
  const { creditReports } = (await client.list({ externalReference })).data
  expect(creditReports.map(({ creditReportId, status }) => [creditReportId, status])).toEqual([
    [listed, 'expired'],
    [asked, 'expired'],
  ])
})

test('another client or another lender is refused', async () => {
  const { options } = createTestService()
  const wrong = { ...options, credentials: { clientId: 'test-lender', clientSecret: 'another' } }
  await expect(createClient(wrong).wallet()).rejects.toMatchObject({ code: 'unauthorized' })
  await expect(createClient({ ...options, tenantId: 'another' }).wallet()).rejects.toMatchObject({ code: 'forbidden' })
})
