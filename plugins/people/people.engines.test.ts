// A lender answers for its data, on every engine: one report erased, one person found, given out and erased, each
// lender's own retention.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seal } from '../../kit/seal.ts'
import { deriveKeys } from '../../service/keys.ts'
import { changeTenant } from '../../service/ledger/tenants.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { createTestApp, liveRequest, type TestApp, testRequest } from '../../testing/test-app.ts'
import type { AuditRow } from '../audit/tables.ts'
import { isClean, reconcile } from '../statement/reconcile.ts'
import { createRetention, type RetentionRow } from './retention.ts'

onEachEngine('a lender answers for its data', (place) => {
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp(await place())
  })
  afterAll(async () => {
    expect(isClean(await reconcile(app.database))).toBe(true)
    await app.close()
  })

  const person = { lastName: 'Ní Dhomhnaill', dateOfBirth: '1985-03-27', postcodes: ['sw1a1aa'] }
  const make = async (request: object = liveRequest('Allow'), token = 'demo-lender') =>
    (await app.generate(request, { token })).body.data
  const ask = (what: 'export' | 'erase', query: object, token = 'demo-lender') =>
    app.call(`/${token}/v1/people/${what}`, query, { token })
  const remove = async (creditReportId: string, token = 'demo-lender') => {
    const url = `http://service.test/${token}/v1/credit-reports/${creditReportId}`
    const response = await app.fetch(
      new Request(url, { method: 'DELETE', headers: { Authorization: `Bearer ${token}` } }),
    )
    return { status: response.status, body: JSON.parse(await response.text()) }
  }
  const idsIn = async (table: string) =>
    (await app.database.all(`SELECT report_id FROM ${table} ORDER BY report_id`)).map(({ report_id }) => report_id)
  /** As a process that was just started has it. */
  const retention = () =>
    createRetention({
      database: app.database,
      clock: () => app.time.nowMs,
      reportRetentionMs: 30 * 86_400_000,
    })
  const auditOf = (action: string) =>
    app.database.all<Pick<AuditRow, 'object' | 'outcome'>>(
      'SELECT object, outcome FROM audit_event WHERE action = ?',
      action,
    )

  test('a report is erased once and for good; another lender cannot, and the ledger stays', async () => {
    const { creditReportId } = await make()
    expect((await remove(creditReportId, 'other-lender')).status).toBe(404)
    const before = await app.lines(creditReportId)
    for (const _again of [1, 2]) {
      const { status, body } = await remove(creditReportId)
      expect([status, body.data]).toEqual([200, { creditReportId, erased: true }])
    }
    expect((await app.call(`/demo-lender/v1/credit-reports/${creditReportId}`)).status).toBe(404)
    expect(await app.lines(creditReportId)).toEqual(before)
    for (const table of ['sealed_report', 'report_person']) expect(await idsIn(table)).not.toContain(creditReportId)
    expect((await remove('01a1de6f-5280-7bc4-ac83-c017033a72d1')).status).toBe(404)
    const lines = await auditOf('report.erase')
    expect(lines.filter(({ object, outcome }) => object === creditReportId && outcome === 'done')).toHaveLength(1)
  })

  test('a person is found under every spelling of the name, and no one else is', async () => {
    const spelt = ['NI DHOMHNAILL', 'ní-dhomhnaill', 'Mrs Ní Dhomhnaill']
    const made: string[] = []
    for (const lastName of spelt) {
      app.time.nowMs += 1
      made.unshift((await make({ ...testRequest('allow'), lastName })).creditReportId)
    }
    app.time.nowMs += 1
    const live = await make({ ...liveRequest(), lastName: 'Ni Dhomhnaill' })
    made.unshift(live.creditReportId)
    await make({ ...testRequest('allow'), lastName: 'Dhomhnaill' })
    await make({ ...testRequest('allow'), lastName: 'Ni Dhomhnaill', dateOfBirth: '1985-03-28' })
    const theirs = await make({ ...testRequest('allow'), lastName: 'Ni Dhomhnaill' }, 'other-lender')

    const { body } = await ask('export', person)
    expect(body.data.creditReports.map((each: { creditReportId: string }) => each.creditReportId)).toEqual(made)
    expect(body.data.creditReports[0]).toMatchObject({ status: 'authentication-required' })
    expect(body.data.creditReports[1]).toMatchObject({ status: 'complete', creditReport: { person: {} } })
    expect((await auditOf('person.export')).map(({ object }) => object)).toEqual(expect.arrayContaining(made))
    expect((await ask('export', { ...person, postcodes: ['LS1 4AP'] })).body.data.creditReports).toEqual([])

    const erased = await ask('erase', { ...person, postcodes: ['LS1 4AP', 'SW1A 1AA'] })
    expect(erased.body.data.creditReportIds).toEqual(made)
    expect((await ask('erase', person)).body.data.creditReportIds).toEqual([])
    expect((await ask('export', person)).body.data.creditReports).toEqual([])
    expect((await auditOf('person.erase')).map(({ object }) => object)).toEqual(expect.arrayContaining(made))
    expect((await ask('export', person, 'other-lender')).body.data.creditReports).toMatchObject([
      { creditReportId: theirs.creditReportId },
    ])
  })

  test.each([
    ['no postcode', { postcodes: [] }],
    ['a postcode that is none', { postcodes: ['QQ1 1AA'] }],
    ['no name', { lastName: ' ' }],
    ['a day that never was', { dateOfBirth: '1985-02-30' }],
  ])('%s is refused, and finds no one', async (_what, change) => {
    for (const what of ['export', 'erase'] as const) {
      expect((await ask(what, { ...person, ...change })).status).toBe(400)
    }
  })

  test('many reports about one person come fifty at a time, and are erased all at once', async () => {
    const lastName = 'Manifold'
    const made: string[] = []
    for (let count = 0; count < 52; count += 1) {
      app.time.nowMs += 1
      made.unshift((await make({ ...testRequest('block'), lastName })).creditReportId)
    }
    const query = { ...person, lastName }
    const page = async (after?: string) => {
      const { creditReports, nextAfter } = (await ask('export', { ...query, ...(after && { after }) })).body.data
      return { ids: creditReports.map((each: { creditReportId: string }) => each.creditReportId), nextAfter }
    }
    expect(await page()).toEqual({ ids: made.slice(0, 50), nextAfter: made[49] })
    expect(await page(made[49])).toEqual({ ids: made.slice(50) })
    expect(await page(made[1])).toEqual({ ids: made.slice(2) })
    // An index without its report is forgotten on the way.
    await app.database.run(
      `INSERT INTO report_person (report_id, person_index) SELECT 'ghost', person_index FROM report_person WHERE report_id = ?`,
      made[0] ?? '',
    )
    expect((await ask('erase', { ...query, after: made[40] })).body.data.creditReportIds).toEqual(made)
    expect(await idsIn('report_person')).not.toContain('ghost')
    expect(await page()).toEqual({ ids: [] })
  })

  test('a report that cannot be opened now is not left out of an export in silence', async () => {
    const lastName = 'Unready'
    const { creditReportId } = await make({ ...testRequest('allow'), lastName })
    // As a newer version of the service seals one during a rolling deploy.
    const tag = { kind: 'report', format: 2, tenantId: 'demo-lender', test: true }
    const { reports } = deriveKeys(app.config.secretKeys)
    const place = { tenantId: 'demo-lender', rowId: creditReportId }
    const { wrappedKey, content } = seal(reports, place, `${JSON.stringify(tag)}\n{}`)
    const replace = 'UPDATE sealed_report SET wrapped_key = ?, content = ? WHERE report_id = ?'
    await app.database.run(replace, wrappedKey, content, creditReportId)
    const answer = await ask('export', { ...person, lastName })
    expect([answer.status, answer.body.code]).toEqual([503, 'unavailable'])
    expect((await ask('erase', { ...person, lastName })).body.data.creditReportIds).toEqual([creditReportId])
  })

  test('no name is at rest: the index says nothing without the key', async () => {
    const { creditReportId } = await make()
    const row = await app.database.first('SELECT * FROM report_person WHERE report_id = ?', creditReportId)
    expect(row?.person_index).toMatch(/^[\w-]{43}$/)
  })

  test('a lender keeps reports for less time than the installation; the others’ stay', async () => {
    await changeTenant<RetentionRow>(app.database, 'other-lender', { report_retention_days: 2 })
    const [mine, theirs] = [await make(), await make(liveRequest('Allow'), 'other-lender')]
    const { eraseOldOfTenants } = retention()
    await eraseOldOfTenants()
    expect(await idsIn('sealed_report')).toContain(theirs.creditReportId)
    app.time.nowMs += 2 * 86_400_000 + 1
    await eraseOldOfTenants()
    expect(await eraseOldOfTenants()).toBe(0)
    for (const table of ['sealed_report', 'report_person']) {
      const kept = await idsIn(table)
      expect(kept).toContain(mine.creditReportId)
      expect(kept).not.toContain(theirs.creditReportId)
    }
    // Another process, or this one started again, goes on where the scan ended.
    expect(await retention().eraseOldOfTenants()).toBe(0)
  })

  test('a lender’s report is erased on its day after a clock that was ahead was put right', async () => {
    await changeTenant<RetentionRow>(app.database, 'other-lender', { report_retention_days: 2 })
    const dayMs = 86_400_000
    app.time.nowMs += 10 * dayMs
    await make(liveRequest('Allow'), 'other-lender')
    app.time.nowMs += 2 * dayMs + 1
    expect(await retention().eraseOldOfTenants()).toBeGreaterThan(0)
    app.time.nowMs -= 12 * dayMs + 1
    const { creditReportId } = await make(liveRequest('Allow'), 'other-lender')
    app.time.nowMs += 2 * dayMs + 1
    await retention().eraseOldOfTenants()
    expect(await idsIn('sealed_report')).not.toContain(creditReportId)
  })
})
