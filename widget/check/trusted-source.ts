// Trusts only fingerprint scripts that the page itself vouches for. Under a policy with `strict-dynamic` whatever
// the widget inserts runs, so markup that got into the page, `<credit-report-widget
// fingerprint-src="/uploads/evil.js">`, must not choose it: neither by an address on the page's own origin, which also
// serves uploads, nor by an `integrity` that comes with the markup.
import { PROXY_PATH } from '../../contract/proxy-path.ts'
import { ownUrl } from '../own-url.ts'

/** The names a proxy gives its own paths; an encoded slash or dot could lead out of its folder. */
const plainPath = /^[\w./@-]*$/

/**
 * True when an attribute may name this script: with the page's nonce on the element, or below the path the widget
 * itself came from.
 */
export function isTrustedSource(src: string, pageNonce: string, scriptSrc: string): boolean {
  return pageNonce !== '' || isBelow(ownUrl(src), homeOf(scriptSrc))
}

/**
 * True when the proxy at this endpoint may name a script: the one the widget itself came from, or the one it would ask
 * by default.
 */
export function isTrustedEndpoint(endpoint: string, scriptSrc: string): boolean {
  const mount = ownUrl(`${endpoint.replace(/\/+$/, '')}/`)
  return isBelow(mount, ownUrl(`${PROXY_PATH}/`)) || isBelow(mount, homeOf(scriptSrc))
}

/** The folder of the widget's script; null where a bundler brought it. */
function homeOf(scriptSrc: string): URL | null {
  return scriptSrc ? new URL('.', scriptSrc) : null
}

/** At the top of an origin everything is below, uploads too. */
function isBelow({ origin, pathname }: URL, home: URL | null): boolean {
  return (
    home !== null &&
    home.origin === origin &&
    home.pathname !== '/' &&
    pathname.startsWith(home.pathname) &&
    plainPath.test(pathname.slice(home.pathname.length))
  )
}
