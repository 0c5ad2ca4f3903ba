import type { Operations, Parameter } from './operation.ts'

const tag = 'Operations'

const header = (name: string, description: string, example: string): Parameter => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
})

export const operatorOperations = {
  receiveSmsReceipt: {
    route: 'POST /v1/sms/receipts/http',
    rule: { who: 'anyone' },
    tag,
    summary: 'A text was delivered, or was not',
    description:
      'For the SMS gateway. Delivery is what a text is charged for, so a receipt must be signed. Repeats change nothing.',
    parameters: [
      header(
        'X-Receipt-Timestamp',
        'When the receipt was signed, in Unix seconds; at most five minutes ago.',
        '1794735072',
      ),
      header(
        'X-Receipt-Signature',
        '`v1=` and the hexadecimal HMAC-SHA-256 of `{timestamp}.{body}`; several, with commas between, while a secret changes.',
        'v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
      ),
    ],
    body: { schema: 'SmsReceipt' },
    answers: { 204: { says: 'Taken.' } },
    errors: ['unauthorized', 'not-found'],
  },
  receiveTwilioReceipt: {
    route: 'POST /v1/sms/receipts/twilio',
    rule: { who: 'anyone' },
    tag,
    summary: 'The same in Twilio’s words',
    description: 'For Twilio’s status callback, signed with the account’s token.',
    parameters: [
      {
        name: 'messageId',
        in: 'query',
        required: true,
        description: 'The text, as the address that Twilio was given says.',
        schema: { type: 'string', minLength: 1, maxLength: 100 },
        example: '019a8756-1d10-7a44-8c3e-2b9f60d17a55',
      },
      header('X-Twilio-Signature', 'As Twilio makes it.', '0/KCTR6DLpKmkAf8muzZqo1nDgQ='),
    ],
    body: { type: 'application/x-www-form-urlencoded', schema: 'TwilioReceipt' },
    answers: { 204: { says: 'Taken.' } },
    errors: ['validation-error', 'payload-too-large', 'unauthorized', 'not-found'],
  },
  checkHealth: {
    route: 'GET /healthz',
    rule: { who: 'anyone' },
    tag,
    summary: 'Whether the process serves',
    description: 'Never refused, however busy the service is.',
    answers: { 200: { says: 'It does.', schema: 'Health' } },
  },
  checkReadiness: {
    route: 'GET /readyz',
    rule: { who: 'anyone' },
    tag,
    summary: 'Whether the database answers',
    description: 'Not ready means: send it no more work.',
    answers: { 200: { says: 'It does.', schema: 'Readiness' } },
  },
  getMetrics: {
    route: 'GET /metrics',
    rule: { who: 'anyone' },
    tag,
    summary: 'Measurements for Prometheus',
    description: 'For a scraper that shows `METRICS_TOKEN`; without one configured, for one on the same machine.',
    schemes: ['metricsToken', 'none'],
    answers: { 200: { says: 'The measurements.', type: 'text/plain', schema: { type: 'string' } } },
    errors: ['not-found'],
  },
  getOpenApiDocument: {
    route: 'GET /openapi.json',
    rule: { who: 'anyone' },
    tag,
    summary: 'This document',
    description: 'As this service is configured: its address, its bureaus. Pages of any origin may read it.',
    answers: {
      200: { says: 'The document.', schema: { type: 'object' }, headers: ['Access-Control-Allow-Origin'] },
    },
  },
} satisfies Operations
