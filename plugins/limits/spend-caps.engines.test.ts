// The promises of spend caps, on every engine.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CREDITS_MAX } from '../../contract/limits.ts'
import { WebhookEvent } from '../../contract/webhook-event.ts'
import type { ApiError } from '../../service/http/api-error.ts'
import { capture, captureReport, release, topUp } from '../../service/ledger/ledger.ts'
import { createTenant } from '../../service/ledger/tenants.ts'
import type { Database } from '../../service/store/database.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { holdCredits } from '../../testing/hold-credits.ts'
import { openTestDatabase } from '../../testing/open-database.ts'
import { queueWebhook } from '../webhooks/queue.ts'
import { announceAlerts } from './spend-alerts.ts'
import {
  type Caps,
  changeCaps,
  explainCap,
  findCapProblems,
  NEW_TENANT_CAPS,
  readSpend,
  setCaps,
  uncountSpend,
} from './spend-caps.ts'

const HOUR_MS = 3_600_000
/** Ten minutes past an hour. */
const NOW_MS = Date.UTC(2026, 10, 15, 9, 10)

onEachEngine('spend caps', (place) => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(await place())
  })
  afterAll(() => database.close())

  /** As a caller is answered who pays this price. */
  const explained = (credits: number, work: Promise<unknown>) =>
    work.catch(async (error: unknown) => {
      throw await explainCap(database, error, { reportPriceCredits: credits, textPriceCredits: credits })
    })

  let serial = 0
  async function lenderWith(caps: Caps): Promise<string> {
    serial += 1
    const tenantId = `capped-${serial}`
    await database.transaction(async (queries) => {
      await createTenant(queries, { id: tenantId, name: 'Capped', nowMs: NOW_MS })
      await topUp(queries, { tenantId, credits: 1_000_000, reference: 'first', nowMs: NOW_MS })
      await setCaps(queries, { tenantId, purpose: 'report', caps })
      await queries.run(
        `INSERT INTO webhook_endpoint (id, tenant_id, url, wrapped_key, secrets, created_at_ms)
           VALUES (?, ?, 'https://lender.example', ?, ?, 0)`,
        `endpoint-${tenantId}`,
        tenantId,
        new Uint8Array(),
        new Uint8Array(),
      )
    })
    return tenantId
  }

  const subject = (subjectId: string) => ({ purpose: 'report' as const, subjectId })
  /** The ids of those that were held. */
  async function holdMany(tenantId: string, count: number, nowMs = NOW_MS): Promise<string[]> {
    const asked = Array.from({ length: count }, () => {
      serial += 1
      return `${tenantId}-${serial}`
    })
    const held = await Promise.allSettled(
      asked.map((id) =>
        database.transaction((queries) =>
          holdCredits(queries, { tenantId, ...subject(id), credits: 100, creditReportId: id, nowMs }),
        ),
      ),
    )
    for (const outcome of held)
      if (outcome.status === 'rejected')
        expect(outcome.reason).toMatchObject({ code: 'spend-cap-reached', status: 429 })
    return asked.filter((_id, index) => held[index]?.status === 'fulfilled')
  }
  const eventsOf = async (tenantId: string) => {
    await announceAlerts(database, queueWebhook, NOW_MS)
    return (await database.all('SELECT payload FROM webhook_delivery WHERE tenant_id = ? ORDER BY type DESC', tenantId))
      .map(({ payload }) => WebhookEvent.parse(JSON.parse(String(payload))))
      .map(({ type, data }) => ({ type, data }))
  }

  test('however many ask at once, no more is spent than the hour allows', async () => {
    const tenantId = await lenderWith({ hour: 1_050, day: null })
    expect(await holdMany(tenantId, 30)).toHaveLength(10)
    expect(await readSpend(database, tenantId, NOW_MS)).toContainEqual({
      purpose: 'report',
      period: 'hour',
      capCredits: 1_050,
      spentCredits: 1_000,
    })
    const data = { tenantId, purpose: 'report', period: 'hour', capCredits: 1_050 }
    expect(await eventsOf(tenantId)).toEqual([
      { type: 'spend.warning', data: { ...data, spentCredits: 900 } },
      { type: 'spend.reached', data: { ...data, spentCredits: 1_000 } },
    ])
  })

  test.each([500, 1_000])(
    'a cap of %i is reported at four fifths and at all of it, to the credit, each once',
    async (cap) => {
      const tenantId = await lenderWith({ hour: cap, day: 2_000 })
      await database.transaction((queries) =>
        setCaps(queries, { tenantId, purpose: 'text', caps: { hour: 0, day: 0 } }),
      )
      for (let index = 0; index < 11; index += 1) await holdMany(tenantId, 1)
      const data = { tenantId, purpose: 'report', period: 'hour', capCredits: cap }
      expect(await eventsOf(tenantId)).toEqual([
        { type: 'spend.warning', data: { ...data, spentCredits: cap * 0.8 } },
        { type: 'spend.reached', data: { ...data, spentCredits: cap } },
      ])
    },
  )

  test('the next hour begins again, the day goes on', async () => {
    const tenantId = await lenderWith({ hour: 300, day: 500 })
    expect(await holdMany(tenantId, 5)).toHaveLength(3)
    expect(await holdMany(tenantId, 5, NOW_MS + HOUR_MS)).toHaveLength(2)
    expect(await holdMany(tenantId, 1, NOW_MS + 2 * HOUR_MS)).toHaveLength(0)
    expect(await holdMany(tenantId, 5, NOW_MS + 24 * HOUR_MS)).toHaveLength(3)
  })

  test('what has been spent is listed for the hour and the day that run now', async () => {
    const tenantId = await lenderWith({ hour: 200, day: 500 })
    await database.transaction((queries) =>
      setCaps(queries, { tenantId, purpose: 'text', caps: { hour: null, day: 80 } }),
    )
    await holdMany(tenantId, 2)
    const spent = async (nowMs: number) =>
      (await readSpend(database, tenantId, nowMs)).map(({ purpose, period, capCredits, spentCredits }) =>
        [purpose, period, capCredits, spentCredits].join(' '),
      )
    expect(await spent(NOW_MS)).toEqual(['report hour 200 200', 'report day 500 200', 'text hour  0', 'text day 80 0'])
    expect((await spent(NOW_MS + HOUR_MS)).slice(0, 2)).toEqual(['report hour 200 0', 'report day 500 200'])
  })

  test.each([
    ['the hour’s cap has room in the next hour', { hour: 200, day: null }, 100, '3000'],
    ['the day’s at midnight', { hour: null, day: 200 }, 100, String((14 * 60 + 50) * 60)],
    ['of both, the one that lasts longer counts', { hour: 200, day: 200 }, 100, String((14 * 60 + 50) * 60)],
    ['a day’s cap with room left does not', { hour: 200, day: 500 }, 100, '3000'],
    ['what is larger than the cap itself never fits', { hour: 200, day: null }, 201, undefined],
    ['what is as large as the cap fits into the next hour', { hour: 200, day: null }, 200, '3000'],
    ['what is larger than the cap of the day alone never fits', { hour: 1_000, day: 200 }, 201, undefined],
  ])('%s', async (_name, caps, credits, wait) => {
    const tenantId = await lenderWith(caps)
    await holdMany(tenantId, 2)
    const refused = explained(
      credits,
      database.transaction((queries) =>
        holdCredits(queries, { tenantId, ...subject(tenantId), credits, creditReportId: tenantId, nowMs: NOW_MS }),
      ),
    )
    const error = await refused.catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'spend-cap-reached', message: expect.stringContaining('for reports') })
    expect((error as ApiError).headers['Retry-After']).toBe(wait)
  })

  test('a refusal names what the cap is for, and the hour or the day once that was looked up', async () => {
    const tenantId = await lenderWith({ hour: null, day: 0 })
    await database.transaction((queries) =>
      setCaps(queries, { tenantId, purpose: 'text', caps: { hour: 40, day: null } }),
    )
    const refusal = async (purpose: 'report' | 'text', { isExplained = true } = {}) => {
      serial += 1
      const held = { tenantId, purpose, subjectId: `${serial}`, credits: 41, creditReportId: 'r', nowMs: NOW_MS }
      const work = database.transaction((queries) => holdCredits(queries, held))
      return (isExplained ? explained(41, work) : work).catch((error: Error) => error.message)
    }
    expect(await refusal('report')).toBe('the spend cap for reports in this day is reached')
    expect(await refusal('text')).toBe('the spend cap for texts in this hour is reached')
    expect(await refusal('text', { isExplained: false })).toBe('the spend cap for texts in this hour or day is reached')
  })

  test('a cap that has room by the time it is looked up says to try again in a second', async () => {
    const tenantId = await lenderWith({ hour: 100, day: null })
    await holdMany(tenantId, 1)
    const work = database.transaction((queries) =>
      holdCredits(queries, { tenantId, ...subject('late'), credits: 100, creditReportId: 'late', nowMs: NOW_MS }),
    )
    const refused = work.catch(async (error: unknown) => {
      await setCaps(database, { tenantId, purpose: 'report', caps: { hour: 1_000, day: null } })
      throw error
    })
    await expect(explained(100, refused)).rejects.toMatchObject({ headers: { 'Retry-After': '1' } })
  })

  test('what is refused for another reason stays what it is', async () => {
    const error = new RangeError('no')
    await expect(explained(1, Promise.reject(error))).rejects.toBe(error)
  })

  test('caps are changed at once, and what those were that differ is said', async () => {
    const tenantId = await lenderWith({ hour: 300, day: null })
    const change = { report: { hour: 500, day: 600 }, text: { hour: null, day: 0 } }
    const prices = { reportPriceCredits: 100, textPriceCredits: 40 }
    const said: unknown[] = []
    const act: Parameters<typeof changeCaps>[0] = {
      async transaction(work, tell) {
        const value = await database.transaction(work)
        said.push(typeof tell === 'function' ? tell() : tell)
        return value
      },
    }
    await changeCaps(act, { tenantId, change, prices, nowMs: NOW_MS })
    expect(said).toEqual([
      {
        change: {
          from: { 'report-hour': 300, 'report-day': null, 'text-day': null },
          to: { 'report-hour': 500, 'report-day': 600, 'text-day': 0 },
        },
      },
    ])
    const states = await readSpend(database, tenantId, NOW_MS)
    expect(states.map(({ purpose, period, capCredits }) => [purpose, period, capCredits])).toEqual([
      ['report', 'hour', 500],
      ['report', 'day', 600],
      ['text', 'hour', null],
      ['text', 'day', 0],
    ])
  })

  const none = { hour: null, day: null }
  test.each<[name: string, report: Caps, text: Caps, problems: string[]]>([
    ['no caps', none, none, []],
    ['caps that stop the buying', { hour: 0, day: 0 }, { hour: 0, day: 0 }, []],
    ['caps for exactly one', { hour: 500, day: 500 }, { hour: 40, day: 40 }, []],
    [
      'a credit less than one costs',
      { hour: 499, day: 500 },
      { hour: 40, day: 39 },
      ['report hour buys-nothing 500', 'text day buys-nothing 40'],
    ],
    [
      'less than one, twice',
      { hour: 1, day: 499 },
      none,
      ['report hour buys-nothing 500', 'report day buys-nothing 500'],
    ],
    [
      'a day below its hour',
      { hour: 501, day: 500 },
      { hour: 80, day: 79 },
      ['report day day-below-hour 500', 'text day day-below-hour 40'],
    ],
    ['an hour without a day', { hour: 500, day: null }, { hour: null, day: 40 }, []],
  ])('%s', (_name, report, text, problems) => {
    const found = findCapProblems({ report, text }, { reportPriceCredits: 500, textPriceCredits: 40 })
    expect(
      found.map(({ purpose, period, why, priceCredits }) => [purpose, period, why, priceCredits].join(' ')),
    ).toEqual(problems)
  })

  test('what is given back can be spent again, what is charged cannot', async () => {
    const tenantId = await lenderWith({ hour: 200, day: null })
    const neighbour = await lenderWith({ hour: 100, day: null })
    await holdMany(neighbour, 1)
    const [first = '', second = ''] = await holdMany(tenantId, 2)
    await database.transaction((queries) => capture(queries, subject(first), NOW_MS))
    expect(await holdMany(tenantId, 1)).toHaveLength(0)
    await database.transaction((queries) => release(queries, subject(second), NOW_MS))
    await database.transaction((queries) => release(queries, subject(second), NOW_MS))
    expect(await holdMany(tenantId, 3)).toHaveLength(1)
    expect(await holdMany(neighbour, 1)).toHaveLength(0)
  })

  test('the share of a missing agency is given back to that lender’s reports alone', async () => {
    const spentBy = async (tenantId: string) =>
      (await readSpend(database, tenantId, NOW_MS)).map(({ purpose, period, spentCredits }) => [
        purpose,
        period,
        spentCredits,
      ])
    const [tenantId, neighbour] = [
      await lenderWith({ hour: null, day: null }),
      await lenderWith({ hour: null, day: null }),
    ]
    const [creditReportId = ''] = await holdMany(tenantId, 1)
    await holdMany(neighbour, 1)
    await database.transaction((queries) =>
      holdCredits(queries, {
        tenantId,
        purpose: 'text',
        subjectId: `${creditReportId}-1`,
        credits: 40,
        creditReportId,
        nowMs: NOW_MS,
      }),
    )
    const agencies = { asked: 4, delivered: 3 }
    await database.transaction(async (queries) => {
      await captureReport(queries, { creditReportId, agencies }, NOW_MS)
      await uncountSpend(queries, creditReportId)
    })
    expect(await spentBy(tenantId)).toEqual([
      ['report', 'hour', 75],
      ['report', 'day', 75],
      ['text', 'hour', 40],
      ['text', 'day', 40],
    ])
    expect(await spentBy(neighbour)).toEqual([
      ['report', 'hour', 100],
      ['report', 'day', 100],
    ])
  })

  test('what is given back counts from the first millisecond of the hour and the day it was held in', async () => {
    const midnightMs = Date.UTC(2026, 10, 16)
    const tenantId = await lenderWith({ hour: 100, day: 100 })
    const [first = ''] = await holdMany(tenantId, 1, midnightMs)
    await database.transaction((queries) => release(queries, subject(first), midnightMs))
    expect(await holdMany(tenantId, 2, midnightMs)).toHaveLength(1)
  })

  test('what is given back in a later hour takes nothing off that hour', async () => {
    const tenantId = await lenderWith({ hour: 200, day: null })
    const [first = ''] = await holdMany(tenantId, 1)
    await holdMany(tenantId, 1, NOW_MS + HOUR_MS)
    await database.transaction((queries) => release(queries, subject(first), NOW_MS + HOUR_MS))
    expect(await holdMany(tenantId, 3, NOW_MS + HOUR_MS)).toHaveLength(1)
  })

  test('a new lender can spend what 200 reports and texts an hour and 1,000 a day cost, and no amount is beyond what a number holds', () => {
    expect(NEW_TENANT_CAPS).toEqual({
      report: { hour: 200 * 500, day: 1_000 * 500 },
      text: { hour: 200 * 40, day: 1_000 * 40 },
    })
    expect(CREDITS_MAX).toBe(10 ** 12)
  })

  test('a refusal leaves nothing held', async () => {
    const tenantId = await lenderWith({ hour: 0, day: null })
    expect(await holdMany(tenantId, 3)).toEqual([])
    const row = await database.first('SELECT held_credits FROM wallet WHERE tenant_id = ?', tenantId)
    expect(row?.held_credits).toBe(0)
  })
})
