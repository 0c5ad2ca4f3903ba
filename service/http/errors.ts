import type { Context } from 'hono'
import { ERROR_STATUS } from '../../contract/error.ts'
import { describeError } from '../describe-error.ts'
import type { Log } from '../log.ts'
import { DatabaseUnavailable } from '../store/database.ts'
import { ApiError, Unavailable } from './api-error.ts'

/** `Retry-After` of a service that cannot serve now. */
const RETRY_AFTER_SECONDS = 2

/** The one place where a failure becomes an answer. Only an `ApiError` says why; anything else is ours to find in the log. */
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
