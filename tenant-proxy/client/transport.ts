// One HTTP exchange with the service. Node's own client by default, over connections that stay open: it takes half the
// time of `fetch`, follows no redirect and adds no header. A lender's `fetch` can take its place.
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { tryParseJson } from '../../kit/json-body.ts'
import { limitTime, wasNeverConnected } from '../../kit/outgoing.ts'
import { headersOf, readMessage } from '../read-message.ts'

type TransportRequest = {
  method: 'GET' | 'POST' | 'DELETE'
  url: string
  headers: Record<string, string>
  body?: string
  /** Time limit, from the first byte sent to the last one received. */
  timeoutMs: number
}
export type TransportResponse = {
  status: number
  header(name: string): string | null
  /** The JSON of the answer; undefined for anything else. */
  body: unknown
}

/** Resolves with whatever was answered; rejects with `NoAnswer` when nothing whole was. */
export type Transport = (asked: TransportRequest) => Promise<TransportResponse>

export class NoAnswer extends Error {
  /** The service cannot have seen the request. */
  readonly isUnsent: boolean
  readonly isTimedOut: boolean

  constructor(cause: unknown) {
    super('the service did not answer', { cause })
    this.name = 'NoAnswer'
    this.isUnsent = wasNeverConnected(cause)
    this.isTimedOut = cause instanceof Error && cause.name === 'TimeoutError'
  }
}

/** A report of thousands of accounts is a few megabytes. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024
/** Shorter than servers keep idle connections (five seconds and more): none is used in the moment it closes. */
const IDLE_MS_MAX = 4_000
const CONNECTIONS_MAX = 256
const AGENT = { keepAlive: true, timeout: IDLE_MS_MAX, maxSockets: CONNECTIONS_MAX } as const
const plain = { request: httpRequest, agent: new HttpAgent(AGENT) }
const secure = { request: httpsRequest, agent: new HttpsAgent(AGENT) }

export const nodeTransport: Transport = ({ method, url, headers, body, timeoutMs }) =>
  new Promise((resolve, reject) => {
    const { request, agent } = url.startsWith('https:') ? secure : plain
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
    const asking = request(url, { method, agent, headers: { ...headers, ...length } }, (answer) => {
      readMessage(answer, ANSWER_BYTES_MAX).then((bytes) => {
        if (bytes.length > ANSWER_BYTES_MAX) return giveUp(new Error('the answer is too large'))
        end()
        resolve({ status: answer.statusCode ?? 0, header: headersOf(answer).get, body: tryParseJson(bytes) })
      }, fail)
    })
    let isOver = false
    const stop = () => {
      if (!isOver) giveUp(new DOMException('took too long', 'TimeoutError'))
    }
    // A timer, because an AbortSignal for each request takes longer than everything else here.
    const timer = limitTime(timeoutMs, stop)
    const end = () => {
      isOver = true
      clearTimeout(timer)
    }
    const fail = (error: Error) => {
      end()
      reject(new NoAnswer(error))
    }
    // Not left to `destroy`: of a request whose answer has arrived, Node 26 says nothing more.
    const giveUp = (error: Error) => {
      fail(error)
      asking.destroy()
    }
    asking.once('error', fail)
    asking.end(body)
  })

export function fetchTransport(fetch: typeof globalThis.fetch): Transport {
  return async ({ method, url, headers, body, timeoutMs }) => {
    try {
      const signal = AbortSignal.timeout(timeoutMs)
      // A redirect would take the credentials wherever it says.
      const options: RequestInit = { method, headers, signal, redirect: 'manual' }
      const response = await fetch(url, body === undefined ? options : { ...options, body })
      const bytes = new Uint8Array(await response.arrayBuffer())
      return { status: response.status, header: (name) => response.headers.get(name), body: tryParseJson(bytes) }
    } catch (error) {
      throw new NoAnswer(error)
    }
  }
}
