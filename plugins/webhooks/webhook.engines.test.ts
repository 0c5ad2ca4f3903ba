// Webhooks, on every engine: written with the fact, sent until they arrive, believed only when signed.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { WebhookEvent } from '../../contract/webhook-event.ts'
import type { KeyList } from '../../kit/keys.ts'
import { everyMoment } from '../../portal/commands.ts'
import { deriveKeys } from '../../service/keys.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { createTestApp, liveRequest, type TestApp, testRequest } from '../../testing/test-app.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../testing/webhook-receiver.ts'
import { setLowBalance } from '../limits/spend-alerts.ts'
import { eraseReport } from '../people/erase-report.ts'
import { forgetOldDeliveries, listDeliveries, resend, resendFailed } from './deliveries.ts'
import { addEndpoint, listEndpoints, removeEndpoint, rotateSecret } from './endpoints.ts'
import { queueWebhook } from './queue.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

onEachEngine('webhooks', (place) => {
  let app: TestApp
  let receiver: WebhookReceiver
  let key: KeyList
  let endpointId: string
  beforeAll(async () => {
    app = await createTestApp(await place())
    // The receiver is a published library and looks at the real clock.
    app.time.nowMs = Date.now()
    key = deriveKeys(app.config.secretKeys).webhooks
    receiver = await startWebhookReceiver()
    const tenantId = 'demo-lender'
    const added = await addEndpoint(app.database, key, { tenantId, url: receiver.url, nowMs: app.time.nowMs })
    receiver.state.secret = added?.secret ?? ''
    endpointId = added?.id ?? ''
  })
  afterEach(() => {
    receiver.state.misbehave = null
    receiver.received.length = 0
    receiver.refused.length = 0
    app.time.nowMs = Date.now()
  })
  afterAll(async () => {
    await receiver.close()
    await app.close()
  })

  const start = async (request: object) => (await app.generate(request)).body.data
  const events = () => receiver.received.map(({ type, data }) => ({ type, ...data }))
  const about = (creditReportId: string, status: string, test = false) => ({
    tenantId: 'demo-lender',
    creditReportId,
    status,
    externalReference: liveRequest().externalReference,
    test,
  })
  const deliveries = () => listDeliveries(app.database, { tenantId: 'demo-lender', limit: 100 })
  const fact = (creditReportId: string) =>
    queueWebhook(
      app.database,
      {
        type: 'credit-report.completed',
        data: { tenantId: 'demo-lender', creditReportId, status: 'complete', test: true },
      },
      app.time.nowMs,
    )

  test('every end of a report is sent once, with ids, status and reference', async () => {
    const allowed = await start(liveRequest('Allow'))
    const blocked = await start(liveRequest('Block'))
    const verified = await start(liveRequest())
    const [code] = await app.codes(verified.creditReportId)
    await app.submit(verified, code)
    await app.submit(verified, code)
    const failed = await start(testRequest('challenge'))
    for (let tries = 0; tries < 4; tries += 1) await app.submit(failed, '000000')
    const invented = await start(testRequest('allow'))
    expect(await app.webhooks.sendDue()).toBe(5)
    const agencies = liveRequest().bureaus?.map((id) => ({ id, status: 'answered' }))
    expect(events()).toEqual(
      expect.arrayContaining([
        { type: 'credit-report.completed', ...about(allowed.creditReportId, 'complete'), agencies },
        { type: 'credit-report.blocked', ...about(blocked.creditReportId, 'blocked') },
        { type: 'credit-report.completed', ...about(verified.creditReportId, 'complete'), agencies },
        { type: 'credit-report.failed', ...about(failed.creditReportId, 'failed', true) },
        { type: 'credit-report.completed', ...about(invented.creditReportId, 'complete', true), agencies },
      ]),
    )
    for (const { payload } of await deliveries()) expect(WebhookEvent.safeParse(JSON.parse(payload)).success).toBe(true)
    expect(receiver.refused).toEqual([])
    expect(await app.webhooks.sendDue()).toBe(0)
  })

  test('a report without a reference is sent without one', async () => {
    const { externalReference: _reference, ...request } = liveRequest('Block')
    const { creditReportId } = await start(request)
    const queued = (await deliveries()).find(({ payload }) => payload.includes(creditReportId))
    expect(JSON.parse(queued?.payload ?? '')).toMatchObject({ data: { creditReportId } })
    expect(queued?.payload).not.toContain('externalReference')
    await app.webhooks.sendDue()
  })

  test('a challenge that the sweeper ends is sent', async () => {
    const { creditReportId } = await start(liveRequest())
    app.time.nowMs += 300_001
    await app.sweeper.sweep()
    await app.webhooks.sendDue()
    const queued = (await deliveries()).find(({ payload }) => payload.includes(creditReportId))
    expect(queued).toMatchObject({ type: 'credit-report.expired' })
  })

  test('nothing is said about a person', async () => {
    const { firstName, lastName, mobileNumber, email } = liveRequest()
    const said = JSON.stringify(await deliveries())
    for (const personal of [firstName, lastName, mobileNumber, email])
      if (personal) expect(said).not.toContain(personal)
  })

  test('an erased report is not spoken of any more', async () => {
    const { creditReportId } = await start(liveRequest('Allow'))
    const spokenOf = async () => (await deliveries()).filter(({ payload }) => payload.includes(creditReportId)).length
    expect(await spokenOf()).toBe(1)
    await eraseReport(app.database, { creditReportId, nowMs: app.time.nowMs, plugins: everyMoment })
    expect(await spokenOf()).toBe(0)
  })

  test('what is undone is not sent: the event goes with its transaction', async () => {
    const before = (await deliveries()).length
    await expect(
      app.database.transaction(async (queries) => {
        const data = { tenantId: 'demo-lender', creditReportId: 'r', status: 'blocked' as const, test: true }
        await queueWebhook(queries, { type: 'credit-report.blocked', data }, app.time.nowMs)
        throw new Error('undone')
      }),
    ).rejects.toThrow('undone')
    expect(await deliveries()).toHaveLength(before)
  })

  test('a receiver that is away gets it when it is back, under the same id', async () => {
    receiver.state.misbehave = (_request, response) => response.writeHead(503).end()
    await fact('away')
    const startedMs = app.time.nowMs
    expect(await app.webhooks.sendDue()).toBe(1)
    expect(await app.webhooks.sendDue()).toBe(0)
    app.time.nowMs = startedMs + 5_000
    expect(await app.webhooks.sendDue()).toBe(1)
    const waiting = (await deliveries()).find(({ payload }) => payload.includes('"away"'))
    expect(waiting).toMatchObject({ status: 'queued', attempts: 2, lastOutcome: 'status 503' })
    expect(waiting?.dueAtMs).toBe(startedMs + 5_000 + 30_000)
    receiver.state.misbehave = null
    app.time.nowMs = startedMs + 35_000
    await app.webhooks.sendDue()
    expect(receiver.received.map(({ id }) => id)).toEqual([waiting?.id])
  })

  test('three days of silence park it; sent again, it arrives', async () => {
    let attempts = 0
    receiver.state.misbehave = (_request, response) => {
      attempts += 1
      response.writeHead(500).end()
    }
    await fact('silent')
    for (let hours = 0; hours <= 80; hours += 1) {
      app.time.nowMs += HOUR_MS
      await app.webhooks.sendDue()
    }
    const [parked] = await listDeliveries(app.database, { tenantId: 'demo-lender', limit: 1, status: 'parked' })
    expect(parked).toMatchObject({ status: 'parked', attempts, lastOutcome: 'status 500' })
    expect(attempts).toBeGreaterThan(10)
    receiver.state.misbehave = null
    app.time.nowMs = Date.now()
    const id = parked?.id ?? ''
    expect(await resend(app.database, { tenantId: 'other-lender', id, nowMs: app.time.nowMs })).toBeNull()
    expect(await resendFailed(app.database, { tenantId: 'demo-lender', nowMs: app.time.nowMs })).toBe(1)
    await app.webhooks.sendDue()
    expect(receiver.received.map((event) => event.id)).toEqual([id])
  })

  test('a lender that is back gets what waits for its next try at once', async () => {
    receiver.state.misbehave = (_request, response) => response.writeHead(500).end()
    await fact('waiting')
    await app.webhooks.sendDue()
    receiver.state.misbehave = null
    await app.webhooks.sendDue()
    expect(receiver.received).toEqual([])
    expect(await resendFailed(app.database, { tenantId: 'demo-lender', nowMs: app.time.nowMs })).toBe(1)
    await app.webhooks.sendDue()
    expect(receiver.received).toHaveLength(1)
    expect(await resendFailed(app.database, { tenantId: 'demo-lender', nowMs: app.time.nowMs })).toBe(0)
  })

  test('two senders at once send each event once', async () => {
    for (let index = 0; index < 20; index += 1) await fact(`twice ${index}`)
    await Promise.all([app.webhooks.sendDue(), app.webhooks.sendDue(), app.webhooks.sendDue()])
    await app.webhooks.sendDue()
    expect(receiver.received).toHaveLength(20)
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(20)
  })

  test('a sender that died leaves a lease that ends', async () => {
    await fact('stranded')
    await app.database.run(`UPDATE webhook_delivery SET due_at_ms = ? WHERE status = 'queued'`, app.time.nowMs + 30_000)
    expect(await app.webhooks.sendDue()).toBe(0)
    app.time.nowMs += 30_000
    expect(await app.webhooks.sendDue()).toBe(1)
    expect(receiver.received).toHaveLength(1)
  })

  test('while a secret is replaced, both are good; afterwards only the new one', async () => {
    const older = receiver.state.secret
    const rotate = (overlapMs: number, tenantId = 'demo-lender') => {
      const { nowMs } = app.time
      return rotateSecret(app.database, key, { tenantId, id: endpointId, nowMs, othersEndAtMs: nowMs + overlapMs })
    }
    const newer = await rotate(HOUR_MS)
    for (const secret of [older, newer?.secret ?? '']) {
      receiver.state.secret = secret
      await fact('rotated')
      await app.webhooks.sendDue()
    }
    expect(receiver.received).toHaveLength(2)
    const newest = await rotate(0)
    await fact('rotated again')
    await app.webhooks.sendDue()
    expect(receiver.refused).toEqual(['No matching signature found'])
    receiver.state.secret = newest?.secret ?? ''
    app.time.nowMs += 5_000
    await app.webhooks.sendDue()
    expect(receiver.received).toHaveLength(3)
    expect(await rotate(0, 'other-lender')).toBeNull()
  })

  test('secrets are not readable in the database', async () => {
    const row = await app.database.first('SELECT secrets FROM webhook_endpoint WHERE id = ?', endpointId)
    expect(Buffer.from(row?.secrets as Uint8Array).toString()).not.toContain('whsec_')
  })

  test('a wallet that falls below its threshold is sent', async () => {
    const token = await app.newTenant(1_400)
    const nowMs = app.time.nowMs
    const added = await addEndpoint(app.database, key, { tenantId: token, url: receiver.url, nowMs })
    const secret = receiver.state.secret
    receiver.state.secret = added?.secret ?? ''
    await setLowBalance(app.database, { tenantId: token, credits: 1_000, nowMs })
    await app.generate(liveRequest('Allow'), { token })
    expect(await app.sweeper.sweep()).toMatchObject({ spendAlerts: 1 })
    await app.webhooks.sendDue()
    const low = { type: 'wallet.low', tenantId: token, balanceCredits: 900, thresholdCredits: 1_000 }
    expect(events().filter(({ type }) => type === 'wallet.low')).toEqual([low])
    receiver.state.secret = secret
  })

  test('one lender’s events go to its own endpoints; a removed one hears nothing', async () => {
    const other = 'other-lender'
    const nowMs = app.time.nowMs
    const added = await addEndpoint(app.database, key, { tenantId: other, url: receiver.url, nowMs })
    await app.generate(liveRequest('Block'), { token: other })
    expect(await listDeliveries(app.database, { tenantId: other, limit: 9 })).toHaveLength(1)
    const id = added?.id ?? ''
    expect(await removeEndpoint(app.database, { tenantId: 'demo-lender', id })).toBeNull()
    expect(await removeEndpoint(app.database, { tenantId: other, id })).toBe(receiver.url)
    expect(await app.webhooks.sendDue()).toBe(0)
    expect(await listEndpoints(app.database, other)).toEqual([])
  })

  test('the newest ten attempts are kept, each with its answer, also over a resend', async () => {
    receiver.state.misbehave = (_request, response) => response.writeHead(503).end()
    await fact('attempts')
    const find = async () => (await deliveries()).find(({ payload }) => payload.includes('"attempts"'))
    for (let count = 0; count < 12; count += 1) {
      await resend(app.database, { tenantId: 'demo-lender', id: (await find())?.id ?? '', nowMs: app.time.nowMs })
      await app.webhooks.sendDue()
    }
    receiver.state.misbehave = null
    await resend(app.database, { tenantId: 'demo-lender', id: (await find())?.id ?? '', nowMs: app.time.nowMs })
    await app.webhooks.sendDue()
    const delivery = await find()
    expect(delivery).toMatchObject({ url: receiver.url, endpointId, status: 'delivered', attempts: 1 })
    expect(delivery?.log.map(({ outcome }) => outcome)).toEqual([...Array(9).fill('status 503'), 'delivered'])
    for (const { atMs, tookMs } of delivery?.log ?? []) {
      expect(Math.abs(atMs - Date.now())).toBeLessThan(60_000)
      expect(tookMs).toBeGreaterThanOrEqual(0)
    }
  })

  test('a test event is sent once, also while another sender looks', async () => {
    let sentMeanwhile: Promise<number> | undefined
    receiver.state.misbehave = () => {
      sentMeanwhile ??= app.webhooks.sendDue()
      return 'behave'
    }
    const sent = await app.webhooks.sendTest(app.database, { tenantId: 'demo-lender', id: endpointId })
    expect(sent).toMatchObject({ type: 'endpoint.test', status: 'delivered', attempts: 1 })
    await sentMeanwhile
    expect(receiver.received.filter(({ type }) => type === 'endpoint.test')).toHaveLength(1)
    expect(await app.webhooks.sendTest(app.database, { tenantId: 'other-lender', id: endpointId })).toBeNull()
  })

  test('what arrived is listed for seven days, what was parked for thirty, what waits until it is sent', async () => {
    const id = (name: string) => `kept-${name}`
    const idsLeft = async () => {
      const rows = await app.database.all<{ id: string }>(
        `SELECT report_id AS id FROM webhook_delivery WHERE report_id LIKE 'kept-%' ORDER BY report_id`,
      )
      return rows.map((row) => row.id)
    }
    const queuedAtMs = app.time.nowMs
    for (const status of ['delivered', 'parked', 'queued']) {
      await fact(id(status))
      await app.database.run('UPDATE webhook_delivery SET status = ? WHERE report_id = ?', status, id(status))
    }
    const forgetAfter = (days: number, ms = 0) => forgetOldDeliveries(app.database, queuedAtMs + days * DAY_MS + ms)
    await forgetAfter(7)
    expect(await idsLeft()).toEqual([id('delivered'), id('parked'), id('queued')])
    await forgetAfter(7, 1)
    expect(await idsLeft()).toEqual([id('parked'), id('queued')])
    await forgetAfter(30)
    expect(await idsLeft()).toEqual([id('parked'), id('queued')])
    await forgetAfter(30, 1)
    expect(await idsLeft()).toEqual([id('queued')])
    await app.database.run('DELETE FROM webhook_delivery WHERE report_id = ?', id('queued'))
  })
})
