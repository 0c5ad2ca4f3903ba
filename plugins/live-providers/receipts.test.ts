// The effect of delivery receipts on a lender's credits, for every gateway and in any order.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { receiptRequest } from '../../demo/gateway/sms-roles.ts'
import type { SendOutcome } from '../../service/providers/providers.ts'
import { createLiveApp, GATEWAY_SECRET, type LiveApp } from '../../testing/live-app.ts'
import { createTestApp, liveRequest } from '../../testing/test-app.ts'
import { isClean, reconcile } from '../statement/reconcile.ts'
import { signReceipt } from './http/receipt.ts'
import { SMS_KINDS } from './sms-gateways.ts'
import { signTwilioCallback } from './twilio/receipt.ts'

const DAY_MS = 86_400_000
const METRICS_TOKEN = 'a token for the scraper'
const HELD = ['hold report 500', 'hold text 40']
const CHARGED = [...HELD, 'capture text 40']
const GIVEN_BACK = [...HELD, 'release text 40']

describe.each(SMS_KINDS)('receipts of a gateway that speaks %s', (sms) => {
  let app: LiveApp
  beforeAll(async () => {
    app = await createLiveApp({ sms })
  })
  afterAll(async () => {
    expect(isClean(await reconcile(app.database))).toBe(true)
    await app.close()
  })

  test.each<[string, string[], string[]]>([
    ['nothing yet', [], HELD],
    ['accepted, queued, sending and sent change nothing', ['accepted', 'queued', 'sending', 'sent'], HELD],
    ['delivered is charged', ['delivered'], CHARGED],
    ['delivered before sent is charged', ['delivered', 'sent', 'queued'], CHARGED],
    ['delivered again and again is charged once', Array(10).fill('delivered'), CHARGED],
    ['failed is given back', ['failed'], GIVEN_BACK],
    ['undelivered is given back, once', ['undelivered', 'undelivered', 'failed'], GIVEN_BACK],
    ['delivered stays charged when it failed afterwards', ['delivered', 'failed'], CHARGED],
    ['failed stays free when it was delivered afterwards', ['failed', 'delivered'], GIVEN_BACK],
    ['an unknown word changes nothing', ['pondering', 'constructor', '__proto__'], HELD],
    ['capitals are the same word', ['DELIVERED'], CHARGED],
  ])('%s', async (_what, statuses, lines) => {
    const { started, text } = await app.challenged()
    for (const status of statuses) expect(await app.receipt(text, status)).toBe(204)
    expect(await app.lines(started.creditReportId)).toEqual(lines)
  })

  test('fifty at once are one charge', async () => {
    const { started, text } = await app.challenged()
    const statuses = await Promise.all(Array.from({ length: 50 }, () => app.receipt(text, 'delivered')))
    expect(new Set(statuses)).toEqual(new Set([204]))
    expect(await app.lines(started.creditReportId)).toEqual(CHARGED)
  })

  test('delivered and failed at once settle it one way', async () => {
    const { started, text } = await app.challenged()
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => app.receipt(text, index % 2 === 0 ? 'delivered' : 'failed')),
    )
    const lines = await app.lines(started.creditReportId)
    expect(lines).toHaveLength(3)
    expect([CHARGED, GIVEN_BACK]).toContainEqual(lines)
  })

  test('three texts, of which the second was lost, are two charges', async () => {
    const { started } = await app.challenged()
    await app.resend(started)
    await app.resend(started)
    const texts = app.gateway.texts.slice(-3)
    for (const [index, text] of texts.entries()) await app.receipt(text, index === 1 ? 'failed' : 'delivered')
    const lines = await app.lines(started.creditReportId)
    expect(lines.filter((line) => line === 'capture text 40')).toHaveLength(2)
    expect(lines.filter((line) => line === 'release text 40')).toHaveLength(1)
  })

  test('a text delivered after the report failed is still charged, and the report is not', async () => {
    const { started, text } = await app.challenged()
    for (let guess = 0; guess < 3; guess += 1) await app.submit(started, 'wrong')
    await app.receipt(text, 'delivered')
    expect(await app.lines(started.creditReportId)).toEqual([...HELD, 'release report 500', 'capture text 40'])
  })

  test('a receipt that overtakes the answer it belongs to counts', async () => {
    const { started, text } = await app.challenged()
    await app.database.run(`UPDATE text_message SET status = 'queued' WHERE id = ?`, text.messageId)
    await app.receipt(text, 'delivered')
    expect(await app.lines(started.creditReportId)).toEqual(CHARGED)
  })

  test('an unknown text is taken note of and changes nothing', async () => {
    const { started, text } = await app.challenged()
    const { href } = new URL(text.receiptUrl.replace(text.messageId, 'another-text'))
    expect(await app.receipt({ ...text, messageId: 'another-text', receiptUrl: href }, 'delivered')).toBe(204)
    expect(await app.lines(started.creditReportId)).toEqual(HELD)
  })

  test('one signed with another secret is refused', async () => {
    const { started, text } = await app.challenged()
    expect(await app.receipt(text, 'delivered', { secret: 'a guess' })).toBe(401)
    expect(await app.lines(started.creditReportId)).toEqual(HELD)
  })

  test('without a receipt for a day the price goes back, and a receipt after that costs nothing', async () => {
    const { started, text } = await app.challenged()
    const startedAtMs = app.time.nowMs
    app.time.nowMs = startedAtMs + DAY_MS
    await app.sweeper.sweep()
    expect(await app.lines(started.creditReportId)).toEqual([...HELD, 'release report 500'])
    app.time.nowMs += 1
    await app.sweeper.sweep()
    await app.receipt(text, 'delivered')
    expect(await app.lines(started.creditReportId)).toEqual([...HELD, 'release report 500', 'release text 40'])
    app.time.nowMs = startedAtMs
  })
})

describe('a generic receipt', () => {
  let app: LiveApp
  beforeAll(async () => {
    app = await createLiveApp()
  })
  afterAll(() => app.close())

  test('is good for five minutes', async () => {
    const { started, text } = await app.challenged()
    const old = receiptRequest(text, 'delivered', { secret: GATEWAY_SECRET, nowMs: app.time.nowMs - 301_000 })
    expect((await app.fetch(old)).status).toBe(401)
    expect(await app.lines(started.creditReportId)).toEqual(HELD)
  })

  test.each([
    ['no signature', {}],
    ['an empty one', { 'X-Receipt-Signature': '', 'X-Receipt-Timestamp': '' }],
    ['a bearer token instead', { Authorization: 'Bearer demo-lender' }],
  ])('with %s is refused in the same words', async (_what, headers) => {
    const request = new Request('http://service.test/v1/sms/receipts/http', { method: 'POST', body: '{}', headers })
    const response = await app.fetch(request)
    expect(response.status).toBe(401)
    expect(await response.json()).toEqual({ code: 'unauthorized', message: 'a receipt must be signed, and recent' })
  })

  test.each([
    '{}',
    '[]',
    'null',
    '{"messageId":"","status":"delivered"}',
    '{"messageId":"m","status":1}',
    '{"messageId":"\\u0000","status":"delivered"}',
    'delivered',
  ])('that says %s is signed nonsense', async (body) => {
    const timestamp = String(app.time.nowMs / 1000)
    const signature = signReceipt(GATEWAY_SECRET, { timestamp, body: Buffer.from(body) })
    const headers = { 'X-Receipt-Timestamp': timestamp, 'X-Receipt-Signature': signature }
    const request = new Request('http://service.test/v1/sms/receipts/http', { method: 'POST', body, headers })
    expect((await app.fetch(request)).status).toBe(400)
  })

  test('of the other kind of gateway is not found', async () => {
    const request = new Request('http://service.test/v1/sms/receipts/twilio', { method: 'POST', body: 'a=b' })
    expect((await app.fetch(request)).status).toBe(404)
  })
})

test('a Twilio receipt is checked against the address it was given, whatever the request says of itself', async () => {
  const app = await createLiveApp({ sms: 'twilio' })
  const { started, text } = await app.challenged()
  const signed = receiptRequest(text, 'delivered', { secret: GATEWAY_SECRET, nowMs: app.time.nowMs })
  const { pathname, search } = new URL(signed.url)
  const arrived = new Request(`http://127.0.0.1:4100${pathname}${search}`, {
    method: 'POST',
    headers: signed.headers,
    body: await signed.text(),
  })
  expect((await app.fetch(arrived)).status).toBe(204)
  expect(await app.lines(started.creditReportId)).toEqual(CHARGED)
  await app.close()
})

test.each([
  ['no id', 'http://service.test/v1/sms/receipts/twilio', 'MessageStatus=delivered'],
  ['no status', 'http://service.test/v1/sms/receipts/twilio?messageId=m', 'MessageSid=s'],
])('a signed Twilio receipt with %s is nonsense', async (_what, url, body) => {
  const app = await createLiveApp({ sms: 'twilio' })
  const signature = signTwilioCallback(GATEWAY_SECRET, { url, parameters: new URLSearchParams(body) })
  const request = new Request(url, { method: 'POST', body, headers: { 'X-Twilio-Signature': signature } })
  expect((await app.fetch(request)).status).toBe(400)
  await app.close()
})

test('a receipt that could not be written down is not acknowledged, and counts when it is sent again', async () => {
  const app = await createLiveApp()
  const { started, text } = await app.challenged()
  await app.database.run(
    `CREATE TRIGGER full_disk BEFORE UPDATE ON text_message BEGIN SELECT RAISE(ABORT, 'disk full'); END`,
  )
  expect(await app.receipt(text, 'delivered')).toBeGreaterThanOrEqual(500)
  await app.database.run('DROP TRIGGER full_disk')
  expect(await app.receipt(text, 'delivered')).toBe(204)
  expect(await app.lines(started.creditReportId)).toEqual(CHARGED)
  await app.close()
})

test.each<SendOutcome>(['accepted', 'delivered', 'refused'])(
  'a receipt that overtakes the gateway’s “%s” decides, and the text is charged and counted once',
  async (outcome) => {
    const app = await createLiveApp({
      environment: { METRICS_TOKEN },
      wrapSms: (sms) => ({
        async send(message, signal) {
          await sms.send(message, signal)
          await app.receipt(app.gateway.texts[0] ?? raise(), 'delivered')
          return outcome
        },
      }),
    })
    const { started, text } = await app.challenged()
    await app.receipt(text, 'delivered')
    app.time.nowMs += DAY_MS + 1
    await app.sweeper.sweep()
    expect(await app.lines(started.creditReportId)).toEqual([...CHARGED, 'release report 500'])
    expect(await textsCounted(app)).toEqual(['crs_texts_total{outcome="delivered"} 1'])
    await app.close()
  },
)

test('a service with simulated texts takes no receipts at all', async () => {
  const app = await createTestApp()
  for (const provider of [...SMS_KINDS, 'pigeon']) {
    expect((await app.call(`/v1/sms/receipts/${provider}`, {})).status).toBe(404)
  }
  await app.close()
})

test('every text is counted once, by how it ended: at once, never, or without a receipt', async () => {
  const outcomes: SendOutcome[] = ['delivered', 'refused', 'accepted']
  const app = await createTestApp({
    environment: { METRICS_TOKEN },
    providers: { sms: { send: async () => outcomes.shift() ?? 'refused' } },
  })
  for (let text = 0; text < 3; text += 1) await app.generate(liveRequest())
  app.time.nowMs += DAY_MS + 1
  await Promise.all([app.sweeper.sweep(), app.sweeper.sweep()])
  expect(await textsCounted(app)).toEqual([
    'crs_texts_total{outcome="delivered"} 1',
    'crs_texts_total{outcome="undelivered"} 2',
  ])
  await app.close()
})

async function textsCounted(app: Pick<LiveApp, 'fetch'>): Promise<string[]> {
  const headers = { Authorization: `Bearer ${METRICS_TOKEN}` }
  const metrics = await (await app.fetch(new Request('http://service.test/metrics', { headers }))).text()
  return metrics.split('\n').filter((line) => line.startsWith('crs_texts_total'))
}

function raise(): never {
  throw new Error('there is no text')
}
