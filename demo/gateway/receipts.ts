// Delivery receipts as gateways send them, honest and forged.
import {
  SIGNATURE_HEADER,
  signReceipt,
  signTwilioCallback,
  TIMESTAMP_HEADER,
  TWILIO_SIGNATURE_HEADER,
} from '../../service/texts/receipt-signature.ts'
import type { GatewayText } from './roles.ts'

type ReceiptSigner = {
  /** Signs for the generic gateway and, as the account's token, for Twilio's. */
  secret: string
  nowMs: number
}

/** The request that tells the service what became of a text. */
export function receiptRequest(
  text: Pick<GatewayText, 'provider' | 'messageId' | 'gatewayId' | 'receiptUrl'>,
  status: string,
  signer: ReceiptSigner,
): Request {
  return text.provider === 'twilio' ? twilioReceipt(text, status, signer) : plainReceipt(text, status, signer)
}

type Addressed = Pick<GatewayText, 'messageId' | 'gatewayId' | 'receiptUrl'>

function plainReceipt({ messageId, receiptUrl }: Addressed, status: string, { secret, nowMs }: ReceiptSigner): Request {
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
}

function twilioReceipt({ gatewayId, receiptUrl }: Addressed, status: string, { secret }: ReceiptSigner): Request {
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
}
