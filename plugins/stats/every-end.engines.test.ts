// Every end a check can have, driven: the list and the figures say the same of each.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { ENDINGS, type Ending, statusOfEnding } from '../../contract/report-list.ts'
import { londonDate } from '../../kit/london.ts'
import { newId } from '../../kit/new-id.ts'
import { ApiError } from '../../service/http/api-error.ts'
import { ProviderUnavailable } from '../../service/providers/providers.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { createFaultyProviders } from '../../testing/faulty-providers.ts'
import { REPORT_COLUMNS, reportValues } from '../../testing/report-rows.ts'
import { createTestApp, liveRequest, type TestApp } from '../../testing/test-app.ts'
import { setCaps } from '../limits/spend-caps.ts'

onEachEngine('list and figures', (place) => {
  const { faults, reset, providers } = createFaultyProviders()
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp({ ...(await place()), providers })
  })
  afterEach(reset)
  afterAll(() => app?.close())

  const away = () => Promise.reject(new ProviderUnavailable('a provider', 'time-out'))
  const start = async (token: string, request: object = liveRequest()) =>
    (await app.generate(request, { token })).body.data
  async function submitRight(token: string, started: Awaited<ReturnType<typeof start>>) {
    const [code] = await app.codes(started.creditReportId)
    return app.submit(started, code, { token })
  }
  async function expire() {
    app.time.nowMs += 300_001
    await app.sweeper.sweep()
  }

  const roads: { readonly [ending in Ending]: readonly ((token: string) => Promise<unknown>)[] } = {
    complete: [
      (token) => start(token, liveRequest('Allow')),
      async (token) => {
        const started = await start(token)
        for (const _ of [1, 2]) await submitRight(token, started)
      },
    ],
    risk: [(token) => start(token, liveRequest('Block'))],
    attempts: [
      async (token) => {
        const started = await start(token)
        for (const code of ['a', 'b', 'c', 'd']) await app.submit(started, code, { token })
      },
    ],
    device: [
      async (token) => app.submit(await start(token, { ...liveRequest(), sessionId: 'unknown' }), 'a', { token }),
    ],
    'mobile-number': [(token) => start(token, { ...liveRequest(), mobileNumber: undefined })],
    // Enough for the report, and not for the text.
    funds: [(token) => app.database.run('UPDATE wallet SET balance_credits = 520 WHERE tenant_id = ?', token), start],
    'spend-cap': [
      async (token) => {
        await setCaps(app.database, { tenantId: token, purpose: 'text', caps: { hour: 0, day: null } })
        await start(token)
      },
    ],
    'text-limit': [
      async (token) => {
        // Simulated texts are not limited: this is the refusal of the limit.
        faults.risk = () => Promise.reject(new ApiError('rate-limited', 'too many texts'))
        await start(token)
      },
    ],
    provider: [
      async (token) => {
        faults.risk = away
        await start(token)
      },
    ],
    interrupted: [
      async (token) => {
        const insert = `INSERT INTO credit_report (id, tenant_id, test, status, lease_until_ms, created_at_ms, ${REPORT_COLUMNS})
          VALUES (?, ?, 0, 'pending', ?, ?, ${reportValues('pending')})`
        const { nowMs } = app.time
        await app.database.run(insert, newId(nowMs), token, nowMs - 60_001, nowMs)
        await app.sweeper.sweep()
      },
    ],
    timeout: [start, expire],
    agencies: [
      async (token) => {
        const started = await start(token)
        faults.bureau = away
        await submitRight(token, started)
        await expire()
      },
    ],
  }

  test.each(ENDINGS)('agree on a check that ends with %s', async (ending) => {
    const token = await app.newTenant(50_000)
    for (const walk of roads[ending]) await walk(token)
    const listed = await listEnds(token)
    expect(listed[ending] ?? 0).toBeGreaterThan(0)
    expect(await figureEnds(token)).toEqual(listed)
  })

  test('agree on checks around midnight in the United Kingdom, each on the day it was asked for', async () => {
    const token = await app.newTenant(50_000)
    app.time.nowMs = Date.parse('2027-06-14T22:59:00Z')
    const before = await start(token)
    app.time.nowMs = Date.parse('2027-06-14T23:01:00Z')
    await submitRight(token, before)
    await start(token, liveRequest('Block'))
    for (const [day, ends] of [
      ['2027-06-14', { complete: 1 }],
      ['2027-06-15', { risk: 1 }],
    ] as const) {
      expect(await listEnds(token, day)).toEqual(ends)
      expect(await figureEnds(token, day)).toEqual(ends)
    }
  })

  /** Of every filter that finds one of these ends, how many reports it finds. */
  async function listEnds(token: string, day = dayNow()) {
    const ends: { [ending in Ending]?: number } = {}
    for (const ending of ENDINGS) {
      const filter = ending === 'complete' ? 'status=complete' : `status=${statusOfEnding(ending)}&reason=${ending}`
      const path = `/${token}/v1/credit-reports?test=false&${filter}&from=${day}&to=${day}&limit=100`
      const { creditReports } = (await app.read(path, undefined, { token })).body
      if (creditReports.length > 0) ends[ending] = creditReports.length
    }
    return ends
  }

  async function figureEnds(token: string, day = dayNow()) {
    await app.stats.flush()
    const path = `/${token}/v1/stats?from=${day}&to=${day}`
    const { ends } = (await app.read(path, undefined, { token })).body as { ends: { end: Ending; count: number }[] }
    return Object.fromEntries(ends.map(({ end, count }) => [end, count]))
  }

  const dayNow = () => londonDate(app.time.nowMs)
})
