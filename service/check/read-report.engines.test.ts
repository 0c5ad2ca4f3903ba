// The state of reports, on every engine: for a caller who missed the answer, and as a list.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ReportListResponse } from '../../contract/report-list.ts'
import { ReportState } from '../../contract/report-state.ts'
import { shortReference } from '../../contract/short-reference.ts'
import { findReports } from '../../plugins/look-up/find-reports.ts'
import { eraseReport } from '../../plugins/people/erase-report.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { collectPlans } from '../../testing/explain.ts'
import { createFaultyProviders } from '../../testing/faulty-providers.ts'
import { REPORT_COLUMNS, reportValues } from '../../testing/report-rows.ts'
import { createTestApp, liveRequest, type TestApp, testRequest } from '../../testing/test-app.ts'
import { deriveKeys } from '../keys.ts'
import { joinPlugins } from '../plugin.ts'
import { ProviderUnavailable } from '../providers/providers.ts'
import { listReports } from './list-reports.ts'
import { readContent, readListed } from './read-report.ts'

const noPlugins = joinPlugins([])

onEachEngine('how a report stands', (place) => {
  const { faults, providers } = createFaultyProviders()
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp({ ...(await place()), providers })
  })
  afterAll(() => app.close())

  const REPORTS = '/demo-lender/v1/credit-reports'
  async function read(creditReportId: string) {
    const { status, body, headers } = await app.call(`${REPORTS}/${creditReportId}`)
    if (status === 200) expect(ReportState.safeParse(body.data).error).toBeUndefined()
    return { status, headers, ...body }
  }
  const start = async (request: object = liveRequest()) => (await app.generate(request)).body.data
  const wrongOf = async (id: string) => ((await app.codes(id)).includes('000000') ? '000001' : '000000')
  const at = (ms: number) => new Date(ms).toISOString()

  test('complete at once: the report again, free and without a wallet', async () => {
    const made = await start({ ...liveRequest('Allow'), externalReference: 'order 1' })
    const createdAt = at(app.time.nowMs)
    const { data, meta, headers } = await read(made.creditReportId)
    expect(data).toEqual({
      status: 'complete',
      challengeType: 'none',
      creditReportId: made.creditReportId,
      reference: shortReference(made.creditReportId),
      externalReference: 'order 1',
      test: false,
      agencies: made.agencies,
      createdAt,
      endedAt: createdAt,
      creditReport: made.creditReport,
    })
    expect(meta).toEqual({ request: { timeTakenMs: expect.any(Number) } })
    expect(headers.get('X-Challenge-Expires-In')).toBeNull()
    expect(headers.get('Idempotent-Replayed')).toBeNull()
  })

  test('asked for without a reference: none is made up', async () => {
    const { externalReference, ...request } = liveRequest('Allow')
    const { creditReportId } = await start(request)
    expect((await read(creditReportId)).data).not.toHaveProperty('externalReference')
  })

  test('an open challenge: what a server needs to show it', async () => {
    const { creditReportId, challenge } = await start()
    const createdAt = app.time.nowMs
    await app.submit({ creditReportId, challenge }, await wrongOf(creditReportId))
    app.time.nowMs += 10_000
    await app.resend({ creditReportId, challenge })
    app.time.nowMs += 10_000
    const { data, headers } = await read(creditReportId)
    expect(data).toEqual({
      status: 'authentication-required',
      challengeType: 'otp',
      creditReportId,
      reference: shortReference(creditReportId),
      externalReference: liveRequest().externalReference,
      test: false,
      createdAt: at(createdAt),
      challenge: { ...challenge, attemptsRemaining: 2, textsRemaining: 1, expiresAt: at(createdAt + 310_000) },
    })
    expect(headers.get('X-Challenge-Expires-In')).toBe('290')
  })

  test('after the code: complete, with the report', async () => {
    const started = await start()
    const [code] = await app.codes(started.creditReportId)
    app.time.nowMs += 5_000
    const { creditReport } = (await app.submit(started, code)).body.data
    expect((await read(started.creditReportId)).data).toMatchObject({
      status: 'complete',
      challengeType: 'otp',
      endedAt: at(app.time.nowMs),
      creditReport,
    })
  })

  test('while the bureaus are asked it is pending; when they failed, the code is asked for again', async () => {
    const started = await start()
    const [code] = await app.codes(started.creditReportId)
    let fail = () => {}
    const asking = new Promise<void>((isAsked) => {
      faults.bureau = () => {
        isAsked()
        return new Promise((_resolve, reject) => {
          fail = () => reject(new ProviderUnavailable('equifax', 'time-out'))
        })
      }
    })
    const submitted = app.submit(started, code)
    await asking
    const { data, headers } = await read(started.creditReportId)
    expect([data.status, headers.get('X-Challenge-Expires-In')]).toEqual(['pending', null])
    fail()
    await submitted
    delete faults.bureau
    expect((await read(started.creditReportId)).data.status).toBe('authentication-required')
  })

  test('failed, blocked and expired say so, with no report', async () => {
    const failed = await start()
    const wrong = await wrongOf(failed.creditReportId)
    for (let tries = 0; tries < 3; tries += 1) await app.submit(failed, wrong)
    const endedAt = at(app.time.nowMs)
    const { data } = await read(failed.creditReportId)
    expect(data).toMatchObject({ status: 'failed', reason: 'attempts', challengeType: 'otp', endedAt })
    const blocked = await start(liveRequest('Block'))
    expect((await read(blocked.creditReportId)).data).toMatchObject({ status: 'blocked', reason: 'risk', endedAt })
    for (const request of [liveRequest(), testRequest('challenge')]) {
      const expired = await start(request)
      const over = { status: 'expired', reason: 'timeout', endedAt: at(app.time.nowMs + 300_000) }
      app.time.nowMs += 300_001
      expect((await read(expired.creditReportId)).data).toMatchObject(over)
      await app.sweeper.sweep()
      expect((await read(expired.creditReportId)).data).toMatchObject(over)
    }
  })

  test('a provider was away: failed, and no challenge was made', async () => {
    faults.risk = () => Promise.reject(new ProviderUnavailable('risk', 'time-out'))
    await app.generate({ ...liveRequest(), externalReference: 'no risk' })
    delete faults.risk
    const { body } = await app.call(`${REPORTS}?externalReference=no%20risk`)
    const [item] = body.data.creditReports
    expect(item).toMatchObject({ status: 'failed', reason: 'provider' })
    expect((await read(item.creditReportId)).data).toEqual(item)
    expect(item.challengeType).toBeUndefined()
  })

  test('after the time that reports are kept: complete, without the report', async () => {
    const { creditReportId } = await start(liveRequest('Allow'))
    await app.database.run('DELETE FROM sealed_report WHERE report_id = ?', creditReportId)
    const { data } = await read(creditReportId)
    expect(data.status).toBe('complete')
    expect(data.creditReport).toBeUndefined()
  })

  test('erased: as absent as one that never was, with its reference gone from the ledger', async () => {
    const { creditReportId } = await start({ ...liveRequest('Allow'), externalReference: 'to be erased' })
    await eraseReport(app.database, { creditReportId, nowMs: app.time.nowMs, plugins: noPlugins })
    const { status, code, message } = await read(creditReportId)
    expect({ status, code }).toEqual({ status: 404, code: 'credit-report-not-found' })
    expect((await read('never-was')).message).toBe(message)
    expect((await app.call(`${REPORTS}?externalReference=to%20be%20erased`)).body.data).toEqual({ creditReports: [] })
    const lines = await app.read(`/demo-lender/v1/wallet/lines?creditReportId=${creditReportId}`)
    expect(JSON.stringify(lines.body)).not.toContain('erased')
  })

  test('the content of a complete report, or why there is none', async () => {
    const keys = deriveKeys(app.config.secretKeys)
    const open = (creditReportId: string, tenantId = 'demo-lender') =>
      readContent({ database: app.database, keys }, { tenantId, creditReportId })
    for (const request of [liveRequest('Allow'), testRequest('allow')]) {
      const { creditReportId, creditReport, test: isTest } = await start(request)
      const content = await open(creditReportId)
      expect(content).toEqual({ reportJson: JSON.stringify(creditReport), test: isTest })
      expect(await open(creditReportId, 'other-lender')).toBeNull()
      await app.database.run('DELETE FROM sealed_report WHERE report_id = ?', creditReportId)
      expect(await open(creditReportId)).toBe('closed')
      await eraseReport(app.database, { creditReportId, nowMs: app.time.nowMs, plugins: noPlugins })
      expect(await open(creditReportId)).toBe('erased')
    }
    for (const request of [liveRequest(), testRequest('challenge'), liveRequest('Block')])
      expect(await open((await start(request)).creditReportId)).toBe('not complete')
    expect(await open('nothing')).toBeNull()
  })

  test('reports that a search found are shown as in the list', async () => {
    const request = { externalReference: 'found by search' }
    for (const each of [liveRequest('Block'), liveRequest(), testRequest('challenge')]) {
      app.time.nowMs += 1
      await start({ ...each, ...request })
    }
    // The demo's clock, which runs ahead for test mode, is not this one's.
    await app.database.run(`UPDATE tenant SET test_clock_ahead_ms = 300001 WHERE id = 'demo-lender'`)
    const tenantId = 'demo-lender'
    const found = await findReports(app.database, { tenantId, typed: request.externalReference, limit: 10 })
    const options = { database: app.database, clock: () => app.time.nowMs, settings: app.config }
    const shown = await readListed(options, tenantId, found)
    const { body } = await app.call(`${REPORTS}?externalReference=found%20by%20search`)
    expect(shown).toEqual(body.data.creditReports)
    expect(shown.map(({ status }) => status)).toEqual(['expired', 'authentication-required', 'blocked'])
    await app.database.run(`UPDATE tenant SET test_clock_ahead_ms = 0 WHERE id = 'demo-lender'`)
  })

  test('another tenant’s report is not found, and another tenant is forbidden', async () => {
    const { creditReportId } = await start(liveRequest('Allow'))
    const own = await app.call(`/other-lender/v1/credit-reports/${creditReportId}`, undefined, {
      token: 'other-lender',
    })
    expect(own).toMatchObject({ status: 404, body: { code: 'credit-report-not-found' } })
    expect((await app.call(`${REPORTS}/${creditReportId}`, undefined, { token: 'other-lender' })).status).toBe(403)
    expect((await app.call(REPORTS, undefined, { token: 'other-lender' })).status).toBe(403)
  })

  describe('the list', () => {
    let token: string
    const ids: string[] = []
    const list = async (query = '') => {
      const { status, body } = await app.call(`/${token}/v1/credit-reports${query}`, undefined, { token })
      if (status === 200) expect(ReportListResponse.safeParse(body).error).toBeUndefined()
      return { status, message: body.message, ...body.data }
    }
    beforeAll(async () => {
      token = await app.newTenant(10_000)
      for (let index = 0; index < 5; index += 1) {
        app.time.nowMs += 1
        const request = { ...testRequest('allow'), externalReference: index % 2 === 0 ? 'even' : `odd ${index}` }
        ids.unshift((await app.generate(request, { token })).body.data.creditReportId)
      }
    })
    const idsOf = (page: { creditReports: { creditReportId: string }[] }) =>
      page.creditReports.map(({ creditReportId }) => creditReportId)

    test('is newest first, a page at a time', async () => {
      expect(idsOf(await list())).toEqual(ids)
      const first = await list('?limit=2')
      expect(idsOf(first)).toEqual(ids.slice(0, 2))
      const second = await list(`?limit=2&after=${first.nextAfter}`)
      expect(idsOf(second)).toEqual(ids.slice(2, 4))
      const last = await list(`?limit=2&after=${second.nextAfter}`)
      expect(idsOf(last)).toEqual(ids.slice(4))
      expect(last.nextAfter).toBeUndefined()
      expect((await list('?limit=5')).nextAfter).toBeUndefined()
    })

    test('finds by reference, exactly', async () => {
      const even = await list('?externalReference=even&limit=2')
      expect(idsOf(even)).toEqual([ids[0], ids[2]])
      expect(idsOf(await list(`?externalReference=even&after=${even.nextAfter}`))).toEqual([ids[4]])
      expect(idsOf(await list('?externalReference=odd%201'))).toEqual([ids[3]])
      expect(idsOf(await list('?externalReference=EVEN'))).toEqual([])
    })

    test('says nothing about a person', async () => {
      const [item] = (await list('?limit=1')).creditReports
      const known = [
        'agencies',
        'challengeType',
        'createdAt',
        'creditReportId',
        'endedAt',
        'externalReference',
        'reference',
        'status',
        'test',
      ]
      expect(Object.keys(item).sort()).toEqual(known)
    })

    test.each([
      ['a cursor that is none', '?after=yesterday', 'after'],
      ['an empty cursor', '?after=', 'after'],
      ['a limit of 0', '?limit=0', 'limit'],
      ['a limit of 201', '?limit=201', 'limit'],
      ['half a report', '?limit=1.5', 'limit'],
      ['a limit in another notation', '?limit=1e2', 'limit'],
      ['a limit with a space', '?limit=%201', 'limit'],
      ['a misspelt filter', '?externalreference=order-1', 'externalreference'],
      ['a filter given twice', '?externalReference=a&externalReference=b', 'externalReference'],
      ['a reference that is too long', `?externalReference=${'a'.repeat(201)}`, 'externalReference'],
    ])('%s is refused by name', async (_what, query, name) => {
      const { status, message } = await list(query)
      expect(status).toBe(400)
      expect(message).toContain(`${name}: `)
    })

    test.each([
      ['newest first', null, 'credit_report_of_tenant'],
      ['by reference', 'order-7', 'credit_report_of_reference'],
    ])('%s, a page is read off an index and ends with it', async (_how, externalReference, index) => {
      const plans: string[] = []
      const filled = app.database.transaction(async (queries) => {
        await queries.run(
          `INSERT INTO credit_report (id, tenant_id, test, status, created_at_ms, external_reference,
             ${REPORT_COLUMNS})
             WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 20000)
             SELECT 'filled-' || n, CASE WHEN n % 2 = 0 THEN 'demo-lender' ELSE 'other-lender' END, 1, 'complete', 0, 'order-' || n,
             ${reportValues('complete')} FROM counted`,
        )
        await queries.run('ANALYZE credit_report')
        const explained = collectPlans(queries, app.database, plans)
        const wanted = { tenantId: 'demo-lender', externalReference, limit: 20 }
        for (const after of [null, 'filled-9']) await listReports(explained, { ...wanted, after })
        throw new Error('undone')
      })
      await expect(filled).rejects.toThrow('undone')
      expect(plans).toHaveLength(2)
      for (const plan of plans) {
        expect(plan).toContain(index)
        expect(plan).not.toMatch(/Sort|TEMP B-TREE/)
      }
    })

    test('another tenant’s id as a cursor shows nothing of it', async () => {
      app.time.nowMs += 1
      const { creditReportId } = await start(testRequest('allow'))
      expect(idsOf(await list(`?after=${creditReportId}`))).toEqual(ids)
    })
  })

  test('lines of the ledger carry the reference', async () => {
    const { creditReportId } = await start({ ...liveRequest('Allow'), externalReference: 'order 7' })
    const { body } = await app.read(`/demo-lender/v1/wallet/lines?creditReportId=${creditReportId}`)
    expect(body.lines.map((line: { externalReference: string }) => line.externalReference)).toEqual([
      'order 7',
      'order 7',
    ])
  })
})
