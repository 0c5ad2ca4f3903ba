// Lists and search, on every engine: the same answers as reading every report would give, and nothing of another
// lender.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { REASONS, REPORT_STATES } from '../../contract/report-list.ts'
import { shortReference } from '../../contract/short-reference.ts'
import { newId } from '../../kit/new-id.ts'
import { findReports } from '../../plugins/look-up/find-reports.ts'
import {
  findByShortReference,
  listReports,
  listReportsBy,
  type ReportFilter,
} from '../../service/check/list-reports.ts'
import { describe as describeReport } from '../../service/check/read-report.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { collectPlans } from '../../testing/explain.ts'
import { REPORT_COLUMNS, reportValues } from '../../testing/report-rows.ts'
import { createTestApp, liveRequest, type TestApp, testRequest } from '../../testing/test-app.ts'

onEachEngine('finding a report', (place) => {
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp(await place())
  })
  afterAll(() => app.close())

  const REPORTS = '/demo-lender/v1/credit-reports'
  const LIMIT = 50
  const idsOf = (reports: readonly { creditReportId: string }[]) => reports.map(({ creditReportId }) => creditReportId)
  const list = async (query: string, tenant = 'demo-lender') => {
    const { body } = await app.call(`/${tenant}/v1/credit-reports?${query}`, undefined, { token: tenant })
    return body.data ? idsOf(body.data.creditReports) : body.message
  }
  const find = async (typed: string, tenantId = 'demo-lender') =>
    idsOf(await findReports(app.database, { tenantId, typed, limit: LIMIT }))
  const start = async (body: object, headers = {}) => {
    app.time.nowMs += 1
    const answer = await app.generate(body, headers)
    return { ...answer.body.data, requestId: answer.headers.get('X-Request-Id') ?? '' }
  }

  test('by what the consumer reads out, in any spelling', async () => {
    const { creditReportId } = await start(liveRequest('Allow'))
    const short = shortReference(creditReportId)
    const spaced = `${short.slice(0, 4)} ${short.slice(4)}`
    for (const spelling of [short, spaced, spaced.toLowerCase(), ` ${short.slice(0, 4)}-${short.slice(4)} `]) {
      expect(await list(`reference=${encodeURIComponent(spelling)}`)).toEqual([creditReportId])
      expect(await find(spelling)).toEqual([creditReportId])
    }
    const { body } = await app.call(`${REPORTS}?reference=${short}`)
    expect(body.data.creditReports).toMatchObject([{ creditReportId, reference: short }])
    expect(await list('reference=K7QM2F9')).toContain('reference: must be the eight letters and digits')
    expect(await list('reference=AAAAAAAA')).toEqual([])
    for (const [name, value] of Object.entries({ reference: short, externalReference: 'order-1' }))
      for (const filter of ['status=complete', 'reason=risk', 'test=false'])
        expect(await list(`${name}=${value}&${filter}`)).toContain(
          `${name}: cannot be combined with status, reason or test`,
        )
  })

  test('by the first half of what the consumer reads out, at least', async () => {
    const { creditReportId } = await start(liveRequest('Allow'))
    const short = shortReference(creditReportId)
    for (const typed of [
      short.slice(0, 4),
      short.slice(0, 5),
      `${short.slice(0, 4)} ${short.slice(4, 6)}`.toLowerCase(),
    ])
      expect(await find(typed)).toEqual([creditReportId])
    for (const typed of [short.slice(0, 3), `${short}A`, short.slice(4), `${short.slice(0, 4)}0`])
      expect(await find(typed)).not.toContain(creditReportId)
    expect(await find(short.slice(0, 4), 'other-lender')).toEqual([])
    // The first and the last that begin so.
    for (const reference of ['K7QM2222', 'K7QMZZZZ']) {
      await app.database.run('UPDATE credit_report SET short_reference = ? WHERE id = ?', reference, creditReportId)
      expect(await find('k7qm')).toEqual([creditReportId])
    }
  })

  test('by what the consumer reads out, of one day and behind a cursor', async () => {
    const { creditReportId } = await start(testRequest('allow'))
    const short = shortReference(creditReportId)
    const day = new Date(app.time.nowMs).toISOString().slice(0, 10)
    expect(await list(`reference=${short}&from=${day}&to=${day}`)).toEqual([creditReportId])
    expect(await list(`reference=${short}&from=2026-01-01&to=2026-01-01`)).toEqual([])
    expect(await list(`reference=${short}&from=2030-01-01&to=2030-01-01`)).toEqual([])
    // Made at midnight in London, an hour before that of UTC: on the day that begins.
    const atMidnight = 'UPDATE credit_report SET created_at_ms = ? WHERE id = ?'
    await app.database.run(atMidnight, Date.parse('2027-05-31T23:00:00Z'), creditReportId)
    expect(await list(`reference=${short}&from=2027-05-31&to=2027-05-31`)).toEqual([])
    expect(await list(`reference=${short}&from=2027-06-01&to=2027-06-01`)).toEqual([creditReportId])
    // A cursor is the last report of the page before: only older ones follow.
    expect(await list(`reference=${short}&after=${creditReportId}`)).toEqual([])
    expect(await list(`reference=${short}&after=${newId(app.time.nowMs + 1)}`)).toEqual([creditReportId])
    expect(await list(`reference=${short}&after=${newId(app.time.nowMs - 1)}`)).toEqual([])
  })

  test('of many that fit, the newest are found, as many as were asked for', async () => {
    const made: string[] = []
    for (let count = 0; count < 3; count += 1)
      made.unshift((await start({ ...testRequest('block'), externalReference: 'many-1' })).creditReportId)
    const short = 'ABCDEFGH'
    for (const id of made)
      await app.database.run('UPDATE credit_report SET short_reference = ? WHERE id = ?', short, id)
    const some = async (typed: string, limit: number) =>
      idsOf(await findReports(app.database, { tenantId: 'demo-lender', typed, limit }))
    expect(await some('many-1', 2)).toEqual(made.slice(0, 2))
    expect(await some('many-1', 3)).toEqual(made)
    expect(await some('many-', 2)).toHaveLength(2)
    const found = await findByShortReference(app.database, { tenantId: 'demo-lender', reference: short, limit: 2 })
    expect(idsOf(found)).toEqual(made.slice(0, 2))
    // Whole ids and references come before beginnings, and both limits hold together.
    const [first = ''] = made
    await start({ ...testRequest('block'), externalReference: `${first.slice(0, 13)}x` })
    expect(await some(first.slice(0, 13), 1)).toHaveLength(1)
    expect(await some(first.slice(0, 13), 50)).toContain(first)
  })

  test('four digits are the least that an id is found by, and 32 the most', async () => {
    const { creditReportId } = await start(testRequest('block'))
    expect(await find(creditReportId.slice(0, 4))).toContain(creditReportId)
    expect(await find(creditReportId.slice(0, 3))).not.toContain(creditReportId)
    const digits = creditReportId.replaceAll('-', '')
    expect(await find(digits)).toEqual([creditReportId])
    expect(await find(`${digits}0`)).toEqual([])
    expect(await find(`${creditReportId}0`)).toEqual([])
    expect(await find(`${creditReportId}-`)).toEqual([])
  })

  test('a short reference, a request id and a reference that another lender has too find one’s own alone', async () => {
    const request = { ...testRequest('allow'), externalReference: 'shared-1' }
    const headers = { 'X-Request-Id': 'request-of-both' }
    const own = await start(request, headers)
    const theirs = (await app.generate(request, { token: 'other-lender', ...headers })).body.data
    const short = shortReference(own.creditReportId)
    await app.database.run('UPDATE credit_report SET short_reference = ? WHERE id = ?', short, theirs.creditReportId)
    for (const typed of [short, 'request-of-both', 'shared-1', 'shared-']) {
      expect(await find(typed)).toEqual([own.creditReportId])
      expect(await find(typed, 'other-lender')).toEqual([theirs.creditReportId])
    }
    expect(await list(`reference=${short}`, 'other-lender')).toEqual([theirs.creditReportId])
    // Whole ids, and their beginnings, of the other lender.
    for (const typed of [theirs.creditReportId, theirs.creditReportId.slice(0, 30)]) {
      expect(await find(typed)).toEqual([])
    }
  })

  test('by its id, a request’s id, the lender’s reference, or a beginning', async () => {
    const first = await start({ ...testRequest('allow'), externalReference: 'Order-20/ü %_' })
    const second = await start({ ...testRequest('block'), externalReference: 'Order-200' })
    const both = [first.creditReportId, second.creditReportId]
    expect(await find(first.creditReportId)).toEqual([first.creditReportId])
    expect(await find(first.creditReportId.toUpperCase())).toEqual([first.creditReportId])
    expect(await find(first.creditReportId.replaceAll('-', ''))).toEqual([first.creditReportId])
    expect(await find(first.creditReportId.slice(0, 20))).toEqual([first.creditReportId])
    expect(await find(first.requestId)).toEqual([first.creditReportId])
    expect(await find('Order-20/ü %_')).toEqual([first.creditReportId])
    expect(await find('Order-20/')).toEqual([first.creditReportId])
    expect(await find('Order-200')).toEqual([second.creditReportId])
    expect((await find('Order-20')).sort()).toEqual(both.sort())
    for (const typed of [
      '',
      ' ',
      '%',
      '_',
      'order-20',
      'Order-201',
      `'; --`,
      '\0',
      '\u202e',
      'x'.repeat(5_000),
      'abc',
    ]) {
      expect([typed, await find(typed)]).toEqual([typed, []])
    }
  })

  test('an erased report keeps its id and short reference, and loses what the caller chose', async () => {
    const erased = await start({ ...testRequest('allow'), externalReference: 'erase-me' })
    const { status } = await app.fetch(
      new Request(`http://service.test${REPORTS}/${erased.creditReportId}`, {
        method: 'DELETE',
        headers: { Authorization: 'Bearer demo-lender' },
      }),
    )
    expect(status).toBe(200)
    const short = shortReference(erased.creditReportId)
    expect(await find(short)).toEqual([erased.creditReportId])
    expect(await list(`reference=${short}`)).toEqual([])
    for (const typed of [erased.requestId, 'erase-me']) expect(await find(typed)).toEqual([])
  })

  test.each([
    ['a challenge without a number', async () => start({ ...liveRequest(), mobileNumber: undefined }), 'mobile-number'],
    ['a wrong code three times', wrongThrice, 'attempts'],
    ['a block', async () => start(liveRequest('Block')), 'risk'],
  ])('%s is listed with its reason', async (_what, end, reason) => {
    await end()
    const { body } = await app.call(`${REPORTS}?reason=${reason}&limit=1`)
    expect(body.data.creditReports).toMatchObject([{ reason }])
  })

  async function wrongThrice() {
    const started = await start(liveRequest())
    for (const code of ['a', 'b', 'c']) await app.submit(started, code)
  }

  test('a day is one in the United Kingdom', async () => {
    const at = async (iso: string) => {
      app.time.nowMs = Date.parse(iso)
      return (await start(testRequest('block'))).creditReportId
    }
    const winter = [await at('2027-01-14T23:59:58Z'), await at('2027-01-15T00:00:01Z')]
    expect(await list('from=2027-01-14&to=2027-01-14')).toEqual([winter[0]])
    expect(await list('from=2027-01-15&to=2027-01-15&test=true&status=blocked')).toEqual([winter[1]])
    const summer = [await at('2027-06-14T22:59:58Z'), await at('2027-06-14T23:00:01Z')]
    expect(await list('from=2027-06-14&to=2027-06-14')).toEqual([summer[0]])
    expect(await list('from=2027-06-15&to=2027-06-15')).toEqual([summer[1]])
    // Clocks go forward on 28 March and back on 31 October.
    for (const [day, fromIso, toIso] of [
      ['2027-03-28', '2027-03-28T00:00:00.000Z', '2027-03-28T22:59:59.999Z'],
      ['2027-10-31', '2027-10-30T23:00:00.000Z', '2027-10-31T23:59:59.999Z'],
    ] as const) {
      await at(new Date(Date.parse(fromIso) - 2).toISOString())
      const first = await at(new Date(Date.parse(fromIso) - 1).toISOString())
      const last = await at(new Date(Date.parse(toIso) - 1).toISOString())
      await at(toIso)
      expect(await list(`from=${day}&to=${day}`)).toEqual([last, first])
      expect(await list(`from=${day}&to=${day}&status=blocked`)).toEqual([last, first])
    }
    expect(await list('from=2027-02-30&to=2027-02-30')).toContain('from: must be a real date')
    expect(await list('test=yes')).toContain('test: ')
    expect(await list('status=done')).toContain('status: ')
  })

  describe('by mode, status and reason', () => {
    const lifetimeMs = 300_000
    const nowMs = Date.UTC(2028, 0, 1)
    const moments = { live: { nowMs, lifetimeMs }, test: { nowMs: nowMs + 7_200_000, lifetimeMs } }
    const times = { moments, nowMs }
    const page = { tenantId: 'wide-lender', after: null, limit: 1_000 }
    beforeAll(async () => {
      await app.database.run(`INSERT INTO tenant (id, name, created_at_ms) VALUES ('wide-lender', 'Wide', 1)`)
      for (const row of everyRow(nowMs)) {
        await app.database.run(
          `INSERT INTO credit_report (id, tenant_id, test, status, created_at_ms, challenge_id, sends, sent_1_at_ms,
               device_verified, completed_send, lease_until_ms, ${REPORT_COLUMNS})
             VALUES (?, 'wide-lender', ?, ?, ?, ?, ?, ?, ?, ?, ?, ${reportValues(row.status, row.ending)})`,
          newId(row.createdAtMs),
          row.test,
          row.status,
          row.createdAtMs,
          row.sentAtMs === null ? null : 'challenge',
          row.sentAtMs === null ? 0 : 1,
          row.test === 1 && row.sentAtMs !== null ? row.sentAtMs + 7_200_000 : row.sentAtMs,
          row.deviceVerified,
          row.completedSend,
          row.leaseUntilMs,
        )
      }
    })

    const everyReason = Object.values(REASONS).flat()
    const filters: ReportFilter[] = [undefined, false, true].flatMap((isTest) => [
      ...REPORT_STATES.map((status) => ({ test: isTest, status })),
      ...everyReason.map((reason) => ({ test: isTest, reason })),
      { test: isTest, status: 'failed', reason: 'device' } as const,
      { test: isTest, status: 'blocked', reason: 'device' } as const,
      ...(isTest === undefined ? [] : [{ test: isTest }]),
    ])

    test('each filter gives what reading every report gives, newest first', async () => {
      const all = (await listReports(app.database, { ...page, externalReference: null })).map((report) =>
        describeReport(report, report.test ? moments.test : moments.live, nowMs),
      )
      expect(all.length).toBeGreaterThan(100)
      for (const filter of filters) {
        const expected = all.filter(
          (item) =>
            (filter.test === undefined || item.test === filter.test) &&
            (filter.status === undefined || item.status === filter.status) &&
            (filter.reason === undefined || item.reason === filter.reason),
        )
        const found = idsOf(await listReportsBy(app.database, page, { filter, times }))
        expect([filter, found]).toEqual([filter, idsOf(expected)])
        // The second page goes on where the first ends.
        const [first, ...rest] = found
        if (first === undefined) continue
        const next = await listReportsBy(app.database, { ...page, after: first }, { filter, times })
        expect(idsOf(next)).toEqual(rest)
      }
    })

    test('every query is read off an index', async () => {
      const plans: string[] = []
      const filled = app.database.transaction(async (queries) => {
        await queries.run(
          `INSERT INTO credit_report (id, tenant_id, test, status, created_at_ms, ended_at_ms, ending, history,
             external_reference, request_id, short_reference)
             WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 20000)
             SELECT 'filled-' || n, CASE WHEN n % 2 = 0 THEN 'demo-lender' ELSE 'other-lender' END, 1, 'complete', 0, 0, 'complete', '{}',
               'order-' || n, 'request-' || n, 'short-' || n FROM counted`,
        )
        await queries.run('ANALYZE credit_report')
        const explained = collectPlans(queries, app.database, plans)
        const wanted = { ...page, tenantId: 'demo-lender', limit: 20 }
        for (const filter of filters) await listReportsBy(explained, wanted, { filter, times })
        await findByShortReference(explained, { ...wanted, reference: 'AAAAAAAA' })
        for (const typed of ['AAAAAAAA', 'K7QM', '019a', 'order-7']) {
          await findReports({ ...app.database, all: explained.all }, { ...wanted, typed })
        }
        throw new Error('undone')
      })
      await expect(filled).rejects.toThrow('undone')
      expect(plans.length).toBeGreaterThan(filters.length - 5)
      for (const plan of plans) {
        expect(plan).toMatch(/credit_report_of_|credit_report_pkey|PRIMARY KEY/)
        expect(plan).not.toMatch(/Seq Scan|SCAN credit_report\b/)
      }
    })
  })
})

type Row = {
  test: number
  status: string
  createdAtMs: number
  sentAtMs: number | null
  deviceVerified: number
  completedSend: number | null
  leaseUntilMs: number | null
  ending: string | undefined
}

type Facts = Pick<Row, 'deviceVerified' | 'completedSend' | 'leaseUntilMs'>

/** Every ending that a status can have. */
function endingOf(status: string, { deviceVerified, completedSend, leaseUntilMs }: Facts, nowMs: number) {
  if (status === 'failed' && leaseUntilMs === nowMs + 1) return 'funds'
  if (status === 'failed') return deviceVerified === 1 ? 'attempts' : 'device'
  if (status === 'expired' && completedSend !== null) return 'agencies'
  return undefined
}

/** A text is good for 300 seconds, and one from a clock that is up to 5 seconds ahead counts as sent now. */
const SENT_AGO_MS = [1_000, 299_999, 300_000, 300_001, 400_000, -5_000, -5_001]

/** Every state that a version of the service can leave behind, in both modes. */
function everyRow(nowMs: number): Row[] {
  const rows: Row[] = []
  const statuses = ['pending', 'challenged', 'complete', 'blocked', 'failed', 'expired']
  let ageMs = 0
  for (const test of [0, 1]) {
    for (const status of statuses) {
      for (const sentAgoMs of status === 'challenged' ? SENT_AGO_MS : [null, 1_000, 400_000]) {
        for (const deviceVerified of [0, 1]) {
          for (const completedSend of [null, 1]) {
            for (const leaseUntilMs of [null, nowMs - 1, nowMs, nowMs + 1]) {
              if (status === 'expired' && sentAgoMs === null) continue
              const ending = endingOf(status, { deviceVerified, completedSend, leaseUntilMs }, nowMs)
              const sentAtMs = sentAgoMs === null ? null : nowMs - sentAgoMs
              ageMs += 1_000
              const createdAtMs = nowMs - ageMs
              rows.push({ test, status, createdAtMs, sentAtMs, deviceVerified, completedSend, leaseUntilMs, ending })
            }
          }
        }
      }
    }
  }
  return rows
}
