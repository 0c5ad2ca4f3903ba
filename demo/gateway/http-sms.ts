// The generic SMS gateway, as the service's docs describe it.
import * as z from 'zod/mini'
import { SIGNATURE_HEADER, signReceipt, TIMESTAMP_HEADER } from '../../service/providers/http/receipt.ts'
import { parseBody, type SmsRole } from './roles.ts'

const Message = z.object({
  messageId: z.string(),
  to: z.string(),
  from: z.string(),
  body: z.string(),
  validSeconds: z.int(),
  receiptUrl: z.string(),
})

export const httpSms: SmsRole = {
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
