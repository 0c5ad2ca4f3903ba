// Which pages may write through the proxy: the lender's own, and those the lender named.
import type { HeaderReader } from '../kit/headers.ts'
import { parseUrl } from './parse-url.ts'

export type OriginClues = {
  /** Where the request arrived. */
  url: URL
  headers: HeaderReader
  /** Origins besides the mount's own. */
  allowedOrigins: readonly string[]
}

/**
 * Browsers set both headers themselves; a page cannot change them. `Sec-Fetch-Site` is asked first because it is right
 * behind any reverse proxy; browsers without it (and plain HTTP, where no browser sends it) are judged by `Origin`.
 * A request with neither is not a page's.
 */
export function mayWrite({ url, headers, allowedOrigins }: OriginClues): boolean {
  const origin = headers.get('Origin')
  if (origin !== null && allowedOrigins.includes(origin)) return true
  const site = headers.get('Sec-Fetch-Site')
  if (site !== null) return site === 'same-origin'
  return origin !== null && isOwnOrigin(origin, url)
}

function isOwnOrigin(origin: string, url: URL): boolean {
  if (origin === url.origin) return true
  const page = parseUrl(origin)
  if (page === null) return false
  // TLS often ends before this process, so `http` here may be `https` in the browser, never the other way round.
  const sameScheme = page.protocol === url.protocol || (url.protocol === 'http:' && page.protocol === 'https:')
  return sameScheme && page.host === url.host
}
