// Retries, the circuit and the names of a call, against a provider that answers as the test says.
import { getEventListeners, once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { beginTrace } from '../../kit/trace.ts'
import { createLog, runTraced } from '../../service/log.ts'
import type { Unavailability } from '../../service/providers/providers.ts'
import { reasonOf } from '../../testing/provider-call.ts'
import { askAndStandStill } from '../../testing/standstill.ts'
import { FAILURES_MAX } from './circuit-breaker.ts'
import { ExchangeFailed } from './exchange.ts'
import { createProviderClient, mayHaveActed, type ProviderClient } from './provider-client.ts'

let server: Server
let url: string
/** The status of each answer to come; 200 when there is none left, and no answer for 0. */
let statuses: number[] = []
let seen: { url: string | undefined; headers: IncomingHttpHeaders }[] = []
let lines: string[] = []
let onAsked = () => {}
beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push({ url: request.url, headers: request.headers })
    request.resume()
    const status = statuses.shift() ?? 200
    onAsked()
    if (status > 0) response.writeHead(status).end('{"said":"yes"}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})
beforeEach(() => {
  statuses = []
  seen = []
  lines = []
  onAsked = () => {}
})

function clientWith(timeoutMs = 60_000, to = url): ProviderClient {
  const log = createLog({ to: { write: (line) => lines.push(line) } })
  return createProviderClient({ provider: 'risk', url: to, headers: { Authorization: 'Bearer token' }, timeoutMs, log })
}

function ask(client: ProviderClient, { repeatable = true, signal = new AbortController().signal } = {}) {
  const read = ({ status, body }: { status: number; body: unknown }) => ({ status, body })
  return client.post({ path: '/asked', body: '{}', headers: { 'X-Own': 'own' }, repeatable, read, signal })
}

test('a call goes to the address and path with every header, and resolves to what was read', async () => {
  expect(await ask(clientWith())).toEqual({ status: 200, body: { said: 'yes' } })
  expect(seen).toHaveLength(1)
  expect(seen[0]).toMatchObject({ url: '/asked', headers: { authorization: 'Bearer token', 'x-own': 'own' } })
  expect(lines).toEqual([])
})

test('a call belongs to the trace of the request it is made for, or to one of its own', async () => {
  const trace = beginTrace()
  await runTraced(trace, () => ask(clientWith()))
  await ask(clientWith())
  expect(seen[0]?.headers['x-request-id']).toBe(trace.requestId)
  expect(seen[0]?.headers.traceparent).toContain(trace.traceId)
  expect(seen[1]?.headers.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)
  expect(seen[1]?.headers.traceparent).not.toContain(trace.traceId)
})

test('an answer that came while the process stood still counts, though its time is over', async () => {
  expect(await askAndStandStill((slow) => ask(clientWith(200, slow)))).toMatchObject({ status: 200 })
  expect(lines).toEqual([])
})

describe('a second try', () => {
  test.each([
    ['after an error', 503, true, 2],
    ['after an error, also of a call that is not repeatable', 503, false, 2],
    ['after an answer that was lost on the way', 502, true, 2],
    ['of a call that is not repeatable, whose answer was lost', 502, false, 1],
  ])('%s', async (_when, status, repeatable, calls) => {
    statuses = [status]
    const asked = ask(clientWith(), { repeatable })
    if (calls === 2) expect(await asked).toMatchObject({ status: 200 })
    else expect(await reasonOf(asked)).toBe('disconnected')
    expect(seen).toHaveLength(calls)
  })

  test('is the last: each failure is logged with its number and how long it took', async () => {
    statuses = [500, 500, 500]
    const beganMs = performance.now()
    expect(await reasonOf(ask(clientWith()))).toBe('error-status')
    const tookMs = performance.now() - beganMs
    const logged = lines.map((line) => JSON.parse(line))
    expect(logged.map(({ event, provider, code, count }) => ({ event, provider, code, count }))).toEqual(
      [1, 2].map((count) => ({ event: 'provider call failed', provider: 'risk', code: 'error-status', count })),
    )
    for (const { ms } of logged) expect(ms).toBeLessThanOrEqual(Math.ceil(tookMs))
  })

  test('is not begun when the pause before it leaves less than half a second', async () => {
    statuses = [500]
    // A quarter of a second of pause and half a second for the call. A busy machine may need all of it for the first
    // try.
    expect(['error-status', 'time-out']).toContain(await reasonOf(ask(clientWith(749))))
    expect(seen.length).toBeLessThanOrEqual(1)
  })
})

test('failures far apart do not open the circuit', async () => {
  const client = clientWith()
  const fails = async (times: number) => {
    for (let call = 0; call < times; call += 1) {
      statuses = [502]
      expect(await reasonOf(ask(client, { repeatable: false }))).toBe('disconnected')
    }
  }
  await fails(FAILURES_MAX - 1)
  for (let call = 0; call < 20; call += 1) await ask(client)
  await fails(1)
  expect(await ask(client)).toMatchObject({ status: 200 })
  await fails(FAILURES_MAX - 1)
  expect(await reasonOf(ask(client))).toBe('circuit-open')
})

test('a caller who gives up hears its own reason; nothing is logged, tried again or held against the provider', async () => {
  const client = clientWith()
  const reason = new Error('the consumer left')
  await expect(ask(client, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  expect(seen).toEqual([])
  for (let call = 0; call < FAILURES_MAX; call += 1) {
    const caller = new AbortController()
    statuses = [0]
    onAsked = () => caller.abort(reason)
    await expect(ask(client, { signal: caller.signal })).rejects.toBe(reason)
  }
  expect([seen.length, lines]).toEqual([FAILURES_MAX, []])
  onAsked = () => {}
  expect(await ask(client)).toMatchObject({ status: 200 })
})

test('a provider that refuses, or answers about another person, is healthy', async () => {
  const client = clientWith()
  const refusals = ['rejected', 'wrong-person'] as const
  for (let call = 0; call < 2 * FAILURES_MAX; call += 1) {
    const reason = refusals[call % 2] ?? 'rejected'
    const read = () => {
      throw new ExchangeFailed(reason)
    }
    const signal = new AbortController().signal
    expect(await reasonOf(client.post({ path: '/asked', body: '{}', repeatable: true, read, signal }))).toBe(reason)
  }
  expect(await ask(client)).toMatchObject({ status: 200 })
  expect(seen).toHaveLength(2 * FAILURES_MAX + 1)
})

test('a caller’s signal keeps no listener of a call that is over', async () => {
  const { signal } = new AbortController()
  await ask(clientWith(), { signal })
  statuses = [502]
  await reasonOf(ask(clientWith(), { repeatable: false, signal }))
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test.each<[Unavailability, boolean]>([
  ['circuit-open', false],
  ['unreachable', false],
  ['error-status', false],
  ['rejected', false],
  ['time-out', true],
  ['disconnected', true],
  ['too-large', true],
  ['garbage', true],
  ['wrong-person', false],
])('after %s the provider may have acted: %s', (reason, acted) => {
  expect(mayHaveActed(reason)).toBe(acted)
})
