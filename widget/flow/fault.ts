// Everything that can keep an answer from arriving, as a value.

export type Fault = {
  /** The server's code, or one of ours. */
  code: string
  /** The HTTP status; 0 when there was no answer. */
  status: number
  retryAfterMs?: number
  /** What the lender's support can look up. */
  requestId?: string
  /** What a 400 complained about, as the server wrote it. */
  message?: string
}

/** Codes of faults that never reached the server, or whose answer made no sense. */
export type OwnFaultCode =
  | 'offline'
  | 'network'
  | 'timeout'
  | 'garbled-answer'
  | 'script-blocked'
  | 'fingerprint-blocked'

export function ownFault(code: OwnFaultCode): Fault {
  return { code, status: 0 }
}
