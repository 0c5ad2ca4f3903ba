import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { ENDINGS } from '../../contract/report-list.ts'
import { newId } from '../../kit/new-id.ts'
import type { Happened } from '../../service/plugin.ts'
import { ProviderUnavailable } from '../../service/providers/providers.ts'
import { DatabaseUnavailable } from '../../service/store/database.ts'
import { createFaultyProviders } from '../../testing/faulty-providers.ts'
import { REPORT_COLUMNS, reportValues } from '../../testing/report-rows.ts'
import { createTestApp, liveRequest, type TestApp, testRequest } from '../../testing/test-app.ts'
import { setCaps } from '../limits/spend-caps.ts'
import { countCheck } from './count-checks.ts'

const WHOSE = { tenantId: 'acme', test: false }

function countOf(what: Happened): string[] {
  const counted: string[] = []
  const stats = {
    count: (_whose: unknown, name: string) => void counted.push(name),
    waited: () => {},
    add: () => {},
  }
  countCheck(stats, WHOSE, what)
  return counted
}

test.each([
  ['authentication-required', ['asked', 'code-sent']],
  ['complete', ['asked', 'without-code']],
  ['blocked', ['asked']],
] as const)('a check that is %s', (status, names) => {
  expect(countOf({ type: 'answered', status, waitedMs: 1, isReplay: false })).toEqual(names)
  expect(countOf({ type: 'answered', status, waitedMs: 1, isReplay: true })).toEqual([])
})

test.each([
  ['insufficient-funds', ['turned-away-funds']],
  ['spend-cap-reached', ['turned-away-spend-cap']],
  ['unavailable', []],
  ['rate-limited', []],
] as const)('a check that is refused with %s before it begins', (code, names) => {
  expect(countOf({ type: 'refused', code })).toEqual(names)
})

test.each(ENDINGS)('a check that ends with %s: one whose caller gets an error was asked for too', (ending) => {
  expect(countOf({ type: 'ended', ending })).toEqual([`end-${ending}`])
  expect(countOf({ type: 'abandoned', ending })).toEqual(['asked', `end-${ending}`])
})

describe('of a whole check', () => {
  const { faults, reset, providers } = createFaultyProviders()
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp({ providers })
  })
  afterEach(reset)
  afterAll(() => app.close())

  const LIFETIME_MS = 300_000
  const start = async (token: string, request: object = liveRequest()) =>
    (await app.generate(request, { token })).body.data
  const away = (provider: string) => () => Promise.reject(new ProviderUnavailable(provider, 'time-out'))
  async function submitRight(token: string, started: Awaited<ReturnType<typeof start>>) {
    const [code] = await app.codes(started.creditReportId)
    return app.submit(started, code, { token })
  }

  /** Counters of all classes of a wait are one: how long a machine takes is not tested here. */
  async function countsOf(tenantId: string, isTest: boolean) {
    await app.stats.flush()
    const sql = 'SELECT name, count, sum_ms FROM stat WHERE tenant_id = ? AND test = ?'
    const counts: { [name: string]: number } = {}
    for (const { name, count } of await app.database.all(sql, tenantId, isTest ? 1 : 0)) {
      const kind = String(name).replace(/^(generate|agencies)-.*/, '$1')
      counts[kind] = (counts[kind] ?? 0) + Number(count)
    }
    return counts
  }

  const answered = { asked: 1, generate: 1 }
  const texted = { ...answered, 'code-sent': 1, 'text-accepted': 1, 'text-delivered': 1 }
  const right = { ...texted, 'code-right': 1, 'end-complete': 1 }

  test.each<[name: string, run: (token: string) => Promise<unknown>, counts: object]>([
    [
      'complete without a code',
      (token) => start(token, liveRequest('Allow')),
      { ...answered, agencies: 1, 'end-complete': 1, 'without-code': 1 },
    ],
    ['blocked', (token) => start(token, liveRequest('Block')), { ...answered, 'end-risk': 1 }],
    ['waiting for its code', (token) => start(token), texted],
    [
      'complete by its code, which is sent twice',
      async (token) => {
        const started = await start(token)
        for (const _ of [1, 2]) expect((await submitRight(token, started)).body.data).toMatchObject({ test: false })
      },
      { ...right, agencies: 1 },
    ],
    [
      'complete by its code once the agencies are back',
      async (token) => {
        const started = await start(token)
        faults.bureau = away('equifax')
        expect((await submitRight(token, started)).status).toBe(503)
        delete faults.bureau
        expect((await submitRight(token, started)).status).toBe(200)
      },
      { ...right, agencies: 2 },
    ],
    [
      'failed by its third wrong code, whatever comes after',
      async (token) => {
        const started = await start(token)
        const words: string[] = []
        for (let guess = 0; guess < 4; guess += 1)
          words.push((await app.submit(started, 'wrong', { token })).body.data.errorMessage)
        expect(words).toEqual([
          'The code is wrong: 2 attempts are left.',
          'The code is wrong: 1 attempt is left.',
          'The code was wrong too many times: no attempts are left.',
          'The code was wrong too many times: no attempts are left.',
        ])
      },
      { ...texted, 'end-attempts': 1 },
    ],
    [
      'failed on an unknown device',
      async (token) => {
        const started = await start(token, { ...liveRequest(), sessionId: 'unknown' })
        await app.submit(started, 'any', { token })
      },
      { ...texted, 'end-device': 1 },
    ],
    [
      'expired by the time a code comes',
      async (token) => {
        const started = await start(token)
        app.time.nowMs += LIFETIME_MS + 1
        expect((await submitRight(token, started)).status).toBe(410)
        await app.sweeper.sweep()
      },
      { ...texted, 'end-timeout': 1 },
    ],
    [
      'expired by the time another text is asked for',
      async (token) => {
        const started = await start(token)
        app.time.nowMs += LIFETIME_MS + 1
        expect((await app.resend(started, { token })).status).toBe(410)
        await app.sweeper.sweep()
      },
      { ...texted, 'end-timeout': 1 },
    ],
    [
      'expired without another word',
      async (token) => {
        await start(token)
        app.time.nowMs += LIFETIME_MS + 1
        for (const _ of [1, 2]) await app.sweeper.sweep()
      },
      { ...texted, 'end-timeout': 1 },
    ],
    [
      'ended by a provider that was away',
      async (token) => {
        faults.risk = away('risk')
        await app.generate(liveRequest(), { token })
      },
      { asked: 1, 'end-provider': 1 },
    ],
    [
      'left behind by a process that died',
      async (token) => {
        const insert = `INSERT INTO credit_report (id, tenant_id, test, status, lease_until_ms, created_at_ms, ${REPORT_COLUMNS})
          VALUES (?, ?, 0, 'pending', ?, 1, ${reportValues('pending')})`
        await app.database.run(insert, newId(1), token, app.time.nowMs - 60_000)
        await app.sweeper.sweep()
        expect(await countsOf(token, false)).toEqual({})
        app.time.nowMs += 1
        for (const _ of [1, 2]) await app.sweeper.sweep()
      },
      { asked: 1, 'end-interrupted': 1 },
    ],
    [
      'refused at its cap',
      async (token) => {
        await setCaps(app.database, { tenantId: token, purpose: 'report', caps: { hour: 0, day: null } })
        await app.generate(liveRequest(), { token })
      },
      { 'turned-away-spend-cap': 1 },
    ],
    [
      'not begun because the database was away: that is no refusal',
      async (token) => {
        vi.spyOn(app.database, 'batch').mockRejectedValueOnce(new DatabaseUnavailable('away'))
        expect((await app.generate(liveRequest(), { token })).status).toBe(503)
      },
      {},
    ],
    [
      'asked for twice under one key',
      async (token) => {
        for (const _ of [1, 2]) await app.generate(liveRequest('Block'), { token, 'Idempotency-Key': 'once' })
      },
      { ...answered, 'end-risk': 1 },
    ],
  ])('%s', async (_name, run, counts) => {
    const token = await app.newTenant(10_000)
    await run(token)
    expect(await countsOf(token, false)).toEqual(counts)
    expect(await countsOf(token, true)).toEqual({})
  })

  test.each<[name: string, code: string | null, counts: object]>([
    ['waiting for its code', null, { ...answered, 'code-sent': 1 }],
    ['complete by its code', '123456', { ...answered, 'code-sent': 1, 'code-right': 1, 'end-complete': 1 }],
  ])('a test that is %s', async (_name, code, counts) => {
    const token = await app.newTenant(0)
    const started = await start(token, testRequest('challenge'))
    if (code !== null) await app.submit(started, code, { token })
    expect(await countsOf(token, true)).toEqual(counts)
    expect(await countsOf(token, false)).toEqual({})
  })

  test('how long a code took is counted from its newest text', async () => {
    const token = await app.newTenant(10_000)
    const started = await start(token)
    app.time.nowMs += 30_000
    await app.resend(started, { token })
    app.time.nowMs += 12_000
    await submitRight(token, started)
    await app.stats.flush()
    const sql = `SELECT count, sum_ms FROM stat WHERE tenant_id = ? AND name = 'code-right'`
    expect(await app.database.all(sql, token)).toEqual([{ count: 1, sum_ms: 12_000 }])
  })
})
