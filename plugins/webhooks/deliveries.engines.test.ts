// The queue of webhooks on every engine: what is due, who may send it, when it is tried again and what is listed of it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTenant } from '../../service/ledger/tenants.ts'
import type { Database } from '../../service/store/database.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { openTestDatabase } from '../../testing/open-database.ts'
import {
  countFailed,
  type Delivery,
  findDelivery,
  forgetDeliveries,
  leaseDue,
  listDeliveries,
  listDeliveriesOf,
  listDueEndpoints,
  recordAttempt,
  resend,
  resendFailed,
} from './deliveries.ts'
import { addEndpoint } from './endpoints.ts'
import { queueTest, queueWebhook } from './queue.ts'

const START_MS = Date.UTC(2026, 10, 17, 14)
const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

onEachEngine('queued webhooks', (place) => {
  let database: Database
  /** One endpoint of each of two lenders. */
  let ours: string
  let theirs: string
  beforeAll(async () => {
    database = await openTestDatabase(await place())
    for (const id of ['acme', 'other', 'silent']) await createTenant(database, { id, name: id, nowMs: START_MS })
    ours = await endpointOf('acme')
    theirs = await endpointOf('other')
  })
  afterAll(() => database?.close())
  beforeEach(() => database.run('DELETE FROM webhook_delivery'))

  async function endpointOf(tenantId: string): Promise<string> {
    const url = `https://${tenantId}.example/hook`
    const added = await addEndpoint(database, [new Uint8Array(32)], { tenantId, url, nowMs: START_MS })
    return added?.id ?? ''
  }

  const queue = (creditReportId: string, nowMs = START_MS, tenantId = 'acme') =>
    queueWebhook(
      database,
      { type: 'credit-report.completed', data: { tenantId, creditReportId, status: 'complete', test: false } },
      nowMs,
    )
  const reportOf = ({ payload }: Delivery): string => JSON.parse(payload).data.creditReportId
  const lease = (nowMs: number, { endpointId = ours, limit = 10 } = {}) =>
    leaseDue(database, { endpointId, nowMs, limit })
  const all = () => listDeliveries(database, { tenantId: 'acme', limit: 100 })

  async function leaseOne(nowMs: number): Promise<Delivery> {
    const [delivery] = await lease(nowMs)
    return delivery ?? expect.fail('nothing is due')
  }

  /** The one delivery there is, taken and tried. */
  async function attempt(nowMs: number, outcome = 'status 500', tookMs = 0): Promise<Delivery['status']> {
    return recordAttempt(database, await leaseOne(nowMs), { outcome, answer: 'sorry', tookMs, nowMs })
  }

  test('is found by status, type and endpoint, and keeps the last answer', async () => {
    await queue('r1')
    await queueTest(database, { tenantId: 'acme', endpointId: ours, nowMs: START_MS - 1 })
    await attempt(START_MS)
    const find = async (wanted: { status?: 'queued' | 'parked'; type?: string; webhookId?: string }) =>
      (await listDeliveries(database, { tenantId: 'acme', limit: 10, ...wanted })).map(({ type }) => type)
    expect(await find({ webhookId: ours })).toEqual(['credit-report.completed', 'endpoint.test'])
    expect(await find({ webhookId: theirs })).toEqual([])
    expect(await find({ type: 'endpoint.test' })).toEqual(['endpoint.test'])
    expect(await find({ status: 'parked' })).toEqual([])
    expect(await find({ status: 'queued', type: 'credit-report.completed', webhookId: ours })).toHaveLength(1)
    expect((await all())[0]).toMatchObject({ lastAnswer: 'sorry', creditReportId: 'r1' })
    // A test is not tried again, and does not count as failed.
    expect(await countFailed(database, 'acme')).toBe(1)
  })

  test('an event is queued for every endpoint of its lender, with its time', async () => {
    await queue('r1')
    const [delivery, ...others] = await all()
    expect(others).toEqual([])
    expect(delivery).toEqual({
      id: expect.stringMatching(new RegExp(`^[0-9a-f-]{36}_${ours}$`)),
      creditReportId: 'r1',
      lastAnswer: null,
      tenantId: 'acme',
      endpointId: ours,
      url: 'https://acme.example/hook',
      type: 'credit-report.completed',
      payload: JSON.stringify({
        type: 'credit-report.completed',
        timestamp: '2026-11-17T14:00:00.000Z',
        data: { tenantId: 'acme', creditReportId: 'r1', status: 'complete', test: false },
      }),
      status: 'queued',
      attempts: 0,
      dueAtMs: START_MS,
      queuedAtMs: START_MS,
      createdAtMs: START_MS,
      lastOutcome: null,
      log: [],
    })
  })

  test('a fact of one lender goes to the endpoints of that lender', async () => {
    const data = { tenantId: 'acme', position: 7, hash: 'abc', jws: 'a.b.c' }
    await queueWebhook(database, { type: 'audit.head', data }, START_MS)
    const rows = await database.all('SELECT tenant_id, report_id, payload FROM webhook_delivery ORDER BY tenant_id')
    const timestamp = '2026-11-17T14:00:00.000Z'
    const payload = JSON.stringify({ type: 'audit.head', timestamp, data })
    expect(rows).toEqual([{ tenant_id: 'acme', report_id: null, payload }])
  })

  test('a test event is its sender’s for thirty seconds, and goes to one’s own endpoint only', async () => {
    const id = await queueTest(database, { tenantId: 'acme', endpointId: ours, nowMs: START_MS })
    expect(await all()).toMatchObject([{ id, type: 'endpoint.test', dueAtMs: START_MS + 30_000 }])
    expect(await queueTest(database, { tenantId: 'acme', endpointId: theirs, nowMs: START_MS })).toBeNull()
    expect(await queueTest(database, { tenantId: 'acme', endpointId: 'we-none', nowMs: START_MS })).toBeNull()
    expect(await all()).toHaveLength(1)
  })

  describe('what is due', () => {
    test('is named by endpoint, from the millisecond it is due, as many as there is room for', async () => {
      await queue('r1')
      await queue('r2')
      await queue('r3', START_MS, 'other')
      expect(await listDueEndpoints(database, START_MS - 1, 10)).toEqual([])
      expect((await listDueEndpoints(database, START_MS, 10)).toSorted()).toEqual([ours, theirs].toSorted())
      expect(await listDueEndpoints(database, START_MS, 1)).toHaveLength(1)
    })

    test('is not what has arrived or was given up', async () => {
      for (const status of ['delivered', 'parked']) {
        await queue(status)
        await database.run('UPDATE webhook_delivery SET status = ?', status)
        expect(await listDueEndpoints(database, START_MS, 10)).toEqual([])
        expect(await lease(START_MS)).toEqual([])
      }
    })

    test('is leased for thirty seconds, first come first, to one sender and for one endpoint', async () => {
      await queue('second', START_MS + 1)
      await queue('first', START_MS)
      await queue('elsewhere', START_MS, 'other')
      expect(await lease(START_MS - 1)).toEqual([])
      const leased = await lease(START_MS + 1)
      expect(leased.map(reportOf)).toEqual(['first', 'second'])
      expect(leased.map(({ dueAtMs }) => dueAtMs)).toEqual([START_MS + 30_001, START_MS + 30_001])
      expect(await lease(START_MS + 30_000)).toEqual([])
      expect(await lease(START_MS + 30_001)).toHaveLength(2)
      expect((await lease(START_MS, { endpointId: theirs })).map(reportOf)).toEqual(['elsewhere'])
    })

    test('is leased as many at a time as asked for', async () => {
      for (const name of ['a', 'b', 'c']) await queue(name)
      expect(await lease(START_MS, { limit: 2 })).toHaveLength(2)
      expect(await lease(START_MS, { limit: 2 })).toHaveLength(1)
    })

    test('and was taken by another sender meanwhile is not leased', async () => {
      await queue('raced')
      let raced = false
      const slow: Database = {
        ...database,
        async all(sql, ...values) {
          const rows = await database.all(sql, ...values)
          if (!raced) {
            raced = true
            await lease(START_MS)
          }
          return rows as never
        },
      }
      expect(await leaseDue(slow, { endpointId: ours, nowMs: START_MS, limit: 10 })).toEqual([])
    })
  })

  describe('an attempt', () => {
    test('that fails is made again after growing pauses, the last of which repeats', async () => {
      await queue('r1')
      const pausesMs: number[] = []
      let nowMs = START_MS
      for (let count = 0; count < 10; count += 1) {
        expect(await attempt(nowMs)).toBe('queued')
        const [delivery] = await all()
        pausesMs.push((delivery?.dueAtMs ?? 0) - nowMs)
        nowMs = delivery?.dueAtMs ?? 0
      }
      const [seconds, minutes, hours] = [SECOND_MS, MINUTE_MS, HOUR_MS]
      expect(pausesMs).toEqual([
        5 * seconds,
        30 * seconds,
        2 * minutes,
        10 * minutes,
        30 * minutes,
        hours,
        3 * hours,
        6 * hours,
        6 * hours,
        6 * hours,
      ])
    })

    test('whose next one would be more than three days after the event is the last', async () => {
      const lastMs = START_MS + 3 * DAY_MS - 5 * SECOND_MS
      await queue('in time')
      expect(await attempt(lastMs)).toBe('queued')
      await database.run('DELETE FROM webhook_delivery')
      await queue('too late')
      expect(await attempt(lastMs + 1)).toBe('parked')
      expect(await all()).toMatchObject([{ status: 'parked', attempts: 1, lastOutcome: 'status 500' }])
    })

    test('that arrives counts, however late', async () => {
      await queue('late')
      expect(await attempt(START_MS + 30 * DAY_MS, 'delivered')).toBe('delivered')
    })

    test('of a test event is the only one', async () => {
      await queueTest(database, { tenantId: 'acme', endpointId: ours, nowMs: START_MS - 30_000 })
      expect(await attempt(START_MS)).toBe('parked')
    })

    test('is listed with when it began and how long it took', async () => {
      await queue('r1')
      await attempt(START_MS, 'status 500', 40)
      await attempt(START_MS + MINUTE_MS, 'delivered', 7)
      expect(await all()).toMatchObject([
        {
          status: 'delivered',
          attempts: 2,
          lastOutcome: 'delivered',
          log: [
            { atMs: START_MS - 40, outcome: 'status 500', tookMs: 40 },
            { atMs: START_MS + MINUTE_MS - 7, outcome: 'delivered', tookMs: 7 },
          ],
        },
      ])
    })

    test('of a sender whose lease went to another, or that was settled, is not written down', async () => {
      await queue('r1')
      await queue('untouched', START_MS + HOUR_MS)
      const [first] = await lease(START_MS, { limit: 1 })
      const [again] = await lease(START_MS + 30_000, { limit: 1 })
      expect(again?.id).toBe(first?.id)
      const done = { outcome: 'delivered', answer: '', tookMs: 1, nowMs: START_MS + 30_000 }
      await recordAttempt(database, first ?? expect.fail(), done)
      expect(await all()).toMatchObject([{ status: 'queued' }, { status: 'queued', attempts: 0, log: [] }])
      await recordAttempt(database, again ?? expect.fail(), done)
      await recordAttempt(database, again ?? expect.fail(), { ...done, outcome: 'status 500' })
      expect(await all()).toMatchObject([
        { status: 'queued', attempts: 0, dueAtMs: START_MS + HOUR_MS },
        { status: 'delivered', attempts: 1 },
      ])
    })

    test('log that cannot be read is an empty one', async () => {
      await queue('r1')
      await database.run(`UPDATE webhook_delivery SET attempt_log = '[{"atMs":"soon"}]'`)
      expect(await all()).toMatchObject([{ log: [] }])
    })
  })

  describe('what is listed', () => {
    test('of a report: to each address, first to last, with the last try of what is over', async () => {
      for (const nowMs of [START_MS, START_MS + 1, START_MS + 2]) await queue('r1', nowMs)
      await queue('r2')
      await queue('r1', START_MS, 'other')
      const ids = (await all()).filter((delivery) => reportOf(delivery) === 'r1').map(({ id }) => id)
      const set = (id: string, status: string, attempts: number) =>
        database.run(
          'UPDATE webhook_delivery SET status = ?, attempts = ?, due_at_ms = ? WHERE id = ?',
          status,
          attempts,
          START_MS + HOUR_MS,
          id,
        )
      const [third = '', second = '', first = ''] = ids
      await set(first, 'delivered', 1)
      await set(second, 'parked', 9)
      await set(third, 'queued', 1)
      const wanted = { tenantId: 'acme', creditReportId: 'r1', limit: 10 }
      expect(await listDeliveriesOf(database, wanted)).toMatchObject([
        { id: first, status: 'delivered', triedAtMs: START_MS + HOUR_MS - 5 * SECOND_MS },
        { id: second, status: 'parked', triedAtMs: START_MS - 5 * HOUR_MS },
        { id: third, status: 'queued', triedAtMs: null },
      ])
      expect(await listDeliveriesOf(database, { ...wanted, limit: 1 })).toMatchObject([{ id: first }])
      expect(await listDeliveriesOf(database, { ...wanted, creditReportId: 'none' })).toEqual([])
    })

    test('of a lender: newest first, page by page, by status', async () => {
      for (let index = 0; index < 4; index += 1) await queue(`r${index}`, START_MS + index)
      await queue('theirs', START_MS, 'other')
      await database.run(`UPDATE webhook_delivery SET status = 'parked' WHERE report_id IN ('r0', 'r3')`)
      const list = async (wanted: { limit: number; status?: Delivery['status']; before?: string | undefined }) =>
        listDeliveries(database, { tenantId: 'acme', ...wanted })
      const reports = (deliveries: Delivery[]) => deliveries.map(reportOf)
      const firstPage = await list({ limit: 2 })
      expect(reports(firstPage)).toEqual(['r3', 'r2'])
      expect(reports(await list({ limit: 2, before: firstPage[1]?.id }))).toEqual(['r1', 'r0'])
      expect(reports(await list({ limit: 9, status: 'parked' }))).toEqual(['r3', 'r0'])
      expect(reports(await list({ limit: 9, status: 'parked', before: firstPage[0]?.id }))).toEqual(['r0'])
      expect(reports(await list({ limit: 9, status: 'delivered' }))).toEqual([])
    })

    test('by id, of its own lender', async () => {
      await queue('r1')
      const id = (await all())[0]?.id ?? ''
      expect(await findDelivery(database, { tenantId: 'acme', id })).toMatchObject({ id, endpointId: ours })
      expect(await findDelivery(database, { tenantId: 'other', id })).toBeNull()
      expect(await findDelivery(database, { tenantId: 'acme', id: 'none' })).toBeNull()
    })
  })

  describe('sent again', () => {
    test('one, whatever became of it: it begins anew and keeps its attempts on the list', async () => {
      await queue('r1')
      await queue('r2', START_MS + 1)
      await attempt(START_MS, 'delivered')
      const id = (await all())[1]?.id ?? ''
      const nowMs = START_MS + DAY_MS
      expect(await resend(database, { tenantId: 'acme', id, nowMs })).toMatchObject({ id, status: 'queued' })
      expect(await all()).toMatchObject([
        { attempts: 0, dueAtMs: START_MS + 1, queuedAtMs: START_MS + 1 },
        { status: 'queued', attempts: 0, dueAtMs: nowMs, queuedAtMs: nowMs, log: [{ outcome: 'delivered' }] },
      ])
    })

    test('all that failed: not what arrived, was never tried, is a test or is another lender’s', async () => {
      await queue('parked')
      await queue('waiting')
      await queue('delivered')
      await queue('untried')
      await queue('theirs', START_MS, 'other')
      await queueTest(database, { tenantId: 'acme', endpointId: ours, nowMs: START_MS })
      await database.run(`UPDATE webhook_delivery SET attempts = 3 WHERE report_id IS NULL OR report_id <> 'untried'`)
      await database.run(`UPDATE webhook_delivery SET status = report_id WHERE report_id IN ('parked', 'delivered')`)
      expect(await resendFailed(database, { tenantId: 'acme', nowMs: START_MS + 1 })).toBe(2)
      const again = await database.all(`SELECT report_id FROM webhook_delivery WHERE queued_at_ms = ?`, START_MS + 1)
      expect(again.map(({ report_id }) => report_id).toSorted()).toEqual(['parked', 'waiting'])
    })
  })

  test('what was said about a report is forgotten, about others it is not', async () => {
    await queue('r1')
    await queue('r2')
    await forgetDeliveries(database, 'r1')
    expect((await all()).map(reportOf)).toEqual(['r2'])
  })
})
