import { ErrorBody, type ErrorCode } from '../contract/error.ts'
import { IDEMPOTENCY_KEY_HEADER } from '../contract/idempotency.ts'
import { type Problem, read, readProblems } from '../contract/problems.ts'
import type { Emit, Operation, ProxyEvent } from './events.ts'
import { Refusal, refuseDetails } from './refusal.ts'

const RETRY_AFTER_SECONDS_MAX = 86_400

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

/** What the browser reads for an answer that is not 200; tells the lender what only the lender can mend. */
export function refusalFor(received: Received, { operation, consumerFields = [] }: About, emit: Emit): Refusal {
  const { status, header } = received
  const requestId = idOf(received.requestId)
  const problem = read(ErrorBody, received.body)
  const { code, message } = problem.ok ? problem.value : { code: '', message: '' }
  const retryAfterSeconds = wholeSeconds(header('Retry-After'), RETRY_AFTER_SECONDS_MAX)
  const details = { ...requestId, ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }) }

  const answerWith = (answer: ErrorCode, event?: ProxyEvent) => {
    if (event) emit(event)
    return new Refusal(answer, details)
  }
  // 401 and 403 are about the lender's credentials: for the consumer the check is simply not available.
  const misconfigured = (words: string) =>
    answerWith('unavailable', { type: 'misconfigured', problem: words, ...requestId })

  switch (status) {
    case 400: {
      const problems = consumerProblems(message, consumerFields)
      if (problems.length > 0) return refuseDetails(problems)
      // The same press of a button, but the lender asks for other bureaus by now. Nothing was charged for this try.
      if (message.includes(IDEMPOTENCY_KEY_HEADER)) {
        return new Refusal('validation-error', { message: `${IDEMPOTENCY_KEY_HEADER}: begin again with a new key` })
      }
      return misconfigured('the service did not accept what the proxy adds: check `bureaus` and `externalReference`')
    }
    case 401:
      return misconfigured('the service does not accept its own access token: are the clocks right?')
    case 402:
      return answerWith('insufficient-funds', { type: 'insufficient-funds', operation, ...requestId })
    case 403:
      return misconfigured('these credentials may not act for this tenant: check `tenantId`')
    case 404:
      if (code === 'challenge-not-found' || code === 'credit-report-not-found') return new Refusal(code, requestId)
      return misconfigured('the service does not know its own paths: check `service`')
    case 409:
      return new Refusal('request-in-progress', { retryAfterSeconds: 1, ...details })
    case 410:
      return new Refusal('challenge-expired', requestId)
    case 429:
      // Without Retry-After it is about this challenge's texts, and nothing the lender should hear of.
      if (retryAfterSeconds === null) return answerWith('rate-limited')
      return answerWith('rate-limited', {
        type: 'unavailable',
        operation,
        reason: 'rate-limited',
        status,
        ...requestId,
      })
    default: {
      return answerWith('unavailable', {
        type: 'unavailable',
        operation,
        reason: reasonFor(status),
        status,
        ...requestId,
      })
    }
  }
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
