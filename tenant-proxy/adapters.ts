// The proxy as each framework wants it. Types are shapes, so that a lender installs no framework but its own.
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { BODY_BYTES_MAX } from '../contract/limits.ts'
import { WIDGET_VERSION_HEADER } from '../contract/versions.ts'
import { BodyTaken, fromRequest, type Incoming, type Outgoing, toResponse } from './exchange.ts'
import { PATIENCE } from './patience.ts'
import { headersOf, readMessage } from './read-message.ts'
import type { TenantProxy } from './tenant-proxy.ts'
import { WIDGET_FILE } from './widget-files.ts'

/** `app.use(toExpress(proxy))`, before or after a body parser. */
export function toExpress(proxy: TenantProxy): NodeHandler {
  return toNodeHandler(proxy)
}

type FastifyRequest = { raw: object; ip?: string }
type FastifyReply = {
  code(status: number): FastifyReply
  header(name: string, value: string): FastifyReply
  getHeader(name: string): unknown
  send(body: unknown): unknown
}
type FastifyApp = {
  removeAllContentTypeParsers(): unknown
  addContentTypeParser(
    type: string,
    parser: (request: unknown, payload: unknown, done: (error: null) => void) => void,
  ): unknown
  route(options: {
    method: string[]
    url: string
    handler(request: FastifyRequest, reply: FastifyReply): Promise<unknown>
  }): unknown
}

const METHODS = ['GET', 'POST', 'DELETE']

/**
 * `app.register(toFastify(proxy))`: a plugin of its own scope, so that your hooks, cookies and headers apply to its
 * answers.
 */
export function toFastify(proxy: TenantProxy) {
  return async (app: FastifyApp): Promise<void> => {
    // The proxy reads bodies itself, with its own limit.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, _payload, done) => done(null))
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      const raw = request.raw as IncomingMessage
      const incoming = toIncoming(raw, raw.url ?? '/')
      if (incoming === null) return reply.code(400).send('')
      const context = { remoteAddress: raw.socket.remoteAddress, hostRequest: request }
      const outgoing = await proxy.exchange(incoming, context)
      if (isLeftOver(raw)) reply.header('Connection', 'close')
      return sendReply(reply, outgoing)
    }
    for (const url of [proxy.path, `${proxy.path}/*`]) app.route({ method: METHODS, url, handler })
  }
}

function sendReply(reply: FastifyReply, { status, headers, cookies = [], body }: Outgoing): unknown {
  reply.code(status)
  for (const [name, value] of Object.entries(headers)) {
    const earlier = name.toLowerCase() === 'vary' ? reply.getHeader(name) : undefined
    reply.header(name, earlier === undefined ? value : `${String(earlier)}, ${value}`)
  }
  // Fastify adds a cookie to those that are set.
  for (const cookie of cookies) reply.header('Set-Cookie', cookie)
  return reply.send(typeof body === 'string' || body === null ? body : Buffer.from(body))
}

type HonoContext = { req: { raw: Request }; env?: unknown }

/** `app.all('/credit-reports/*', toHono(proxy))`, on Node, Bun and Deno. */
export function toHono(proxy: TenantProxy) {
  return (context: HonoContext): Promise<Response> =>
    proxy(context.req.raw, { remoteAddress: peerOf(context), hostRequest: context })
}

type HonoEnv = {
  /** `@hono/node-server` */
  incoming?: IncomingMessage
  /** Bun's server */
  requestIP?: (request: Request) => { address: string } | null
  /** Deno's connection */
  remoteAddr?: { hostname?: string }
}

function peerOf({ req, env }: HonoContext): string | undefined {
  const { incoming, requestIP, remoteAddr } = (env ?? {}) as HonoEnv
  return incoming?.socket.remoteAddress ?? requestIP?.call(env, req.raw)?.address ?? remoteAddr?.hostname
}

/**
 * `export const { GET, POST, DELETE } = toNext(proxy)` in `app/credit-reports/[[...path]]/route.js`. Next tells no
 * address of the other end: set `trustedHops`.
 */
export function toNext(proxy: TenantProxy) {
  const handle = async (request: Request): Promise<Response> =>
    toResponse(await proxy.exchange(fromRequest(request, { hostCompresses: true }), { hostRequest: request }))
  return { GET: handle, POST: handle, DELETE: handle }
}

/** The fields that Express and others add to Node's request. */
type NodeRequest = IncomingMessage & {
  /** The whole path, where a router has taken a prefix off `url`. */
  originalUrl?: string
  /** The body, where a parser has already read it. */
  body?: unknown
}

/**
 * Takes what `node:http`, `node:http2`, Express and their kin hand over. Shapes, so that no project needs Node's types
 * for it.
 */
export type NodeHandler = (request: { headers: object }, response: { headersSent: boolean }, next?: () => void) => void

/**
 * The proxy for `node:http` and everything built on it. Requests outside the mount go to `next`, where there is one,
 * untouched. It does not matter whether a body parser ran before.
 */
export function toNodeHandler(proxy: TenantProxy): NodeHandler {
  const handle = (request: NodeRequest, response: ServerResponse, next?: () => void) => {
    const path = request.originalUrl ?? request.url ?? '/'
    if (next && !isBelow(proxy.path, path)) {
      const [pathname = ''] = path.split('?')
      if (isOfWidget(pathname, proxy.path, request)) proxy.seeOutside(pathname)
      return next()
    }
    answer(proxy, request, response, path).catch(() => response.destroy())
  }
  // Node's HTTP/2 has requests and responses of its own that do, as far as is needed here, what those of HTTP/1 do.
  return handle as NodeHandler
}

function isBelow(mount: string, path: string): boolean {
  return path.startsWith(mount) && ['', '/', '?'].includes(path.charAt(mount.length))
}

/** Of all the paths of the lender's server, those that only a page with the widget asks for. */
function isOfWidget(pathname: string, mount: string, { headers }: NodeRequest): boolean {
  return pathname.endsWith(`${mount}/${WIDGET_FILE}`) || headers[WIDGET_VERSION_HEADER.toLowerCase()] !== undefined
}

async function answer(proxy: TenantProxy, request: NodeRequest, response: ServerResponse, path: string) {
  const incoming = toIncoming(request, path)
  if (incoming === null) return void response.writeHead(400).end()
  const context = { remoteAddress: request.socket.remoteAddress, hostRequest: request }
  const outgoing = await proxy.exchange(incoming, context)
  // A time limit of the lender's own may have answered meanwhile.
  if (response.headersSent) return
  const { status, body } = outgoing
  const headers = besideEarlier(response, outgoing)
  if (body !== null) headers['Content-Length'] = String(Buffer.byteLength(body))
  // The unread rest of a body would be parsed as the next request on the connection.
  if (isLeftOver(request)) headers.Connection = 'close'
  response.writeHead(status, headers).end(body)
}

/** Middleware may have set cookies of its own, or named what it looked at: ours go beside them. */
function besideEarlier(response: ServerResponse, { headers, cookies = [] }: Outgoing): OutgoingHttpHeaders {
  const all: OutgoingHttpHeaders = headers
  const [earlier = [], vary] = [response.getHeader('Set-Cookie'), response.getHeader('Vary')]
  if (cookies.length > 0) all['Set-Cookie'] = [earlier, ...cookies].flat().map(String)
  if (vary !== undefined && headers.Vary) all.Vary = [vary, headers.Vary].flat().join(', ')
  return all
}

/** A body that was read to its promised end is whole a few turns before Node calls it complete. */
function isLeftOver(request: IncomingMessage): boolean {
  return !request.complete && (!request.readableDidRead || request.isPaused())
}

/** Null for a request line or host that no browser sends. */
function toIncoming(request: NodeRequest, path: string): Incoming | null {
  // Read, not looked for: Bun's sockets have it too, and say false.
  const isEncrypted = 'encrypted' in request.socket && request.socket.encrypted === true
  const headers = headersOf(request)
  const host = headers.get('Host') ?? 'localhost'
  // Concatenated, not resolved: `//elsewhere/…` and `http://elsewhere/…` must not become another host.
  const address = `${isEncrypted ? 'https' : 'http'}://${host}${path}`
  if (!path.startsWith('/') || !URL.canParse(address)) return null
  const url = new URL(address)
  const { method = 'GET' } = request
  return {
    method,
    url,
    headers,
    hostCompresses: false,
    readBody: async () => {
      if (!request.readableDidRead) return readMessage(request, BODY_BYTES_MAX, PATIENCE)
      if (request.body === undefined) throw new BodyTaken()
      return toBytes(request.body)
    },
    toRequest: () => new Request(url, { method, headers: toHeaders(request) }),
  }
}

function toHeaders({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2)
    // HTTP/2 writes its request line as headers.
    if (!name.startsWith(':')) headers.append(name, value)
  }
  return headers
}

function toBytes(parsed: unknown): Uint8Array {
  const isRaw = typeof parsed === 'string' || parsed instanceof Uint8Array
  return Buffer.from(isRaw ? parsed : (JSON.stringify(parsed) ?? ''))
}
