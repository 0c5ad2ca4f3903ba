// One HTTP exchange with the service. Node's own client by default, over connections that stay open: it takes half the
// time of `fetch`, follows no redirect and adds no header. A lender's `fetch` can take its place.
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'

export type Asked = {
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  body?: string
  signal: AbortSignal
}
export type Told = { status: number; header(name: string): string | null; text: string }

/** Resolves with whatever was answered; rejects with `NoAnswer` when nothing whole was. */
export type Transport = (asked: Asked) => Promise<Told>

/** The line failed. `isUnsent`: the service cannot have seen the request. */
export class NoAnswer extends Error {
  readonly isUnsent: boolean

  constructor(cause: unknown) {
    super('the service did not answer', { cause })
    this.name = 'NoAnswer'
    this.isUnsent = UNSENT.includes(codeOf(cause))
  }
}

/** A report of thousands of accounts is a few megabytes. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024
const UNSENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']
/** Shorter than servers keep idle connections (five seconds and more): none is used in the moment it closes. */
const IDLE_MS_MAX = 4_000
const CONNECTIONS_MAX = 256
const AGENT = { keepAlive: true, timeout: IDLE_MS_MAX, maxSockets: CONNECTIONS_MAX } as const
const plain = { request: httpRequest, agent: new HttpAgent(AGENT) }
const secure = { request: httpsRequest, agent: new HttpsAgent(AGENT) }

export const nodeTransport: Transport = ({ method, url, headers, body, signal }) =>
  new Promise((resolve, reject) => {
    const { request, agent } = url.startsWith('https:') ? secure : plain
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
    const asking = request(url, { method, agent, signal, headers: { ...headers, ...length } }, (answer) => {
      const chunks: Buffer[] = []
      let bytes = 0
      answer.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes > ANSWER_BYTES_MAX) answer.destroy(new Error('the answer is too large'))
      })
      answer.once('error', (error) => reject(new NoAnswer(error)))
      answer.once('end', () => {
        const header = (name: string) => answer.headers[name.toLowerCase()]?.toString() ?? null
        resolve({ status: answer.statusCode ?? 0, header, text: Buffer.concat(chunks).toString() })
      })
    })
    asking.once('error', (error) => reject(new NoAnswer(error)))
    asking.end(body)
  })

export function fetchTransport(fetch: typeof globalThis.fetch): Transport {
  return async ({ url, body, ...asked }) => {
    try {
      // A redirect would take the credentials wherever it says.
      const response = await fetch(url, { ...asked, redirect: 'manual', ...(body === undefined ? {} : { body }) })
      const text = await response.text()
      return { status: response.status, header: (name) => response.headers.get(name), text }
    } catch (error) {
      throw new NoAnswer(error)
    }
  }
}

/** `fetch` wraps what happened; Node's client throws it as it is. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('code' in error) return String(error.code)
  return codeOf(error.cause)
}
