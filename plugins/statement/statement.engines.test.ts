// The promises of a statement, on every engine.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { calendarDateOf } from '../../contract/calendar-date.ts'
import { londonDate } from '../../kit/london.ts'
import { capture, captureReport, chargeMatch, correct, hold, release, topUp } from '../../service/ledger/ledger.ts'
import { createTenant } from '../../service/ledger/tenants.ts'
import type { Database } from '../../service/store/database.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { collectPlans } from '../../testing/explain.ts'
import { openTestDatabase } from '../../testing/open-database.ts'
import { REPORT_COLUMNS, reportValues } from '../../testing/report-rows.ts'
import {
  listBooked,
  listHolds,
  listMonths,
  monthOf,
  monthStart,
  readDays,
  readMonth,
  readRate,
  walkBooked,
} from './statement.ts'

const OCTOBER = Date.UTC(2026, 9, 15)
const NOVEMBER = Date.UTC(2026, 10, 1)

onEachEngine('the statement', (place) => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(await place())
    for (const id of ['acme', 'other', 'busy']) {
      await database.transaction((queries) => createTenant(queries, { id, name: id, nowMs: OCTOBER }))
    }
    await book('acme')
    await book('other')
  })
  afterAll(() => database.close())

  const holdFor = (tenantId: string, subjectId: string, credits: number, nowMs: number) =>
    database.transaction((queries) =>
      hold(queries, { tenantId, purpose: 'report', subjectId, credits, creditReportId: subjectId, nowMs }),
    )

  /** October: a payment, a report, one given back. November: the rest. */
  async function book(tenantId: string): Promise<void> {
    const of = (id: string) => ({ purpose: 'report' as const, subjectId: `${tenantId}-${id}` })
    await topUp(database, { tenantId, credits: 10_000, reference: 'first', nowMs: OCTOBER })
    for (const id of ['a', 'b', 'c']) await holdFor(tenantId, `${tenantId}-${id}`, 500, NOVEMBER - 1)
    await capture(database, of('a'), NOVEMBER - 1)
    await release(database, of('b'), NOVEMBER - 1)
    await database.transaction(async (queries) => {
      const creditReportId = `${tenantId}-c`
      await captureReport(queries, { creditReportId, agencies: { asked: 2, delivered: 1 } }, NOVEMBER)
      await chargeMatch(queries, { tenantId, creditReportId, credits: 50, nowMs: NOVEMBER })
    })
    const text = { purpose: 'text' as const, subjectId: `${tenantId}-t` }
    await database.transaction((queries) =>
      hold(queries, { tenantId, ...text, credits: 40, creditReportId: `${tenantId}-c`, nowMs: NOVEMBER }),
    )
    await capture(database, text, NOVEMBER)
    for (const [credits, reference] of [
      [7, 'given'],
      [-9, 'taken'],
    ] as const) {
      await correct(database, { tenantId, credits, reason: 'booked twice', reference, nowMs: NOVEMBER })
    }
    await holdFor(tenantId, `${tenantId}-d`, 500, NOVEMBER)
  }

  const walletOf = async (tenantId: string) => {
    const row = await database.first('SELECT * FROM wallet WHERE tenant_id = ?', tenantId)
    return { balance: Number(row?.balance_credits), held: Number(row?.held_credits) }
  }

  test('each month opens where the one before closed, and its lines lead from there to its closing', async () => {
    expect(await readMonth(database, { tenantId: 'acme', month: '2026-09' })).toMatchObject({
      openingCredits: 0,
      closingCredits: 0,
      items: [],
    })
    expect(await readMonth(database, { tenantId: 'acme', month: '2026-10' })).toEqual({
      month: '2026-10',
      openingCredits: 0,
      closingCredits: 9_500,
      heldCredits: 500,
      items: [
        { item: 'top-up', lines: 1, credits: 10_000 },
        { item: 'report', lines: 1, credits: -500 },
      ],
      days: [
        { day: calendarDateOf(OCTOBER), lines: 1, credits: 10_000, spentCredits: 0 },
        { day: '2026-10-31', lines: 1, credits: -500, spentCredits: 500 },
      ],
    })
    const november = await readMonth(database, { tenantId: 'acme', month: '2026-11' })
    expect(november.items).toEqual([
      { item: 'report', lines: 1, credits: -500 },
      { item: 'match', lines: 1, credits: -50 },
      { item: 'text', lines: 1, credits: -40 },
      { item: 'given-back', lines: 1, credits: 250 },
      { item: 'correction', lines: 2, credits: -2 },
    ])
    const days = [{ day: '2026-11-01', lines: 6, credits: -342, spentCredits: 340 }]
    expect(november.days).toEqual(days)
    expect(await readDays(database, { tenantId: 'acme', from: '2026-11-01', to: '2026-11-30' })).toEqual(days)
    expect(await readDays(database, { tenantId: 'acme', from: '2026-11-02', to: '2026-11-30' })).toEqual([])
    const { balance, held } = await walletOf('acme')
    expect([november.openingCredits, november.closingCredits, november.heldCredits]).toEqual([
      9_500,
      balance + held,
      held,
    ])
    const lines = await listBooked(database, { tenantId: 'acme', month: '2026-11', after: null, limit: 100 })
    const sum = lines?.reduce((total, { credits }) => total + credits, november.openingCredits)
    expect(sum).toBe(november.closingCredits)
  })

  test('the lines are those of the totals, oldest first, a page at a time', async () => {
    const wanted = { tenantId: 'acme', month: '2026-11' }
    const all = (await listBooked(database, { ...wanted, after: null, limit: 100 })) ?? []
    expect(all).toHaveLength(6)
    const first = (await listBooked(database, { ...wanted, after: null, limit: 4 })) ?? []
    const rest = (await listBooked(database, { ...wanted, after: first[3]?.id ?? '', limit: 4 })) ?? []
    expect([...first, ...rest]).toEqual(all)
    // A line of an earlier month is before them all; one of a later month behind.
    expect(await listBooked(database, { ...wanted, after: 'top-up_acme_first', limit: 100 })).toEqual(all)
    expect(await listBooked(database, { ...wanted, month: '2026-10', after: all[0]?.id ?? '', limit: 100 })).toEqual([])
    expect(all.find(({ item }) => item === 'given-back')).toMatchObject({
      credits: 250,
      creditReportId: 'acme-c',
      agencies: { asked: 2, delivered: 1 },
    })
    expect(all.filter(({ item }) => item === 'correction').map(({ credits, reason }) => [credits, reason])).toEqual([
      [7, 'booked twice'],
      [-9, 'booked twice'],
    ])
    const walked: string[] = []
    for await (const page of walkBooked(database, wanted)) walked.push(...page.map(({ id }) => id))
    expect(walked).toEqual(all.map(({ id }) => id))
  })

  test('a month begins with its first millisecond and ends before the next one’s', async () => {
    const october = await listBooked(database, { tenantId: 'acme', month: '2026-10', after: null, limit: 100 })
    expect(october?.map(({ id, credits, createdAtMs }) => [id, credits, createdAtMs])).toEqual([
      ['top-up_acme_first', 10_000, OCTOBER],
      ['capture_report_acme-a', -500, NOVEMBER - 1],
    ])
    expect(await listBooked(database, { tenantId: 'acme', month: '2026-12', after: null, limit: 100 })).toEqual([])
  })

  test('what is only held is no line of a month, and its month is listed all the same', async () => {
    const tenantId = 'holder'
    await database.transaction((queries) => createTenant(queries, { id: tenantId, name: tenantId, nowMs: OCTOBER }))
    await topUp(database, { tenantId, credits: 1_000, reference: 'first', nowMs: OCTOBER })
    await holdFor(tenantId, 'holder-a', 300, NOVEMBER)
    expect(await readMonth(database, { tenantId, month: '2026-11' })).toEqual({
      month: '2026-11',
      openingCredits: 1_000,
      closingCredits: 1_000,
      heldCredits: 300,
      items: [],
      days: [],
    })
    expect(await listMonths(database, tenantId)).toEqual(['2026-11', '2026-10'])
    expect(await listMonths(database, 'no-lender')).toEqual([])
  })

  test('a long month is walked through a hundred lines at a time, an empty one in no page', async () => {
    const tenantId = 'long'
    await database.transaction((queries) => createTenant(queries, { id: tenantId, name: tenantId, nowMs: OCTOBER }))
    const fill = (from: number, to: number) =>
      database.run(
        `INSERT INTO wallet_line (id, tenant_id, kind, purpose, credits, created_at_ms)
           WITH RECURSIVE counted (n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM counted WHERE n < ${to})
           SELECT 'top-up_long_' || n, 'long', 'top-up', 'top-up', 1, ${OCTOBER} FROM counted`,
      )
    const walk = async () => {
      const pages: string[][] = []
      for await (const page of walkBooked(database, { tenantId, month: '2026-10' }))
        pages.push(page.map(({ id }) => id))
      return pages
    }
    expect(await walk()).toEqual([])
    await fill(1, 200)
    expect((await walk()).map(({ length }) => length)).toEqual([100, 100])
    await fill(201, 201)
    const pages = await walk()
    expect(pages.map(({ length }) => length)).toEqual([100, 100, 1])
    expect(new Set(pages.flat()).size).toBe(201)
  })

  test('held are the open holds of this lender’s reports and texts in progress, oldest first', async () => {
    const lenders = ['keeper', 'neighbour']
    for (const tenantId of lenders) {
      await database.transaction((queries) => createTenant(queries, { id: tenantId, name: tenantId, nowMs: OCTOBER }))
      await topUp(database, { tenantId, credits: 10_000, reference: 'first', nowMs: OCTOBER })
      const report = (id: string, status: string, isTest = 0) =>
        database.run(
          `INSERT INTO credit_report (id, tenant_id, test, status, created_at_ms, external_reference, ${REPORT_COLUMNS})
             VALUES (?, ?, ?, ?, 1, ?, ${reportValues(status)})`,
          `${tenantId}-${id}`,
          tenantId,
          isTest,
          status,
          id === 'a' ? 'order 1' : null,
        )
      await report('a', 'pending')
      await report('b', 'pending')
      await report('done', 'complete')
      await report('trial', 'pending', 1)
      for (const [index, id] of ['a', 'b', 'done', 'trial'].entries())
        await holdFor(tenantId, `${tenantId}-${id}`, 500, NOVEMBER + index)
      // Settled, before the report says so.
      await capture(database, { purpose: 'report', subjectId: `${tenantId}-b` }, NOVEMBER + 5)
      for (const [index, status] of ['queued', 'delivered', 'accepted'].entries()) {
        const id = `${tenantId}-text-${index}`
        await database.run(
          `INSERT INTO text_message (id, report_id, tenant_id, send_number, status, lease_until_ms, created_at_ms)
             VALUES (?, ?, ?, ?, ?, 1, 1)`,
          id,
          `${tenantId}-a`,
          tenantId,
          index + 1,
          status,
        )
        const text = { purpose: 'text' as const, subjectId: id, credits: 40, creditReportId: `${tenantId}-a` }
        await database.transaction((queries) => hold(queries, { tenantId, ...text, nowMs: NOVEMBER + 9 - index }))
      }
    }
    const text = { purpose: 'text', credits: 40, creditReportId: 'keeper-a', externalReference: 'order 1' }
    const all = [
      { ...text, id: 'hold_report_keeper-a', purpose: 'report', credits: 500, createdAtMs: NOVEMBER },
      { ...text, id: 'hold_text_keeper-text-2', createdAtMs: NOVEMBER + 7 },
      { ...text, id: 'hold_text_keeper-text-0', createdAtMs: NOVEMBER + 9 },
    ]
    const list = (after: string | null, limit: number) => listHolds(database, { tenantId: 'keeper', after, limit })
    expect(await list(null, 10)).toEqual(all)
    expect(await list(null, 2)).toEqual(all.slice(0, 2))
    expect(await list('hold_report_keeper-a', 10)).toEqual(all.slice(1))
  })

  test('another lender’s line is no cursor', async () => {
    for (const after of ['top-up_other_first', 'hold_report_other-d', 'nothing', "' OR 1 = 1 --"]) {
      expect(await listBooked(database, { tenantId: 'acme', month: '2026-11', after, limit: 5 })).toBeNull()
      expect(await listHolds(database, { tenantId: 'acme', after, limit: 5 })).toBeNull()
    }
  })

  test('any number of checks with texts at once, and the totals are exact', async () => {
    await topUp(database, { tenantId: 'busy', credits: 100_000, reference: 'first', nowMs: NOVEMBER })
    const check = async (number: number) => {
      const creditReportId = `busy-${number}`
      await database.transaction(async (queries) => {
        const order = ['report', 'text'] as const
        for (const purpose of number % 2 === 0 ? order : order.toReversed()) {
          const subjectId = `${creditReportId}-${purpose}`
          await hold(queries, { tenantId: 'busy', purpose, subjectId, credits: 10, creditReportId, nowMs: NOVEMBER })
        }
      })
      await capture(database, { purpose: 'report', subjectId: `${creditReportId}-report` }, NOVEMBER)
      await release(database, { purpose: 'text', subjectId: `${creditReportId}-text` }, NOVEMBER)
    }
    await Promise.all(Array.from({ length: 40 }, (_, number) => check(number)))
    const totals = await readMonth(database, { tenantId: 'busy', month: '2026-11' })
    const { balance, held } = await walletOf('busy')
    expect(totals).toMatchObject({ closingCredits: balance + held, heldCredits: 0 })
    expect(totals.items).toEqual([
      { item: 'top-up', lines: 1, credits: 100_000 },
      { item: 'report', lines: 40, credits: -400 },
    ])
  })

  test('the rate is that of this month and the last, or since the first line', async () => {
    const nowMs = NOVEMBER + 10 * 86_400_000
    const { creditsPerDay, spentThisMonthCredits, days } = await readRate(database, 'acme', nowMs)
    expect(spentThisMonthCredits).toBe(500 + 50 + 40 - 250)
    expect([days, Math.round(creditsPerDay)]).toEqual([27, Math.round((340 + 500) / 27)])
    expect(monthOf(Date.UTC(2026, 0, 31), -1)).toBe('2025-12')
  })

  test.each([
    ['2026-01', '2026-01-01T00:00:00Z', '2025-12'],
    ['2026-04', '2026-03-31T23:00:00Z', '2026-03'],
    ['2026-10', '2026-09-30T23:00:00Z', '2026-09'],
    ['2026-11', '2026-11-01T00:00:00Z', '2026-10'],
  ])('the month %s begins at midnight in the United Kingdom', (month, start, before) => {
    const startMs = Date.parse(start)
    expect(monthStart(month)).toBe(startMs)
    expect([monthOf(startMs), monthOf(startMs - 1), monthOf(startMs, -1)]).toEqual([month, before, before])
  })

  test('a line belongs to its day in the United Kingdom, also on the days the clocks change', async () => {
    const tenantId = 'clocks'
    await database.transaction((queries) => createTenant(queries, { id: tenantId, name: tenantId, nowMs: OCTOBER }))
    const changes = [2026, 2027, 2029, 2030, 2034].flatMap((year) => [`${year}-03`, `${year}-10`])
    const days = changes.flatMap((month) => [25, 26, 27, 28, 29, 30, 31].map((day) => `${month}-${day}T00:00:00Z`))
    const moments = days.flatMap((day) => [-3_600_001, -3_600_000, -1, 0].map((ms) => Date.parse(day) + ms))
    for (const nowMs of moments) await topUp(database, { tenantId, credits: 1, reference: `at-${nowMs}`, nowMs })
    const expected = new Map<string, number>()
    for (const day of moments.map(londonDate)) expected.set(day, (expected.get(day) ?? 0) + 1)
    const found = await readDays(database, { tenantId, from: '2026-01-01', to: '2034-12-31' })
    expect(found.map(({ day, lines }) => [day, lines])).toEqual([...expected].sort())
  })

  test('the rate of a day, of nothing, and of more given back than charged', async () => {
    const tenantId = 'rated'
    await database.transaction((queries) => createTenant(queries, { id: tenantId, name: tenantId, nowMs: OCTOBER }))
    const rate = (nowMs: number) => readRate(database, tenantId, nowMs)
    expect(await rate(NOVEMBER)).toEqual({ spentThisMonthCredits: 0, creditsPerDay: 0, days: 1 })
    await topUp(database, { tenantId, credits: 10_000, reference: 'first', nowMs: NOVEMBER })
    await holdFor(tenantId, 'rated-a', 300, NOVEMBER)
    await capture(database, { purpose: 'report', subjectId: 'rated-a' }, NOVEMBER)
    // Less than a day is a day: a wallet that is an hour old does not spend as much every hour.
    expect(await rate(NOVEMBER + 3_600_000)).toEqual({ spentThisMonthCredits: 300, creditsPerDay: 300, days: 1 })
    expect(await rate(NOVEMBER + 3 * 86_400_000)).toEqual({ spentThisMonthCredits: 300, creditsPerDay: 100, days: 3 })
    // In January the rate is of December and January, in which nothing was spent.
    expect(await rate(Date.UTC(2027, 0, 2))).toEqual({ spentThisMonthCredits: 0, creditsPerDay: 0, days: 32 })
    await database.run(
      `INSERT INTO wallet_line (id, tenant_id, kind, purpose, credits, report_id, created_at_ms)
         VALUES ('refund_rated', 'rated', 'top-up', 'top-up', 250, 'rated-a', ${Date.UTC(2027, 0, 1)})`,
    )
    expect(await rate(Date.UTC(2027, 0, 2))).toEqual({ spentThisMonthCredits: -250, creditsPerDay: 0, days: 32 })
  })

  test('neither reads more of a long ledger than it shows', async () => {
    const plans: string[] = []
    const filled = database.transaction(async (queries) => {
      await queries.run(
        `INSERT INTO wallet_line (id, tenant_id, kind, purpose, credits, created_at_ms)
           WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 5000)
           SELECT 'top-up_filled-' || n, CASE WHEN n % 2 = 0 THEN 'acme' ELSE 'other' END, 'top-up', 'top-up', 1, ${OCTOBER} + n * 100000
           FROM counted`,
      )
      await queries.run(
        `INSERT INTO credit_report (id, tenant_id, test, status, created_at_ms, ${REPORT_COLUMNS})
           WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 5000)
           SELECT 'filled-' || n, CASE WHEN n % 2 = 0 THEN 'acme' ELSE 'other' END, 0, 'complete', 0,
             ${reportValues('complete')} FROM counted`,
      )
      for (const table of ['wallet_line', 'wallet_day', 'credit_report']) await queries.run(`ANALYZE ${table}`)
      const explained = collectPlans(queries, database, plans)
      for (const after of [null, 'top-up_filled-8']) {
        await listBooked(explained, { tenantId: 'acme', month: '2026-10', after, limit: 50 })
      }
      await listHolds(explained, { tenantId: 'acme', after: null, limit: 50 })
      throw new Error('undone')
    })
    await expect(filled).rejects.toThrow('undone')
    const [first, next, holds] = plans
    for (const plan of [first, next]) {
      expect(plan).toContain('wallet_line_booked')
      expect(plan).not.toMatch(/Sort|TEMP B-TREE/)
    }
    expect(holds).toContain('credit_report_open')
    expect(holds).not.toContain('credit_report_of_tenant')
  })
})
