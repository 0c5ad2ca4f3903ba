import { signTwilioCallback, TWILIO_SIGNATURE_HEADER } from '../../service/providers/twilio/receipt.ts'
import type { SmsRole } from './roles.ts'

export const twilioSms: SmsRole = {
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
