// When a lender hears that its balance is low, on every engine.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebhookEvent } from '../../contract/webhook-event.ts'
import { capture, release, topUp } from '../../service/ledger/ledger.ts'
import { createTenant } from '../../service/ledger/tenants.ts'
import type { Database } from '../../service/store/database.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { holdCredits } from '../../testing/hold-credits.ts'
import { openTestDatabase } from '../../testing/open-database.ts'
import { queueWebhook } from '../webhooks/queue.ts'
import { announceAlerts, setLowBalance } from './spend-alerts.ts'

const NOW_MS = Date.UTC(2026, 10, 15, 9, 10)

onEachEngine('a low balance', (place) => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(await place())
  })
  afterAll(() => database.close())

  let serial = 0
  /** With a thousand credits and two endpoints. */
  async function newLender(lowBalanceCredits: number | null): Promise<string> {
    serial += 1
    const tenantId = `low "${serial}"`
    await database.transaction(async (queries) => {
      await createTenant(queries, { id: tenantId, name: 'Low', nowMs: NOW_MS })
      await topUp(queries, { tenantId, credits: 1_000, reference: 'first', nowMs: NOW_MS })
      for (const endpoint of ['first', 'second'])
        await queries.run(
          `INSERT INTO webhook_endpoint (id, tenant_id, url, wrapped_key, secrets, created_at_ms)
             VALUES (?, ?, ?, ?, ?, 0)`,
          `${endpoint} of ${tenantId}`,
          tenantId,
          `https://${endpoint}.lender.example`,
          new Uint8Array(),
          new Uint8Array(),
        )
    })
    await setThreshold(tenantId, lowBalanceCredits)
    return tenantId
  }
  const setThreshold = (tenantId: string, credits: number | null) =>
    setLowBalance(database, { tenantId, credits, nowMs: NOW_MS })

  const subject = (subjectId: string) => ({ purpose: 'report' as const, subjectId })
  async function spend(tenantId: string, credits: number, how: 'transaction' | 'batch' = 'transaction') {
    serial += 1
    const id = `${tenantId}-${serial}`
    const work: Parameters<Database['transaction']>[0] = (queries) =>
      holdCredits(queries, { tenantId, ...subject(id), credits, creditReportId: id, nowMs: NOW_MS + serial })
    await (how === 'batch' ? database.batch(tenantId, work) : database.transaction(work))
    return subject(id)
  }
  const pay = (tenantId: string, credits: number) =>
    topUp(database, { tenantId, credits, reference: `payment ${credits}`, nowMs: NOW_MS })

  /** The balances reported, the same to both endpoints. */
  async function toldTo(tenantId: string): Promise<number[]> {
    // Two processes sweep at once: each alert is announced by one of them.
    const announce = () => announceAlerts(database, queueWebhook, NOW_MS + serial)
    await Promise.all([announce(), announce()])
    expect(await announce()).toBe(0)
    const rows = await database.all(
      'SELECT endpoint_id, payload FROM webhook_delivery WHERE tenant_id = ? ORDER BY id',
      tenantId,
    )
    const balancesOf = (endpoint: string) =>
      rows
        .filter(({ endpoint_id }) => endpoint_id === `${endpoint} of ${tenantId}`)
        .map(({ payload }) => WebhookEvent.parse(JSON.parse(String(payload))))
        .map((event) => {
          expect(event).toMatchObject({ type: 'wallet.low', data: { tenantId } })
          return event.type === 'wallet.low' ? event.data.balanceCredits : NaN
        })
    expect(balancesOf('second')).toEqual(balancesOf('first'))
    return balancesOf('first')
  }

  test('is reported by the hold that falls below the threshold, and by no other', async () => {
    const tenantId = await newLender(500)
    await spend(tenantId, 500)
    expect(await toldTo(tenantId)).toEqual([])
    await spend(tenantId, 0)
    const held = await spend(tenantId, 1)
    expect(await toldTo(tenantId)).toEqual([499])
    await spend(tenantId, 200)
    await database.transaction((queries) => capture(queries, held, NOW_MS))
    expect(await toldTo(tenantId)).toEqual([499])
  })

  test.each(['transaction', 'batch'] as const)('of forty spends at once, each a %s, one tells', async (how) => {
    const tenantId = await newLender(500)
    await Promise.all(Array.from({ length: 40 }, () => spend(tenantId, 20, how)))
    expect(await toldTo(tenantId)).toEqual([480])
  })

  test('is reported again after a payment that lifts it to the threshold, not after a smaller one', async () => {
    const tenantId = await newLender(500)
    await spend(tenantId, 600)
    await pay(tenantId, 99)
    await spend(tenantId, 49)
    expect(await toldTo(tenantId)).toEqual([400])
    await pay(tenantId, 50)
    await spend(tenantId, 10)
    expect(await toldTo(tenantId)).toEqual([400, 490])
  })

  test('is reported again after credits that are given back', async () => {
    const tenantId = await newLender(500)
    const held = await spend(tenantId, 600)
    expect(await toldTo(tenantId)).toEqual([400])
    await database.transaction((queries) => release(queries, held, NOW_MS))
    await spend(tenantId, 700)
    expect(await toldTo(tenantId)).toEqual([400, 300])
  })

  test('is not reported by a hold that is undone, nor by one the wallet cannot pay', async () => {
    const tenantId = await newLender(500)
    const undone = database.transaction(async (queries) => {
      const held = { tenantId, ...subject('undone'), credits: 700, creditReportId: 'undone', nowMs: NOW_MS }
      await holdCredits(queries, held)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await expect(spend(tenantId, 1_001)).rejects.toMatchObject({ code: 'insufficient-funds' })
    expect(await toldTo(tenantId)).toEqual([])
  })

  test('is reported at once under a new threshold, once', async () => {
    const tenantId = await newLender(null)
    await spend(tenantId, 400)
    await setThreshold(tenantId, 600)
    expect(await toldTo(tenantId)).toEqual([])
    await setThreshold(tenantId, 601)
    await setThreshold(tenantId, 601)
    await setThreshold(tenantId, 700)
    expect(await toldTo(tenantId)).toEqual([600])
    await setThreshold(tenantId, null)
    await spend(tenantId, 1)
    expect(await toldTo(tenantId)).toEqual([600])
  })

  test('is reported for an empty wallet too, under its first threshold', async () => {
    const tenantId = await newLender(null)
    await spend(tenantId, 1_000)
    await setThreshold(tenantId, 1)
    expect(await toldTo(tenantId)).toEqual([0])
  })

  test('is reported once when a threshold is set while others spend', async () => {
    for (let rounds = 0; rounds < 10; rounds += 1) {
      const tenantId = await newLender(null)
      const spends = Array.from({ length: 10 }, () => spend(tenantId, 20, 'batch'))
      await Promise.all([...spends, setThreshold(tenantId, 900)])
      expect(await toldTo(tenantId)).toHaveLength(1)
    }
  })
})
