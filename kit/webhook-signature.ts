// Signing and verifying webhooks as the Standard Webhooks specification says: `v1,` and the base64 HMAC-SHA-256 of
// `{id}.{timestamp}.{body}`. While a secret is being replaced, one signature per secret is sent, with spaces between.
import { createHmac, randomBytes } from 'node:crypto'
import {
  WEBHOOK_ID_HEADER,
  WEBHOOK_SECRET_PREFIX,
  WEBHOOK_SIGNATURE_HEADER,
  WEBHOOK_TIMESTAMP_HEADER,
} from '../contract/webhook-event.ts'
import type { HeaderReader } from './headers.ts'
import { isSameSecret } from './keys.ts'

/** The difference allowed between a webhook's time and the receiver's, either way. */
const WEBHOOK_TOLERANCE_MS = 300_000

const SECRET_BYTES = 32
/** The length of a secret that the specification requires. */
const SECRET_BYTES_MIN = 24
const SECRET_BYTES_MAX = 64
/** Signatures that are looked at: more than any rotation needs. */
const SIGNATURES_MAX = 8
const VERSION = 'v1,'
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

type SignedMessage = {
  id: string
  /** When it was sent, in Unix seconds. */
  timestampSeconds: number
  body: Uint8Array
}

/**
 * - `genuine`: signed with one of the secrets, within the tolerance.
 * - `unsigned`: a header is missing or not in the form of the specification.
 * - `untimely`: older or younger than the tolerance allows: a repeat, or a clock that is wrong.
 * - `forged`: signed with no secret that is known here, or changed on the way.
 */
export type WebhookVerdict = 'genuine' | 'unsigned' | 'untimely' | 'forged'

export function createWebhookSecret(): string {
  return `${WEBHOOK_SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`
}

/** Null unless it is `whsec_` and the base64 of 24 to 64 bytes. Check settings with it at start. */
export function readWebhookSecret(secret: string): Uint8Array | null {
  if (!secret.startsWith(WEBHOOK_SECRET_PREFIX)) return null
  const encoded = secret.slice(WEBHOOK_SECRET_PREFIX.length)
  const bytes = Buffer.from(encoded, 'base64')
  return BASE64.test(encoded) && bytes.length >= SECRET_BYTES_MIN && bytes.length <= SECRET_BYTES_MAX ? bytes : null
}

/** The three headers of a webhook. Throws on a secret that is none. */
export function signWebhook(secrets: readonly string[], message: SignedMessage): { [header: string]: string } {
  return {
    [WEBHOOK_ID_HEADER]: message.id,
    [WEBHOOK_TIMESTAMP_HEADER]: String(message.timestampSeconds),
    [WEBHOOK_SIGNATURE_HEADER]: secrets.map((secret) => signatureOf(secret, message)).join(' '),
  }
}

/** True when a webhook with these headers and exactly these bytes is recent and was signed with one of the secrets. */
export function verifyWebhook(
  secrets: readonly string[],
  { headers, body }: { headers: HeaderReader; body: Uint8Array },
  nowMs: number,
): WebhookVerdict {
  const id = headers.get(WEBHOOK_ID_HEADER)
  const timestamp = headers.get(WEBHOOK_TIMESTAMP_HEADER)
  const signatures = headers.get(WEBHOOK_SIGNATURE_HEADER)
  if (!id || !signatures || timestamp === null || !/^\d{1,12}$/.test(timestamp)) return 'unsigned'
  const timestampSeconds = Number(timestamp)
  if (Math.abs(nowMs - timestampSeconds * 1000) > WEBHOOK_TOLERANCE_MS) return 'untimely'
  const message = { id, timestampSeconds, body }
  const expected = secrets.map((secret) => signatureOf(secret, message))
  const sent = signatures.split(' ').slice(0, SIGNATURES_MAX)
  return sent.some((candidate) => expected.some((signature) => isSameSecret(candidate, signature)))
    ? 'genuine'
    : 'forged'
}

function signatureOf(secret: string, { id, timestampSeconds, body }: SignedMessage): string {
  const key = readWebhookSecret(secret)
  if (key === null) throw new TypeError('a webhook secret is whsec_ and the base64 of 24 to 64 bytes')
  return VERSION + createHmac('sha256', key).update(`${id}.${timestampSeconds}.`).update(body).digest('base64')
}
