import {
  IDEMPOTENCY_IGNORE_HEADER,
  IDEMPOTENCY_KEY_HEADER,
  IDEMPOTENCY_OWNER_HEADER,
  IGNORABLE_FIELDS,
  KEY_REUSED_HEADER,
} from '../../contract/idempotency.ts'
import { IDEMPOTENCY_KEY_LENGTH_MAX } from '../../contract/limits.ts'
import { type KeyList, keyedIndex } from '../../kit/keys.ts'
import { ApiError, validationError } from './api-error.ts'

/** A key as the database knows it: neither the caller's key nor the body can be read from it. */
export type IdempotencyKey = Index & {
  /** Its names under keys that are being replaced. */
  older: readonly Index[]
}

type Index = {
  /** The lender's key, whichever of its clients sends it. */
  scope: string
  fingerprint: string
}

// Visible ASCII, which is what a header can carry unharmed.
const shape = /^[\x21-\x7e]+$/

/**
 * The key a request carries, or null. `body` is the parsed body, so that spaces and the order of fields do not matter.
 */
export function readIdempotencyKey(
  request: Request,
  indexKeys: KeyList,
  { tenantId, operation, body }: { tenantId: string; operation: string; body: unknown },
): IdempotencyKey | null {
  const text = request.headers.get(IDEMPOTENCY_KEY_HEADER)
  if (text === null) return null
  requireShape(IDEMPOTENCY_KEY_HEADER, text)
  const owner = request.headers.get(IDEMPOTENCY_OWNER_HEADER)
  if (owner !== null) requireShape(IDEMPOTENCY_OWNER_HEADER, owner)
  const compared = comparedBody(request.headers, body) + (owner === null ? '' : `\n${owner}`)
  const indexBy = (key: Uint8Array): Index => ({
    scope: keyedIndex(key, 'idempotency key', JSON.stringify([tenantId, operation, text])),
    fingerprint: keyedIndex(key, 'idempotency body', compared),
  })
  const [first, ...older] = indexKeys
  return { ...indexBy(first), older: older.map(indexBy) }
}

function requireShape(path: string, text: string): void {
  if (shape.test(text) && text.length <= IDEMPOTENCY_KEY_LENGTH_MAX) return
  const expected = `must be 1 to ${IDEMPOTENCY_KEY_LENGTH_MAX} visible ASCII characters`
  throw validationError([{ path, expected }])
}

/** The parts of a request that a repeat must share with the first. Both must ignore the same fields. */
function comparedBody(headers: Headers, body: unknown): string {
  const names = headers.get(IDEMPOTENCY_IGNORE_HEADER)
  if (names === null) return JSON.stringify(body)
  const ignored = names.split(',').map((name) => name.trim())
  if (!ignored.every((name) => IGNORABLE_FIELDS.some((field) => field === name))) {
    const expected = `may name ${IGNORABLE_FIELDS.join(', ')} and nothing else`
    throw validationError([{ path: IDEMPOTENCY_IGNORE_HEADER, expected }])
  }
  return JSON.stringify([ignored.toSorted(), body], (name, value) => (ignored.includes(name) ? undefined : value))
}

/** Throws unless the request that used the key first had the same body. */
export function requireSameBody(use: { fingerprint: string }, key: IdempotencyKey): void {
  if ([key, ...key.older].some(({ fingerprint }) => fingerprint === use.fingerprint)) return
  const problem = { path: IDEMPOTENCY_KEY_HEADER, expected: 'was used with another body; use a new key' }
  throw validationError([problem], { [KEY_REUSED_HEADER]: 'true' })
}

export function inProgress(): ApiError {
  return new ApiError(
    'request-in-progress',
    'a request with this Idempotency-Key is still in progress; ask again shortly',
    {
      'Retry-After': '1',
    },
  )
}
