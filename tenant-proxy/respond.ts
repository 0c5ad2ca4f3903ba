import type { ErrorBody } from '../contract/error.ts'
import type { Outgoing } from './exchange.ts'
import type { Refusal } from './refusal.ts'

/** On everything: no sniffing, no framing, no referrer, nothing for pages elsewhere. Of the service's headers only two values pass: its id for the request, and how long to wait. */
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

export function refusal({ code, message, status, retryAfterSeconds, allow, requestId }: Refusal): Outgoing {
  const body: ErrorBody = { code, message }
  return json(body, status, {
    ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
    ...(allow === undefined ? {} : { Allow: allow }),
    ...(requestId === undefined ? {} : { 'X-Request-Id': requestId }),
  })
}

/** Adds what every answer carries. */
export function protect({ status, headers, body }: Outgoing): Outgoing {
  return { status, headers: { ...headers, ...PROTECTION }, body }
}
