import type { HeaderReader } from '../kit/headers.ts'
import type { Trace } from './client/client.ts'

// Each in its own form or not at all: they are the only headers of a browser's request that go on to the service.
const requestId = /^[\w.:-]{8,128}$/
const traceparent = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/

export function readTrace(headers: HeaderReader): Trace {
  const [id, parent] = [headers.get('X-Request-Id') ?? '', headers.get('traceparent') ?? '']
  return {
    ...(requestId.test(id) ? { 'X-Request-Id': id } : {}),
    ...(traceparent.test(parent) ? { traceparent: parent } : {}),
  }
}
