// A text that does not arrive, and why: from the gateway's answer or its receipt to the check's timeline and every
// figure.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMetrics } from '../../plugins/metrics/metrics.ts'
import { changeTenant } from '../../service/ledger/tenants.ts'
import { createLiveApp, type LiveApp } from '../../testing/live-app.ts'
import { receiptOf, refusalOf } from './sms-gateway.ts'
import { readTwilioReceipt, signTwilioCallback, TWILIO_SIGNATURE_HEADER, twilioRefusal } from './twilio/receipt.ts'

const TOKEN = 'a token that signs receipts'

test.each([
  ['30042', 'sender'],
  ['21614', 'number'],
  ['30003', 'unreachable'],
  ['30007', 'blocked'],
  ['12345', 'other'],
])('Twilio’s %s is %s', (code, refused) => {
  expect(twilioRefusal(code)).toEqual({ refused, code })
})

test('a code that is no number is not kept', () => {
  expect(twilioRefusal('<b>')).toEqual({ refused: 'other', code: null })
})

test.each([
  ['undelivered', '30042', { refused: 'sender', code: '30042' }],
  ['undelivered', null, null],
  ['delivered', '30042', null],
])('a callback with %s and ErrorCode %s', (status, code, refusal) => {
  const parameters = new URLSearchParams({ MessageStatus: status, ...(code && { ErrorCode: code }) })
  const url = 'https://service.test/v1/sms/receipts/twilio?messageId=message-1'
  const signature = signTwilioCallback(TOKEN, { url, parameters })
  const header = (name: string) => (name === TWILIO_SIGNATURE_HEADER ? signature : '')
  const receipt = readTwilioReceipt(TOKEN, { body: Buffer.from(`${parameters}`), url, header, nowMs: 0 })
  expect(receipt).toMatchObject({ fate: status, refusal })
})

test.each([
  [{}, null],
  [{ reason: 'sender' }, { refused: 'sender', code: null }],
  [
    { reason: 'constructor', code: 'E-15' },
    { refused: 'other', code: 'E-15' },
  ],
  [{ code: '<script>' }, { refused: 'other', code: 'script' }],
])('a gateway that says %j', (said, refusal) => {
  expect(refusalOf(said)).toEqual(refusal)
  expect(receiptOf({ messageId: 'message-1', status: 'failed', ...said })).toMatchObject({ refusal })
})

describe('a gateway whose network refuses the sender', () => {
  const metrics = createMetrics()
  let app: LiveApp
  beforeAll(async () => {
    const refusing = { send: async () => ({ refused: 'sender', code: '30042' }) as const }
    app = await createLiveApp({ metrics, wrapSms: () => refusing })
  })
  afterAll(() => app.close())

  test('the check’s timeline, the lender’s figures and the operator’s say so; the price goes back', async () => {
    const { creditReportId } = (await app.generate(app.stranger())).body.data
    const { body } = await app.call(`/demo-lender/v1/credit-reports/${creditReportId}/timeline`)
    const said = body.data.events.map(({ says }: { says: string }) => says)
    expect(said).toContain('Text 1 was not delivered: the network refused the sender’s name (30042).')
    expect(await app.lines(creditReportId)).toContain('release text 40')
    await app.stats.flush()
    const figures = await app.call('/demo-lender/v1/stats?from=2026-11-15&to=2026-11-15')
    expect(figures.body.texts ?? figures.body.data.texts).toMatchObject({
      undelivered: 1,
      refused: [{ reason: 'sender', count: 1 }],
    })
    expect(await metrics.render()).toMatch(/crs_texts_refused_total\{reason="sender"\} 1/)
  })
})

describe.each(['http', 'twilio'] as const)('texts through a gateway that speaks %s', (sms) => {
  let app: LiveApp
  beforeAll(async () => {
    app = await createLiveApp({ sms })
  })
  afterAll(() => app.close())

  test('come from the lender’s own sender, or else the installation’s', async () => {
    expect((await app.challenged()).text.from).toBe('Harbour')
    await changeTenant(app.database, 'demo-lender', { sms_sender: 'Wrenfield' })
    const { started, text } = await app.challenged()
    expect(text.from).toBe('Wrenfield')
    await app.resend(started)
    expect(app.gateway.texts.at(-1)?.from).toBe('Wrenfield')
    await changeTenant(app.database, 'demo-lender', { sms_sender: null })
  })
})
