// The key a browser sends names one press of a button; the key the service sees names it beyond doubt.
import { createHash } from 'node:crypto'
import { IDEMPOTENCY_KEY_HEADER } from '../contract/idempotency.ts'
import { IDEMPOTENCY_KEY_LENGTH_MAX } from '../contract/limits.ts'
import type { HeaderReader } from '../kit/headers.ts'
import { Refusal } from './refusal.ts'

const keyShape = new RegExp(`^[\\x21-\\x7e]{8,${IDEMPOTENCY_KEY_LENGTH_MAX}}$`)

/** The browser's key, or a fresh one when it sent none: the proxy's own repeat needs one in any case. */
export function readIdempotencyKey(headers: HeaderReader): string {
  const key = headers.get(IDEMPOTENCY_KEY_HEADER)
  if (key === null) return crypto.randomUUID()
  if (keyShape.test(key)) return key
  throw new Refusal('validation-error', {
    message: `${IDEMPOTENCY_KEY_HEADER}: must have 8 to ${IDEMPOTENCY_KEY_LENGTH_MAX} visible ASCII characters`,
  })
}

/**
 * Turns a browser's key and what it stands for into the key for the service.
 *
 * All browsers of a lender share one credential at the service, so their keys share one space there, and a replay shows
 * the first answer. Hashing the key together with everything the browser said about the consumer keeps that safe:
 * whoever sends the same key with other details gets an answer of their own, and the first answer comes back only to
 * someone who already knows all of it. A cookie cannot do this: when the very first answer is lost, the browser that
 * repeats its request has none yet. The device session stays out of it: a page that was reloaded has a new one. And no
 * secret goes into it: on the day the lender replaces one, a repeat must still be a repeat.
 */
export function scopeKey(what: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(what)).digest('base64url')
}
