// The words of the service's webhooks, which follow the Standard Webhooks specification.
import {
  AuditHead,
  CreditReportBlocked,
  CreditReportCompleted,
  CreditReportExpired,
  CreditReportFailed,
  EndpointTest,
  Spend,
  SpendReached,
  SpendWarning,
  WalletLow,
  WEBHOOK_ID_HEADER,
  WEBHOOK_SIGNATURE_HEADER,
  WEBHOOK_TIMESTAMP_HEADER,
  type WebhookEventType,
} from '../../contract/webhook-event.ts'
import { COUNT, type Component, component, type JsonObject, TIME } from '../../openapi/component.ts'
import { refTo } from '../../openapi/describe-schemas.ts'
import type { Parameter } from '../../openapi/operation.ts'
import { AGENCIES_SENTENCE } from '../../openapi/report-words.ts'
import { CREDIT_REPORT_ID, ENDED_AT, REFERENCE } from '../../openapi/samples.ts'

const TIMESTAMP = ['The time of the event.', ENDED_AT, TIME] as const
const AUDIT_HEAD_JWS =
  'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF1ZGl0LWhlYWQiLCJraWQiOiIwMTlhODc1NiJ9.eyJ0ZW5hbnRJZCI6ImRlbW8ifQ.c2lnbmVk'
const ABOUT_REPORT = 'The report’s id; fetch the report for anything else.'
const TENANT = ['The lender.', 'demo-lender'] as const
const end = {
  tenantId: TENANT,
  creditReportId: ['The report’s id.', CREDIT_REPORT_ID],
  externalReference: ['Your own reference, as it was given.', REFERENCE],
  test: ['Whether it was made in test mode.', false],
} as const
const credits = (sentence: string, example: number) => [sentence, example, COUNT] as const

export const webhookComponents: Component[] = [
  component('CreditReportCompleted', CreditReportCompleted, 'A report is complete.', {
    type: ['The event.', 'credit-report.completed'],
    timestamp: TIMESTAMP,
    data: ABOUT_REPORT,
  }),
  component('CompletedEnd', CreditReportCompleted.shape.data, 'The report that is complete.', {
    ...end,
    agencies: AGENCIES_SENTENCE,
    status: ['The status.', 'complete'],
  }),
  component('CreditReportBlocked', CreditReportBlocked, 'A report was blocked.', {
    type: ['The event.', 'credit-report.blocked'],
    timestamp: TIMESTAMP,
    data: ABOUT_REPORT,
  }),
  component('BlockedEnd', CreditReportBlocked.shape.data, 'The report that was blocked.', {
    ...end,
    status: ['The status.', 'blocked'],
  }),
  component('CreditReportFailed', CreditReportFailed, 'A report’s challenge failed.', {
    type: ['The event.', 'credit-report.failed'],
    timestamp: TIMESTAMP,
    data: ABOUT_REPORT,
  }),
  component('FailedEnd', CreditReportFailed.shape.data, 'The report whose challenge failed.', {
    ...end,
    status: ['The status.', 'failed'],
  }),
  component('CreditReportExpired', CreditReportExpired, 'A report’s challenge expired.', {
    type: ['The event.', 'credit-report.expired'],
    timestamp: TIMESTAMP,
    data: ABOUT_REPORT,
  }),
  component('ExpiredEnd', CreditReportExpired.shape.data, 'The report whose challenge expired.', {
    ...end,
    status: ['The status.', 'expired'],
  }),
  component('WalletLow', WalletLow, 'The wallet has fallen below its threshold.', {
    type: ['The event.', 'wallet.low'],
    timestamp: TIMESTAMP,
    data: 'The balance.',
  }),
  component('LowBalance', WalletLow.shape.data, 'The balance of the wallet.', {
    tenantId: TENANT,
    balanceCredits: credits('Credits that can be spent now.', 900),
    thresholdCredits: credits('The threshold it fell below.', 1_000),
  }),
  component('SpendWarning', SpendWarning, 'Four fifths of a spend cap are used.', {
    type: ['The event.', 'spend.warning'],
    timestamp: TIMESTAMP,
    data: 'The cap.',
  }),
  component('SpendReached', SpendReached, 'A spend cap is reached: what would exceed it is refused.', {
    type: ['The event.', 'spend.reached'],
    timestamp: TIMESTAMP,
    data: 'The cap.',
  }),
  component('Spend', Spend, 'The credits spent under a cap.', {
    tenantId: TENANT,
    purpose: ['The purpose of the cap.', 'report'],
    period: ['The period of the cap.', 'hour'],
    spentCredits: credits('Credits spent in the period so far.', 4_000),
    capCredits: credits('Credits the cap allows.', 5_000),
  }),
  component('AuditHead', AuditHead, 'The newest link of your audit trail, once a day.', {
    type: ['The event.', 'audit.head'],
    timestamp: TIMESTAMP,
    data: 'Keep it, outside the service: a trail that is changed later no longer leads to it.',
  }),
  component('EndpointTest', EndpointTest, 'A test that a person sent to one address. Nothing happened; answer 2xx.', {
    type: ['The event.', 'endpoint.test'],
    timestamp: TIMESTAMP,
    data: 'The address.',
  }),
  component('TestedEndpoint', EndpointTest.shape.data, 'The address that is tested.', {
    tenantId: TENANT,
    endpointId: ['The id of the webhook.', 'we-0a1b2c3d4e5f'],
  }),
  component('AuditLink', AuditHead.shape.data, 'A link of your audit trail’s chain of hashes.', {
    tenantId: TENANT,
    position: ['The number of events in the chain.', 1_042, COUNT],
    hash: ['SHA-256 over the event and the link before it, in hexadecimal.', 'a1b2c3d4'.repeat(8)],
    jws: ['The same, signed: a compact JWS by a key of `/.well-known/jwks.json`.', AUDIT_HEAD_JWS],
  }),
]

const EVENTS: Record<WebhookEventType, { name: string; summary: string }> = {
  'credit-report.completed': { name: 'CreditReportCompleted', summary: 'A report is complete' },
  'credit-report.blocked': { name: 'CreditReportBlocked', summary: 'A report was blocked' },
  'credit-report.failed': { name: 'CreditReportFailed', summary: 'A report’s challenge failed' },
  'credit-report.expired': { name: 'CreditReportExpired', summary: 'A report’s challenge expired' },
  'wallet.low': { name: 'WalletLow', summary: 'The wallet is low' },
  'spend.warning': { name: 'SpendWarning', summary: 'Most of a spend cap is used' },
  'spend.reached': { name: 'SpendReached', summary: 'A spend cap is reached' },
  'audit.head': { name: 'AuditHead', summary: 'The audit trail’s newest link' },
  'endpoint.test': { name: 'EndpointTest', summary: 'A test of one address' },
}

const HEADERS: Parameter[] = [
  header(WEBHOOK_ID_HEADER, 'The same for each repeat of one event.', '019a8756-1e42-7b10-9d6c-0c5f8e21b3a7'),
  header(
    WEBHOOK_TIMESTAMP_HEADER,
    'The time of sending in Unix seconds. Refuse a message that is five minutes off.',
    '1794735072',
  ),
  header(
    WEBHOOK_SIGNATURE_HEADER,
    '`v1,` and the base64 HMAC-SHA-256 of `{id}.{timestamp}.{body}`; several with spaces between while a secret is replaced.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
]

function header(name: string, description: string, example: string): Parameter {
  return { name, in: 'header', required: true, description, schema: { type: 'string' }, example }
}

/** For the document's `webhooks`. */
export function describeWebhooks(): JsonObject {
  return Object.fromEntries(
    Object.entries(EVENTS).map(([type, { name, summary }]) => [
      type,
      {
        post: {
          operationId: `on${name}`,
          tags: ['Webhooks'],
          summary,
          description:
            'Sent at least once, again with growing pauses for three days. Nothing about a person is in it: verify it, then fetch the report.',
          security: [],
          parameters: HEADERS,
          requestBody: { required: true, content: { 'application/json': { schema: refTo(name) } } },
          responses: {
            '2XX': { description: 'Accepted.' },
            '4XX': { description: 'Refused; the event is sent again.' },
          },
        },
      },
    ]),
  )
}
