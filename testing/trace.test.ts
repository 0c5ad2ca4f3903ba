// One request over real sockets, from the lender's call to bureaus, gateway and webhook: every hop and every log line
// can be joined.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addEndpoint } from '../plugins/webhooks/endpoints.ts'
import { startNodeServer } from '../service/http/node-server.ts'
import { deriveKeys } from '../service/keys.ts'
import { createLog } from '../service/log.ts'
import { createLiveApp, type LiveApp } from './live-app.ts'
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts'

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const SPAN_ID = 'b7ad6b7169203331'
/** Of the bureaus that the sample request names. */
const SEARCHES = ['/bureaus/equifax/searches', '/bureaus/experian/searches']
const TRACEPARENT = new RegExp(`^00-${TRACE_ID}-(?!${SPAN_ID})[0-9a-f]{16}-01$`)

let app: LiveApp
let receiver: WebhookReceiver
let server: Awaited<ReturnType<typeof startNodeServer>>
let lines: string[]
let seen: IncomingMessage[]

const record = (message: unknown) => {
  if (typeof message === 'object' && message !== null && 'request' in message)
    seen.push(message.request as IncomingMessage)
}

beforeEach(async () => {
  lines = []
  seen = []
  app = await createLiveApp({ log: createLog({ to: { write: (line) => lines.push(line) } }) })
  app.time.nowMs = Date.now()
  receiver = await startWebhookReceiver()
  const key = deriveKeys(app.config.secretKeys).webhooks
  const added = await addEndpoint(app.database, key, {
    tenantId: 'demo-lender',
    url: receiver.url,
    nowMs: app.time.nowMs,
  })
  receiver.state.secret = added?.secret ?? ''
  server = await startNodeServer({ fetch: app.fetch, host: '127.0.0.1', port: 0, timing: { drainMs: 0 } })
  subscribe('http.server.request.start', record)
})
afterEach(async () => {
  unsubscribe('http.server.request.start', record)
  await server.stop()
  await receiver.close()
  await app.close()
})

async function generate(lastName: string, names: { [header: string]: string }) {
  const response = await fetch(`http://127.0.0.1:${server.port}/demo-lender/v1/credit-reports`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: 'Bearer demo-lender', ...names },
    body: JSON.stringify(app.stranger(lastName)),
  })
  return { headers: response.headers, body: await response.json() }
}

const linesOf = () => lines.map((line) => JSON.parse(line))

test.each([
  ['risk and a text', 'Example', ['/assessments', '/assessments', '/messages']],
  ['risk and bureaus', 'Allow', ['/assessments', '/assessments', ...SEARCHES]],
])('%s get the names of the request, and the lines about it have them', async (_name, lastName, paths) => {
  app.gateway.plan('risk', { kind: 'reset' })
  const { headers, body } = await generate(lastName, {
    'X-Request-Id': 'edge-12345678',
    traceparent: `00-${TRACE_ID}-${SPAN_ID}-01`,
  })
  expect(headers.get('X-Request-Id')).toBe('edge-12345678')
  const calls = seen.slice(1)
  expect(calls.map(({ url }) => url)).toEqual(paths)
  for (const call of calls) {
    expect(call.headers['x-request-id']).toBe('edge-12345678')
    expect(call.headers.traceparent).toMatch(TRACEPARENT)
  }
  const written = linesOf()
  expect(written.map(({ event }) => event)).toEqual(expect.arrayContaining(['provider call failed', 'request']))
  for (const line of written) expect(line).toMatchObject({ requestId: 'edge-12345678', traceId: TRACE_ID })
  expect(written.at(-1)).toMatchObject({ clientId: 'demo-lender', creditReportId: body.data.creditReportId })
})

test('every attempt at a webhook is of one trace', async () => {
  receiver.state.misbehave = (_request, response) => response.writeHead(500).end()
  await generate('Allow', {})
  seen.length = 0
  await app.webhooks.sendDue()
  receiver.state.misbehave = null
  app.time.nowMs += 60_000
  await app.webhooks.sendDue()
  const traces = seen.map(({ headers }) => String(headers.traceparent).split('-')[1])
  expect(traces).toHaveLength(2)
  expect(new Set(traces).size).toBe(1)
  expect(linesOf().slice(-2)).toMatchObject(traces.map((traceId) => ({ traceId, jobId: expect.any(String) })))
})
