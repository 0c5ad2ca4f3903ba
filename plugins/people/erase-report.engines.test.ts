import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyMoment as plugins } from '../../portal/commands.ts'
import type { ReportRow } from '../../service/check/tables.ts'
import { deriveKeys } from '../../service/keys.ts'
import { createLog } from '../../service/log.ts'
import { ProviderUnavailable, type RiskDecision, type SmsProvider } from '../../service/providers/providers.ts'
import { SEND_LEASE_MS } from '../../service/texts/outbox.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { createTestApp, liveRequest, type TestApp } from '../../testing/test-app.ts'
import { isClean, reconcile } from '../statement/reconcile.ts'
import { addEndpoint } from '../webhooks/endpoints.ts'
import { eraseReport } from './erase-report.ts'

onEachEngine('erasing a report', (place) => {
  let app: TestApp
  let logged: string[] = []
  let sms: SmsProvider['send'] = async () => 'delivered'
  beforeAll(async () => {
    const log = createLog({ level: 'warn', to: { write: (line) => void logged.push(line) } })
    app = await createTestApp({ ...(await place()), log, providers: { sms: { send: (...text) => sms(...text) } } })
  })
  afterAll(async () => {
    expect(isClean(await reconcile(app.database))).toBe(true)
    await app.close()
  })
  const erase = (creditReportId: string) =>
    eraseReport(app.database, { creditReportId, nowMs: app.time.nowMs, plugins })

  test('ends its open challenge and gives back what was held, for the report and for a text that never left', async () => {
    sms = () => Promise.reject(new ProviderUnavailable('sms', 'unreachable'))
    const before = await app.wallet()
    const { data } = (await app.generate(liveRequest())).body
    app.time.nowMs += SEND_LEASE_MS + 1
    expect(await erase(data.creditReportId)).toBe(true)
    expect(await app.wallet()).toEqual(before)

    logged = []
    let sent = 0
    sms = async () => {
      sent += 1
      return 'delivered'
    }
    expect(await app.sweeper.sweep()).toMatchObject({ queuedTexts: 0, expiredChallenges: 0 })
    expect({ sent, logged }).toEqual({ sent: 0, logged: [] })
    expect(await app.submit(data, '000000')).toMatchObject({ status: 410, body: { code: 'challenge-expired' } })
    expect((await app.resend(data)).status).toBe(410)
    expect(await erase(data.creditReportId)).toBe(false)
  })

  test('takes along what was said about it, and nothing of another report', async () => {
    sms = () => Promise.reject(new ProviderUnavailable('sms', 'unreachable'))
    const token = await app.newTenant(10_000)
    const { webhooks } = deriveKeys(app.config.secretKeys)
    const endpoint = { tenantId: token, url: 'https://lender.example/hook', nowMs: app.time.nowMs }
    await addEndpoint(app.database, webhooks, endpoint)
    const make = async (lastName?: string) =>
      (await app.generate(liveRequest(lastName), { token })).body.data.creditReportId
    const [done, otherDone, open, otherOpen] = [await make('Allow'), await make('Allow'), await make(), await make()]
    app.time.nowMs += SEND_LEASE_MS + 1
    const said: unknown[] = []
    const act: Parameters<typeof eraseReport>[1]['act'] = {
      async transaction(work, tell) {
        const value = await app.database.transaction(work)
        said.push(typeof tell === 'function' ? tell() : tell)
        return value
      },
    }
    for (const creditReportId of [done, open])
      expect(await eraseReport(app.database, { creditReportId, nowMs: app.time.nowMs, plugins, act })).toBe(true)
    expect(said).toEqual([
      { object: done, tenantIds: [token] },
      { object: open, tenantIds: [token] },
    ])
    const queued = await app.database.all('SELECT report_id FROM webhook_delivery WHERE tenant_id = ?', token)
    expect(queued).toEqual([{ report_id: otherDone }])
    const texts = await app.database.all('SELECT report_id, status FROM text_message WHERE tenant_id = ?', token)
    expect(Object.fromEntries(texts.map(({ report_id, status }) => [report_id, status]))).toEqual({
      [open]: 'undelivered',
      [otherOpen]: 'queued',
    })
    const rows = await app.database.all<ReportRow>('SELECT * FROM credit_report WHERE tenant_id = ?', token)
    const statusOf = (id: string) => {
      const row = rows.find((each) => each.id === id)
      return [row?.status, row?.erased_at_ms, row?.external_reference]
    }
    const { externalReference } = liveRequest()
    expect([done, otherDone, open, otherOpen].map(statusOf)).toEqual([
      ['complete', app.time.nowMs, null],
      ['complete', null, externalReference],
      ['expired', app.time.nowMs, null],
      ['challenged', null, externalReference],
    ])
    expect(await app.lines(otherOpen, token)).toEqual(['hold report 500', 'hold text 40'])
    sms = async () => 'delivered'
  })

  test('keeps the key of a request that was answered: the same request again buys nothing', async () => {
    const key = { 'Idempotency-Key': `erased` }
    const { data } = (await app.generate(liveRequest('Allow'), key)).body
    await erase(data.creditReportId)
    const before = await app.wallet()
    expect((await app.generate(liveRequest('Allow'), key)).status).toBe(404)
    expect(await app.wallet()).toEqual(before)
  })

  test('leaves a text alone that is being sent: its receipt decides', async () => {
    sms = async () => 'accepted'
    const { data } = (await app.generate(liveRequest())).body
    await erase(data.creditReportId)
    expect(await app.lines(data.creditReportId)).toEqual(['hold report 500', 'hold text 40', 'release report 500'])
  })

  test('leaves one alone that is on its way to the gateway, up to the end of its lease', async () => {
    let deliver = () => {}
    const sending = new Promise<string>((isSending) => {
      sms = ({ creditReportId }) => {
        isSending(creditReportId)
        return new Promise((resolve) => {
          deliver = () => resolve('delivered')
        })
      }
    })
    const started = app.generate(liveRequest())
    const creditReportId = await sending
    app.time.nowMs += SEND_LEASE_MS
    await erase(creditReportId)
    expect(await app.lines(creditReportId)).toEqual(['hold report 500', 'hold text 40', 'release report 500'])
    deliver()
    await started
    expect((await app.lines(creditReportId)).at(-1)).toBe('capture text 40')
  })

  test('gives up one whose providers are still being asked: whatever they say, nothing is kept or charged', async () => {
    const asked: ((decision: RiskDecision) => void)[] = []
    const risk = { assess: () => new Promise<RiskDecision>((resolve) => asked.push(resolve)) }
    const slow = await createTestApp({ ...(await place()), providers: { risk } })
    const before = await slow.wallet()
    for (const decision of ['allow', 'challenge', 'block'] as const) {
      const answered = slow.generate(liveRequest(), { 'Idempotency-Key': decision })
      await expect.poll(() => asked.length).toBe(1)
      const pending = await slow.database.first<ReportRow>(`SELECT * FROM credit_report WHERE status = 'pending'`)
      const creditReportId = pending?.id ?? ''
      expect(await eraseReport(slow.database, { creditReportId, nowMs: slow.time.nowMs, plugins })).toBe(true)
      asked.pop()?.(decision)
      expect(await answered).toMatchObject({ status: 503, body: { code: 'unavailable' } })
      expect(await slow.lines(creditReportId)).toEqual(['hold report 500', 'release report 500'])
    }
    expect(await slow.database.all('SELECT report_id FROM sealed_report')).toEqual([])
    expect(await slow.database.all('SELECT report_id FROM idempotency')).toEqual([])
    expect(await slow.wallet()).toEqual(before)
    await slow.close()
  })

  test('does not touch the books of one that is complete', async () => {
    const { data } = (await app.generate(liveRequest('Allow'))).body
    expect(await erase(data.creditReportId)).toBe(true)
    expect(await app.lines(data.creditReportId)).toEqual(['hold report 500', 'capture report 500'])
  })

  test('and the right code at the same moment: one of them wins, and the credits go one way', async () => {
    const codes = new Map<string, string>()
    sms = async ({ creditReportId, body }) => {
      codes.set(creditReportId, body.slice(0, 6))
      return 'delivered'
    }
    for (let round = 0; round < 10; round += 1) {
      const { data } = (await app.generate(liveRequest())).body
      const code = codes.get(data.creditReportId)
      const [submitted] = await Promise.all([app.submit(data, code), erase(data.creditReportId)])
      expect([200, 404, 410]).toContain(submitted.status)
      const settled = (await app.lines(data.creditReportId)).at(-1)
      expect(settled).toBe(submitted.status === 200 ? 'capture report 500' : 'release report 500')
    }
  })
})
