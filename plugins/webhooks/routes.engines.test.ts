// Webhooks and deliveries over the API, for a lender's servers, on both engines.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { MadeWebhook, WebhookDeliveries, WebhookDelivery, Webhooks } from '../../contract/integration.ts'
import { dataOf } from '../../testing/data-of.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../testing/webhook-receiver.ts'
import { listDoctorReports } from '../stats/doctor.ts'
import { queueWebhook } from './queue.ts'

onEachEngine('integration over the API', (place) => {
  let app: TestApp
  let receiver: WebhookReceiver
  beforeAll(async () => {
    app = await createTestApp(await place())
    app.time.nowMs = Date.now()
    receiver = await startWebhookReceiver()
  })
  afterEach(() => {
    receiver.state.misbehave = null
  })
  afterAll(async () => {
    await receiver?.close()
    await app?.close()
  })

  async function ask(token: string, route: string, body?: unknown, tenantId = token) {
    const [method = '', path = ''] = route.split(' ')
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const url = `http://service.test/${tenantId}/v1${path}`
    const given = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await app.fetch(new Request(url, { method, headers, ...given }))
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? null : dataOf(JSON.parse(text)) }
  }

  async function add(token: string, url = receiver.url) {
    const { status, body } = await ask(token, 'POST /webhooks', { url })
    expect(status).toBe(201)
    expect(MadeWebhook.parse(body)).toEqual(body)
    receiver.state.secret = body.signingSecret
    return body.id as string
  }

  test('a webhook is added, tested, rotated and removed; its secret is in one answer', async () => {
    const token = await app.newTenant(0)
    const id = await add(token)
    const listed = await ask(token, 'GET /webhooks')
    expect(Webhooks.parse(listed.body)).toEqual({ webhooks: [{ id, url: receiver.url }] })
    expect(await ask(token, `GET /webhooks/${id}`)).toMatchObject({ status: 200, body: { id, url: receiver.url } })
    const tested = await ask(token, `POST /webhooks/${id}/test`)
    expect(tested.status).toBe(200)
    expect(WebhookDelivery.parse(tested.body)).toEqual(tested.body)
    expect(tested.body).toMatchObject({ type: 'endpoint.test', status: 'delivered', attempts: 1, webhookId: id })
    expect(JSON.parse(tested.body.body)).toMatchObject({ data: { tenantId: token, endpointId: id } })
    const rotated = await ask(token, `POST /webhooks/${id}/secret`)
    expect(rotated).toMatchObject({ status: 201, body: { id, url: receiver.url, signingSecret: expect.any(String) } })
    const { signingSecret } = rotated.body
    const answers = JSON.stringify([listed.body, tested.body, (await ask(token, 'GET /webhooks')).body])
    for (const secret of [receiver.state.secret, signingSecret]) expect(answers).not.toContain(secret)
    receiver.state.secret = signingSecret
    expect((await ask(token, `POST /webhooks/${id}/test`)).body.status).toBe('delivered')
    expect((await ask(token, `DELETE /webhooks/${id}`)).status).toBe(204)
    expect((await ask(token, `DELETE /webhooks/${id}`)).status).toBe(404)
  })

  test.each([
    ['no address', {}],
    ['a password in it', { url: 'https://user:pass@shop.example/' }],
    ['another scheme', { url: 'file:///etc/passwd' }],
    ['a number', { url: 5 }],
    ['too long', { url: `https://shop.example/${'x'.repeat(500)}` }],
  ])('%s is refused', async (_name, body) => {
    const token = await app.newTenant(0)
    const answer = await ask(token, 'POST /webhooks', body)
    expect([answer.status, answer.body.code]).toEqual([400, 'validation-error'])
    expect((await ask(token, 'GET /webhooks')).body).toEqual({ webhooks: [] })
  })

  test('deliveries are listed in pages, found by id and sent again', async () => {
    const token = await app.newTenant(0)
    await add(token)
    for (let count = 0; count < 5; count += 1) {
      const data = { tenantId: token, creditReportId: `r${count}`, status: 'complete', test: true } as const
      await queueWebhook(app.database, { type: 'credit-report.completed', data }, app.time.nowMs + count)
    }
    const ids: string[] = []
    let query = '?limit=2'
    for (;;) {
      const { body } = await ask(token, `GET /webhook-deliveries${query}`)
      expect(WebhookDeliveries.parse(body)).toEqual(body)
      ids.push(...body.deliveries.map(({ id }: { id: string }) => id))
      if (body.nextAfter === undefined) break
      query = `?limit=2&after=${body.nextAfter}`
    }
    expect(ids).toEqual([...new Set(ids)].sort().reverse())
    expect(ids).toHaveLength(5)
    receiver.state.misbehave = (_request, response) => response.writeHead(500).end()
    app.time.nowMs += 10
    await app.webhooks.sendDue()
    const failed = await ask(token, `GET /webhook-deliveries/${ids.at(-1)}`)
    expect(failed.body).toMatchObject({ status: 'queued', lastOutcome: 'status 500', nextTryAt: expect.any(String) })
    expect(failed.body.newestAttempts).toHaveLength(1)
    const again = await ask(token, `POST /webhook-deliveries/${ids.at(-1)}/resend`)
    expect(again.body).toMatchObject({ status: 'queued', attempts: 0 })
    expect((await ask(token, 'GET /webhook-deliveries?status=parked')).body).toEqual({ deliveries: [] })
    for (const wrong of ['?limit=0', '?status=lost', '?page=2', '?limit=201'])
      expect((await ask(token, `GET /webhook-deliveries${wrong}`)).status).toBe(400)
  })

  test('a delivery is shown whole: what is known of it, and when it is tried again while it waits', async () => {
    const token = await app.newTenant(0)
    const webhookId = await add(token)
    const data = { tenantId: token, creditReportId: 'r1', status: 'complete', test: true } as const
    await queueWebhook(app.database, { type: 'credit-report.completed', data }, app.time.nowMs)
    const createdAt = new Date(app.time.nowMs).toISOString()
    const read = async () => (await ask(token, 'GET /webhook-deliveries')).body
    const waiting = {
      id: expect.any(String),
      webhookId,
      url: receiver.url,
      type: 'credit-report.completed',
      creditReportId: 'r1',
      status: 'queued',
      attempts: 0,
      createdAt,
      nextTryAt: createdAt,
      body: expect.stringContaining('"creditReportId":"r1"'),
      newestAttempts: [],
    }
    expect(await read()).toEqual({ deliveries: [waiting] })
    await app.webhooks.sendDue()
    const { nextTryAt: _waited, ...known } = waiting
    expect(await read()).toEqual({
      deliveries: [
        {
          ...known,
          status: 'delivered',
          attempts: 1,
          lastOutcome: 'delivered',
          lastAnswer: '',
          newestAttempts: [{ startedAt: expect.any(String), outcome: 'delivered', tookMs: expect.any(Number) }],
        },
      ],
    })
    const page = await ask(token, 'GET /webhook-deliveries?status=delivered&limit=1')
    expect(page.body).not.toHaveProperty('nextAfter')
  })

  test('another lender’s webhooks and deliveries are not there, nor is a page after one', async () => {
    const [mine, theirs] = [await app.newTenant(0), await app.newTenant(0)]
    const id = await add(theirs)
    const delivery = (await ask(theirs, `POST /webhooks/${id}/test`)).body.id
    for (const route of [`GET /webhooks/${id}`, `GET /webhook-deliveries/${delivery}`])
      expect([route, (await ask(mine, route)).status]).toEqual([route, 404])
    expect((await ask(mine, `GET /webhooks/${id}`)).body.message).toBe(`there is no webhook "${id}", or it was removed`)
    const foreign = await ask(mine, `GET /webhook-deliveries?after=${delivery}`)
    expect([foreign.status, foreign.body.message]).toEqual([400, 'after: must be the nextAfter of an earlier page'])
  })

  test('ten tests a minute, then 429 with the time to wait', async () => {
    const token = await app.newTenant(0)
    const id = await add(token)
    for (let count = 0; count < 10; count += 1) await ask(token, `POST /webhooks/${id}/test`)
    const refused = await ask(token, `POST /webhooks/${id}/test`)
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '60'])
    expect(refused.body).toEqual({ code: 'rate-limited', message: 'too many test events: wait 60 seconds' })
  })

  test('the doctor’s newest report of each mode is kept, of codes that are known', async () => {
    const token = await app.newTenant(0)
    const send = (body: unknown) => ask(token, 'POST /doctor', body)
    expect((await send({ test: false, findings: ['clock', 'clock', '<b>later</b>', 'constructor'] })).status).toBe(204)
    expect((await send({ test: true, findings: [] })).status).toBe(204)
    const reportedAtMs = app.time.nowMs
    const kept = [
      { test: false, findings: ['clock'], reportedAtMs },
      { test: true, findings: [], reportedAtMs },
    ]
    expect(await listDoctorReports(app.database, token)).toEqual(kept)
    const stored = 'SELECT findings FROM doctor_report WHERE tenant_id = ? AND test = 0'
    expect(await app.database.first(stored, token)).toEqual({ findings: 'clock' })
    app.time.nowMs -= 1_000
    expect((await send({ test: false, findings: [] })).status).toBe(204)
    expect(await listDoctorReports(app.database, token)).toEqual(kept)
    app.time.nowMs += 2_000
    await send({ test: false, findings: ['widget-files', 'trusted-hops'] })
    expect((await listDoctorReports(app.database, token))[0]?.findings).toEqual(['widget-files', 'trusted-hops'])
    for (const wrong of [
      {},
      { test: false },
      { test: 1, findings: [] },
      { test: false, findings: Array(41).fill('clock') },
    ])
      expect((await send(wrong)).status).toBe(400)
    expect((await ask(token, 'POST /doctor', { test: false, findings: [] }, 'demo-lender')).status).toBe(403)
  })
})
