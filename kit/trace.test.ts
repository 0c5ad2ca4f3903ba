import { expect, test } from 'vitest'
import { isId } from './new-id.ts'
import { beginTrace, readTrace, traceHeaders } from './trace.ts'

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const SPAN_ID = 'b7ad6b7169203331'

test.each([
  ['a caller that records', `00-${TRACE_ID}-${SPAN_ID}-01`, TRACE_ID, '01'],
  ['a caller that does not', `00-${TRACE_ID}-${SPAN_ID}-00`, TRACE_ID, '00'],
  ['a later version of the same form', `01-${TRACE_ID}-${SPAN_ID}-01`, TRACE_ID, '01'],
  ['the version that is forbidden', `ff-${TRACE_ID}-${SPAN_ID}-01`, null, '00'],
  ['a trace of zeros', `00-${'0'.repeat(32)}-${SPAN_ID}-01`, null, '00'],
  ['a span of zeros', `00-${TRACE_ID}-${'0'.repeat(16)}-01`, null, '00'],
  ['capitals', `00-${TRACE_ID.toUpperCase()}-${SPAN_ID}-01`, null, '00'],
  ['half of one', `00-${TRACE_ID}`, null, '00'],
])('traceparent of %s', (_name, traceparent, traceId, flags) => {
  const trace = readTrace(new Headers({ traceparent }))
  expect(trace.flags).toBe(flags)
  if (traceId === null) expect(TRACE_ID).not.toBe(trace.traceId)
  else expect(trace.traceId).toBe(traceId)
  expect(trace.traceId).toMatch(/^[0-9a-f]{32}$/)
})

test.each([
  ['an id', 'edge-12345678', true],
  ['an e-mail address', 'ada@example.com', false],
  ['a telephone number', '+447700900123', false],
  ['one too short', 'abc', false],
  ['one too long', 'x'.repeat(65), false],
])('%s in X-Request-Id', (_name, given, isKept) => {
  expect(readTrace(new Headers({ 'X-Request-Id': given })).requestId === given).toBe(isKept)
})

test('a request without a name gets one, by time; so does work that no request asked for', () => {
  for (const { requestId, traceId, flags } of [readTrace(new Headers()), beginTrace()]) {
    expect([isId(requestId), /^[0-9a-f]{32}$/.test(traceId), flags]).toEqual([true, true, '00'])
  }
  expect(beginTrace().requestId).not.toBe(beginTrace().requestId)
})

test('each call that is made is a span of its own', () => {
  const trace = beginTrace(TRACE_ID)
  const [first, second] = [traceHeaders(trace), traceHeaders(trace)]
  expect(first?.traceparent).toMatch(new RegExp(`^00-${TRACE_ID}-[0-9a-f]{16}-00$`))
  expect(second?.traceparent).not.toBe(first?.traceparent)
  expect(second?.['X-Request-Id']).toBe(first?.['X-Request-Id'])
})
