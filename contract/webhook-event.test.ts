import { expect, test } from 'vitest'
import { read } from './problems.ts'
import { WebhookEvent } from './webhook-event.ts'

const timestamp = '2026-11-15T09:31:12.000Z'
const report = { tenantId: 'demo-lender', creditReportId: 'r1', externalReference: 'order-1042', test: false }
const spend = { tenantId: 'demo-lender', purpose: 'text', period: 'hour', spentCredits: 3_200, capCredits: 4_000 }

test.each([
  { type: 'credit-report.completed', timestamp, data: { ...report, status: 'complete' } },
  { type: 'credit-report.blocked', timestamp, data: { ...report, status: 'blocked' } },
  { type: 'credit-report.failed', timestamp, data: { ...report, status: 'failed' } },
  { type: 'credit-report.expired', timestamp, data: { ...report, status: 'expired' } },
  { type: 'wallet.low', timestamp, data: { tenantId: 'demo-lender', balanceCredits: 900, thresholdCredits: 1_000 } },
  { type: 'spend.warning', timestamp, data: spend },
  { type: 'spend.reached', timestamp, data: spend },
  {
    type: 'audit.head',
    timestamp,
    data: { tenantId: 'demo-lender', position: 1_042, hash: 'a1'.repeat(32), jws: 'a.b.c' },
  },
  { type: 'endpoint.test', timestamp, data: { tenantId: 'demo-lender', endpointId: 'we-0a1b2c3d4e5f' } },
])('$type is read whole', (event) => {
  expect(read(WebhookEvent, event)).toEqual({ ok: true, value: event })
})

test.each([
  [
    'an event that contradicts itself',
    { type: 'credit-report.failed', timestamp, data: { ...report, status: 'complete' } },
  ],
  ['an event without its report', { type: 'credit-report.failed', timestamp, data: { status: 'failed' } }],
  ['a type that is not known', { type: 'credit-report.opened', timestamp, data: report }],
])('%s is not read', (_says, event) => {
  expect(read(WebhookEvent, event).ok).toBe(false)
})

test('whatever else is in an event is dropped, so that nothing personal can ride along', () => {
  const event = { type: 'credit-report.completed', timestamp, data: { ...report, status: 'complete' } }
  expect(read(WebhookEvent, { ...event, data: { ...event.data, firstName: 'Sam' } })).toEqual({
    ok: true,
    value: event,
  })
})
