// The answer of each agency, on every engine: in every answer about a report, and in its price.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { BUREAUS } from '../../contract/credit-report.ts'
import { readSpend } from '../../plugins/limits/spend-caps.ts'
import { isClean, reconcile } from '../../plugins/statement/reconcile.ts'
import { addEndpoint } from '../../plugins/webhooks/endpoints.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { createFaultyProviders } from '../../testing/faulty-providers.ts'
import { repeated } from '../../testing/repeated.ts'
import { createTestApp, liveRequest, type TestApp, testRequest } from '../../testing/test-app.ts'
import { deriveKeys } from '../keys.ts'
import { changeTenant } from '../ledger/tenants.ts'
import { ProviderUnavailable, type Unavailability } from '../providers/providers.ts'
import { createSimulatedBureau } from '../providers/simulated/simulated.ts'

onEachEngine('each agency answers for itself', (place) => {
  const { faults, providers } = createFaultyProviders()
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp({ ...(await place()), providers })
    await changeTenant(app.database, 'demo-lender', { require_all_bureaus: 0 })
    const url = 'https://lender.example/hook'
    const { webhooks } = deriveKeys(app.config.secretKeys)
    await addEndpoint(app.database, webhooks, { tenantId: 'demo-lender', url, nowMs: app.time.nowMs })
  })
  afterEach(() => {
    delete faults.bureau
  })
  afterAll(async () => {
    expect(isClean(await reconcile(app.database))).toBe(true)
    await app.close()
  })

  const { query } = createSimulatedBureau()
  const lose = (missing: { [bureau: string]: Unavailability }) => {
    faults.bureau = (bureau, ...rest) => {
      const reason = missing[bureau]
      return reason ? Promise.reject(new ProviderUnavailable(bureau, reason)) : query(bureau, ...rest)
    }
  }
  const everyBureau = (lastName: string) => ({ ...liveRequest(lastName), bureaus: [...BUREAUS] })
  const partial = [
    { id: 'equifax', status: 'unavailable' },
    { id: 'experian', status: 'not-asked' },
    { id: 'transunion', status: 'answered' },
  ]
  const read = async (creditReportId: string) =>
    (await app.call(`/demo-lender/v1/credit-reports/${creditReportId}`)).body.data
  const ledger = async (creditReportId: string) =>
    (await app.read(`/demo-lender/v1/wallet/lines?creditReportId=${creditReportId}`)).body.lines

  test('generate, GET, list and webhook say who is missing, and the lender pays for what was delivered', async () => {
    lose({ equifax: 'time-out', experian: 'circuit-open' })
    const before = await readSpend(app.database, 'demo-lender', app.time.nowMs)
    const headers = { 'Idempotency-Key': 'a-partial-report' }
    const { body } = await app.generate(everyBureau('Allow'), headers)
    const { creditReportId } = body.data
    expect(body.data.agencies).toEqual(partial)
    expect(body.meta.wallet.cost).toBe(500 - 333)
    expect((await app.generate(everyBureau('Allow'), headers)).body).toEqual(repeated(body))
    expect((await read(creditReportId)).agencies).toEqual(partial)
    const [item] = (await app.call('/demo-lender/v1/credit-reports?limit=1')).body.data.creditReports
    expect(item).toMatchObject({ creditReportId, agencies: partial })
    const hook = await app.database.first<{ payload: string }>(
      'SELECT payload FROM webhook_delivery WHERE report_id = ?',
      creditReportId,
    )
    expect(JSON.parse(hook?.payload ?? '').data).toMatchObject({ creditReportId, agencies: partial })

    const agencies = { asked: 3, delivered: 1 }
    expect(await ledger(creditReportId)).toMatchObject([
      { kind: 'top-up', credits: 333, creditReportId, agencies },
      { kind: 'capture', credits: -500, agencies },
      { kind: 'hold', credits: -500 },
    ])
    expect((await app.wallet()).balanceCredits).toBe(body.meta.wallet.balance)
    const spentNow = await readSpend(app.database, 'demo-lender', app.time.nowMs)
    for (const { purpose, period, spentCredits } of spentNow) {
      if (purpose !== 'report') continue
      const was = before.find((each) => each.purpose === purpose && each.period === period)?.spentCredits ?? 0
      expect(spentCredits - was).toBe(500 - 333)
    }
  })

  test('the same after a code, once, also when the code is sent again', async () => {
    lose({ transunion: 'garbage' })
    const started = (await app.generate(everyBureau('Example'))).body.data
    expect(started).not.toHaveProperty('agencies')
    const [code = ''] = await app.codes(started.creditReportId)
    const given = await app.submit(started, code)
    const again = await app.submit(started, code)
    for (const { body } of [given, again]) {
      expect(body.data.agencies.map(({ status }: { status: string }) => status)).toEqual([
        'answered',
        'answered',
        'unavailable',
      ])
    }
    expect((await app.lines(started.creditReportId)).toSorted()).toEqual([
      'capture report 500',
      'capture text 40',
      'hold report 500',
      'hold text 40',
      'top-up top-up 166',
    ])
    expect((await app.wallet()).balanceCredits).toBe(again.body.meta.wallet.balance)
  })

  test('a file that an agency does not have is delivered, and paid for', async () => {
    const { body } = await app.generate({ ...everyBureau('Allow'), email: 'test001@example.com' })
    expect(body.data.agencies).toEqual(BUREAUS.map((id) => ({ id, status: 'no-file' })))
    expect(body.meta.wallet.cost).toBe(500)
    expect(await app.lines(body.data.creditReportId)).toEqual(['hold report 500', 'capture report 500'])
  })

  test('test mode says it too, and not before its code', async () => {
    const bureaus = ['equifax', 'experian']
    const agencies = bureaus.map((id) => ({ id, status: 'answered' }))
    const started = (await app.generate({ ...testRequest('challenge'), bureaus })).body.data
    expect(await read(started.creditReportId)).not.toHaveProperty('agencies')
    expect((await app.submit(started, '123456')).body.data.agencies).toEqual(agencies)
    expect((await read(started.creditReportId)).agencies).toEqual(agencies)
  })
})
