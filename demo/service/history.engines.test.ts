import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyTrail } from '../../plugins/audit/check-chain.ts'
import { isClean, reconcile } from '../../plugins/statement/reconcile.ts'
import { readFigures } from '../../plugins/stats/read-stats.ts'
import { prepareScript } from '../../service/devices/script.ts'
import { deriveKeys } from '../../service/keys.ts'
import { readBalance } from '../../service/ledger/ledger.ts'
import { createSilentLog } from '../../service/log.ts'
import { openSigningKeys } from '../../service/tokens/signing-keys.ts'
import { createApp } from '../../testing/create-app.ts'
import { environmentOf, onEachEngine } from '../../testing/engines.ts'
import { startTestService, type TestService } from '../../testing/portal-service.ts'

const TABLES = ['credit_report', 'text_message', 'wallet_line', 'webhook_delivery', 'audit_event', 'stat'] as const
const SHOP = 'http://localhost:4200'
const EVER = { from: '2000-01-01', to: '2999-12-31' }

onEachEngine('the past of a new demo', (place) => {
  let service: TestService
  beforeAll(async () => {
    service = await startTestService({ ...environmentOf(await place()), DEMO_SHOP_URL: SHOP })
  })
  afterAll(() => service?.stop())

  async function countRows() {
    const counts: { [table: string]: number } = {}
    for (const table of TABLES) {
      const row = await service.database.first<{ many: number }>(`SELECT COUNT(*) AS many FROM ${table}`)
      counts[table] = row?.many ?? 0
    }
    return counts
  }

  test('has ninety days of checks, balanced books and the promised balance', async () => {
    const counts = await countRows()
    expect(counts.credit_report).toBeGreaterThan(1_500)
    for (const table of TABLES) expect([table, counts[table]]).not.toEqual([table, 0])
    const books = await reconcile(service.database)
    expect(books.findings.filter(({ breaches }) => breaches.length > 0)).toEqual([])
    expect(isClean(books)).toBe(true)
    expect(await readBalance(service.database, 'demo-lender')).toBe(1_000_000)
  })

  test('counts what its reports and texts say', async () => {
    const { database } = service
    const figures = await readFigures(database, { tenantId: 'demo-lender', test: false, ...EVER })
    const reports = await database.all<{ end: string; count: number }>(
      `SELECT ending AS "end", COUNT(*) AS count FROM credit_report WHERE test = 0 GROUP BY ending`,
    )
    const inOrder = (ends: readonly { end: string; count: number }[]) =>
      ends.toSorted((one, other) => (one.end < other.end ? -1 : 1))
    expect(inOrder(figures.ends)).toEqual(inOrder(reports))
    const delivered = await database.first<{ many: number }>(
      `SELECT COUNT(*) AS many FROM text_message WHERE status = 'delivered'`,
    )
    expect(figures.texts.delivered).toBe(delivered?.many)
    const counts = figures.funnel.map(({ count }) => count)
    expect(counts).toEqual(counts.toSorted((one, other) => other - one))
  })

  test('has something to try on each page: a report of today, versions, findings, a used client, a lost event', async () => {
    const count = async (sql: string) =>
      (await service.database.first<{ many: number }>(`SELECT COUNT(*) AS many FROM ${sql}`))?.many
    for (const sql of [
      'sealed_report JOIN report_person USING (report_id)',
      `version_seen WHERE tenant_id = 'demo-lender'`,
      `doctor_report WHERE findings <> ''`,
      `api_client_secret WHERE client_id = 'demo-lender' AND last_used_at_ms IS NOT NULL`,
      `webhook_delivery WHERE status = 'parked'`,
      `text_message WHERE refused_because = 'unreachable'`,
    ])
      expect([sql, await count(sql)]).not.toEqual([sql, 0])
  })

  test('is nothing that a sweep would change or finish, and its audit trail can be verified', async () => {
    const before = await countRows()
    const swept = await service.sweeper.sweep()
    const { auditLinks, unreadableReports: _checked, ...others } = swept
    expect(auditLinks).toBeGreaterThan(0)
    expect(Object.entries(others).filter(([task, rows]) => rows > 0 && task !== 'auditHeads')).toEqual([])
    // The round links the lender's trail and sends its head; the installation's notes that it began.
    const after = { ...before, audit_event: Number(before.audit_event) + 1 }
    await service.sweeper.sweep()
    expect({ ...(await countRows()), webhook_delivery: before.webhook_delivery }).toEqual(after)
    const wrappingKeys = deriveKeys(service.config.secretKeys).signing
    const keys = await openSigningKeys({ database: service.database, wrappingKeys, clock: () => service.time.nowMs })
    expect(await verifyTrail(service.database, keys, service.time.nowMs)).toEqual({ problems: [], unlinked: 0 })
  })

  test('is written once: another start adds nothing', async () => {
    const before = await countRows()
    const { config, database, time } = service
    const script = prepareScript('')
    const log = createSilentLog()
    await createApp({ config, database, log, script, shop: SHOP, clock: () => time.nowMs })
    expect(await countRows()).toEqual(before)
  })
})
