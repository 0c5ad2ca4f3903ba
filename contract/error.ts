/** Each error code and its HTTP status. A new code does not compile until it has one. */
export const ERROR_STATUS = {
  'validation-error': 400,
  unauthorized: 401,
  'insufficient-funds': 402,
  forbidden: 403,
  /** A person who signed in too long ago for this. Machines never see it. */
  'proof-required': 403,
  'not-found': 404,
  'credit-report-not-found': 404,
  'challenge-not-found': 404,
  'method-not-allowed': 405,
  'request-in-progress': 409,
  'challenge-expired': 410,
  'payload-too-large': 413,
  'unsupported-media-type': 415,
  'rate-limited': 429,
  'spend-cap-reached': 429,
  'internal-error': 500,
  unavailable: 503,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS

// Only for people at a lender: a consumer's browser never reads it.
const { 'proof-required': _people, ...CONSUMER_ERROR_STATUS } = ERROR_STATUS

/** The codes that the tenant proxy may answer with: the service's and three of its own. */
export const PROXY_ERROR_STATUS = {
  ...CONSUMER_ERROR_STATUS,
  /** The browser keeps no cookies, so that it could not answer for the check it is about to begin. */
  'cookies-required': 403,
  /**
   * The start that the lender's page brought is used, has expired or belongs to another mount: the page has to be
   * loaded again.
   */
  'start-refused': 410,
  /** Lender configuration error: retries fail until it is fixed. The proxy's log and doctor name the cause. */
  misconfigured: 503,
} as const

export type ProxyErrorCode = keyof typeof PROXY_ERROR_STATUS
