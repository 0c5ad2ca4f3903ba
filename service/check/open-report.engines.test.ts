// A date of birth opens a completed report, on every engine: three wrong ones close it, however they arrive.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OpenResponse } from '../../contract/open-report.ts'
import { sampleRequest } from '../../contract/samples.ts'
import { eraseReport } from '../../plugins/people/erase-report.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { createTestApp, liveRequest, type TestApp, testRequest } from '../../testing/test-app.ts'
import { joinPlugins } from '../plugin.ts'

const noPlugins = joinPlugins([])

onEachEngine('a date of birth', (place) => {
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp(await place())
  })
  afterAll(() => app.close())

  const RIGHT = sampleRequest.dateOfBirth
  const WRONG = '1970-01-01'
  const complete = async (request: object = liveRequest('Allow')) =>
    (await app.generate(request)).body.data.creditReportId

  async function open(creditReportId: string, dateOfBirth: unknown, token = 'demo-lender') {
    const { status, body } = await app.call(
      `/${token}/v1/credit-reports/${creditReportId}/open`,
      { dateOfBirth },
      { token },
    )
    return status === 200 ? OpenResponse.parse(body).data : { status, code: body.code }
  }

  test('opens the report when it is right, as often as it is given', async () => {
    const creditReportId = await complete()
    for (const _time of [1, 2, 3, 4]) {
      expect(await open(creditReportId, RIGHT)).toEqual({ creditReportId, status: 'open', attemptsRemaining: 3 })
    }
  })

  test('closes the report for good when three are wrong', async () => {
    const creditReportId = await complete()
    const wrong = (attemptsRemaining: number) => ({ creditReportId, status: 'wrong', attemptsRemaining })
    expect(await open(creditReportId, WRONG)).toEqual(wrong(2))
    expect(await open(creditReportId, RIGHT)).toEqual({ creditReportId, status: 'open', attemptsRemaining: 2 })
    expect(await open(creditReportId, WRONG)).toEqual(wrong(1))
    expect(await open(creditReportId, WRONG)).toEqual(wrong(0))
    expect(await open(creditReportId, RIGHT)).toEqual(wrong(0))
    expect((await app.call(`/demo-lender/v1/credit-reports/${creditReportId}`)).body.data).toHaveProperty(
      'creditReport',
    )
  })

  test('is compared three times, of thirty that arrive at once', async () => {
    const creditReportId = await complete()
    const dates = Array.from({ length: 30 }, (_, index) => `1970-01-${String(index + 1).padStart(2, '0')}`)
    const answers = await Promise.all(dates.map((date) => open(creditReportId, date)))
    const left = answers.map((answer) => 'attemptsRemaining' in answer && answer.attemptsRemaining)
    expect(left.toSorted().reverse().slice(0, 4)).toEqual([2, 1, 0, 0])
    expect(await open(creditReportId, RIGHT)).toMatchObject({ status: 'wrong', attemptsRemaining: 0 })
  })

  test('opens a report of test mode too', async () => {
    expect(await open(await complete(testRequest('allow')), RIGHT)).toMatchObject({ status: 'open' })
  })

  const notFound = { status: 404, code: 'credit-report-not-found' }

  test('finds no report that is unknown, in progress, erased or another lender’s', async () => {
    expect(await open('018f6f5e-0000-7000-8000-000000000000', RIGHT)).toEqual(notFound)
    expect(await open(await complete(liveRequest()), RIGHT)).toEqual(notFound)
    expect(await open(await complete(testRequest('challenge')), RIGHT)).toEqual(notFound)
    expect(await open(await complete(), RIGHT, await app.newTenant(0))).toEqual(notFound)
    const erased = await complete()
    await eraseReport(app.database, { creditReportId: erased, nowMs: app.time.nowMs, plugins: noPlugins })
    expect(await open(erased, RIGHT)).toEqual(notFound)
  })

  test.each(['', '27/03/1985', '1985-3-27', null, 19850327])(
    'is refused when it is %j, and counts nothing',
    async (date) => {
      const creditReportId = await complete()
      expect(await open(creditReportId, date)).toEqual({ status: 400, code: 'validation-error' })
      expect(await open(creditReportId, RIGHT)).toMatchObject({ attemptsRemaining: 3 })
    },
  )
})
