import { afterEach, expect, test } from 'vitest'
import { type Purpose, setCaps } from '../../plugins/limits/spend-caps.ts'
import { createMetrics } from '../../plugins/metrics/metrics.ts'
import { createTestApp, liveRequest, type TestApp, type TestAppOptions, testRequest } from '../../testing/test-app.ts'
import { createLog } from '../log.ts'

let app: TestApp
afterEach(() => app.close())

const limitedTo = (perMinute: number): TestAppOptions => ({ environment: { RATE_LIMIT_PER_MINUTE: `${perMinute}` } })
const from = (ipAddress: string) => ({ ...liveRequest('Allow'), ipAddress })

test.each([null, 'a request', 7, []])('%j is no request', async (body) => {
  app = await createTestApp()
  expect(await app.generate(body)).toMatchObject({ status: 400, body: { code: 'validation-error' } })
})

test('a field or parameter that is not known yet does not stop a check', async () => {
  app = await createTestApp()
  const extra = { newer: 'than the service' }
  const post = (path: string, body: object) =>
    app.call(`/demo-lender/v1/credit-reports${path}?newer=yes`, { ...body, ...extra })
  const begun = await post('', testRequest('challenge'))
  const { creditReportId, challenge } = begun.body.data
  const statuses = [begun.status]
  for (const [path, body] of [
    ['resend-sms', challenge],
    ['otp-challenge', { ...challenge, code: '123456' }],
    ['open', { dateOfBirth: testRequest('challenge').dateOfBirth }],
  ] as const)
    statuses.push((await post(`/${creditReportId}/${path}`, body)).status)
  expect(statuses).toEqual([200, 200, 200, 200])
})

test('every request counts towards the lender’s limit, one with a body that is refused too', async () => {
  app = await createTestApp(limitedTo(3))
  expect((await app.generate({})).status).toBe(400)
  // Test mode has no share of a network: the same address may ask for all there is.
  for (const _ of [1, 2]) expect((await app.generate(testRequest('block'))).status).toBe(200)
  expect(await app.generate({})).toMatchObject({ status: 429, body: { code: 'rate-limited' } })
  expect((await app.generate(testRequest('block'))).status).toBe(429)
})

test('a network above its share uses up nothing of the lender’s limit', async () => {
  app = await createTestApp(limitedTo(2))
  expect((await app.generate(from('203.0.113.7'))).status).toBe(200)
  for (const _ of [1, 2]) expect((await app.generate(from('203.0.113.7'))).status).toBe(429)
  expect((await app.generate(from('198.51.100.1'))).status).toBe(200)
  expect((await app.generate(from('192.0.2.1'))).status).toBe(429)
})

test('each status that is answered is counted, and the log names the report', async () => {
  const lines: string[] = []
  const log = createLog({ to: { write: (line) => void lines.push(line) } })
  const metrics = createMetrics()
  app = await createTestApp({ log, metrics })
  const { data } = (await app.generate(testRequest('challenge'))).body
  expect(lines.join('')).toContain(data.creditReportId)
  await app.submit(data, '123456')
  const counted = await metrics.render()
  for (const status of ['authentication-required', 'complete'])
    expect(counted).toContain(`crs_reports_answered_total{status="${status}"} 1`)
})

test('a spend cap is its own refusal, with the time until it has room; nothing is charged', async () => {
  app = await createTestApp()
  const capAt = (purpose: Purpose, hour: number | null) =>
    app.database.transaction((queries) =>
      setCaps(queries, { tenantId: 'demo-lender', purpose, caps: { hour, day: null } }),
    )
  const before = await app.wallet()
  await capAt('report', 499)
  const never = await app.generate(liveRequest('Allow'), { 'Idempotency-Key': 'k1' })
  expect(never).toMatchObject({ status: 429, body: { code: 'spend-cap-reached' } })
  expect(never.headers.get('Retry-After')).toBeNull()
  await capAt('report', 500)
  await capAt('text', 40)
  const started = (await app.generate(liveRequest(), { 'Idempotency-Key': 'k1' })).body.data
  expect(started.status).toBe('authentication-required')
  app.time.nowMs += 60_000
  for (const refused of [await app.generate(liveRequest()), await app.resend(started)]) {
    expect(refused).toMatchObject({ status: 429, body: { code: 'spend-cap-reached' } })
    expect(refused.headers.get('Retry-After')).toBe('3540')
  }
  expect((await app.wallet()).balanceCredits).toBe(before.balanceCredits - 540)
  expect((await app.generate(testRequest('block'))).status).toBe(200)
})

test.each<[name: string, body: object, status: number]>([
  ['live', { ...liveRequest('Allow'), challengeOptions: { status: 'nonsense' } }, 200],
  ['live by its own word', { ...liveRequest('Allow'), test: false, challengeOptions: 7 }, 200],
  ['test', { ...testRequest('allow'), challengeOptions: { status: 'nonsense' } }, 400],
])('what a %s check says about test mode', async (_mode, body, status) => {
  app = await createTestApp()
  expect((await app.generate(body)).status).toBe(status)
})

test('who was given a file is written down for people’s own, not for those of test mode', async () => {
  app = await createTestApp()
  const lines = async () =>
    (
      await app.database.all(
        `SELECT action, object, outcome FROM audit_event WHERE action LIKE 'report.%' ORDER BY sequence`,
      )
    ).map(({ action, object, outcome }) => [action, object, outcome].join(' '))
  await app.generate(testRequest('allow'))
  const { data } = (await app.generate(testRequest('challenge'))).body
  for (const _ of [1, 2]) await app.submit(data, '123456')
  await app.generate(liveRequest('Block'))
  expect(await lines()).toEqual([])
  const key = { 'Idempotency-Key': 'once' }
  const { creditReportId } = (await app.generate(liveRequest('Allow'), key)).body.data
  expect(await lines()).toEqual([`report.generate ${creditReportId} done`])
  await app.generate(liveRequest('Allow'), key)
  expect(await lines()).toEqual([`report.generate ${creditReportId} done`, `report.generate ${creditReportId} 200`])
})

test('an answer says its mode, its cost where it has one, and whether it was given before', async () => {
  app = await createTestApp()
  const key = { 'Idempotency-Key': 'once' }
  for (const [request, test, cost] of [
    [testRequest('challenge'), true, 0],
    [liveRequest(), false, 500],
  ] as const) {
    const first = await app.generate(request, { 'Idempotency-Key': `${test}` })
    const again = await app.generate(request, { 'Idempotency-Key': `${test}` })
    expect(first.body.data).toMatchObject({ test, status: 'authentication-required' })
    expect(again.body.data).toEqual(first.body.data)
    expect([first.body.meta.wallet.cost, again.body.meta.wallet.cost]).toEqual([cost, cost])
    expect([first, again].map(({ headers }) => headers.get('Idempotent-Replayed'))).toEqual([null, 'true'])
    expect([first, again].map(({ headers }) => headers.get('X-Challenge-Expires-In'))).toEqual(['300', '300'])
    const resent = await app.resend(first.body.data, key)
    expect(resent.body).toEqual({
      meta: { request: { timeTakenMs: expect.any(Number) } },
      data: { remainingSmsCount: 1, smsSentCount: 2 },
    })
  }
})

test('the versions that a check came from are seen', async () => {
  app = await createTestApp()
  await app.generate(testRequest('block'), { 'X-Credit-Report-Widget': '0.1.7' })
  await expect
    .poll(() => app.database.all('SELECT tenant_id, test, kind, version FROM version_seen'))
    .toEqual([{ tenant_id: 'demo-lender', test: 1, kind: 'widget', version: '0.1.7' }])
})
