import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Stats } from '../../contract/stats.ts'
import { createSilentLog } from '../../service/log.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { createTestApp, liveRequest, type TestApp, testRequest } from '../../testing/test-app.ts'
import { hasStats, quantileOf, readDayEnds, readFigures } from './read-stats.ts'
import { createStats, forgetOldStats, type StatName } from './stats.ts'

onEachEngine('counters', (place) => {
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp(await place())
  })
  afterAll(() => app?.close())

  const today = { from: '2026-11-15', to: '2026-11-15' }
  async function read(tenantId: string, { isTest = false, days = today } = {}) {
    await app.stats.flush()
    const wanted = { tenantId, test: isTest, ...days }
    return { ...(await readFigures(app.database, wanted)), days: await readDayEnds(app.database, wanted) }
  }
  const countsOf = ({ funnel }: Awaited<ReturnType<typeof read>>) =>
    Object.fromEntries(funnel.map(({ step, count }) => [step, count]))

  test('a live check is counted at each step and where it ends', async () => {
    const token = await app.newTenant(100_000)
    const headers = { token }
    await app.generate(liveRequest('Allow'), headers)
    await app.generate(liveRequest('Block'), headers)
    const done = (await app.generate(liveRequest(), headers)).body.data
    const failed = (await app.generate(liveRequest(), headers)).body.data
    await app.generate(liveRequest(), headers)
    app.time.nowMs += 40_000
    const [code = ''] = await app.codes(done.creditReportId)
    expect((await app.submit(done, code, headers)).body.data.status).toBe('complete')
    // The same answer again is not another report.
    expect((await app.submit(done, code, headers)).body.data.status).toBe('complete')
    for (let guess = 0; guess < 4; guess += 1) await app.submit(failed, 'wrong', headers)
    app.time.nowMs += 600_000
    await app.sweeper.sweep()
    const stats = await read(token)
    expect(countsOf(stats)).toEqual({ asked: 5, 'code-sent': 4, 'code-right': 2, complete: 2 })
    expect(stats.funnel.find(({ step }) => step === 'code-right')?.seconds).toBe(40)
    expect(stats.withoutCode).toBe(1)
    expect(Object.fromEntries(stats.ends.map(({ end, count }) => [end, count]))).toEqual({
      complete: 2,
      risk: 1,
      timeout: 1,
      attempts: 1,
    })
    expect(stats.texts).toEqual({ accepted: 3, delivered: 3, undelivered: 0, refused: [] })
    expect(stats.waiting.map(({ what, count }) => [what, count])).toEqual([
      ['generate', 5],
      ['agencies', 2],
    ])
    expect(stats.days).toEqual([{ day: '2026-11-15', complete: 2, blocked: 1, failed: 1, expired: 1 }])
  })

  test('test mode and other lenders are counted apart; a replayed request and a refused one begin nothing', async () => {
    const token = await app.newTenant(0)
    const once = { token, 'Idempotency-Key': 'one' }
    const started = (await app.generate(testRequest('challenge'), once)).body.data
    await app.generate(testRequest('challenge'), once)
    await app.submit(started, '123456', { token })
    expect((await app.generate(liveRequest('Allow'), { token })).status).toBe(402)
    const isTest = await read(token, { isTest: true })
    expect(countsOf(isTest)).toMatchObject({ asked: 1, 'code-sent': 1, 'code-right': 1, complete: 1 })
    const live = await read(token)
    expect(countsOf(live)).toMatchObject({ asked: 0, complete: 0 })
    expect(live.ends).toEqual([])
    expect(live.turnedAway).toEqual([{ reason: 'funds', count: 1 }])
    expect(live.waiting).toEqual([
      { what: 'generate', count: 0 },
      { what: 'agencies', count: 0 },
    ])
  })

  test('the ends of some days are one lender’s, of one mode, and of those days alone', async () => {
    const [ours, theirs] = [await app.newTenant(0), await app.newTenant(0)]
    const insert = (tenantId: string, test: number, day: string, name: string) =>
      app.database.run(
        'INSERT INTO stat (tenant_id, test, day, name, count, sum_ms) VALUES (?, ?, ?, ?, 1, 0)',
        tenantId,
        test,
        day,
        name,
      )
    for (const tenantId of [ours, theirs])
      for (const mode of [0, 1])
        for (const day of ['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04'])
          for (const name of ['end-complete', 'end-attempts', 'turned-away-spend-cap', 'asked'])
            await insert(tenantId, mode, day, name)
    const days = { from: '2026-01-02', to: '2026-01-03' }
    const ends = (day: string) => ({ day, complete: 1, blocked: 0, failed: 1, expired: 0 })
    for (const isTest of [false, true]) {
      const figures = await read(ours, { isTest, days })
      expect(figures.days).toEqual([ends('2026-01-02'), ends('2026-01-03')])
      expect(countsOf(figures)).toMatchObject({ asked: 2, complete: 2, 'code-sent': 0 })
    }
  })

  test('every counter has its place in the figures', async () => {
    const tenantId = await app.newTenant(0)
    const rows: [day: number, name: StatName, count: number, sumMs?: number][] = [
      [1, 'step-details', 90],
      [1, 'step-address', 80, 80 * 12_340],
      [1, 'step-answers', 70, 70 * 7_050],
      [1, 'asked', 60],
      [1, 'step-sending', 3, 10_000],
      [1, 'code-sent', 50],
      [1, 'code-right', 40, 40 * 20_040],
      [1, 'end-complete', 40],
      [2, 'end-complete', 5],
      [1, 'without-code', 5],
      [1, 'end-risk', 4],
      [1, 'end-timeout', 3],
      [1, 'end-attempts', 2],
      [1, 'end-device', 1],
      [2, 'turned-away-spend-cap', 6],
      [1, 'text-accepted', 55],
      [1, 'text-delivered', 52],
      [1, 'text-undelivered', 2],
      [1, 'text-refused-sender', 1],
      [2, 'text-refused-other', 1],
      [1, 'generate-100', 10],
      [2, 'generate-250', 10],
      [2, 'generate-1000', 20],
      [1, 'agencies-8000', 2],
      [1, 'agencies-over', 2],
    ]
    for (const [day, name, count, sumMs = 0] of rows)
      await app.database.run(
        `INSERT INTO stat (tenant_id, test, day, name, count, sum_ms) VALUES (?, 0, '2026-02-0${day}', ?, ?, ?)`,
        tenantId,
        name,
        count,
        sumMs,
      )
    expect(await read(tenantId, { days: { from: '2026-02-01', to: '2026-02-02' } })).toEqual({
      form: [
        { step: 'details', count: 90 },
        { step: 'address', count: 80, seconds: 12.3 },
        { step: 'answers', count: 70, seconds: 7.1 },
        { step: 'sending', count: 3, seconds: 3.3 },
      ],
      funnel: [
        { step: 'asked', count: 60, seconds: 3.3 },
        { step: 'code-sent', count: 55 },
        { step: 'code-right', count: 45, seconds: 20 },
        { step: 'complete', count: 45 },
      ],
      withoutCode: 5,
      ends: [
        { end: 'complete', count: 45 },
        { end: 'risk', count: 4 },
        { end: 'attempts', count: 2 },
        { end: 'device', count: 1 },
        { end: 'timeout', count: 3 },
      ],
      turnedAway: [{ reason: 'spend-cap', count: 6 }],
      texts: {
        accepted: 55,
        delivered: 52,
        undelivered: 2,
        refused: [
          { reason: 'sender', count: 1 },
          { reason: 'other', count: 1 },
        ],
      },
      waiting: [
        { what: 'generate', count: 40, p50Ms: 250, p95Ms: 950 },
        { what: 'agencies', count: 4, p50Ms: 8_000, p95Ms: 20_000 },
      ],
      days: [
        { day: '2026-02-01', complete: 40, blocked: 4, failed: 3, expired: 3 },
        { day: '2026-02-02', complete: 5, blocked: 0, failed: 0, expired: 0 },
      ],
    })
  })

  test('whether anything was counted is asked of one lender and one mode', async () => {
    const [ours, theirs] = [await app.newTenant(0), await app.newTenant(0)]
    const stats = createStats({ database: app.database, clock: () => app.time.nowMs, log: createSilentLog() })
    stats.count({ tenantId: ours, test: true }, 'asked')
    await stats.flush()
    expect(await hasStats(app.database, { tenantId: ours, test: true })).toBe(true)
    expect(await hasStats(app.database, { tenantId: ours, test: false })).toBe(false)
    expect(await hasStats(app.database, { tenantId: theirs, test: true })).toBe(false)
  })

  test('processes that flush at once lose nothing', async () => {
    const { database } = app
    const processes = Array.from({ length: 4 }, () =>
      createStats({ database, clock: () => app.time.nowMs, log: createSilentLog() }),
    )
    const whose = { tenantId: 'many-processes', test: false }
    for (const stats of processes) {
      for (let time = 0; time < 25; time += 1) stats.count(whose, 'asked', 10)
      stats.count(whose, 'code-sent')
      stats.count({ ...whose, test: true }, 'asked')
    }
    await Promise.all(processes.map((stats) => stats.flush()))
    const rows = await database.all(
      `SELECT test, name, count, sum_ms FROM stat WHERE tenant_id = 'many-processes' ORDER BY test, name`,
    )
    expect(rows).toEqual([
      { test: 0, name: 'asked', count: 100, sum_ms: 1_000 },
      { test: 0, name: 'code-sent', count: 4, sum_ms: 0 },
      { test: 1, name: 'asked', count: 4, sum_ms: 0 },
    ])
  })

  test('a flush that fails is lost, and the next one works', async () => {
    const lines: string[] = []
    const log = { ...createSilentLog(), warn: (event: string) => void lines.push(event) }
    let isAway = true
    const database = {
      ...app.database,
      run: (...given: Parameters<typeof app.database.run>) =>
        isAway ? Promise.reject(new Error('away')) : app.database.run(...given),
    }
    const stats = createStats({ database, clock: () => app.time.nowMs, log })
    const whose = { tenantId: 'unlucky', test: false }
    stats.count(whose, 'asked')
    await stats.flush()
    isAway = false
    stats.count(whose, 'asked')
    const stop = stats.start()
    stats.count(whose, 'asked')
    await stop()
    expect(lines).toEqual(['counters lost'])
    expect(countsOf(await read('unlucky')).asked).toBe(2)
  })

  test('a page with known details begins further on: who saw a screen came past those before it', async () => {
    const tenantId = await app.newTenant(0)
    const whose = { tenantId, test: false }
    app.stats.add(whose, 'step-details', 2, 0)
    app.stats.add(whose, 'step-answers', 5, 50_000)
    app.stats.add(whose, 'step-sending', 4, 8_000)
    expect((await read(tenantId)).form).toEqual([
      { step: 'details', count: 5 },
      { step: 'address', count: 5 },
      { step: 'answers', count: 5, seconds: 10 },
      { step: 'sending', count: 4, seconds: 2 },
    ])
  })

  test('days are those of the United Kingdom, and old ones are forgotten', async () => {
    const whose = { tenantId: 'old-days', test: false }
    let nowMs = Date.UTC(2026, 0, 1, 0, 0, 0) - 1
    const stats = createStats({ database: app.database, clock: () => nowMs, log: createSilentLog() })
    stats.count(whose, 'end-complete')
    nowMs += 1
    stats.count(whose, 'end-complete')
    await stats.flush()
    const days = { from: '2025-12-01', to: '2026-01-31' }
    expect((await read(whose.tenantId, { days })).days.map(({ day }) => day)).toEqual(['2025-12-31', '2026-01-01'])
    expect(await forgetOldStats(app.database, Date.UTC(2027, 1, 5))).toBe(1)
    expect((await read(whose.tenantId, { days })).days.map(({ day }) => day)).toEqual(['2026-01-01'])
  })
})

describe('over HTTP', () => {
  let app: TestApp
  let token: string
  beforeAll(async () => {
    app = await createTestApp()
    token = await app.newTenant(0)
  })
  afterAll(() => app.close())
  const post = (body: unknown, tenantId = token) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const url = `http://service.test/${tenantId}/v1/steps`
    return app.fetch(new Request(url, { method: 'POST', headers, body: JSON.stringify(body) }))
  }
  const get = (query: string, tenantId = token) => app.read(`/${tenantId}/v1/stats${query}`, undefined, { token })

  test('a mount’s steps are counted, and come back as the screens of the form', async () => {
    const steps = [
      { step: 'details', count: 5, seconds: 0 },
      { step: 'address', count: 4, seconds: 120 },
    ]
    expect((await post({ test: false, steps })).status).toBe(204)
    expect((await post({ test: true, steps: steps.slice(0, 1) })).status).toBe(204)
    await app.stats.flush()
    const { status, body } = await get('?from=2026-11-01&to=2026-11-15')
    expect(status).toBe(200)
    expect(Stats.parse(body)).toEqual(body)
    expect(body).toMatchObject({ mode: 'live', from: '2026-11-01', to: '2026-11-15' })
    expect(body.form.slice(0, 2)).toEqual([
      { step: 'details', count: 5 },
      { step: 'address', count: 4, seconds: 30 },
    ])
    expect((await get('?from=2026-11-15&to=2026-11-15&mode=test')).body.form[0].count).toBe(5)
  })

  test('what each day cost is the ledger’s figure, of live checks alone', async () => {
    const spender = await app.newTenant(10_000)
    await app.generate(liveRequest('Allow'), { token: spender })
    const spending = async (mode: string) =>
      (await app.read(`/${spender}/v1/stats?from=2026-11-01&to=2026-11-15&mode=${mode}`, undefined, { token: spender }))
        .body.spending
    expect(await spending('live')).toEqual([{ day: '2026-11-15', credits: 500 }])
    expect(await spending('test')).toBeUndefined()
  })

  test.each([
    ['no steps', { test: false, steps: [] }],
    ['a step that is none', { test: false, steps: [{ step: 'report', count: 1, seconds: 0 }] }],
    ['below zero', { test: false, steps: [{ step: 'details', count: -1, seconds: 0 }] }],
    ['a fraction', { test: false, steps: [{ step: 'details', count: 0.5, seconds: 0 }] }],
    ['too many', { test: false, steps: [{ step: 'details', count: 1e9, seconds: 0 }] }],
    ['no mode', { steps: [{ step: 'details', count: 1, seconds: 0 }] }],
  ])('refuses %s', async (_name, body) => {
    expect((await post(body)).status).toBe(400)
  })

  test.each([
    '',
    '?from=2026-11-01',
    '?from=2026-11-02&to=2026-11-01',
    '?from=2025-01-01&to=2026-11-01',
    '?from=2024-01-01&to=2025-01-01',
    '?from=x&to=y',
  ])('refuses the days of %j', async (query) => {
    expect((await get(query)).body.code).toBe('validation-error')
  })

  test.each([
    ['one day', '2026-11-15', '2026-11-15'],
    ['366 days', '2024-01-01', '2024-12-31'],
  ])('%s can be asked for', async (_name, from, to) => {
    const { status, body } = await get(`?from=${from}&to=${to}`)
    expect([status, body.from, body.to]).toEqual([200, from, to])
  })

  test('one day too many is refused with what is allowed', async () => {
    const { body } = await get('?from=2024-01-01&to=2025-01-01')
    expect(body.message).toContain('to: must be a day from `from` on, at most 366 days in all')
  })

  test('a mount’s steps say which widget it has', async () => {
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` }
    const body = JSON.stringify({ test: true, steps: [{ step: 'answers', count: 1, seconds: 0 }] })
    const widget = { ...headers, 'X-Credit-Report-Widget': '0.1.9' }
    await app.fetch(new Request(`http://service.test/${token}/v1/steps`, { method: 'POST', headers: widget, body }))
    const seen = 'SELECT kind, version, test FROM version_seen WHERE tenant_id = ?'
    await expect.poll(() => app.database.all(seen, token)).toEqual([{ kind: 'widget', version: '0.1.9', test: 1 }])
  })

  test('another lender’s counters are neither read nor written', async () => {
    expect((await get('?from=2026-11-01&to=2026-11-15', 'other-lender')).status).toBe(403)
    expect(
      (await post({ test: false, steps: [{ step: 'details', count: 1, seconds: 0 }] }, 'other-lender')).status,
    ).toBe(403)
  })
})

const none = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
test.each([
  ['nothing', none, 0.5, 0],
  ['one below 100 ms, its middle', none.with(0, 1), 0.5, 50],
  ['all in one class, near its end', none.with(4, 100), 0.95, 1_950],
  ['half here, half there', none.with(0, 50).with(3, 50), 0.5, 100],
  ['longer than the last limit', none.with(10, 3), 0.95, 20_000],
  ['the last one of a class, with more behind it', none.with(1, 19).with(10, 1), 0.95, 250],
] as const)('a quantile: %s', (_name, classes, share, expected) => {
  expect(quantileOf(classes, share)).toBe(expected)
})
