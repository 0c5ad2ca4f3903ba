// Why a call has no answer, as classes: `catch (error) { if (error instanceof InsufficientFundsError) … }`.
import { ErrorBody } from '../../contract/envelope.ts'
import { ERROR_STATUS, type ErrorCode } from '../../contract/error.ts'
import { KEY_REUSED_HEADER } from '../../contract/idempotency.ts'
import { type Problem, read, readProblems } from '../../contract/problems.ts'
import { TokenError } from './access-token.ts'
import { NoAnswer, type TransportResponse } from './transport.ts'

type Details = {
  /** The HTTP status; absent when nothing was answered. */
  status?: number | undefined
  /** The service's request id, for support. */
  requestId?: string | undefined
  /** When to ask again, where the service says. */
  retryAfterSeconds?: number | undefined
  isKeyReused?: boolean
  cause?: unknown
}

/** Every error of a call is one of these. The message is the service's: ids and paths, never anything personal. */
export class ServiceError extends Error {
  readonly code: ErrorCode
  readonly status: number | undefined
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, message: string, { status, requestId, retryAfterSeconds, cause }: Details = {}) {
    super(message, cause === undefined ? {} : { cause })
    this.name = new.target.name
    this.code = code
    this.status = status
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** 400: something in the request is not as the service wants it. */
export class ValidationError extends ServiceError {
  /** The place, and the expected value. */
  readonly problems: readonly Problem[] = readProblems(this.message)
  /**
   * The idempotency key was used with another body, or by another owner: nothing was done, begin again with a new key.
   */
  readonly isKeyReused: boolean

  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(code, message, details)
    this.isKeyReused = details.isKeyReused === true
  }
}

/** 401 and 403: the credentials are wrong, or not for this tenant. */
export class CredentialsError extends ServiceError {
  /** No token was given for them; otherwise a token was, and refused. */
  readonly isWithoutToken: boolean

  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(code, message, details)
    this.isWithoutToken = details.cause instanceof TokenError
  }
}

/** 402, by either of its codes: top up, and the same request works. */
export class InsufficientFundsError extends ServiceError {}

/** 404: the tenant has no such report, or the report no such challenge. */
export class NotFoundError extends ServiceError {}

/** 409: the first request under the same idempotency key is still in progress. */
export class InProgressError extends ServiceError {}

/** 410: the challenge has expired or ended; generate anew. */
export class ChallengeExpiredError extends ServiceError {}

/** 429: too fast, or, without `retryAfterSeconds`, too many texts for one challenge. */
export class RateLimitedError extends ServiceError {}

/** 429: your own spend cap for this hour or day. Without `retryAfterSeconds` the price is above the cap. */
export class SpendCapReachedError extends RateLimitedError {}

type Reason = 'unreachable' | 'timed-out' | 'service-error' | 'rate-limited' | 'unexpected-answer'

/**
 * No answer, or none that makes sense. A generate or resend under the same idempotency key may be tried again; a code
 * may have counted.
 */
export class UnavailableError extends ServiceError {
  readonly reason: Reason

  constructor(code: ErrorCode, message: string, details: Details & { reason: Reason }) {
    super(code, message, details)
    this.reason = details.reason
  }
}

/** An answer of the service, whatever it says. */
export type Received = TransportResponse & { requestId: string | undefined }

const RETRY_AFTER_SECONDS_MAX = 86_400

/** The error for an answer that is not 200. */
export function errorFor({ status, header, body, requestId }: Received): ServiceError {
  const said = read(ErrorBody, body)
  const code = codeOf(said.ok ? said.value.code : '', status)
  const message = said.ok ? said.value.message : `the service answered ${status}`
  const retryAfterSeconds = wholeSeconds(header('Retry-After'), RETRY_AFTER_SECONDS_MAX) ?? undefined
  const isKeyReused = header(KEY_REUSED_HEADER) === 'true'
  const details = { status, requestId, retryAfterSeconds, isKeyReused }
  const Kind = KINDS[code]
  return Kind
    ? new Kind(code, message, details)
    : new UnavailableError(code, message, { ...details, reason: reasonFor(status) })
}

/** The error for a call that was never answered; anything else is a mistake of ours and stays one. */
export function errorWithout(error: unknown): unknown {
  if (error instanceof TokenError && error.isRefused) {
    return new CredentialsError('unauthorized', error.message, { status: error.status, cause: error })
  }
  if (!(error instanceof TokenError || error instanceof NoAnswer)) return error
  const { status } = error instanceof TokenError ? error : {}
  const line = error instanceof TokenError ? error.cause : error
  const withoutStatus = line instanceof NoAnswer && line.isTimedOut ? 'timed-out' : 'unreachable'
  const reason = status === undefined ? withoutStatus : reasonFor(status)
  return new UnavailableError('unavailable', error.message, { status, cause: error, reason })
}

type Plain = new (code: ErrorCode, message: string, details: Details) => ServiceError

/** Null: nothing that a caller could fix. A new code does not compile until it is here. */
const KINDS: Record<ErrorCode, Plain | null> = {
  'validation-error': ValidationError,
  unauthorized: CredentialsError,
  'insufficient-funds': InsufficientFundsError,
  forbidden: CredentialsError,
  'proof-required': CredentialsError,
  'not-found': NotFoundError,
  'credit-report-not-found': NotFoundError,
  'challenge-not-found': NotFoundError,
  'method-not-allowed': null,
  'request-in-progress': InProgressError,
  'challenge-expired': ChallengeExpiredError,
  'payload-too-large': null,
  'unsupported-media-type': null,
  'rate-limited': RateLimitedError,
  'spend-cap-reached': SpendCapReachedError,
  'internal-error': null,
  unavailable: null,
}

const CODES = Object.keys(ERROR_STATUS) as readonly ErrorCode[]

/**
 * The code, where it is one of ours and fits the status. Else the first of that status that has a class of its own, or
 * `internal-error`: the answer comes from something in front of the service, or from a service newer than this client.
 */
function codeOf(said: string, status: number): ErrorCode {
  const sharing = CODES.filter((code) => ERROR_STATUS[code] === status)
  return sharing.find((code) => code === said) ?? sharing.find((code) => KINDS[code] !== null) ?? 'internal-error'
}

/** Why an answer of this status is none. */
function reasonFor(status: number): Reason {
  if (status === 429) return 'rate-limited'
  return status >= 500 ? 'service-error' : 'unexpected-answer'
}

/** A header that counts seconds; null for anything else. */
export function wholeSeconds(value: string | null, most: number): number | null {
  const seconds = value !== null && /^\d{1,9}$/.test(value) ? Number(value) : null
  return seconds === null ? null : Math.min(seconds, most)
}
