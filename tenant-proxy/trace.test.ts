import { expect, test } from 'vitest'
import { createTestMount } from '../testing/proxy-mount.ts'

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const TRACEPARENT = `00-${TRACE_ID}-b7ad6b7169203331-01`

test.each([
  ['the names of a request go on', { 'X-Request-Id': 'edge-12345678', traceparent: TRACEPARENT }, 'edge-12345678'],
  ['what is no id stays here, and one is made', { 'X-Request-Id': 'two words here', traceparent: 'x' }, null],
])('%s to the service', async (_what, headers, requestId) => {
  const at = await createTestMount()
  await at.browser.generate({}, headers)
  const sent = at.service.seen.at(-1)?.headers
  expect(sent?.['x-request-id']).toMatch(requestId ?? /^[0-9a-f-]{36}$/)
  // The same trace, and a span of the proxy's own.
  expect(sent?.traceparent).toMatch(
    requestId === null ? /^00-\w{32}-\w{16}-00$/ : new RegExp(`^00-${TRACE_ID}-\\w{16}-01$`),
  )
  expect(sent?.traceparent).not.toBe(TRACEPARENT)
  await at.service.stop()
})
