// Everything that can keep an answer from arriving, as a value, and what each leads to.
import { PROXY_ERROR_STATUS, type ProxyErrorCode } from '../../contract/error.ts'

export type Fault = {
  /** The server's code, or one of ours. */
  code: string
  /** The HTTP status; 0 when there was no answer. */
  status: number
  retryAfterMs?: number
  /** The id that the lender's support can look up. */
  requestId?: string
  /** The complaint of a 400, as the server wrote it. */
  message?: string
}

/** Codes of faults that never reached the server, or whose answer made no sense. */
export type OwnFaultCode =
  | 'endpoint-not-same-origin'
  | 'offline'
  | 'network'
  | 'timeout'
  | 'garbled-answer'
  | 'script-blocked'
  | 'fingerprint-blocked'
  | 'cookies-off'

export function ownFault(code: OwnFaultCode): Fault {
  return { code, status: 0 }
}

type FaultMeaning = {
  /** The outcome when a report was asked for: the inputs the server refused, an end, or a pause. */
  start: 'refused' | 'unavailable' | 'expired' | 'busy' | 'session' | 'cookies' | 'offline' | 'device' | 'broken'
  /**
   * The outcome on the code screen. The person holds a code that still works, so they stay there whenever they
   * can.
   */
  code: 'stay' | 'ask' | 'unavailable' | 'session' | 'wait' | 'no-texts'
  /** The request is retried before the fault is shown. */
  isRepeated?: boolean
}

/** A code that is added to the contract does not compile until it is known here what it leads to. */
const FAULTS: { [code in ProxyErrorCode | OwnFaultCode]: FaultMeaning } = {
  'validation-error': { start: 'refused', code: 'stay' },
  unauthorized: { start: 'session', code: 'session' },
  // Why the lender's side cannot serve a check is the lender's business, so these read the same.
  'insufficient-funds': { start: 'unavailable', code: 'no-texts' },
  forbidden: { start: 'unavailable', code: 'unavailable' },
  // A check that is not known any more may have ended well in another tab: the server is asked.
  'not-found': { start: 'unavailable', code: 'stay' },
  'credit-report-not-found': { start: 'unavailable', code: 'stay' },
  'challenge-not-found': { start: 'unavailable', code: 'stay' },
  'method-not-allowed': { start: 'unavailable', code: 'stay' },
  'request-in-progress': { start: 'broken', code: 'stay', isRepeated: true },
  // Another tab may have completed the check before: the server is asked.
  'challenge-expired': { start: 'expired', code: 'ask' },
  'start-refused': { start: 'session', code: 'stay' },
  'cookies-required': { start: 'cookies', code: 'stay' },
  misconfigured: { start: 'unavailable', code: 'stay' },
  'payload-too-large': { start: 'broken', code: 'stay' },
  'unsupported-media-type': { start: 'broken', code: 'stay' },
  'rate-limited': { start: 'busy', code: 'wait' },
  'spend-cap-reached': { start: 'unavailable', code: 'no-texts' },
  'internal-error': { start: 'broken', code: 'stay', isRepeated: true },
  unavailable: { start: 'broken', code: 'stay', isRepeated: true },
  'endpoint-not-same-origin': { start: 'unavailable', code: 'unavailable' },
  offline: { start: 'offline', code: 'stay' },
  network: { start: 'broken', code: 'stay', isRepeated: true },
  timeout: { start: 'broken', code: 'stay', isRepeated: true },
  'garbled-answer': { start: 'broken', code: 'stay', isRepeated: true },
  'script-blocked': { start: 'broken', code: 'stay' },
  'fingerprint-blocked': { start: 'device', code: 'stay' },
  'cookies-off': { start: 'cookies', code: 'stay' },
}

export function meaningOf({ code, status }: Fault): FaultMeaning {
  return FAULTS[isKnown(code) ? code : codeFor(status)]
}

/**
 * Nothing came, or what came is not the proxy's: a gateway in front, a captive portal and a cache answer in its place,
 * with any status. A sign-in in front and a limit are taken at their word.
 */
export function isForeign(fault: Fault): boolean {
  const { start } = meaningOf(fault)
  if (fault.status === 0) return ['network', 'timeout', 'garbled-answer'].includes(fault.code)
  return !isKnown(fault.code) && start !== 'session' && start !== 'busy'
}

/** The same request may be answered a little later. */
export function mayPass(fault: Fault): boolean {
  const { start, isRepeated } = meaningOf(fault)
  return isRepeated || start === 'offline' || start === 'busy' || isForeign(fault)
}

/** A code of the proxy or of the widget; the answer of anything else has none of them. */
export function isKnown(code: string): code is keyof typeof FAULTS {
  return Object.hasOwn(FAULTS, code)
}

/**
 * For a code by another name, of a newer service or of a gateway in between: what its status stands for in the
 * contract.
 */
function codeFor(status: number): keyof typeof FAULTS {
  const codes = Object.keys(PROXY_ERROR_STATUS) as ProxyErrorCode[]
  return codes.find((code) => PROXY_ERROR_STATUS[code] === status) ?? 'garbled-answer'
}
