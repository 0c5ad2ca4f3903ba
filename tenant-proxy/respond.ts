import type { ErrorBody } from '../contract/error.ts'
import { IDEMPOTENCY_KEY_HEADER } from './idempotency.ts'
import type { Refusal } from './refusal.ts'

/** On everything: no sniffing, no framing, no referrer. Answers carry these headers and those named in this file, and no others. */
const PROTECTION = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
}
const PREFLIGHT_SECONDS = 600

export function jsonResponse(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...headers },
  })
}

export function refusalResponse({ code, message, status, retryAfterSeconds, allow }: Refusal): Response {
  const body: ErrorBody = { code, message }
  return jsonResponse(body, status, {
    ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
    ...(allow === undefined ? {} : { Allow: allow }),
  })
}

/** Adds what every answer carries; `origins` are the pages elsewhere that may read it. */
export function protect(response: Response, request: Request, origins: readonly string[]): Response {
  const { headers } = response
  for (const [name, value] of Object.entries(PROTECTION)) headers.set(name, value)
  headers.set('Cross-Origin-Resource-Policy', origins.length > 0 ? 'cross-origin' : 'same-origin')
  if (origins.length === 0) return response
  headers.append('Vary', 'Origin')
  const origin = request.headers.get('Origin')
  if (origin === null || !origins.includes(origin)) return response
  headers.set('Access-Control-Allow-Origin', origin)
  headers.set('Access-Control-Allow-Credentials', 'true')
  headers.set('Access-Control-Expose-Headers', 'Retry-After')
  return response
}

/** What a browser asks before a page elsewhere may write. */
export function preflightResponse(): Response {
  return new Response(null, {
    status: 204,
    headers: {
      'Access-Control-Allow-Methods': 'GET, POST',
      'Access-Control-Allow-Headers': `Content-Type, ${IDEMPOTENCY_KEY_HEADER}`,
      'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
    },
  })
}
