// The trace of a call, carried through every process that serves it: the caller's own id for it, and W3C Trace Context.
import type { HeaderReader } from './headers.ts'
import { newId } from './new-id.ts'
import { takeRandom } from './random.ts'

export const REQUEST_ID_HEADER = 'X-Request-Id'

export type Trace = {
  requestId: string
  /** 32 hexadecimal digits. */
  traceId: string
  /** 2 hexadecimal digits: whether the caller records this trace. */
  flags: string
}

// Ids and nothing else: no room for an e-mail address or a telephone number in its usual form.
const REQUEST_ID = /^[A-Za-z0-9][\w-]{6,62}[A-Za-z0-9]$/
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})$/
/** A trace that begins here: nothing of ours records it. */
const NOT_RECORDED = '00'

/** The caller's names for the request where they look like some, else new ones. */
export function readTrace(headers: HeaderReader): Trace {
  const sent = headers.get(REQUEST_ID_HEADER)
  const [, traceId = newTraceId(), flags = NOT_RECORDED] = TRACEPARENT.exec(headers.get('traceparent') ?? '') ?? []
  return { requestId: sent !== null && REQUEST_ID.test(sent) ? sent : newRequestId(), traceId, flags }
}

/** For work that no request asked for. `traceId` joins what belongs together. */
export function beginTrace(traceId = newTraceId()): Trace {
  return { requestId: newRequestId(), traceId, flags: NOT_RECORDED }
}

/** The headers of a call that this one makes, as a span of its own. `tracestate` is dropped: it may hold anything. */
export function traceHeaders({ requestId, traceId, flags }: Trace): { [name: string]: string } {
  const spanId = takeRandom(8).toString('hex')
  return { [REQUEST_ID_HEADER]: requestId, traceparent: `00-${traceId}-${spanId}-${flags}` }
}

function newTraceId(): string {
  return takeRandom(16).toString('hex')
}

/** Begins with the time, so that the service's index of request ids grows only at its end. */
function newRequestId(): string {
  return newId(Date.now())
}
