// Refused calls on every engine: whose are kept, how many, and what of them.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Refusals } from '../../contract/refusals.ts'
import { createSilentLog } from '../../service/log.ts'
import type { Database } from '../../service/store/database.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { openTestDatabase } from '../../testing/open-database.ts'
import { createTestApp, liveRequest, type TestApp, testRequest } from '../../testing/test-app.ts'
import { createRefusals, LISTED_MAX, type Refusal } from './refusals.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const START_MS = Date.UTC(2026, 10, 17, 14)

onEachEngine('refused calls', (place) => {
  let database: Database
  let nowMs = START_MS
  beforeAll(async () => {
    database = await openTestDatabase(await place())
  })
  afterAll(() => database?.close())
  beforeEach(async () => {
    nowMs = START_MS
    for (const table of ['refusal', 'refusal_hour']) await database.run(`DELETE FROM ${table}`)
  })
  const process = () => createRefusals({ database, clock: () => nowMs, log: createSilentLog() })
  const refusal = (requestId: string, more: Partial<Refusal> = {}): Refusal => ({
    tenantId: 'acme',
    atMs: nowMs,
    clientId: 'server',
    method: 'POST',
    route: '/:tenantId/v1/credit-reports',
    status: 400,
    code: 'validation-error',
    requestId,
    ...more,
  })
  const idsOf = ({ refusals }: { refusals: Refusal[] }) => refusals.map(({ requestId }) => requestId)

  test('the newest hundred of a lender are kept, by two processes too; hours count all of them', async () => {
    const [one, other] = [process(), process()]
    for (let count = 0; count < 130; count += 1) {
      nowMs += 1
      const writer = count % 2 === 0 ? one : other
      writer.note(refusal(`r${count}`))
    }
    one.note(refusal('theirs', { tenantId: 'other' }))
    await Promise.all([one.flush(), other.flush()])
    const listed = await one.list('acme')
    expect(idsOf(listed)).toEqual(Array.from({ length: LISTED_MAX }, (_, index) => `r${129 - index}`))
    expect(listed.hours).toEqual([{ hourMs: START_MS, code: 'validation-error', count: 130 }])
    expect(listed.refusals[0]).toEqual(refusal('r129', { atMs: START_MS + 130 }))
    expect(idsOf(await one.list('other'))).toEqual(['theirs'])
    expect(await database.all('SELECT id FROM refusal')).toHaveLength(LISTED_MAX + 1)
  })

  test('hours and codes are counted apart for seven days, and all is forgotten after thirty', async () => {
    const kept = process()
    kept.note(refusal('first'))
    kept.note(refusal('second', { code: 'rate-limited', status: 429 }))
    await kept.flush()
    nowMs += HOUR_MS
    kept.note(refusal('third'))
    expect((await kept.list('acme')).hours).toEqual([
      { hourMs: START_MS, code: 'rate-limited', count: 1 },
      { hourMs: START_MS, code: 'validation-error', count: 1 },
      { hourMs: START_MS + HOUR_MS, code: 'validation-error', count: 1 },
    ])
    nowMs = START_MS + 7 * DAY_MS
    expect((await kept.list('acme')).hours).toHaveLength(1)
    nowMs = START_MS + 30 * DAY_MS
    expect(await kept.forgetOld()).toBe(0)
    nowMs += 1
    expect(await kept.forgetOld()).toBe(4)
    expect(idsOf(await kept.list('acme'))).toEqual(['third'])
  })
})

describe('over HTTP', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp()
  })
  afterAll(() => app.close())

  test('a client’s refused calls are listed with route, code and request id, and nothing that it sent', async () => {
    const token = await app.newTenant(0)
    const headers = { token }
    app.time.nowMs += 1
    expect((await app.generate({ ...liveRequest(), emial: 'x' } as never, headers)).status).toBe(402)
    app.time.nowMs += 1
    expect((await app.generate({ ...liveRequest(), firstName: '' }, headers)).status).toBe(400)
    app.time.nowMs += 1
    expect((await app.read(`/${token}/v1/credit-reports/secret-words`, undefined, headers)).status).toBe(404)
    app.time.nowMs += 1
    expect((await app.generate(testRequest('block'), headers)).status).toBe(200)
    // Another lender's path is refused as the caller's own call; without a valid token nothing is kept.
    app.time.nowMs += 1
    expect((await app.read('/other/v1/stats', undefined, headers)).status).toBe(403)
    app.time.nowMs += 1
    expect((await app.fetch(new Request(`http://service.test/${token}/v1/stats`))).status).toBe(401)
    app.time.nowMs += 1
    expect((await app.read(`/${token}/v1/stats`, undefined, { token: 'another' })).status).toBe(403)
    const { body, status } = await app.read(`/${token}/v1/refusals`, undefined, headers)
    expect(status).toBe(200)
    const { refusals, hours } = Refusals.parse(body)
    expect(refusals.map((each) => [each.method, each.route, each.status, each.code])).toEqual([
      ['GET', '/:tenantId/v1/stats', 403, 'forbidden'],
      ['GET', '/:tenantId/v1/credit-reports/:creditReportId', 404, 'credit-report-not-found'],
      ['POST', '/:tenantId/v1/credit-reports', 400, 'validation-error'],
      ['POST', '/:tenantId/v1/credit-reports', 402, 'insufficient-funds'],
    ])
    expect(refusals.every(({ requestId }) => requestId.length > 0)).toBe(true)
    expect(JSON.stringify(body)).not.toContain('secret-words')
    expect(hours.reduce((sum, { count }) => sum + count, 0)).toBe(4)
  })
})
