/** As the tenant proxy does: an answer to `GET {endpoint}/current` carries the nonce of its request. */
export function echoNonce(url: string, body: unknown): unknown {
  const nonce = new URL(url, 'http://any').searchParams.get('nonce')
  if (!nonce || typeof body !== 'object' || body === null || !('meta' in body)) return body
  return { ...body, meta: { nonce, ...Object(body.meta) } }
}

/** True for a request of the widget for the state of its check. */
export function isCurrent(url: string): boolean {
  return new URL(url, 'http://any').pathname.endsWith('/current')
}
