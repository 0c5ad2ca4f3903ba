import { randomUUID } from 'node:crypto'

export const REQUEST_ID_HEADER = 'X-Request-Id'

// Ids and nothing else: no room for an e-mail address or a telephone number in its usual form.
const sane = /^[A-Za-z0-9](?:[A-Za-z0-9_-]{6,62})[A-Za-z0-9]$/

/** The caller's own id for the request when it looks like one, so that both logs tell one story; else a new one. */
export function requestIdOf(request: Request): string {
  const given = request.headers.get(REQUEST_ID_HEADER)
  return given !== null && sane.test(given) ? given : randomUUID()
}
