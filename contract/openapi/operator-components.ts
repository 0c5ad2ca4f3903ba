// Requests of SMS gateways, answers to health probes.
import * as z from 'zod/mini'
import { type Component, component } from './component.ts'

const MESSAGE_STATUS =
  '`delivered` or `read` charges the text; `undelivered`, `failed`, `expired`, `rejected` or `canceled` gives its credits back; other words change nothing.'

const SmsReceipt = z.object({
  messageId: z.string().check(z.minLength(1), z.maxLength(100)),
  status: z.string().check(z.minLength(1), z.maxLength(40)),
})
const TwilioReceipt = z.object({ MessageStatus: z.string().check(z.minLength(1), z.maxLength(40)) })
const Health = z.object({ status: z.literal('ok') })
const Readiness = z.object({ status: z.literal('ready') })

export const operatorRequestComponents: Component[] = [
  component('SmsReceipt', SmsReceipt, 'What became of a text.', {
    messageId: ['The text’s id, as the gateway was given it.', '019a8756-1d10-7a44-8c3e-2b9f60d17a55'],
    status: [MESSAGE_STATUS, 'delivered'],
  }),
  component('TwilioReceipt', TwilioReceipt, 'What became of a text; Twilio sends more fields.', {
    MessageStatus: [MESSAGE_STATUS, 'delivered'],
  }),
]

export const operatorAnswerComponents: Component[] = [
  component('Health', Health, 'The process serves.', { status: ['Always `ok`.', 'ok'] }),
  component('Readiness', Readiness, 'The process and its database serve.', { status: ['Always `ready`.', 'ready'] }),
]
