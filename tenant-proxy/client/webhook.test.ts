import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { createWebhookSecret } from '../../kit/webhook-signature.ts'
import { verifyWebhook, type WebhookError } from './webhook.ts'

const nowMs = Date.UTC(2026, 10, 15, 9, 31, 12)
const secret = createWebhookSecret()
const event = {
  type: 'credit-report.completed',
  timestamp: '2026-11-15T09:31:12.000Z',
  data: { tenantId: 'demo-lender', creditReportId: 'r1', status: 'complete', test: false },
}
const body = JSON.stringify(event)

/** As another implementation of the specification signs it. */
function headersFor(text: string, { signedWith = secret, atMs = nowMs } = {}) {
  return {
    'webhook-id': 'message-1',
    'webhook-timestamp': String(atMs / 1000),
    'webhook-signature': new Webhook(signedWith).sign('message-1', new Date(atMs), text),
  }
}

describe('a webhook', () => {
  test.each([
    ['Headers', new Headers(headersFor(body))],
    ['Node’s headers', headersFor(body)],
    [
      'headers in capitals',
      Object.fromEntries(Object.entries(headersFor(body)).map(([name, value]) => [name.toUpperCase(), value])),
    ],
  ])('is read from %s', (_what, headers) => {
    expect(verifyWebhook(secret, { headers, body }, nowMs)).toEqual({ id: 'message-1', event })
  })

  test('is read while its secret is being replaced, and from bytes', () => {
    const bytes = new TextEncoder().encode(body)
    const secrets = [createWebhookSecret(), secret]
    expect(verifyWebhook(secrets, { headers: headersFor(body), body: bytes }, nowMs).event).toEqual(event)
  })

  const refused: [string, WebhookError['reason'], () => unknown][] = [
    ['no signature', 'unsigned', () => verifyWebhook(secret, { headers: {}, body }, nowMs)],
    ['another body', 'forged', () => verifyWebhook(secret, { headers: headersFor(body), body: `${body} ` }, nowMs)],
    [
      'another secret',
      'forged',
      () => verifyWebhook(secret, { headers: headersFor(body, { signedWith: createWebhookSecret() }), body }, nowMs),
    ],
    [
      'a clock that is six minutes wrong',
      'untimely',
      () => verifyWebhook(secret, { headers: headersFor(body), body }, nowMs + 360_000),
    ],
    [
      'an event of the future',
      'unknown-event',
      () => verifyWebhook(secret, { headers: headersFor('{}'), body: '{}' }, nowMs),
    ],
  ]
  test.each(refused)('with %s is refused as %s', (_what, reason, attempt) => {
    expect(attempt).toThrow(expect.objectContaining({ name: 'WebhookError', reason }))
  })
})
