import { connect, type Socket } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { createEdge } from '../../service/http/edge.ts'
import { type NodeServer, startNodeServer } from '../../service/http/node-server.ts'
import { readBody } from '../../service/http/read-body.ts'
import { createSilentLog } from '../../service/log.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { createGate } from './gate.ts'
import { createGates, gateOf, loadOf, shed } from './shed.ts'

const PLACES = 2
const sockets: Socket[] = []
const servers: NodeServer[] = []

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) await server.stop()
})

async function startSmall({ reservedForUrgent = 0 } = {}) {
  const small = { runningMax: PLACES, reservedForUrgent, waitingMax: 0, waitMs: 1 }
  const gates = { lenders: createGate(small), anyone: createGate(small), receipts: createGate(small) }
  const telemetry = createMetrics()
  const app = createEdge({ log: createSilentLog(), telemetry, https: false, around: [shed(gates, telemetry)] })
  let reading = 0
  app.post('*', async (context) => {
    reading += 1
    return context.text(String((await readBody(context.req.raw, 100)).byteLength))
  })
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  app.get('*', async (context) => {
    reading += 1
    await released
    return context.text('late')
  })
  const server = await startNodeServer({
    fetch: app.fetch,
    host: '127.0.0.1',
    port: 0,
    timing: { drainMs: 0, stopMs: 100 },
  })
  servers.push(server)
  const post = (path: string) => fetch(`http://127.0.0.1:${server.port}${path}`, { method: 'POST', body: 'x' })
  const get = (path: string) => fetch(`http://127.0.0.1:${server.port}${path}`)
  const reached = async (count: number) => {
    while (reading < count) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return { server, gates, post, get, reached, release }
}

function sendHalf(port: number, path: string): void {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n1`)
  sockets.push(socket)
}

test.each(['/v1/oauth/token', '/acme/v1/credit-reports'])('half-sent bodies to %s take no place', async (path) => {
  const { server, gates, post, reached } = await startSmall()
  for (let count = 0; count < 10; count += 1) {
    sendHalf(server.port, path)
    await reached(count + 1)
  }
  expect((await post(path)).status).toBe(200)
  expect(gates.anyone.load().running + gates.lenders.load().running).toBe(0)
})

test.each([
  ['/v1/oauth/login', '/v1/oauth/token', ['/acme/v1/credit-reports', '/v1/sms/receipts/http']],
  ['/v1/sms/receipts/http', '/v1/sms/receipts/twilio', ['/acme/v1/credit-reports', '/v1/oauth/token']],
])('a caller that fills the places of %s leaves all others free', async (filled, refused, served) => {
  const { post, get, reached, release } = await startSmall()
  const full = [get(filled), get(filled)]
  await reached(PLACES)
  expect((await post(refused)).status).toBe(503)
  for (const path of served) expect((await post(path)).status).toBe(200)
  release()
  await Promise.all(full)
})

test('when lenders fill every place, a typed code is still taken', async () => {
  const { get, post, reached, release } = await startSmall({ reservedForUrgent: 2 })
  const full = [get('/acme/v1/wallet'), get('/brook/v1/wallet')]
  await reached(PLACES)
  expect((await post('/acme/v1/credit-reports')).status).toBe(503)
  expect((await post('/acme/v1/credit-reports/1/otp-challenge')).status).toBe(200)
  release()
  await Promise.all(full)
})

test.each([
  ['/v1/oauth/token', 'anyone'],
  ['/v1/oauth/sign-in/abc', 'anyone'],
  ['/v1/fingerprints/device/sessions', 'anyone'],
  ['/v1/sms/receipts/http', 'receipts'],
  ['/acme/v1/credit-reports', 'lenders'],
  ['/acme/v1/wallet', 'lenders'],
  ['/console', 'lenders'],
])('%s takes a place of %s', (path, expected) => {
  expect(gateOf(path)).toBe(expected)
})

test.each([
  ['anyone', 50],
  ['receipts', 20],
] as const)('of %s %i run, not one more however urgent, and 200 wait for two seconds', async (name, runningMax) => {
  vi.useFakeTimers()
  try {
    const gates = createGates()
    const enter = (times: number) => Array.from({ length: times }, () => gates[name].enter(true))
    expect(enter(runningMax).every((entered) => entered === true)).toBe(true)
    enter(200)
    const [tooMany] = enter(1)
    expect(await tooMany).toBe(false)
    expect(loadOf(gates)).toEqual({ running: runningMax, waiting: 200 })
    await vi.advanceTimersByTimeAsync(1_999)
    expect(loadOf(gates).waiting).toBe(200)
    await vi.advanceTimersByTimeAsync(1)
    expect(loadOf(gates)).toEqual({ running: runningMax, waiting: 0 })
  } finally {
    vi.useRealTimers()
  }
})

test('lenders have the places of the settings, and the load is that of all gates', async () => {
  const gates = createGates({ runningMax: 1, reservedForUrgent: 0, waitingMax: 1, waitMs: 0 })
  const enter = (name: keyof typeof gates) => gates[name].enter(false)
  expect([enter('lenders'), enter('anyone'), enter('receipts')]).toEqual([true, true, true])
  const waiting = enter('lenders')
  expect(loadOf(gates)).toEqual({ running: 3, waiting: 1 })
  expect(await waiting).toBe(false)
})
