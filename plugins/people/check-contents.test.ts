import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seal } from '../../kit/seal.ts'
import { deriveKeys } from '../../service/keys.ts'
import { createSilentLog, type LogFields } from '../../service/log.ts'
import { runTestAdmin } from '../../testing/admin.ts'
import { collectPlans } from '../../testing/explain.ts'
import { REPORT_COLUMNS, reportValues } from '../../testing/report-rows.ts'
import { createTestApp, liveRequest, TEST_SECRET_KEY, type TestApp, testRequest } from '../../testing/test-app.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { checkContents, createContentCheck } from './check-contents.ts'

const metrics = createMetrics()
let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ metrics })
})
afterAll(() => app.close())

const unreadable = async () => /^crs_reports_unreadable (\d+)$/m.exec(await metrics.render())?.[1]
const verify = () => runTestAdmin({ DATA_DIR: app.config.dataDir, SECRET_KEY: TEST_SECRET_KEY }, ['verify'])

test('a complete report that holds the consumer’s own request is found by the sweeper and by verify', async () => {
  const creditReportId: string = (await app.generate(liveRequest('Allow'))).body.data.creditReportId
  await app.generate(liveRequest('Allow'))
  await app.sweeper.sweep()
  expect(await unreadable()).toBe('0')
  expect(await verify()).toMatchObject({ exitCode: 0, complaints: [] })

  const { reports: keys } = deriveKeys([new TextEncoder().encode(TEST_SECRET_KEY)])
  const tag = { kind: 'consumer', format: 1, tenantId: 'demo-lender', test: false }
  const consumer = `${JSON.stringify(tag)}\n${JSON.stringify(liveRequest())}`
  const { wrappedKey, content } = seal(keys, { tenantId: 'demo-lender', rowId: creditReportId }, consumer)
  const replace = 'UPDATE sealed_report SET wrapped_key = ?, content = ? WHERE report_id = ?'
  await app.database.run(replace, wrappedKey, content, creditReportId)

  const read = await app.call(`/demo-lender/v1/credit-reports/${creditReportId}`)
  expect({ status: read.status, code: read.body.code }).toEqual({ status: 500, code: 'internal-error' })
  // The rest of the walk, one round that finds its end, and the next walk.
  for (let rounds = 0; rounds < 3; rounds += 1) await app.sweeper.sweep()
  expect(await unreadable()).toBe('1')
  const { exitCode, printed } = await verify()
  expect(exitCode).toBe(1)
  expect(printed.at(-1)).toBe(`BROKEN  every complete report is a report: not a report: ${creditReportId}`)
})

test('a round reads no more of many contents than it looks at', async () => {
  const plans: string[] = []
  const filled = app.database.transaction(async (queries) => {
    const numbers = 'WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 20000)'
    await queries.run(
      `INSERT INTO credit_report (id, tenant_id, test, status, created_at_ms, ${REPORT_COLUMNS})
       ${numbers} SELECT 'filled-' || n, 'demo-lender', 0, 'complete', 0, ${reportValues('complete')} FROM counted`,
    )
    await queries.run(
      `INSERT INTO sealed_report (report_id, wrapped_key, content)
       ${numbers} SELECT 'filled-' || n, randomblob(64), randomblob(256) FROM counted`,
    )
    for (const table of ['credit_report', 'sealed_report']) await queries.run(`ANALYZE ${table}`)
    const explained = collectPlans(queries, app.database, plans)
    for (const after of ['', 'filled-9']) await checkContents(explained, [new Uint8Array(32)], { after, limit: 50 })
    throw new Error('undone')
  })
  await expect(filled).rejects.toThrow('undone')
  expect(plans).toHaveLength(2)
  for (const plan of plans) expect(plan).not.toContain('TEMP B-TREE')
})

describe('of contents that cannot be read', () => {
  const keys = deriveKeys([new TextEncoder().encode(TEST_SECRET_KEY)])
  const otherKeys = deriveKeys([new TextEncoder().encode('another secret key that is long enough')])
  const tag = { kind: 'report', format: 1, tenantId: 'demo-lender', test: true }
  const tagged = (json: string, changes = {}) => `${JSON.stringify({ ...tag, ...changes })}\n${json}`
  const ids: string[] = []
  let own: TestApp
  const put = async (rowId: string, content: string, sealedWith = keys) => {
    const sealed = seal(sealedWith.reports, { tenantId: 'demo-lender', rowId }, content)
    const replace = 'UPDATE sealed_report SET wrapped_key = ?, content = ? WHERE report_id = ?'
    await own.database.run(replace, sealed.wrappedKey, sealed.content, rowId)
  }
  beforeAll(async () => {
    own = await createTestApp()
    for (const branch of ['allow', 'allow', 'allow', 'allow', 'allow', 'allow', 'challenge'] as const) {
      own.time.nowMs += 1
      ids.push((await own.generate(testRequest(branch))).body.data.creditReportId)
    }
    const [foreign = '', cut = '', empty = '', newer = '', consumer = '', _good, open = ''] = ids
    await put(foreign, tagged('{}'), otherKeys)
    await put(cut, tagged('{"person":'))
    await put(empty, tagged('{}'))
    await put(newer, tagged('{}', { format: 2 }))
    await put(consumer, tagged('{}', { kind: 'consumer' }))
    // Its report is not complete yet.
    await put(open, tagged('{}'))
  })
  afterAll(() => own.close())

  const check = (after: string, limit = 100) => checkContents(own.database, keys.reports, { after, limit })

  test('each is named with what is wrong; what a newer version sealed is left to it', async () => {
    const [foreign, cut, empty, , consumer, good] = ids
    expect(await check('')).toEqual({
      last: good,
      unreadable: [
        { creditReportId: foreign, why: 'other-key' },
        { creditReportId: cut, why: 'no-report' },
        { creditReportId: empty, why: 'no-report' },
        { creditReportId: consumer, why: 'no-report' },
      ],
    })
  })

  test('they are looked at from the oldest on, so many at a time', async () => {
    const [foreign, cut = '', empty, newer = '', , good = ''] = ids
    expect(await check('', 2)).toMatchObject({
      last: cut,
      unreadable: [{ creditReportId: foreign }, { creditReportId: cut }],
    })
    expect(await check(cut, 2)).toMatchObject({ last: newer, unreadable: [{ creditReportId: empty }] })
    expect(await check(good)).toEqual({ last: null, unreadable: [] })
  })

  test('what a walk found stays reported until the next one is over', async () => {
    const counts: number[] = []
    const logged: unknown[] = []
    const log = { ...createSilentLog(), error: (_event: string, fields?: LogFields) => void logged.push(fields?.code) }
    const onUnreadable = (count: number) => void counts.push(count)
    // Made anew each time, as after a restart.
    const round = () => createContentCheck({ keys, log, onUnreadable, database: own.database })()
    // A walk is one round with reports and one that finds no more.
    for (const _ of [1, 2]) expect(await round()).toBe(0)
    expect(counts).toEqual([4, 4])
    expect(logged).toEqual(['other-key', 'no-report', 'no-report', 'no-report'])
    await own.database.run(`DELETE FROM sealed_report WHERE report_id <> ?`, ids[5] ?? '')
    for (const _ of [1, 2, 3]) await round()
    expect(counts).toEqual([4, 4, 4, 0, 0])
  })
})
