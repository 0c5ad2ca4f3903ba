import * as z from 'zod/mini'
import { component } from '../../openapi/component.ts'
import type { Parameter, Rows } from '../../openapi/operation.ts'

const tag = 'Operations'

const header = (name: string, description: string, example: string): Parameter => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
})

const MESSAGE_STATUS =
  '`delivered` or `read` charges the text; `undelivered`, `failed`, `expired`, `rejected` or `canceled` gives its credits back; other words change nothing.'

const SmsReceipt = z.object({
  messageId: z.string().check(z.minLength(1), z.maxLength(100)),
  status: z.string().check(z.minLength(1), z.maxLength(40)),
})
const TwilioReceipt = z.object({ MessageStatus: z.string().check(z.minLength(1), z.maxLength(40)) })

export const receiptRows = {
  operations: {
    receiveSmsReceipt: {
      route: 'POST /v1/sms/receipts/http',
      rule: { who: 'anyone' },
      tag,
      summary: 'Report the delivery of a text',
      description:
        'For the SMS gateway. Delivery is what a text is charged for, so a receipt must be signed. Repeats change nothing.',
      parameters: [
        header(
          'X-Receipt-Timestamp',
          'The time of the signature in Unix seconds; at most five minutes ago.',
          '1794735072',
        ),
        header(
          'X-Receipt-Signature',
          '`v1=` and the hexadecimal HMAC-SHA-256 of `{timestamp}.{body}`; several, with commas between, while a secret changes.',
          'v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
        ),
      ],
      body: { schema: 'SmsReceipt' },
      answers: { 204: { says: 'Accepted.' } },
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
          description: 'The text’s id, from the address that Twilio was given.',
          schema: { type: 'string', minLength: 1, maxLength: 100 },
          example: '019a8756-1d10-7a44-8c3e-2b9f60d17a55',
        },
        header('X-Twilio-Signature', 'Twilio’s signature.', '0/KCTR6DLpKmkAf8muzZqo1nDgQ='),
      ],
      body: { type: 'application/x-www-form-urlencoded', schema: 'TwilioReceipt' },
      answers: { 204: { says: 'Accepted.' } },
      errors: ['validation-error', 'payload-too-large', 'unauthorized', 'not-found'],
    },
  },
  words: () => ({
    requests: [
      component('SmsReceipt', SmsReceipt, 'The delivery status of a text.', {
        messageId: ['The text’s id, as the gateway was given it.', '019a8756-1d10-7a44-8c3e-2b9f60d17a55'],
        status: [MESSAGE_STATUS, 'delivered'],
      }),
      component('TwilioReceipt', TwilioReceipt, 'The delivery status of a text; Twilio sends more fields.', {
        MessageStatus: [MESSAGE_STATUS, 'delivered'],
      }),
    ],
  }),
} satisfies Rows
