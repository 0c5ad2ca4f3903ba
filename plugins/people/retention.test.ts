import { afterEach, beforeEach, expect, test } from 'vitest'
import { newId } from '../../kit/new-id.ts'
import { changeTenant } from '../../service/ledger/tenants.ts'
import { REPORT_COLUMNS, reportValues } from '../../testing/report-rows.ts'
import { createTestApp, liveRequest, type TestApp, testRequest } from '../../testing/test-app.ts'
import { createRetention, type RetentionRow } from './retention.ts'

const RETENTION_MS = 86_400_000

let app: TestApp
beforeEach(async () => {
  app = await createTestApp()
})
afterEach(() => app.close())

async function make(request: object): Promise<string> {
  app.time.nowMs += 1
  return (await app.generate(request)).body.data.creditReportId
}
const idsIn = async (table: string, column: string) =>
  (await app.database.all(`SELECT ${column} AS id FROM ${table} ORDER BY id`)).map(({ id }) => id)

const retention = () =>
  createRetention({ database: app.database, clock: () => app.time.nowMs, reportRetentionMs: RETENTION_MS })

/** Reports of a lender, each with its content and its index; the ids, oldest first. */
async function insertMany(count: number, { tenantId = 'demo-lender', test = 0 } = {}): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId(app.time.nowMs)).sort()
  await app.database.transaction(async (queries) => {
    for (const id of ids) {
      const report = `INSERT INTO credit_report (id, tenant_id, test, status, created_at_ms, ${REPORT_COLUMNS})
        VALUES (?, ?, ?, 'blocked', 1, ${reportValues('blocked')})`
      await queries.run(report, id, tenantId, test)
      const content = 'INSERT INTO sealed_report (report_id, wrapped_key, content) VALUES (?, ?, ?)'
      await queries.run(content, id, new Uint8Array(), new Uint8Array())
      await queries.run(`INSERT INTO report_person (report_id, person_index) VALUES (?, 'x')`, id)
    }
  })
  return ids
}
const contents = () => idsIn('sealed_report', 'report_id')
const indexes = () => idsIn('report_person', 'report_id')

test('a content of exactly the retention stays, a millisecond later it goes, with the index of its person', async () => {
  const [old] = await insertMany(1)
  app.time.nowMs += 1
  const [young] = await insertMany(1)
  app.time.nowMs += RETENTION_MS - 1
  expect(await retention().eraseOldReports()).toBe(0)
  expect(await contents()).toEqual([old, young])
  app.time.nowMs += 1
  expect(await retention().eraseOldReports()).toBe(1)
  expect([await contents(), await indexes()]).toEqual([[young], [young]])
})

test('five hundred are erased or deleted at a time, the oldest first', async () => {
  const ids = await insertMany(501, { test: 1 })
  app.time.nowMs += RETENTION_MS + 1
  const { eraseOldReports, deleteOldTestReports } = retention()
  expect(await eraseOldReports()).toBe(500)
  expect([await contents(), await indexes()]).toEqual([ids.slice(500), ids.slice(500)])
  expect([await eraseOldReports(), await eraseOldReports()]).toEqual([1, 0])
  expect(await deleteOldTestReports()).toBe(500)
  expect(await idsIn('credit_report', 'id')).toEqual(ids.slice(500))
  expect([await deleteOldTestReports(), await deleteOldTestReports()]).toEqual([1, 0])
})

test('of a lender that keeps reports for a day, five hundred are erased at a time; another’s of the same days stay', async () => {
  await changeTenant<RetentionRow>(app.database, 'other-lender', { report_retention_days: 1 })
  const before = await insertMany(1)
  app.time.nowMs += 1
  const ids = await insertMany(501, { tenantId: 'other-lender' })
  const among = await insertMany(1)
  app.time.nowMs += 1
  const young = await insertMany(1, { tenantId: 'other-lender' })
  app.time.nowMs += 86_400_000
  const { eraseOldOfTenants } = retention()
  const kept = (...parts: string[][]) => parts.flat().sort()
  expect(await eraseOldOfTenants()).toBe(500)
  for (const left of [await contents(), await indexes()]) {
    expect(left).toEqual(kept(before, among, ids.slice(500), young))
  }
  expect(await eraseOldOfTenants()).toBe(1)
  expect(await eraseOldOfTenants()).toBe(0)
  for (const left of [await contents(), await indexes()]) expect(left).toEqual(kept(before, among, young))
  app.time.nowMs += 1
  expect(await eraseOldOfTenants()).toBe(1)
  expect(await contents()).toEqual(kept(before, among))
})

test('an old trial goes with its content, also before the contents are erased; a live report stays', async () => {
  const { deleteOldTestReports } = retention()
  expect(await deleteOldTestReports()).toBe(0)
  await make(testRequest('allow'))
  const live = await make(liveRequest('Allow'))
  app.time.nowMs += RETENTION_MS
  const trial = await make(testRequest('allow'))
  expect(await deleteOldTestReports()).toBe(1)
  expect(await idsIn('credit_report', 'id')).toEqual([live, trial])
  expect(await idsIn('sealed_report', 'report_id')).toEqual([live, trial])

  app.time.nowMs += RETENTION_MS + 1
  expect(await deleteOldTestReports()).toBe(1)
  expect(await deleteOldTestReports()).toBe(0)
  expect(await idsIn('credit_report', 'id')).toEqual([live])
})

test('a process that has just started looks at no live report for it', async () => {
  const plan = await app.database.all<{ detail: string }>(
    `EXPLAIN QUERY PLAN SELECT id FROM credit_report WHERE test = 1 AND id < ? ORDER BY id LIMIT ?`,
    'f',
    500,
  )
  expect(plan.map(({ detail }) => detail).join()).toContain('credit_report_test')
})
