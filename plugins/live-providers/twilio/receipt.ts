// Twilio's status callback: a form, signed with the account's token. Its address carries our message id.
import { createHmac } from 'node:crypto'
import { TEXT_REFUSALS, type TextRefusal } from '../../../contract/stats.ts'
import { isSameSecret } from '../../../kit/keys.ts'
import type { Refusal } from '../../../service/providers/providers.ts'
import { type Receipt, type ReceiptRequest, receiptOf } from '../sms-gateway.ts'

export const TWILIO_SIGNATURE_HEADER = 'X-Twilio-Signature'

type Callback = {
  /** Exactly the address Twilio was given, its query included. */
  url: string
  parameters: URLSearchParams
}

export function readTwilioReceipt(
  authToken: string,
  { body, url, header }: ReceiptRequest,
): Receipt | 'unsigned' | 'unreadable' {
  const parameters = new URLSearchParams(new TextDecoder().decode(body))
  if (!isSignedTwilioCallback(authToken, { url, parameters }, header(TWILIO_SIGNATURE_HEADER))) return 'unsigned'
  // Our own id; Twilio's is not needed.
  const messageId = new URL(url).searchParams.get('messageId') ?? ''
  const receipt = receiptOf({ messageId, status: parameters.get('MessageStatus') ?? '' })
  const code = parameters.get('ErrorCode')
  if (receipt === 'unreadable' || receipt.fate !== 'undelivered' || !code) return receipt
  return { ...receipt, refusal: twilioRefusal(code) }
}

/** Twilio's error codes: https://www.twilio.com/docs/api/errors */
const REASONS: { readonly [reason in TextRefusal]?: readonly string[] } = {
  sender: ['21212', '21603', '21606', '21659', '21660', '30042'],
  number: ['21211', '21214', '21217', '21614', '30005', '30006'],
  unreachable: ['30003'],
  blocked: ['21610', '30004', '30007'],
}

export function twilioRefusal(code: string): Refusal {
  const known = TEXT_REFUSALS.find((reason) => REASONS[reason]?.includes(code))
  return { refused: known ?? 'other', code: /^\d{1,10}$/.test(code) ? code : null }
}

/** The address, then each form field's name and value in the order of the names, under HMAC-SHA-1. */
export function signTwilioCallback(authToken: string, { url, parameters }: Callback): string {
  // One pass: `getAll` for each name would take quadratic time, before the signature is known to be right.
  const values = new Map<string, Set<string>>()
  for (const [name, value] of parameters) values.set(name, (values.get(name) ?? new Set()).add(value))
  const names = [...values.keys()].sort()
  const signed = names.flatMap((name) => [...(values.get(name) ?? [])].sort().map((value) => `${name}${value}`))
  return createHmac('sha1', authToken)
    .update(url + signed.join(''))
    .digest('base64')
}

/**
 * True when the callback is signed with the account's token. It carries no time, so handling it twice must be harmless.
 */
export function isSignedTwilioCallback(authToken: string, callback: Callback, signature: string): boolean {
  return isSameSecret(signature, signTwilioCallback(authToken, callback))
}
