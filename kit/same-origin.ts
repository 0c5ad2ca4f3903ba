const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']

/**
 * Whether a request that only cookies vouch for may change something. Browsers set both headers themselves and no page
 * can change them. `Sec-Fetch-Site` is asked first because it is right behind any reverse proxy; browsers without it are
 * judged by `Origin`. A request with neither does not come from a page of ours.
 */
export function mayWrite(request: Request): boolean {
  if (SAFE_METHODS.includes(request.method)) return true
  const site = request.headers.get('Sec-Fetch-Site')
  if (site !== null) return site === 'same-origin'
  const origin = request.headers.get('Origin')
  return origin !== null && isOwn(origin, new URL(request.url))
}

function isOwn(origin: string, here: URL): boolean {
  if (!URL.canParse(origin)) return false
  const page = new URL(origin)
  // TLS often ends before this process, so `http` here may be `https` in the browser, never the other way round.
  const sameScheme = page.protocol === here.protocol || (here.protocol === 'http:' && page.protocol === 'https:')
  return sameScheme && page.host === here.host
}
