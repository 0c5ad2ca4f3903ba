import type { ErrorBody } from '../contract/error.ts'
import type { Refusal } from './refusal.ts'

/** On everything: no sniffing, no framing, no referrer, nothing for pages elsewhere. Of the service's headers only two values pass: its id for the request, and how long to wait. */
const PROTECTION = {
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
}

export function jsonResponse(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...headers },
  })
}

export function refusalResponse({ code, message, status, retryAfterSeconds, allow, requestId }: Refusal): Response {
  const body: ErrorBody = { code, message }
  return jsonResponse(body, status, {
    ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
    ...(allow === undefined ? {} : { Allow: allow }),
    ...(requestId === undefined ? {} : { 'X-Request-Id': requestId }),
  })
}

/** Adds what every answer carries. */
export function protect(response: Response): Response {
  for (const [name, value] of Object.entries(PROTECTION)) response.headers.set(name, value)
  return response
}
