import { expect, test } from 'vitest'
import { createTestMount } from '../testing/proxy-mount.ts'
import { readTrace } from './trace.ts'

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

test.each([
  ['both names', { 'X-Request-Id': 'edge-12345678', traceparent: TRACEPARENT }, ['edge-12345678', TRACEPARENT]],
  ['an id with a space', { 'X-Request-Id': 'two words here' }, [undefined, undefined]],
  ['an id too long', { 'X-Request-Id': 'x'.repeat(129) }, [undefined, undefined]],
  ['half a trace', { traceparent: '00-0af7651916cd43dd' }, [undefined, undefined]],
])('of a request with %s', (_what, headers, [id, parent]) => {
  const trace = readTrace(new Headers(headers))
  expect([trace['X-Request-Id'], trace.traceparent]).toEqual([id, parent])
})

test('the names of a request go on to the service', async () => {
  const at = await createTestMount()
  await at.browser.generate({}, { 'X-Request-Id': 'edge-12345678', traceparent: TRACEPARENT })
  expect(at.service.seen.at(-1)?.headers).toMatchObject({ 'x-request-id': 'edge-12345678', traceparent: TRACEPARENT })
  await at.service.stop()
})
