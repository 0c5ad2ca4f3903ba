// Every SMS gateway that the service knows, played by the demo's gateway.
import * as z from 'zod/mini'
import { SIGNATURE_HEADER, signReceipt, TIMESTAMP_HEADER } from '../../plugins/live-providers/http/receipt.ts'
import type { SmsKind } from '../../plugins/live-providers/sms-gateways.ts'
import { signTwilioCallback, TWILIO_SIGNATURE_HEADER } from '../../plugins/live-providers/twilio/receipt.ts'
import { parseBody, type ReceiptSigner, type ReportedText, type SmsRole } from './roles.ts'

const Message = z.object({
  messageId: z.string(),
  to: z.string(),
  from: z.string(),
  body: z.string(),
  validSeconds: z.int(),
  receiptUrl: z.string(),
})

/** The generic gateway, as the service's docs describe it. */
const httpSms: SmsRole = {
  provider: 'sms',
  path: /^\/messages$/,
  authorization: (secret) => `Bearer ${secret}`,
  readText(body) {
    const { data } = Message.safeParse(parseBody(body))
    return data ?? null
  },
  taken: 'accepted',
  writeReceipt({ messageId, receiptUrl }, status, { secret, nowMs }) {
    const body = JSON.stringify({ messageId, status })
    const timestamp = String(Math.floor(nowMs / 1000))
    return new Request(receiptUrl, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        [TIMESTAMP_HEADER]: timestamp,
        [SIGNATURE_HEADER]: signReceipt(secret, { timestamp, body: Buffer.from(body) }),
      },
      body,
    })
  },
}

const twilioSms: SmsRole = {
  provider: 'twilio',
  path: /^\/2010-04-01\/Accounts\/(\w+)\/Messages\.json$/,
  authorization: (secret, account) => `Basic ${Buffer.from(`${account}:${secret}`).toString('base64')}`,
  readText(body) {
    const form = new URLSearchParams(body.toString())
    const field = (name: string) => form.get(name) ?? ''
    const receiptUrl = field('StatusCallback')
    if (field('To') === '' || !URL.canParse(receiptUrl)) return null
    return {
      messageId: new URL(receiptUrl).searchParams.get('messageId') ?? '',
      to: field('To'),
      from: field('From') || field('MessagingServiceSid'),
      body: field('Body'),
      validSeconds: Number(field('ValidityPeriod')),
      receiptUrl,
    }
  },
  taken: 'queued',
  writeReceipt({ gatewayId, receiptUrl }, status, { secret }) {
    const parameters = new URLSearchParams({
      MessageSid: gatewayId,
      MessageStatus: status,
      SmsSid: gatewayId,
      SmsStatus: status,
      ApiVersion: '2010-04-01',
    })
    return new Request(receiptUrl, {
      method: 'POST',
      headers: { [TWILIO_SIGNATURE_HEADER]: signTwilioCallback(secret, { url: receiptUrl, parameters }) },
      body: parameters,
    })
  },
}

export const SMS_ROLES: { readonly [kind in SmsKind]: SmsRole } = { http: httpSms, twilio: twilioSms }

/** The request that tells the service what became of a text. */
export function receiptRequest(text: ReportedText, status: string, signer: ReceiptSigner): Request {
  return SMS_ROLES[text.kind].writeReceipt(text, status, signer)
}
