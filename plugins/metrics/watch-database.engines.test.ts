import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTenant } from '../../service/ledger/tenants.ts'
import type { Database } from '../../service/store/database.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { openTestDatabase } from '../../testing/open-database.ts'
import { REPORT_COLUMNS, reportValues } from '../../testing/report-rows.ts'
import { createMetrics } from './metrics.ts'

const NOW_MS = Date.UTC(2026, 10, 15, 9)
const TODAY_MS = Date.UTC(2026, 10, 15)
const YESTERDAY_MS = Date.UTC(2026, 10, 14)
const DAY_BEFORE_MS = Date.UTC(2026, 10, 13)

onEachEngine('numbers that stand in the database', (place) => {
  let database: Database
  let queries = 0
  let render: () => Promise<string[]>

  beforeEach(async () => {
    database = await openTestDatabase(await place())
    queries = 0
    const metrics = createMetrics()
    const counted: Database = {
      ...database,
      first(sql, ...values) {
        queries += 1
        return database.first(sql, ...values)
      },
    }
    metrics.watchDatabase(counted, () => NOW_MS)
    render = async () => (await metrics.render()).split('\n').filter((line) => line.startsWith('crs_'))
  })
  afterEach(() => database.close())

  const linesOf = async (name: string) => (await render()).filter((line) => line.startsWith(`crs_${name}`))

  async function addTenant(id: string, wallet: { balance: number; held: number } = { balance: 0, held: 0 }) {
    await createTenant(database, { id, name: id, nowMs: 0 })
    await database.run(
      'UPDATE wallet SET balance_credits = ?, held_credits = ? WHERE tenant_id = ?',
      wallet.balance,
      wallet.held,
      id,
    )
  }

  const addSpend = (tenantId: string, dayMs: number, credits: number, purpose = 'report') =>
    database.run(
      'INSERT INTO spend (tenant_id, purpose, day_started_at_ms, day_credits) VALUES (?, ?, ?, ?)',
      tenantId,
      purpose,
      dayMs,
      credits,
    )

  async function addReport(id: string, status: string, mode: 'live' | 'test' = 'live') {
    const challenge = status === 'challenged'
    await database.run(
      `INSERT INTO credit_report (id, tenant_id, test, status, challenge_id, sends, sent_1_at_ms, created_at_ms, ${REPORT_COLUMNS})
       VALUES (?, 'acme', ?, ?, ?, ?, ?, 0, ${reportValues(status)})`,
      id,
      mode === 'test' ? 1 : 0,
      status,
      challenge ? `challenge of ${id}` : null,
      challenge ? 1 : 0,
      challenge ? 0 : null,
    )
  }

  const addText = (id: string, status: string, createdAtMs: number) =>
    database.run(
      `INSERT INTO text_message (id, report_id, tenant_id, send_number, status, lease_until_ms, created_at_ms)
       VALUES (?, ?, 'acme', 1, ?, 0, ?)`,
      `text of ${id}`,
      id,
      status,
      createdAtMs,
    )

  const addDelivery = (id: string, status: string, queuedAtMs: number) =>
    database.run(
      `INSERT INTO webhook_delivery
         (id, endpoint_id, tenant_id, type, payload, status, due_at_ms, queued_at_ms, created_at_ms)
       VALUES (?, 'endpoint', 'acme', 'test', '{}', ?, 0, ?, 0)`,
      id,
      status,
      queuedAtMs,
    )

  test('of an empty installation nothing is open, and there is no backup', async () => {
    expect(await render()).toEqual(
      expect.arrayContaining([
        'crs_wallet_credits{state="spendable"} 0',
        'crs_wallet_credits{state="held"} 0',
        'crs_reports_open 0',
        'crs_outbox_texts{state="queued"} 0',
        'crs_outbox_texts{state="accepted"} 0',
        'crs_outbox_oldest_seconds 0',
        'crs_webhooks_queued 0',
        'crs_webhooks_oldest_seconds 0',
        'crs_audit_unlinked_events 0',
        'crs_audit_unlinked_oldest_seconds 0',
        'crs_audit_chains_broken 0',
        'crs_backup_age_seconds +Inf',
      ]),
    )
  })

  test('what is settled, and what is a test, is not open', async () => {
    await addTenant('acme', { balance: 700, held: 200 })
    await addTenant('brook', { balance: 50, held: 1 })
    await addReport('a', 'pending')
    await addReport('b', 'challenged')
    for (const [id, status] of Object.entries({ c: 'complete', d: 'blocked', e: 'failed', f: 'expired' }))
      await addReport(id, status)
    await addReport('g', 'pending', 'test')
    await addText('a', 'queued', NOW_MS - 20_000)
    await addText('b', 'queued', NOW_MS - 10_000)
    await addText('c', 'accepted', NOW_MS - 30_000)
    await addText('d', 'delivered', NOW_MS - 40_000)
    await addText('e', 'undelivered', NOW_MS - 50_000)
    await database.run(
      `INSERT INTO webhook_endpoint (id, tenant_id, url, wrapped_key, secrets, created_at_ms)
       VALUES ('endpoint', 'acme', 'https://acme.example', ?, ?, 0)`,
      new Uint8Array([1]),
      new Uint8Array([1]),
    )
    await addDelivery('one', 'queued', NOW_MS - 7_000)
    await addDelivery('two', 'delivered', NOW_MS - 8_000)
    await addDelivery('three', 'parked', NOW_MS - 9_000)
    await database.run('INSERT INTO backup_time (id, at_ms) VALUES (1, ?)', NOW_MS - 60_000)
    await database.run(
      `INSERT INTO audit_event (created_at_ms, actor_kind, action, outcome, link_position)
       VALUES (?, 'client', 'a', 'done', NULL), (?, 'client', 'a', 'done', NULL), (0, 'client', 'a', 'done', 1)`,
      NOW_MS - 4_000,
      NOW_MS - 3_000,
    )
    await database.run(
      `INSERT INTO audit_head (tenant_id, position, hash, deleted_position, deleted_hash, jws, verified_problem)
       VALUES ('acme', 1, '', 0, '', '', NULL), ('brook', 1, '', 0, '', '', 'event 1 was changed')`,
    )
    expect(await render()).toEqual(
      expect.arrayContaining([
        'crs_audit_unlinked_events 2',
        'crs_audit_unlinked_oldest_seconds 4',
        'crs_audit_chains_broken 1',
        'crs_wallet_credits{state="spendable"} 750',
        'crs_wallet_credits{state="held"} 201',
        'crs_reports_open 2',
        'crs_outbox_texts{state="queued"} 2',
        'crs_outbox_texts{state="accepted"} 1',
        'crs_outbox_oldest_seconds 20',
        'crs_webhooks_queued 1',
        'crs_webhooks_oldest_seconds 7',
        'crs_backup_age_seconds 60',
      ]),
    )
  })

  test('a backup of a machine whose clock is ahead is not younger than nothing', async () => {
    await database.run('INSERT INTO backup_time (id, at_ms) VALUES (1, ?)', NOW_MS + 60_000)
    expect(await linesOf('backup_age_seconds')).toEqual(['crs_backup_age_seconds 0'])
  })

  test('spend is that of today, the biggest first; who spent nothing is not there', async () => {
    for (const id of ['acme', 'brook', 'cole', 'dean']) await addTenant(id)
    await addSpend('acme', TODAY_MS, 40)
    await addSpend('acme', TODAY_MS, 900, 'text')
    await addSpend('brook', YESTERDAY_MS, 5_000)
    await addSpend('cole', TODAY_MS, 0)
    await addSpend('dean', TODAY_MS, 40)
    expect(await linesOf('tenant_spent_credits')).toEqual([
      'crs_tenant_spent_credits{tenant="acme",purpose="text"} 900',
      'crs_tenant_spent_credits{tenant="acme",purpose="report"} 40',
      'crs_tenant_spent_credits{tenant="dean",purpose="report"} 40',
    ])
  })

  test('credits are those of lenders that spent any today or yesterday, the least first', async () => {
    await addTenant('acme', { balance: 900, held: 100 })
    await addTenant('brook', { balance: 30, held: 0 })
    await addTenant('cole')
    await addTenant('dean')
    await addSpend('acme', TODAY_MS, 1)
    await addSpend('brook', YESTERDAY_MS, 1)
    await addSpend('cole', DAY_BEFORE_MS, 1)
    expect(await linesOf('tenant_credits')).toEqual([
      'crs_tenant_credits{tenant="brook",state="spendable"} 30',
      'crs_tenant_credits{tenant="brook",state="held"} 0',
      'crs_tenant_credits{tenant="acme",state="spendable"} 900',
      'crs_tenant_credits{tenant="acme",state="held"} 100',
    ])
  })

  test('of many lenders fifty are named: the biggest spenders, and those with the least left', async () => {
    for (let count = 1; count <= 51; count += 1) {
      const id = `lender-${count}`
      await addTenant(id, { balance: count, held: 0 })
      await addSpend(id, TODAY_MS, count)
    }
    const spent = await linesOf('tenant_spent_credits')
    expect(spent).toHaveLength(50)
    expect(spent.filter((line) => line.includes('"lender-1"'))).toEqual([])
    const left = (await linesOf('tenant_credits')).filter((line) => line.includes('spendable'))
    expect(left).toHaveLength(50)
    expect(left.filter((line) => line.includes('"lender-51"'))).toEqual([])
  })

  test('each collection reads anew, and reads the totals once', async () => {
    await addTenant('acme', { balance: 900, held: 100 })
    await addSpend('acme', TODAY_MS, 40)
    expect(await render()).toContain('crs_wallet_credits{state="spendable"} 900')
    expect(queries).toBe(1)
    await database.run('DELETE FROM spend')
    await database.run('UPDATE wallet SET balance_credits = 1')
    expect(await linesOf('tenant')).toEqual([])
    expect(await render()).toContain('crs_wallet_credits{state="spendable"} 1')
    expect(queries).toBe(3)
  })
})
