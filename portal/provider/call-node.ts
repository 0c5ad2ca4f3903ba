// Lets a handler made for Node's own server answer a `Request`: real HTTP, over a pair of streams instead of a socket.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type Duplex, duplexPair } from 'node:stream'

export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => unknown

const ANSWER_BYTES_MAX = 1_000_000

/** `origin`: the address that the handler is told it is served at. The caller's forwarding headers are not passed on. */
export async function callNode(handler: NodeHandler, asked: Request, origin: URL): Promise<Response> {
  const { pathname, search } = new URL(asked.url)
  const headers = new Headers(asked.headers)
  for (const name of [...headers.keys()]) if (HOP.test(name)) headers.delete(name)
  headers.set('Host', origin.host)
  headers.set('X-Forwarded-Proto', origin.protocol.slice(0, -1))
  const body = asked.body === null ? null : Buffer.from(await asked.arrayBuffer())
  if (body !== null) headers.set('Content-Length', String(body.byteLength))

  const [ours, theirs]: [Duplex, Duplex] = duplexPair()
  createServer(handler).emit('connection', theirs)
  try {
    return await new Promise((resolve, reject) => {
      const outgoing = request(
        {
          createConnection: () => ours,
          method: asked.method,
          path: pathname + search,
          headers: Object.fromEntries(headers),
        },
        (incoming) => void read(incoming).then(resolve, reject),
      )
      outgoing.on('error', reject)
      outgoing.end(body ?? undefined)
    })
  } finally {
    ours.destroy()
    theirs.destroy()
  }
}

/** Hop-by-hop and forwarding headers: they describe the connection, not the request. */
const HOP = /^(?:host|connection|content-length|transfer-encoding|expect|upgrade|forwarded|x-forwarded-.*)$/i

async function read(incoming: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of incoming) {
    bytes += chunk.length
    if (bytes > ANSWER_BYTES_MAX) throw new Error('the provider’s answer is too large')
    chunks.push(chunk)
  }
  const status = incoming.statusCode ?? 500
  const hasBody = ![204, 304].includes(status)
  return new Response(hasBody ? Buffer.concat(chunks) : null, { status, headers: answerHeaders(incoming.headers) })
}

function answerHeaders(given: IncomingHttpHeaders): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) {
    if (name === 'date' || HOP.test(name)) continue
    for (const each of Array.isArray(value) ? value : [value ?? '']) headers.append(name, each)
  }
  return headers
}
