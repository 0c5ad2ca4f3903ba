// The thin layer between sockets and `Request → Response`: time-outs against slow senders, and an end that loses
// nothing.
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { getRequestListener, RequestError } from '@hono/node-server'
import { isLoopbackHost } from '../../kit/network.ts'

type Env = { outgoing: { setHeader(name: string, value: string): unknown } }

/** `env` carries Node's own request and answer, as `incoming` and `outgoing`. */
export type Fetch = (request: Request, env: Env) => Response | Promise<Response>

type NodeServerOptions = {
  fetch: Fetch
  host: string
  /** 0 takes any free port. */
  port: number
  /** For tests that cannot wait. */
  timing?: Partial<Timing>
}

const TIMING = {
  /** Until the headers of a request must be there. */
  headersMs: 5_000,
  /** Until its body must be there too. */
  requestMs: 10_000,
  /** The interval at which both are checked: Node's own half minute would leave slow senders thirty seconds more. */
  checkMs: 1_000,
  /** Longer than the sixty seconds of the usual proxies, so that it is they who close an idle connection. */
  keepAliveMs: 65_000,
  /** Time for which connections are asked to close by themselves before the idle ones are closed. */
  drainMs: 500,
  /** Until what is still in progress is cut off. */
  stopMs: 20_000,
}
export type Timing = typeof TIMING

const HEADER_BYTES_MAX = 16_384
const CONNECTIONS_MAX = 8_192
/** A peer that neither sends nor reads for this long is gone. */
const SILENT_MS = 60_000
const SWEEP_MS = 50

export type NodeServer = {
  port: number
  /**
   * Stops accepting, lets everything in progress finish, resolves when the last connection is closed. Safe to call
   * twice.
   */
  stop(): Promise<void>
}

export async function startNodeServer({ fetch, host, port, timing }: NodeServerOptions): Promise<NodeServer> {
  const times = { ...TIMING, ...timing }
  let stopping: Promise<void> | null = null
  // No list of open requests is kept: each outgrown table of a `Set` would hold its own until the next full collection.
  async function answer(request: Request, env: Env): Promise<Response> {
    const response = await fetch(request, env)
    // For a request that had arrived before the stop.
    if (stopping) env.outgoing.setHeader('Connection', 'close')
    return response
  }
  // Load balancers ask for a health check in HTTP/1.0, which names no host.
  const listener = getRequestListener(answer, { errorHandler: answerBroken, hostname: 'localhost' })

  const server = createServer(
    {
      headersTimeout: times.headersMs,
      requestTimeout: times.requestMs,
      connectionsCheckingInterval: times.checkMs,
      keepAliveTimeout: times.keepAliveMs,
      maxHeaderSize: HEADER_BYTES_MAX,
      // Checked below, because Node's own refusal has no body.
      requireHostHeader: false,
    },
    (incoming, outgoing) => {
      if (stopping) outgoing.setHeader('Connection', 'close')
      if (incoming.headers.host === undefined && incoming.httpVersion === '1.1') return refuse(outgoing, 400)
      void listener(incoming, outgoing)
    },
  )
  server.maxConnections = CONNECTIONS_MAX
  server.setTimeout(SILENT_MS)
  server.on('clientError', refuseBroken)
  // An `Expect` we know nothing of; Node's own refusal has no body.
  server.on('checkExpectation', (_incoming, outgoing) => refuse(outgoing, 417))
  server.listen(port, host)
  await once(server, 'listening')

  async function stop(): Promise<void> {
    // A client that is in the middle of a conversation learns with its next answer that this connection ends: closing
    // it at once could cross with the request it is just sending.
    await pause(times.drainMs)
    const closed = new Promise((resolve) => server.close(resolve))
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
    const giveUp = setTimeout(() => server.closeAllConnections(), times.stopMs)
    await closed
    clearInterval(sweep)
    clearTimeout(giveUp)
  }

  return {
    port: (server.address() as AddressInfo).port,
    stop: () => {
      stopping ??= stop()
      return stopping
    },
  }
}

const OUR_FAULT = JSON.stringify({ code: 'internal-error', message: 'something went wrong on our side' })
const BROKEN = JSON.stringify({ code: 'validation-error', message: 'this is not a request the service can read' })

/**
 * For a request line or host that is no address at all, and for what even the app's own error handler could not catch.
 */
function answerBroken(error: unknown): Response {
  const [status, body] = error instanceof RequestError ? [400, BROKEN] : [500, OUR_FAULT]
  return new Response(body, { status, headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' } })
}

const STATUS_LINES: { [code: string]: string } = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/** For bytes that are no HTTP, or come too slowly or too many. */
function refuseBroken(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const status = STATUS_LINES[error.code ?? ''] ?? '400 Bad Request'
  const headers = `Connection: close\r\nContent-Type: application/json\r\nContent-Length: ${BROKEN.length}`
  socket.end(`HTTP/1.1 ${status}\r\n${headers}\r\n\r\n${BROKEN}`, () => socket.destroy())
}

/** For headers that rule out every answer. The body is not read, so nothing else can follow on this connection. */
function refuse(outgoing: ServerResponse, status: 400 | 417): void {
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', Connection: 'close' }
  outgoing.writeHead(status, headers).end(BROKEN)
}

type Answers = (request: Request, env?: object) => Promise<Response> | Response

/**
 * On a loopback address only names of this machine, and the one in PUBLIC_URL, are answered: a foreign page whose name
 * was made to resolve to loopback (DNS rebinding) would otherwise read, as its own origin, what only this machine may.
 */
export function refuseOtherHosts(fetch: Answers, publicUrl: string): Answers {
  const publicName = new URL(publicUrl).hostname
  return (request, env) => {
    const { hostname } = new URL(request.url)
    if (isLoopbackHost(hostname) || hostname === publicName) return fetch(request, env)
    const error = { code: 'forbidden', message: 'this service does not answer under that name; set PUBLIC_URL to it' }
    return Response.json(error, { status: 403 })
  }
}
