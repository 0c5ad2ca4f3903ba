// Proof that a delivery receipt comes from the gateway: anyone could claim a text was delivered, and delivery costs money.
import { createHmac } from 'node:crypto'
import { isSameSecret } from '../../kit/keys.ts'

/** How far a receipt's own time may be from ours, either way. */
export const RECEIPT_AGE_MAX_MS = 300_000

/** When the receipt was signed, in Unix seconds. */
export const TIMESTAMP_HEADER = 'X-Receipt-Timestamp'
/** `v1=` and the hexadecimal HMAC-SHA-256 of `{timestamp}.{body}`; several, with commas between, while a secret changes. */
export const SIGNATURE_HEADER = 'X-Receipt-Signature'
export const TWILIO_SIGNATURE_HEADER = 'X-Twilio-Signature'

type SignedReceipt = { timestamp: string; body: Uint8Array }

export function signReceipt(secret: string, { timestamp, body }: SignedReceipt): string {
  return `v1=${createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')}`
}

/** True when the receipt is signed with the secret and not older, or younger, than five minutes. */
export function isSignedReceipt(
  secret: string,
  receipt: SignedReceipt,
  { signature, nowMs }: { signature: string; nowMs: number },
): boolean {
  // Digits alone: a time with a point in it could have begun as a part of the body, and the signature would still fit.
  const signedAtMs = /^\d+$/.test(receipt.timestamp) ? Number(receipt.timestamp) * 1000 : Number.NaN
  if (!(Math.abs(nowMs - signedAtMs) <= RECEIPT_AGE_MAX_MS)) return false
  const expected = signReceipt(secret, receipt)
  return signature
    .split(',')
    .slice(0, SIGNATURES_MAX)
    .some((candidate) => isSameSecret(candidate.trim(), expected))
}

const SIGNATURES_MAX = 4

type TwilioCallback = {
  /** Exactly the address Twilio was given, its query included. */
  url: string
  parameters: URLSearchParams
}

/** The address, then each form field's name and value in the order of the names, under HMAC-SHA-1. */
export function signTwilioCallback(authToken: string, { url, parameters }: TwilioCallback): string {
  // One pass: `getAll` for each name would take quadratic time, before the signature is known to be right.
  const values = new Map<string, Set<string>>()
  for (const [name, value] of parameters) values.set(name, (values.get(name) ?? new Set()).add(value))
  const names = [...values.keys()].sort()
  const signed = names.flatMap((name) => [...(values.get(name) ?? [])].sort().map((value) => `${name}${value}`))
  return createHmac('sha1', authToken)
    .update(url + signed.join(''))
    .digest('base64')
}

/** True when the callback is signed with the account's token. It carries no time, so handling it twice must be harmless. */
export function isSignedTwilioCallback(authToken: string, callback: TwilioCallback, signature: string): boolean {
  return isSameSecret(signature, signTwilioCallback(authToken, callback))
}
