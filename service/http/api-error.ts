import type { Context } from 'hono'
import { ERROR_STATUS, type ErrorCode } from '../../contract/error.ts'
import { type Problem, writeProblems } from '../../contract/problems.ts'
import { describeError } from '../describe-error.ts'
import type { Log, LogFields } from '../log.ts'
import { DatabaseUnavailable } from '../store/database.ts'

/**
 * An expected refusal. Routes throw it; one `catch` in the app turns it into `{code, message}` with the code's status.
 */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly headers: Record<string, string>

  constructor(code: ErrorCode, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.name = 'ApiError'
    this.code = code
    this.status = ERROR_STATUS[code]
    this.headers = headers
  }
}

/** An error that test mode was asked to answer. It is no fault, so no figure or alert counts it. */
export class PlayedError extends ApiError {}

/** The limit that a request exceeded, for the operator's metrics. */
type LimitKind = 'requests' | 'network' | 'device-sessions' | 'texts' | 'texts-of-check' | 'searches' | 'spend'

export class RateLimited extends ApiError {
  readonly kind: LimitKind

  constructor(kind: LimitKind, message: string, headers: Record<string, string> = {}) {
    super(kind === 'spend' ? 'spend-cap-reached' : 'rate-limited', message, headers)
    this.kind = kind
  }
}

export function validationError(problems: readonly Problem[], headers: Record<string, string> = {}): ApiError {
  return new ApiError('validation-error', writeProblems(problems), headers)
}

/** For an `after` that no page has given. */
export function unknownCursor(): ApiError {
  return validationError([{ path: 'after', expected: 'must be the nextAfter of an earlier page' }])
}

/** `what`: the thing that the address names. */
export function notFound(what?: string): ApiError {
  return new ApiError('not-found', what === undefined ? 'there is nothing at this address' : `there is no ${what}`)
}

/** Something outside that this request needs cannot serve now. The caller gets 503; the log gets `fields`. */
export abstract class Unavailable extends Error {
  abstract readonly fields: LogFields
}

/** `Retry-After` of a service that cannot serve now. */
const RETRY_AFTER_SECONDS = 2

/**
 * The one place where a failure becomes an answer. Only an `ApiError` says why; anything else is ours to find in the
 * log.
 */
export function answerError(context: Context, error: unknown, log: Log): Response {
  if (error instanceof ApiError) return errorBody(context, error)
  if (error instanceof DatabaseUnavailable) {
    log.warn('database unavailable', { code: error.code })
    return errorBody(context, unavailable())
  }
  if (error instanceof Unavailable) {
    log.warn('provider unavailable', error.fields)
    return errorBody(context, unavailable())
  }
  log.error('bug', describeError(error))
  return errorBody(context, new ApiError('internal-error', 'something went wrong on our side; the request id names it'))
}

export function unavailable(): ApiError {
  return new ApiError('unavailable', 'the service cannot answer right now; try again shortly', {
    'Retry-After': String(RETRY_AFTER_SECONDS),
  })
}

export function errorBody(context: Context, { code, message, headers }: ApiError): Response {
  return context.json({ code, message }, ERROR_STATUS[code], headers)
}
