// Asking for the same thing again without getting it twice.

export const IDEMPOTENCY_KEY_HEADER = 'Idempotency-Key'
export const REPLAYED_HEADER = 'Idempotent-Replayed'
/** On a 400: the key stands for another body or another owner. */
export const KEY_REUSED_HEADER = 'Idempotency-Key-Reused'

/**
 * Names fields that may differ from the first request under the same key. Without it the whole body must be the same. A
 * lender's server sends it: the phone that repeats a request may have changed networks, or reloaded the page meanwhile.
 */
export const IDEMPOTENCY_IGNORE_HEADER = 'Idempotency-Ignore'

/**
 * A secret of the caller's end customer: a repeat has to bring the same. Where the key itself is not secret, only its
 * first sender gets the first answer again.
 */
export const IDEMPOTENCY_OWNER_HEADER = 'Idempotency-Owner'

/** Fields that say how a request arrived, not what it asks for. No other field may be ignored. */
export const IGNORABLE_FIELDS = ['ipAddress', 'sessionId', 'externalReference'] as const
