// A lender's own reference of a check: an order number is often a number.
import { REFERENCE_LENGTH_MAX } from '../contract/limits.ts'
import { describe } from './known-names.ts'

/** A reference as its text; undefined for none. Throws a `TypeError` for anything but a text or a number. */
export function readReference(what: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string' && typeof value !== 'bigint' && !Number.isSafeInteger(value)) {
    throw new TypeError(`${what} must be a text or a whole number, not ${describe(value)}`)
  }
  const reference = String(value).trim()
  if (reference.length > REFERENCE_LENGTH_MAX) {
    throw new RangeError(`${what} must have at most ${REFERENCE_LENGTH_MAX} characters`)
  }
  return reference === '' ? undefined : reference
}
