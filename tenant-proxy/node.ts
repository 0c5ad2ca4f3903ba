import type { IncomingMessage, ServerResponse } from 'node:http'
import { BODY_BYTES_MAX } from '../contract/limits.ts'
import type { TenantProxy } from './tenant-proxy.ts'

/** What Express and friends add to Node's request. */
type NodeRequest = IncomingMessage & {
  /** The whole path, where a router has taken a prefix off `url`. */
  originalUrl?: string
  /** The body, where a parser has already read it. */
  body?: unknown
}

export type NodeHandler = (request: NodeRequest, response: ServerResponse, next?: () => void) => void

/**
 * The proxy for `node:http` and everything built on it. Requests outside the mount go to `next`, where there is one,
 * untouched. It does not matter whether a body parser ran before.
 */
export function toNodeHandler(proxy: TenantProxy): NodeHandler {
  return (incoming, outgoing, next) => {
    const path = incoming.originalUrl ?? incoming.url ?? '/'
    if (next && !isBelow(proxy.path, path)) return next()
    // The proxy never throws, so this is a browser that went away in the middle.
    answer(proxy, incoming, outgoing, path).catch(() => outgoing.destroy())
  }
}

function isBelow(mount: string, path: string): boolean {
  return path.startsWith(mount) && ['', '/', '?'].includes(path.charAt(mount.length))
}

async function answer(proxy: TenantProxy, incoming: NodeRequest, outgoing: ServerResponse, path: string) {
  const request = toRequest(incoming, path, await readBody(incoming))
  const context = { remoteAddress: incoming.socket.remoteAddress, incoming }
  const response = request ? await proxy(request, context) : new Response(null, { status: 400 })
  const body = response.body ? Buffer.from(await response.arrayBuffer()) : null
  outgoing.statusCode = response.status
  outgoing.setHeaders(response.headers)
  if (body) outgoing.setHeader('Content-Length', body.length)
  // What is left of a body that nobody will read would be taken for the next request.
  if (!incoming.complete) outgoing.setHeader('Connection', 'close')
  outgoing.end(body)
}

/** Null for a request line, method or host that no browser sends. */
function toRequest(incoming: NodeRequest, path: string, body: Uint8Array<ArrayBuffer> | null): Request | null {
  const scheme = 'encrypted' in incoming.socket ? 'https' : 'http'
  // Concatenated, not resolved: `//elsewhere/…` and `http://elsewhere/…` must not become another host.
  const url = `${scheme}://${incoming.headers.host ?? 'localhost'}${path}`
  try {
    return path.startsWith('/')
      ? new Request(url, { method: incoming.method ?? 'GET', headers: toHeaders(incoming), body })
      : null
  } catch {
    return null
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

/** The body, at most one byte more than is accepted: enough for the proxy to see that it is too large. */
async function readBody(incoming: NodeRequest): Promise<Uint8Array<ArrayBuffer> | null> {
  if (incoming.method !== 'POST') return null
  if (incoming.readableDidRead) return toBytes(incoming.body)
  if (Number(incoming.headers['content-length'] ?? 0) > BODY_BYTES_MAX) return null
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length
    chunks.push(chunk)
    if (bytes > BODY_BYTES_MAX) break
  }
  return Uint8Array.from(Buffer.concat(chunks).subarray(0, BODY_BYTES_MAX + 1))
}

function toBytes(parsed: unknown): Uint8Array<ArrayBuffer> {
  const isRaw = typeof parsed === 'string' || parsed instanceof Uint8Array
  return Uint8Array.from(Buffer.from(isRaw ? parsed : (JSON.stringify(parsed) ?? '')))
}
