import type { ProxyErrorCode } from '../contract/error.ts'
import type { WebhookEvent } from '../contract/webhook-event.ts'

export type Operation =
  | 'generate'
  | 'otp-challenge'
  | 'resend-sms'
  | 'current'
  | 'open'
  | 'forget'
  | 'addresses'
  | 'steps'
  | 'draft'
  | 'webhook'
  | 'decide'
export type Hook = 'onReport' | 'onOutcome' | 'consentRecord' | 'externalReference' | 'findAddresses'

/** Events for the lender's own monitoring. Ids and codes only, never anything about the consumer. */
export type ProxyEvent =
  /** The service answered. */
  | {
      type: 'answered'
      operation: Operation
      /** `complete`, `authentication-required`, `blocked`, `retry`, `failed`, `expired`; `sent` for another text. */
      status: string
      creditReportId: string
      test: boolean
      /** Its price and the balance left, in credits; another text has neither. */
      wallet?: { cost: number; balance: number }
      requestId?: string | undefined
    }
  /**
   * Refused without asking the service: a foreign page, a browser without cookies, too many requests from one address.
   */
  | { type: 'refused'; operation: Operation; code: ProxyErrorCode }
  /** The wallet is too low. The consumer reads a neutral message; top up, and the same request works. */
  | { type: 'insufficient-funds'; operation: Operation; requestId?: string | undefined }
  /** Your own spend cap is reached: no check, or no text, until the hour or the day is over or the cap is raised. */
  | { type: 'spend-cap-reached'; operation: Operation; requestId?: string | undefined }
  /** Lender configuration error; `problem` says what to change. */
  | { type: 'misconfigured'; problem: string; requestId?: string | undefined }
  /** The service did not answer, or not as agreed. */
  | {
      type: 'unavailable'
      operation: Operation
      reason: 'unreachable' | 'timed-out' | 'service-error' | 'rate-limited' | 'unexpected-answer'
      status?: number | undefined
      requestId?: string | undefined
    }
  /** A hook failed every time it was tried. The report is not kept anywhere else: find out why. */
  | { type: 'undelivered'; hook: Hook; creditReportId: string; tries: number; error: unknown }
  /** A hook threw; `onReport`, `onOutcome` and `consentRecord` will be tried again. */
  | { type: 'hook-failed'; hook: Hook; creditReportId?: string; error: unknown }
  /** A genuine webhook arrived: a check has ended, a wallet runs low. */
  | { type: 'webhook'; event: WebhookEvent }
  /** A mistake in the proxy itself. */
  | { type: 'internal-error'; error: unknown }

export type Emit = (event: ProxyEvent) => void

/**
 * Passes events on. A listener that throws changes nothing; without one, what needs a person becomes a process warning.
 */
export function createEmit(onEvent: ((event: ProxyEvent) => unknown) | undefined): Emit {
  const listener = onEvent ?? warn
  const pass = async (event: ProxyEvent) => listener(event)
  return (event) => {
    // Monitoring that fails, at once or later, must fail neither the consumer nor the process.
    pass(event).catch(() => {})
  }
}

/** The name of every warning, for `process.on('warning')`. */
export const WARNING = 'CreditReportProxyWarning'

const warned = new Set<string>()
const WARNINGS_MAX = 50

function warn(event: ProxyEvent): void {
  const words = worthAWarning(event)
  if (words === null || warned.has(words) || warned.size >= WARNINGS_MAX) return
  warned.add(words)
  process.emitWarning(words, WARNING)
}

function worthAWarning(event: ProxyEvent): string | null {
  switch (event.type) {
    case 'misconfigured':
      return event.problem
    case 'insufficient-funds':
      return 'the wallet is too low for a check: top it up'
    case 'spend-cap-reached':
      return 'the spend cap of this hour or day is reached: raise it in the console, under "Spend caps"'
    case 'unavailable':
      return `the service gave no usable answer (${event.reason}): \`await proxy.doctor()\` says more`
    case 'hook-failed':
      return warnOfHook(event.hook, nameOf(event.error))
    case 'undelivered':
      return `${event.hook} failed ${event.tries} times for ${event.creditReportId}: ${nameOf(event.error)}`
    case 'internal-error':
      return `internal error: ${event.error instanceof Error ? event.error.stack : 'unknown'}`
    default:
      return null
  }
}

function warnOfHook(hook: Hook, error: string): string | null {
  switch (hook) {
    case 'externalReference':
      return `${hook} failed, so there was no check: ${error}`
    case 'findAddresses':
      return `${hook} failed, so consumers have to type their address in: ${error}`
    // Tried again, and `undelivered` if that does not help.
    case 'onReport':
    case 'onOutcome':
    case 'consentRecord':
      return null
  }
}

/** Its name alone: the message may repeat what a consumer typed. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}
