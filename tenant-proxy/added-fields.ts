import { REFERENCE_LENGTH_MAX } from '../contract/limits.ts'
import type { AddedFields, BrowserRequest, Parts } from './browser-request.ts'
import { Refusal } from './refusal.ts'

/**
 * What the proxy adds, the same for every repeat under one key as long as this process lives: a repeat is no second
 * order, and does not count against the limit.
 */
export async function addOnce(
  idempotencyKey: string,
  browserRequest: BrowserRequest,
  parts: Parts,
): Promise<AddedFields> {
  const known = parts.added.get(idempotencyKey)
  if (known) return known
  const { address, isPreview } = browserRequest
  if (address === null) {
    const problem = 'the consumer’s address is unknown: pass `context.remoteAddress`, or set `trustedHops`'
    parts.emit({ type: 'misconfigured', problem })
    throw new Refusal('unavailable')
  }
  if (!isPreview) parts.notices.seeCheck(address, browserRequest.incoming.headers)
  const retryAfterSeconds = isPreview ? 0 : parts.generateLimit.take(address)
  if (retryAfterSeconds > 0) {
    parts.notices.seeLimit(address)
    parts.emit({ type: 'refused', operation: 'generate', code: 'rate-limited' })
    throw new Refusal('rate-limited', { retryAfterSeconds })
  }
  const added = { ipAddress: address, ...(await askReference(browserRequest, parts)) }
  // Of two presses at once, the first to get here decides for both.
  const first = parts.added.get(idempotencyKey)
  if (!first) parts.added.set(idempotencyKey, added)
  return first ?? added
}

async function askReference({ incoming, context }: BrowserRequest, { settings, emit }: Parts) {
  if (!settings.externalReference) return {}
  try {
    const externalReference = (await settings.externalReference(incoming.toRequest(), context))?.trim()
    if (!externalReference) return {}
    if (externalReference.length <= REFERENCE_LENGTH_MAX) return { externalReference }
    throw new RangeError(`externalReference must have at most ${REFERENCE_LENGTH_MAX} characters`)
  } catch (error) {
    // Refused: a check without its reference would be charged, and the lender could not match it.
    emit({ type: 'hook-failed', hook: 'externalReference', error })
    throw new Refusal('unavailable')
  }
}

/** The reference as a field, or no field. */
export function referenceOf({ externalReference }: { externalReference?: string | undefined }) {
  return externalReference === undefined ? {} : { externalReference }
}
