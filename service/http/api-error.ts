import { ERROR_STATUS, type ErrorCode } from '../../contract/error.ts'
import { type Problem, writeProblems } from '../../contract/problems.ts'
import type { LogFields } from '../log.ts'

/** An expected refusal. Routes throw it; one `catch` in the app turns it into `{code, message}` with the code's status. */
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

export function notFound(): ApiError {
  return new ApiError('not-found', 'there is nothing at this address')
}

/** Something outside that this request needs cannot serve now. The caller gets 503; the log gets `fields`. */
export abstract class Unavailable extends Error {
  abstract readonly fields: LogFields
}
