// One check, step by step, on every engine.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { ReportTimeline } from '../../contract/report-timeline.ts'
import { deriveKeys } from '../../service/keys.ts'
import { ProviderUnavailable } from '../../service/providers/providers.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { createFaultyProviders } from '../../testing/faulty-providers.ts'
import { createTestApp, liveRequest, type TestApp, testRequest } from '../../testing/test-app.ts'
import { addEndpoint } from '../webhooks/endpoints.ts'

onEachEngine('the timeline of a check', (place) => {
  const { faults, reset, providers } = createFaultyProviders()
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp({ ...(await place()), providers })
  })
  afterEach(reset)
  afterAll(() => app.close())

  const REPORTS = '/demo-lender/v1/credit-reports'
  const later = (ms: number) => {
    app.time.nowMs += ms
  }
  const start = async (body: object) => {
    later(1_000)
    return (await app.generate(body)).body.data
  }
  const read = async (creditReportId: string) => {
    const { body } = await app.call(`${REPORTS}/${creditReportId}/timeline`)
    return ReportTimeline.parse(body.data)
  }
  const saysOf = async (creditReportId: string) => (await read(creditReportId)).events.map(({ says }) => says)
  const newest = async () => (await app.call(`${REPORTS}?limit=1`)).body.data.creditReports[0].creditReportId

  test('a code, texts, attempts, agencies and who was given the report', async () => {
    const { webhooks } = deriveKeys(app.config.secretKeys)
    const url = 'https://lender.example/hook'
    await addEndpoint(app.database, webhooks, { tenantId: 'demo-lender', url, nowMs: app.time.nowMs })
    const started = await start({ ...liveRequest(), externalReference: 'order 9' })
    later(2_000)
    await app.resend(started)
    later(2_000)
    await app.submit(started, 'wrong')
    const wrongAt = new Date(app.time.nowMs).toISOString()
    later(2_000)
    faults.bureau = async (bureau) => {
      throw new ProviderUnavailable(bureau, 'time-out')
    }
    const [, code] = await app.codes(started.creditReportId)
    expect((await app.submit(started, code)).status).toBe(503)
    delete faults.bureau
    later(1_000)
    await app.submit(started, code)
    later(1_000)
    for (let reads = 0; reads < 2; reads += 1) await app.call(`${REPORTS}/${started.creditReportId}`)
    const timeline = await read(started.creditReportId)
    expect(timeline).toMatchObject({
      status: 'complete',
      test: false,
      externalReference: 'order 9',
      why: 'Your credit check is complete, and we have your report.',
    })
    expect(timeline.events.map(({ says }) => says.replace(/\d+ ms/, '0 ms'))).toEqual([
      'Check requested from Equifax and Experian.',
      'The device was verified.',
      'Risk assessment, answered in 0 ms: a code is needed.',
      'Text 1 was sent.',
      'Text 1 was delivered.',
      'Text 2 was sent.',
      'Text 2 was delivered.',
      'Wrong code; 2 attempts are left.',
      'The code was right.',
      'The agencies gave no report; the same code could be sent again.',
      'Equifax answered, in 0 ms.',
      'Experian answered, in 0 ms.',
      'The report was completed.',
      'Webhook credit-report.completed to https://lender.example/hook: not delivered yet.',
      'Report given to API client demo-lender.',
      'Report read by API client demo-lender, 2 times so far.',
    ])
    expect(timeline.events.find(({ outcome }) => outcome === 'wrong')?.at).toBe(wrongAt)
    expect(timeline.events.find(({ type }) => type === 'webhook')).toMatchObject({
      who: url,
      nextAt: expect.any(String),
    })
    const personal = JSON.stringify(timeline)
    for (const fact of [liveRequest().lastName, liveRequest().mobileNumber, liveRequest().dateOfBirth]) {
      expect(personal).not.toContain(fact)
    }
  })

  test.each([
    ['risk says no', () => start(liveRequest('Block')), 'risk', 'This says nothing about your credit'],
    ['no code is needed', () => start(liveRequest('Allow')), undefined, 'we have your report'],
    ['the device is unknown', unknownDevice, 'device', 'We could not verify the device'],
    ['the codes are wrong', wrongThrice, 'attempts', 'typed wrong 3 times'],
    ['no code comes', expire, 'timeout', 'not entered in time'],
    ['no text arrives', noText, 'timeout', 'could not be delivered to your phone'],
    ['the agencies stay away', agenciesAway, 'agencies', 'agencies did not answer in time'],
    ['a provider is away', providerAway, 'provider', 'did not answer'],
    [
      'there is no number',
      () => start({ ...liveRequest(), mobileNumber: undefined }),
      'mobile-number',
      'mobile number',
    ],
  ])('%s: the reason, and a sentence for the consumer', async (_what, end, reason, why) => {
    await end()
    const timeline = await read(await newest())
    expect(timeline.reason).toBe(reason)
    expect(timeline.why).toContain(why)
  })

  test('each wrong code says how many attempts are left', async () => {
    await wrongThrice()
    const { events } = await read(await newest())
    expect(events.filter(({ outcome }) => outcome === 'wrong').map(({ says }) => says)).toEqual([
      'Wrong code; 2 attempts are left.',
      'Wrong code; 1 attempt is left.',
      'Wrong code; no attempt is left.',
    ])
  })

  async function unknownDevice() {
    const started = await start({ ...liveRequest(), sessionId: 'unknown' })
    await app.submit(started, 'any')
  }
  async function wrongThrice() {
    const started = await start(liveRequest())
    for (const code of ['a', 'b', 'c']) await app.submit(started, code)
  }
  async function expire() {
    const started = await start(liveRequest())
    later(300_001)
    await app.sweeper.sweep()
    return started
  }
  async function noText() {
    const { creditReportId } = await expire()
    await app.database.run(`UPDATE text_message SET status = 'undelivered' WHERE report_id = ?`, creditReportId)
  }
  async function agenciesAway() {
    const started = await start(liveRequest())
    faults.bureau = async (bureau) => {
      throw new ProviderUnavailable(bureau, 'time-out')
    }
    await app.submit(started, (await app.codes(started.creditReportId))[0])
    later(300_001)
    await app.sweeper.sweep()
  }
  async function providerAway() {
    faults.risk = async () => {
      throw new ProviderUnavailable('risk', 'time-out')
    }
    await start(liveRequest())
  }

  test('a test check has one too', async () => {
    const started = await start(testRequest('challenge'))
    expect(await saysOf(started.creditReportId)).toEqual([
      'Test check requested from Equifax and Experian.',
      'Chosen for this test: a code is needed.',
      'Text 1 was simulated.',
    ])
    await app.submit(started, '123456')
    expect((await read(started.creditReportId)).why).toMatch(/^This was a test\. Your credit check is complete/)
  })

  test('an erased check says so, and a report whose time is over', async () => {
    const closed = await start(testRequest('allow'))
    await app.database.run('DELETE FROM sealed_report WHERE report_id = ?', closed.creditReportId)
    expect((await saysOf(closed.creditReportId)).at(-1)).toBe('The report is no longer kept.')
    await app.fetch(
      new Request(`http://service.test${REPORTS}/${closed.creditReportId}`, {
        method: 'DELETE',
        headers: { Authorization: 'Bearer demo-lender' },
      }),
    )
    expect((await saysOf(closed.creditReportId)).at(-1)).toBe('Erased by API client demo-lender.')
  })

  test('another lender, and an id that no one has, get 404', async () => {
    const { creditReportId } = await start(testRequest('allow'))
    const path = `/other-lender/v1/credit-reports/${creditReportId}/timeline`
    const foreign = await app.call(path, undefined, { token: 'other-lender' })
    expect([foreign.status, foreign.body.code]).toEqual([404, 'credit-report-not-found'])
    expect((await app.call(`${REPORTS}/nothing/timeline`)).status).toBe(404)
  })
})
