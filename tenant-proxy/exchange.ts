// Framework-neutral request and response: no Fetch objects are built where the framework (Node itself, Express,
// Fastify) has none.
import type { ErrorBody } from '../contract/envelope.ts'
import type { ProxyErrorCode } from '../contract/error.ts'
import { BODY_BYTES_MAX } from '../contract/limits.ts'
import type { HeaderReader } from '../kit/headers.ts'
import { readCapped } from '../kit/json-body.ts'
import { readTrace, traceHeaders } from '../kit/trace.ts'
import type { Refusal } from './check/refusal.ts'
import type { Trace } from './client/client.ts'
import { inTime } from './patience.ts'

export type Incoming = {
  method: string
  url: URL
  headers: HeaderReader
  /** The framework around the proxy compresses what it answers, and would spoil what is compressed already. */
  hostCompresses: boolean
  /**
   * The body, or as much of it as shows that it is too large. Rejects when the browser goes away meanwhile, with
   * `BodyTaken` when there is none left.
   */
  readBody(): Promise<Uint8Array>
  /** The same for the lender's own code. Its body is read, or about to be. */
  toRequest(): Request
}

/** Something before the proxy has read the body and kept it. */
export class BodyTaken extends Error {}

export type Outgoing = {
  status: number
  headers: Record<string, string>
  /** `Set-Cookie` values. @default none */
  cookies?: readonly string[]
  body: string | Uint8Array<ArrayBuffer> | null
}

export function fromRequest(request: Request, { hostCompresses = false } = {}): Incoming {
  return {
    method: request.method,
    url: new URL(request.url),
    headers: request.headers,
    hostCompresses,
    readBody: async () => {
      if (request.bodyUsed) throw new BodyTaken()
      return readCapped(request.body ? inTime(request.body) : [], BODY_BYTES_MAX)
    },
    toRequest: () => request,
  }
}

export function toResponse({ status, headers, cookies = [], body }: Outgoing): Response {
  // Cloudflare's runtime would otherwise compress once more what `Content-Encoding` names; others do not know the word.
  const init = { status, headers, encodeBody: 'manual' }
  const response = new Response(body, init)
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie)
  return response
}

/**
 * The names of a browser's request in the service's log: the only headers of it that go on, each in its own form or
 * made here.
 */
export function traceOf({ headers }: Pick<Incoming, 'headers'>): Trace {
  return traceHeaders(readTrace(headers))
}

/**
 * On everything: no sniffing, no framing, no referrer, nothing for pages elsewhere. Of the service's headers only two
 * values pass: its id for the request, and how long to wait.
 */
const PROTECTION = {
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Outgoing {
  return {
    status,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...headers },
    body: JSON.stringify(body),
  }
}

/** For a 503 that does not say it: an outage may be over at once, a set-up has to be changed by a person. */
const RETRY_AFTER_SECONDS: { [code in ProxyErrorCode]?: number } = { unavailable: 2, misconfigured: 15 }

export function refusal({ code, message, status, retryAfterSeconds, allow, requestId }: Refusal): Outgoing {
  const body: ErrorBody = { code, message }
  const waitSeconds = retryAfterSeconds ?? RETRY_AFTER_SECONDS[code]
  return json(body, status, {
    ...(waitSeconds === undefined ? {} : { 'Retry-After': String(waitSeconds) }),
    ...(allow === undefined ? {} : { Allow: allow }),
    ...(requestId === undefined ? {} : { 'X-Request-Id': requestId }),
  })
}

/** Adds what every answer carries. */
export function protect(outgoing: Outgoing): Outgoing {
  return { ...outgoing, headers: { ...outgoing.headers, ...PROTECTION } }
}
