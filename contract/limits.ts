// Every number both sides must agree on. A limit that only one side needs lives with that side.

/** Lifetime of a challenge after its last text. */
export const CHALLENGE_LIFETIME_MS = 300_000
/** This many wrong codes end a challenge, counted over all its texts. */
export const ATTEMPTS_MAX = 3
/** Texts a challenge may send: the first and two resends. */
export const SENDS_MAX = 3
/** Number of digits in a security code. */
export const CODE_LENGTH = 6
/** The code that completes every test-mode challenge. */
export const TEST_MODE_CODE = '123456'
/** The largest request body either server reads. */
export const BODY_BYTES_MAX = 65_536
/** Ten credits are one penny. */
export const CREDITS_PER_PENNY = 10
/** The largest amount that can be typed or sent. */
export const CREDITS_MAX = 1_000_000_000_000
/** Lifetime of an idempotency key. */
export const IDEMPOTENCY_KEY_LIFETIME_MS = 86_400_000
/** The longest idempotency key accepted. */
export const IDEMPOTENCY_KEY_LENGTH_MAX = 255

/** Longest accepted strings, in UTF-16 units. */
export const NAME_LENGTH_MAX = 100
export const ADDRESS_TEXT_LENGTH_MAX = 200
export const EMAIL_LENGTH_MAX = 254
export const REFERENCE_LENGTH_MAX = 200
export const SESSION_ID_LENGTH_MAX = 512
export const CODE_TEXT_LENGTH_MAX = 64
/** Most addresses one request may carry. */
export const ADDRESSES_MAX = 10
/** Most addresses of one postcode that a consumer chooses from. No UK postcode has more. */
export const FOUND_ADDRESSES_MAX = 100
/** Page size of a list where the caller gives none. */
export const PAGE_SIZE_DEFAULT = 50
export const PAGE_SIZE_MAX = 200
