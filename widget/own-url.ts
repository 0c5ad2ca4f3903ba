/**
 * An address as this page would mean it, whatever its `<base>` says. A page that was written into a frame has no
 * address of its own, only the origin of the page that wrote it; where a sandbox takes that away too, this throws.
 */
export function ownUrl(address: string): URL {
  return new URL(address, location.origin === 'null' ? origin : location.href)
}

/**
 * The address of the proxy; null when that is on another origin. Personal details go to the page's own or nowhere,
 * whatever an attribute says.
 */
export function proxyUrl(endpoint: string, path: string): URL | null {
  const url = ownUrl(endpoint.replace(/\/+$/, '') + path)
  return url.origin === ownUrl('').origin ? url : null
}
