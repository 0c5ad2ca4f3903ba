// Which addresses of a fingerprint script the page itself stands behind. Under a policy with `strict-dynamic` whatever the widget inserts
// runs, so markup that got into the page, `<credit-report-widget fingerprint-src="https://elsewhere/…">`, must not choose it.
import { PROXY_PATH } from '../../contract/proxy-path.ts'
import { ownTag } from '../own-tag.ts'
import { ownUrl } from '../own-url.ts'

/** What a proxy calls its own paths; an encoded slash or dot could lead out of its folder. */
const plainPath = /^[\w/-]*$/

/**
 * Whether an attribute may name this script: any where the element carries the page's nonce, else one of the page's own origin. A page
 * that uses nonces does not trust its own origin, which also serves uploads: there only the nonce counts.
 */
export function isTrustedSource(src: string, pageNonce: string): boolean {
  if (pageNonce !== '') return true
  // Of a widget that a bundler's module brought, the tag is not known; markup can add a nonce to the page, but takes none away.
  const scripts = [...document.querySelectorAll('script')]
  const usesNonces = ownTag.nonce !== '' || scripts.some((script) => script.nonce)
  return !usesNonces && ownUrl(src).origin === ownUrl('').origin
}

/** Whether the proxy at this endpoint may name a script: the one the widget itself came from, or the one it would ask by default. */
export function isTrustedEndpoint(endpoint: string, scriptSrc: string): boolean {
  const { origin, pathname } = ownUrl(`${endpoint.replace(/\/+$/, '')}/`)
  const homes = [ownUrl(`${PROXY_PATH}/`), ...(scriptSrc ? [new URL('.', scriptSrc)] : [])]
  return homes.some(
    (home) =>
      home.origin === origin &&
      home.pathname !== '/' &&
      pathname.startsWith(home.pathname) &&
      plainPath.test(pathname.slice(home.pathname.length)),
  )
}
