import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestApp, liveRequest, type TestApp, testRequest } from '../../testing/test-app.ts'
import { createRetention } from './retention.ts'

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

test('an old trial goes with its content, also before the contents are erased; a live report stays', async () => {
  const { deleteOldTestReports } = createRetention({
    database: app.database,
    clock: () => app.time.nowMs,
    reportRetentionMs: RETENTION_MS,
  })
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
