// Proof that a delivery receipt comes from the gateway: anyone could claim a text was delivered, and delivery costs
// money.
import { createHmac } from 'node:crypto'
import { tryParseJson } from '../../../kit/json-body.ts'
import { isSameSecret } from '../../../kit/keys.ts'
import { type Receipt, type ReceiptRequest, receiptOf } from '../sms-gateway.ts'

/** The difference allowed between a receipt's time and ours, either way. */
export const RECEIPT_AGE_MAX_MS = 300_000

/** When the receipt was signed, in Unix seconds. */
export const TIMESTAMP_HEADER = 'X-Receipt-Timestamp'
/**
 * `v1=` and the hexadecimal HMAC-SHA-256 of `{timestamp}.{body}`; several, with commas between, while a secret changes.
 */
export const SIGNATURE_HEADER = 'X-Receipt-Signature'

const SIGNATURES_MAX = 4

type SignedReceipt = { timestamp: string; body: Uint8Array }

export function readHttpReceipt(
  secret: string,
  { body, header, nowMs }: ReceiptRequest,
): Receipt | 'unsigned' | 'unreadable' {
  const receipt = { timestamp: header(TIMESTAMP_HEADER), body }
  const isSigned = isSignedReceipt(secret, receipt, { signature: header(SIGNATURE_HEADER), nowMs })
  return isSigned ? receiptOf(tryParseJson(body)) : 'unsigned'
}

export function signReceipt(secret: string, { timestamp, body }: SignedReceipt): string {
  return `v1=${createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')}`
}

/** True when the receipt is signed with the secret and its time is within five minutes of ours. */
export function isSignedReceipt(
  secret: string,
  receipt: SignedReceipt,
  { signature, nowMs }: { signature: string; nowMs: number },
): boolean {
  // Digits only: with a point in the time, a part of the body could be moved into it and the signature would still fit.
  const signedAtMs = /^\d+$/.test(receipt.timestamp) ? Number(receipt.timestamp) * 1000 : Number.NaN
  if (!(Math.abs(nowMs - signedAtMs) <= RECEIPT_AGE_MAX_MS)) return false
  const expected = signReceipt(secret, receipt)
  return signature
    .split(',')
    .slice(0, SIGNATURES_MAX)
    .some((candidate) => isSameSecret(candidate.trim(), expected))
}
