import { expect, test } from 'vitest'
import { operateTestService } from '../testing/admin.ts'
import { liveRequest } from '../testing/test-app.ts'

const { app, type } = operateTestService()

test('an operator who erases a check also erases what its link says of the person', async () => {
  const { database, generate } = app()
  const { creditReportId } = (await generate(liveRequest('Allow'))).body.data
  await database.run(
    `INSERT INTO hosted_link (id, tenant_id, test, token_hash, external_reference, wrapped_key, start, created_at_ms, expires_at_ms)
     VALUES ('link-1', 'demo-lender', 0, 'hash', 'Mrs Example', ?, ?, 1, 2)`,
    new Uint8Array([1]),
    new Uint8Array([2]),
  )
  await database.run(
    `INSERT INTO hosted_check (report_id, link_id, bought, born) VALUES (?, 'link-1', 1, 'index')`,
    creditReportId,
  )
  expect((await type(['erase', creditReportId])).complaints).toEqual([])
  const kept = 'SELECT external_reference, wrapped_key, start, born FROM hosted_link JOIN hosted_check ON link_id = id'
  expect(await database.first(kept)).toEqual({ external_reference: null, wrapped_key: null, start: null, born: '' })
})
