import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterEach, expect, test, vi } from 'vitest'
import { askAndStandStill } from '../../testing/standstill.ts'
import { NoAnswer, nodeTransport } from './transport.ts'

let server: Server
let connections = 0

afterEach(() => {
  vi.useRealTimers()
  server.closeAllConnections()
  server.close()
})

/** Asks a server that answers so. */
async function serve(listener: RequestListener) {
  connections = 0
  server = createServer(listener).on('connection', () => {
    connections += 1
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return () => nodeTransport({ method: 'GET', url: address(), headers: {}, timeoutMs: 20_000 })
}

const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`

test('one connection serves one request after the other', async () => {
  const ask = await serve((_request, response) => response.end('{}'))
  for (let times = 0; times < 3; times += 1) {
    expect((await ask()).status).toBe(200)
    // The connection is free a turn after its answer was read.
    await new Promise(setImmediate)
  }
  expect(connections).toBe(1)
})

test('an idle connection is closed here, before the service would close it under a request', async () => {
  const ask = await serve((_request, response) => response.end('{}'))
  server.keepAliveTimeout = 60_000
  const opened = once(server, 'connection')
  await ask()
  const [socket] = await opened
  await once(socket, 'close')
  expect(connections).toBe(1)
})

const TLS_HANDSHAKE = 22

test('to an https address nothing is said in the clear', async () => {
  await serve((_request, response) => response.end('{}'))
  let said: Uint8Array = Buffer.alloc(0)
  server.on('clientError', (error: Error & { rawPacket?: Buffer }, socket) => {
    said = error.rawPacket ?? said
    socket.destroy()
  })
  const asked = { method: 'GET', headers: { Authorization: 'Bearer secret' }, timeoutMs: 20_000 } as const
  const answer = nodeTransport({ ...asked, url: address().replace('http:', 'https:') })
  await expect(answer).rejects.toBeInstanceOf(NoAnswer)
  expect(said[0]).toBe(TLS_HANDSHAKE)
})

test('a body is sent with its length in bytes', async () => {
  let headers: IncomingHttpHeaders = {}
  await serve((request, response) => {
    headers = request.headers
    response.end('{}')
  })
  await nodeTransport({ method: 'POST', url: address(), headers: {}, body: '{"name":"Zoë"}', timeoutMs: 20_000 })
  expect(headers).toMatchObject({ 'content-length': '15' })
  expect(headers).not.toHaveProperty('transfer-encoding')
})

test('an answer that came while the process stood still counts, though its time is over', async () => {
  const answer = await askAndStandStill((url) => nodeTransport({ method: 'GET', url, headers: {}, timeoutMs: 200 }))
  expect(answer.status).toBe(200)
})

test('neither an answer nor a broken line leaves a timer behind that keeps the process', async () => {
  let isBroken = false
  const ask = await serve((_request, response) => (isBroken ? response.destroy() : response.end('{}')))
  // Those of the code alone: the process has timers of its own.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await ask()
  expect(vi.getTimerCount()).toBe(0)
  isBroken = true
  await expect(ask()).rejects.toBeInstanceOf(NoAnswer)
  expect(vi.getTimerCount()).toBe(0)
})

test('requests beyond 256 at once wait for a connection', async () => {
  const held: (() => void)[] = []
  const ask = await serve((_request, response) => held.push(() => response.end('{}')))
  const answers = Array.from({ length: 260 }, ask)
  await expect.poll(() => held.length).toBeGreaterThanOrEqual(256)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(connections).toBe(256)
  for (const release of held.splice(0)) release()
  await expect.poll(() => held.length).toBe(4)
  for (const release of held) release()
  expect(await Promise.all(answers)).toHaveLength(260)
})

const MEGABYTES_16 = 16 * 1024 * 1024

test('an answer of 16 megabytes is read, a larger one is none, and its connection is given up', async () => {
  let bytes = MEGABYTES_16
  const ask = await serve((_request, response) => response.end(`"${'x'.repeat(bytes - 2)}"`))
  expect((await ask()).body).toHaveLength(MEGABYTES_16 - 2)
  bytes += 1
  const failure = await ask().catch((error) => error)
  expect(failure).toBeInstanceOf(NoAnswer)
  expect(failure).toMatchObject({ name: 'NoAnswer', isTimedOut: false, isUnsent: false })
  expect(failure.cause.message).toBe('the answer is too large')
  const open = promisify(server.getConnections.bind(server))
  await expect.poll(() => open()).toBe(0)
})
