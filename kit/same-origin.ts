// Only pages of our own, and those that were named, may write.
import type { HeaderReader } from './headers.ts'

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']

type OriginClues = {
  method: string
  /** The address that the request was sent to. */
  url: URL | string
  headers: HeaderReader
  /** Origins besides our own. @default none */
  allowedOrigins?: readonly string[]
}

/**
 * True when a request that is authenticated by cookies alone may change something. Browsers set both headers
 * themselves; a page cannot change them. `Sec-Fetch-Site` is asked first because it is right behind any reverse proxy;
 * browsers without it (and plain HTTP, where no browser sends it) are judged by `Origin`. A request with neither is not
 * a page's.
 */
export function mayWrite({ method, url, headers, allowedOrigins = [] }: OriginClues): boolean {
  if (SAFE_METHODS.includes(method)) return true
  const origin = headers.get('Origin')
  if (origin !== null && allowedOrigins.includes(origin)) return true
  const site = headers.get('Sec-Fetch-Site')
  if (site !== null) return site === 'same-origin'
  return origin !== null && isOwnOrigin(origin, new URL(url))
}

function isOwnOrigin(origin: string, here: URL): boolean {
  if (!URL.canParse(origin)) return false
  const page = new URL(origin)
  // TLS often ends before this process, so `http` here may be `https` in the browser, never the other way round.
  const sameScheme = page.protocol === here.protocol || (here.protocol === 'http:' && page.protocol === 'https:')
  return sameScheme && page.host === here.host
}
