import { readHttpGateway } from './http/sms.ts'
import type { ReadSmsGateway, SmsGateway } from './sms-gateway.ts'
import { readTwilioGateway } from './twilio/gateway.ts'

/** Every SMS gateway, by the value of `SMS_PROVIDER`. The routes of receipts follow from this table too. */
export const SMS_GATEWAYS = {
  http: readHttpGateway,
  twilio: readTwilioGateway,
} satisfies { [kind: string]: ReadSmsGateway }

export type SmsKind = keyof typeof SMS_GATEWAYS

export const SMS_KINDS = Object.keys(SMS_GATEWAYS) as SmsKind[]

/** `from`: the installation's sender. `numbers`: those that senders may be. */
export type ConfiguredGateway = SmsGateway & { kind: SmsKind; from: string; numbers: readonly string[] }

/** The path for a gateway's receipts. */
export function receiptPathOf(kind: SmsKind): string {
  return `/v1/sms/receipts/${kind}`
}
