import { PROXY_ERROR_STATUS, type ProxyErrorCode } from '../../contract/error.ts'
import { type Problem, writeProblems } from '../../contract/problems.ts'

/**
 * The words that a consumer's browser reads for each code. Always these, never the service's: they say nothing about
 * the lender's account, and two refusals with one code are the same bytes whatever the cause was.
 */
const MESSAGES: Record<ProxyErrorCode, string> = {
  'validation-error': 'The details were not accepted.',
  unauthorized: 'Please sign in again.',
  'insufficient-funds': 'The check cannot be done at the moment.',
  forbidden: 'This page may not ask for a check.',
  'not-found': 'There is nothing here.',
  'credit-report-not-found': 'This check was not found.',
  'challenge-not-found': 'This security code check was not found.',
  'method-not-allowed': 'This cannot be done here.',
  'request-in-progress': 'The same request is still being worked on.',
  'challenge-expired': 'The security code has expired.',
  'payload-too-large': 'The request is too large.',
  'unsupported-media-type': 'Send the body as application/json in UTF-8, without compression.',
  'rate-limited': 'Too many requests. Please wait and try again.',
  'spend-cap-reached': 'The check cannot be done at the moment.',
  'internal-error': 'Something went wrong.',
  unavailable: 'The check is not available at the moment.',
  misconfigured: 'The check is not available.',
  'start-refused': 'This page is out of date. Load it again.',
  'cookies-required': 'This check needs cookies. Allow them for this page and try again.',
}

type RefusalDetails = {
  message?: string
  retryAfterSeconds?: number | undefined
  allow?: string
  requestId?: string | undefined
  isKeyReused?: boolean
}

/**
 * An expected refusal. Handlers throw or return it; one place turns it into `{code, message}` with the code's status.
 */
export class Refusal extends Error {
  readonly code: ProxyErrorCode
  readonly status: number
  readonly retryAfterSeconds: number | undefined
  /** The methods a path does answer. */
  readonly allow: string | undefined
  /** The service's request id, for support. */
  readonly requestId: string | undefined
  /** The service knows the idempotency key from another request. */
  readonly isKeyReused: boolean

  constructor(
    code: ProxyErrorCode,
    { message = MESSAGES[code], retryAfterSeconds, allow, requestId, isKeyReused = false }: RefusalDetails = {},
  ) {
    super(message)
    this.name = 'Refusal'
    this.code = code
    this.status = PROXY_ERROR_STATUS[code]
    this.retryAfterSeconds = retryAfterSeconds
    this.allow = allow
    this.requestId = requestId
    this.isKeyReused = isKeyReused
  }
}

export function refuseDetails(problems: readonly Problem[]): Refusal {
  return new Refusal('validation-error', { message: writeProblems(problems) })
}
