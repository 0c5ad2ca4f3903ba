import type { HeaderReader } from '../kit/headers.ts'
import * as trace from '../kit/trace.ts'
import type { Trace } from './client/client.ts'

/** What names a browser's request in the service's log: the only headers of it that go on, each in its own form or made here. */
export function readTrace(headers: HeaderReader): Trace {
  return trace.traceHeaders(trace.readTrace(headers))
}
