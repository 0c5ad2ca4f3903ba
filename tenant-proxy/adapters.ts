// The proxy as each framework wants it. Types are shapes, so that a lender installs no framework but its own.
import type { IncomingMessage } from 'node:http'
import type { Outgoing } from './exchange.ts'
import { type NodeHandler, toIncoming, toNodeHandler } from './node.ts'
import type { TenantProxy } from './tenant-proxy.ts'

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

/** `app.register(toFastify(proxy))`: a plugin of its own scope, so that your hooks, cookies and headers apply to its answers. */
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
      return sendReply(reply, await proxy.exchange(incoming, context))
    }
    for (const url of [proxy.path, `${proxy.path}/*`]) app.route({ method: METHODS, url, handler })
  }
}

function sendReply(reply: FastifyReply, { status, headers, body }: Outgoing): unknown {
  reply.code(status)
  for (const [name, value] of Object.entries(headers)) {
    const earlier = name.toLowerCase() === 'vary' ? reply.getHeader(name) : undefined
    reply.header(name, earlier === undefined ? value : `${String(earlier)}, ${value}`)
  }
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
 * `export const { GET, POST, DELETE } = toNext(proxy)` in `app/credit-reports/[[...path]]/route.js`. Next tells no address of
 * the other end: set `trustedHops`.
 */
export function toNext(proxy: TenantProxy) {
  const handle = (request: Request): Promise<Response> => proxy(request, { hostRequest: request })
  return { GET: handle, POST: handle, DELETE: handle }
}
