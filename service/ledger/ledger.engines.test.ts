// Corrections, matches and refunds, on every engine.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { onEachEngine } from '../../testing/engines.ts'
import { fundedTenants } from '../../testing/funded-tenants.ts'
import { openTestDatabase } from '../../testing/open-database.ts'
import type { Database } from '../store/database.ts'
import { captureReport, chargeMatch, correct, hold, listLines, readBalance, refundOf } from './ledger.ts'

const NOW_MS = 1_700_000_000_000

onEachEngine('the wallet’s lines', (place) => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(await place())
  })
  afterAll(() => database.close())

  const newTenant = fundedTenants(() => database, NOW_MS)
  /** Without the payment that each begins with. */
  const linesOf = async (tenantId: string) =>
    (await listLines(database, { tenantId, before: null, creditReportId: null, limit: 100 }))?.slice(0, -1) ?? []
  const give = (tenantId: string, credits: number, reference = 'mistake') =>
    database.transaction((queries) =>
      correct(queries, { tenantId, credits, reason: 'booked twice', reference, nowMs: NOW_MS }),
    )

  test.each([
    [1, 101, ['top-up top-up 1']],
    [-100, 0, ['capture report 100', 'hold report 100']],
  ])(
    'a correction of %i of 100 credits leaves %i, counts once, and its lines give the reason',
    async (credits, left, lines) => {
      const tenantId = await newTenant(100)
      expect(await give(tenantId, credits)).toBe(true)
      for (const again of [credits, -credits]) expect(await give(tenantId, again)).toBe(false)
      expect(await readBalance(database, tenantId)).toBe(left)
      const written = await linesOf(tenantId)
      expect(written.map(({ kind, purpose, credits: amount }) => `${kind} ${purpose} ${amount}`)).toEqual(lines)
      expect(new Set(written.map(({ reason }) => reason))).toEqual(new Set(['booked twice']))
      expect(await give(tenantId, 5, 'another')).toBe(true)
    },
  )

  test.each([
    ['all there is', 50, ['capture 50', 'hold 50']],
    ['more than there is', 51, []],
    ['nothing', 0, []],
  ])('a match that costs %s', async (_name, credits, lines) => {
    const tenantId = await newTenant(50)
    const charge = () =>
      database.transaction((queries) =>
        chargeMatch(queries, { tenantId, creditReportId: `${tenantId}-r`, credits, nowMs: NOW_MS }),
      )
    await charge()
    await charge()
    const written = await linesOf(tenantId)
    expect(written.map(({ kind, credits: amount }) => `${kind} ${amount}`)).toEqual(lines)
    expect(
      written.every(({ purpose, creditReportId }) => purpose === 'match' && creditReportId === `${tenantId}-r`),
    ).toBe(true)
  })

  test('a hold may take all there is, and not a credit more', async () => {
    const tenantId = await newTenant(100)
    const of = (id: string, credits: number) => {
      const subjectId = `${tenantId}-${id}`
      return database.transaction((queries) =>
        hold(queries, { tenantId, purpose: 'report', subjectId, credits, creditReportId: subjectId, nowMs: NOW_MS }),
      )
    }
    await expect(of('a', 101)).rejects.toMatchObject({ code: 'insufficient-funds' })
    await of('b', 100)
    expect(await readBalance(database, tenantId)).toBe(0)
    await expect(of('c', 1)).rejects.toMatchObject({ code: 'insufficient-funds' })
  })

  test.each([
    [500, 1, 1, 0],
    [500, 2, 1, 250],
    [500, 3, 2, 166],
    [1, 3, 1, 0],
  ])('of %i credits for %i agencies of which %i delivered, %i go back', async (credits, asked, delivered, refund) => {
    expect(refundOf(credits, { asked, delivered })).toBe(refund)
    const tenantId = await newTenant(1_000)
    const creditReportId = `${tenantId}-r`
    const isCaptured = await database.transaction(async (queries) => {
      const subject = { purpose: 'report' as const, subjectId: creditReportId }
      await hold(queries, { tenantId, ...subject, credits, creditReportId, nowMs: NOW_MS })
      return captureReport(queries, { creditReportId, agencies: { asked, delivered } }, NOW_MS)
    })
    expect(isCaptured).toBe(true)
    expect(await readBalance(database, tenantId)).toBe(1_000 - credits + refund)
    const refunds = (await linesOf(tenantId)).filter(({ kind }) => kind === 'top-up')
    expect(refunds.map((line) => [line.credits, line.agencies])).toEqual(
      delivered === asked ? [] : [[refund, { asked, delivered }]],
    )
  })
})
