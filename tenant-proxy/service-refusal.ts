import { ERROR_STATUS, ErrorBody, type ErrorCode } from '../contract/error.ts'
import { IDEMPOTENCY_KEY_HEADER } from '../contract/idempotency.ts'
import { type Problem, read, readProblems } from '../contract/problems.ts'
import type { Emit, Operation } from './events.ts'
import { Refusal, refuseDetails } from './refusal.ts'

const RETRY_AFTER_SECONDS_MAX = 86_400
const IN_PROGRESS_WAIT_SECONDS = 1

/** An answer of the service, whatever it says. */
export type Received = {
  status: number
  header(name: string): string | null
  body: unknown
  requestId: string | undefined
}

type About = {
  operation: Operation
  /** Fields the browser is responsible for; problems with others are the lender's to mend. */
  consumerFields?: readonly string[]
}

/** What becomes of a refusal of the service. */
type Verdict = {
  /** What the browser reads. */
  answer: ErrorCode
  /** Something of the lender's is wrong: these words say what. */
  problem?: string
  /** What else the lender's monitoring is told. */
  event?: 'insufficient-funds' | 'unavailable'
}

const unexpected: Verdict = { answer: 'unavailable', event: 'unavailable' }

/** Every code the service may answer with. 401 and 403 are about the lender's credentials: for the consumer the check is simply not available. */
const VERDICTS: Record<ErrorCode, Verdict> = {
  'validation-error': {
    answer: 'unavailable',
    problem: 'the service did not accept what the proxy adds: check `bureaus` and `externalReference`',
  },
  unauthorized: {
    answer: 'unavailable',
    problem: 'the service does not accept its own access token: are the clocks right?',
  },
  'insufficient-funds': { answer: 'insufficient-funds', event: 'insufficient-funds' },
  forbidden: {
    answer: 'unavailable',
    problem: 'these credentials may not act for this tenant: check `tenantId`',
  },
  'not-found': { answer: 'unavailable', problem: 'the service does not know its own paths: check `service`' },
  'credit-report-not-found': { answer: 'credit-report-not-found' },
  'challenge-not-found': { answer: 'challenge-not-found' },
  'method-not-allowed': unexpected,
  'request-in-progress': { answer: 'request-in-progress' },
  'challenge-expired': { answer: 'challenge-expired' },
  'payload-too-large': unexpected,
  'unsupported-media-type': unexpected,
  'rate-limited': { answer: 'rate-limited', event: 'unavailable' },
  'internal-error': unexpected,
  unavailable: unexpected,
}

/** What a status means without a code of ours: an answer of something in front of the service, or a service newer than this proxy. */
const CODE_BY_STATUS: { [status: number]: ErrorCode } = {
  400: 'validation-error',
  401: 'unauthorized',
  402: 'insufficient-funds',
  403: 'forbidden',
  404: 'not-found',
  409: 'request-in-progress',
  410: 'challenge-expired',
  429: 'rate-limited',
}

/** What the browser reads for an answer that is not 200; tells the lender what only the lender can mend. */
export function refusalFor(received: Received, { operation, consumerFields = [] }: About, emit: Emit): Refusal {
  const { status, header } = received
  const requestId = idOf(received.requestId)
  const body = read(ErrorBody, received.body)
  const { code: said, message } = body.ok ? body.value : { code: '', message: '' }
  const code = codeOf(said, status)
  const wait = wholeSeconds(header('Retry-After'), RETRY_AFTER_SECONDS_MAX)
  const retryAfterSeconds = wait ?? (code === 'request-in-progress' ? IN_PROGRESS_WAIT_SECONDS : undefined)
  const details = { ...requestId, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) }

  if (code === 'validation-error') {
    const problems = consumerProblems(message, consumerFields)
    if (problems.length > 0) return refuseDetails(problems)
    // The same press of a button, but the lender asks for other bureaus by now. Nothing was charged for this try.
    if (message.includes(IDEMPOTENCY_KEY_HEADER)) {
      return new Refusal('validation-error', { message: `${IDEMPOTENCY_KEY_HEADER}: begin again with a new key` })
    }
  }
  const { answer, problem, event } = VERDICTS[code]
  if (problem) emit({ type: 'misconfigured', problem, ...requestId })
  if (event === 'insufficient-funds') emit({ type: event, operation, ...requestId })
  // Without Retry-After a 429 is about this challenge's texts, and nothing the lender should hear of.
  const isAboutTexts = code === 'rate-limited' && wait === null
  if (event === 'unavailable' && !isAboutTexts) {
    emit({ type: event, operation, reason: reasonFor(status), status, ...requestId })
  }
  return new Refusal(answer, details)
}

/** The code, where it is one of ours and fits the status; else what the status alone says. */
function codeOf(said: string, status: number): ErrorCode {
  const isOurs = (code: string): code is ErrorCode => Object.hasOwn(ERROR_STATUS, code)
  if (isOurs(said) && ERROR_STATUS[said] === status) return said
  return CODE_BY_STATUS[status] ?? 'internal-error'
}

/** Why an answer of this status is none. */
export function reasonFor(status: number) {
  if (status === 429) return 'rate-limited'
  return status >= 500 ? 'service-error' : 'unexpected-answer'
}

function consumerProblems(message: string, fields: readonly string[]): Problem[] {
  return readProblems(message).filter(({ path }) => fields.includes(/^\w*/.exec(path)?.[0] ?? ''))
}

/** A header that counts seconds; null for anything else. */
export function wholeSeconds(value: string | null, most: number): number | null {
  const seconds = value !== null && /^\d{1,9}$/.test(value) ? Number(value) : null
  return seconds === null ? null : Math.min(seconds, most)
}

export function idOf(requestId: string | undefined): { requestId?: string } {
  return requestId === undefined ? {} : { requestId }
}
