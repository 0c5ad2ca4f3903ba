import { afterEach, expect, test } from 'vitest'
import { createTestApp, liveRequest, type TestApp, type TestAppOptions, testRequest } from '../../testing/test-app.ts'
import { createLog } from '../log.ts'
import { createMetrics } from '../metrics.ts'
import { type Purpose, setCaps } from '../wallet/spend.ts'

let app: TestApp
afterEach(() => app.close())

const limitedTo = (perMinute: number): TestAppOptions => ({ environment: { RATE_LIMIT_PER_MINUTE: `${perMinute}` } })
const from = (ipAddress: string) => ({ ...liveRequest('Allow'), ipAddress })

test.each([null, 'a request', 7, []])('%j is no request', async (body) => {
  app = await createTestApp()
  expect(await app.generate(body)).toMatchObject({ status: 400, body: { code: 'validation-error' } })
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
  await capAt('sms', 40)
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
