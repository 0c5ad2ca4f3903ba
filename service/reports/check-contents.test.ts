import { afterAll, beforeAll, expect, test } from 'vitest'
import { seal } from '../../kit/seal.ts'
import { runTestAdmin } from '../../testing/admin.ts'
import { createTestApp, liveRequest, TEST_SECRET_KEY, type TestApp } from '../../testing/test-app.ts'
import { deriveKeys } from '../keys.ts'
import { createMetrics } from '../metrics.ts'

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

  // As 0.1.0 left it when it answered a challenge of 0.2.0.
  const { reports: keys } = deriveKeys([new TextEncoder().encode(TEST_SECRET_KEY)])
  const consumer = `+447700900123\n${JSON.stringify(liveRequest())}`
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
  expect(printed.at(-1)).toBe(`BROKEN  every complete report is a report: not so for ${creditReportId}`)
})
