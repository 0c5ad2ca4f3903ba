// Every SMS gateway that the service knows, played by the demo's gateway.
import type { SmsKind } from '../../service/providers/sms-gateways.ts'
import { httpSms } from './http-sms.ts'
import type { ReceiptSigner, ReportedText, SmsRole } from './roles.ts'
import { twilioSms } from './twilio-sms.ts'

export const SMS_ROLES: { readonly [kind in SmsKind]: SmsRole } = { http: httpSms, twilio: twilioSms }

/** The request that tells the service what became of a text. */
export function receiptRequest(text: ReportedText, status: string, signer: ReceiptSigner): Request {
  return SMS_ROLES[text.kind].writeReceipt(text, status, signer)
}
