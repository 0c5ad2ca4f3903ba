// Optional for a check. Mistakes in the lender's set-up that only requests show. Nothing fails at first, or only for
// the consumer, so they are looked for.
import type { DoctorCode } from '../../contract/doctor.ts'
import { areTooFarApart, readVersion, VERSION, WIDGET_VERSION_HEADER } from '../../contract/versions.ts'
import { type BoundedMap, createBoundedMap } from '../../kit/bounded-map.ts'
import type { ForwardedHeader } from '../../kit/client-address.ts'
import type { HeaderReader } from '../../kit/headers.ts'
import { isLoopbackHost, isPublicAddress } from '../../kit/network.ts'
import type { Extra } from '../check/extra.ts'
import { Refusal } from '../check/refusal.ts'
import type { CookiePlace, Foreign } from '../check/ticket-cookie.ts'
import type { Emit } from '../events.ts'

export type Notices = {
  /**
   * A page asks how its check stands, or was refused: what keeps it from beginning one is said before a form is filled
   * in.
   */
  seePage(request: SeenRequest, pageAddress: string | null): void
  /** A page was given the cookie that shows whether cookies come back, or one came back. */
  seeCookie(cookie: 'given' | 'returned', address: string | null): void
  /** Nothing trustworthy says from which address a consumer comes. */
  seeNoAddress(): void
  /**
   * A check is begun. Behind a balancer that `trustedHops` does not know of, every consumer seems to be one machine.
   */
  seeCheck(address: string, headers: HeaderReader): void
  /** An address has begun more checks than one household would. */
  seeLimit(address: string): void
  /** So many address lookups were paid for in an hour, and the next was refused. */
  seeLookupCap(perHourMax: number): void
  /** A request came here that is not below the mount. */
  seeOutside(pathname: string): void
  /** Something in front of the mount refused a write of the page. */
  seeRefused(status: number): void
  /** The sealed ticket or the report of a check came to a mount that it does not belong to. */
  seeForeign(foreign: Foreign, place: Pick<CookiePlace, 'test' | 'origin'>): void
  /** A page brought a start that this mount did not make. */
  seeStart(): void
  /**
   * Throws the `Refusal` for a widget that this proxy cannot serve: an old bundle, a cached page, a forgotten
   * `widgetFiles`.
   */
  requireVersion(headers: HeaderReader): void
  /** The findings, for the doctor. */
  found(): Notice[]
}

type Notice = { code: DoctorCode; message: string; fix: string }

/** As much of a browser's request as set-up mistakes show in. */
type SeenRequest = {
  incoming: { headers: HeaderReader }
  address: string | null
  place: Pick<CookiePlace, 'origin' | 'isSecure' | 'isPreview'>
}

/**
 * After this many cookies given and none returned, something in front drops them. A page that is reloaded at once loses
 * its cookie too.
 */
const COOKIES_LOST_MAX = 5
const ADDRESSES_MAX = 1_000
const HTTPS = 'serve the page over https, or in development from http://localhost'
const COOKIES = 'let what stands in front pass `Set-Cookie` and `Cookie` on as they are'
const ADDRESS = 'pass `context.remoteAddress`, or set `trustedHops`'
const NO_HEADER = 'let the reverse proxy append it, or pass `context.remoteAddress` where there is none'
const FORWARDED: readonly ForwardedHeader[] = ['x-forwarded-for', 'forwarded']
const HOPS =
  'set `trustedHops` to how many reverse proxies stand in front, or all consumers share one limit and one address'
const MODES = 'give test set-ups an API client and a `cookieSecret` of their own'
const ORIGINS = 'if both are this shop, let the reverse proxy pass `Host` on as it came, or set `origins`'
const STARTS = 'call `begin` of the proxy that serves the page, with one `cookieSecret` on every instance'
const RELEASE = 'take both from one release of the package'
/** The widget's first requests; anything else outside is not for the proxy. */
const widgetPath = /\/(?:widget\.js|current\/?)$/

type NoticesOptions = {
  trustedHops: number
  forwardedHeader: ForwardedHeader
  path: string
  origins: readonly string[]
  emit: Emit
}

/** Observations of a check, passed to the notices. */
export function createWatch(notices: Notices): Extra {
  return {
    admit: ({ incoming }) => notices.requireVersion(incoming.headers),
    notice(seen) {
      switch (seen.what) {
        case 'page':
          return notices.seePage(seen.request, seen.address)
        case 'cookie':
          return notices.seeCookie(seen.cookie, seen.address)
        case 'no-address':
          return notices.seeNoAddress()
        case 'check':
          return notices.seeCheck(seen.address, seen.headers)
        case 'limit':
          return notices.seeLimit(seen.address)
        case 'foreign':
          return notices.seeForeign(seen.foreign, seen.place)
        case 'outside':
          return notices.seeOutside(seen.pathname)
        case 'refused':
          return notices.seeRefused(seen.status)
      }
    },
  }
}

/** Says each once per process. */
export function createNotices({ trustedHops, forwardedHeader, path, origins, emit }: NoticesOptions): Notices {
  /** The number of cookies given to each address; null once one has come back. */
  let given: BoundedMap<number> | null = createBoundedMap<number>(ADDRESSES_MAX)
  const found = new Map<string, Notice>()

  function tell(code: DoctorCode, message: string, fix: string): void {
    if (found.has(fix)) return
    found.set(fix, { code, message, fix })
    emit({ type: 'misconfigured', problem: `${message}: ${fix}` })
  }

  function seeCheck(address: string, headers: HeaderReader): void {
    const header = FORWARDED.find((name) => headers.get(name))
    if (trustedHops > 0 || header === undefined || isPublicAddress(address)) return
    tell('trusted-hops', `requests come from ${address} with the header ${header}, and \`trustedHops\` is 0`, HOPS)
  }

  function seeNoAddress(): void {
    const unknown = 'the consumer’s address is unknown'
    if (trustedHops === 0) tell('no-address', unknown, ADDRESS)
    else
      tell('no-address', `${unknown}: \`trustedHops\` is ${trustedHops} and no ${forwardedHeader} arrived`, NO_HEADER)
  }

  return {
    seeNoAddress,
    seePage({ incoming: { headers }, address, place }, pageAddress) {
      if (place.isPreview) return
      if (address === null) seeNoAddress()
      else seeCheck(address, headers)
      const page = pageAddress !== null && URL.canParse(pageAddress) ? new URL(pageAddress) : null
      if (page === null) return
      if (place.isSecure && page.protocol === 'http:' && !isLoopbackHost(page.hostname)) {
        tell(
          'plain-http',
          `the page at ${page.origin} is on plain http, where browsers keep no \`Secure\` cookie`,
          HTTPS,
        )
      }
      // Browsers that say where a request comes from are believed whatever `Host` says.
      const isJudgedByHost = headers.get('Sec-Fetch-Site') === null && origins.length === 0
      if (isJudgedByHost && page.hostname !== place.origin) {
        tell(
          'other-host',
          `the page at ${page.origin} may not begin a check: this server gets the host ${place.origin}`,
          ORIGINS,
        )
      }
    },
    seeCookie(cookie, address) {
      if (cookie === 'returned') given = null
      if (given === null || address === null) return
      const times = (given.get(address) ?? 0) + 1
      given.set(address, times)
      if (times >= COOKIES_LOST_MAX)
        tell('cookies-lost', `a browser was given a cookie ${times} times, and none came back`, COOKIES)
    },
    seeCheck,
    seeLimit(address) {
      if (isPublicAddress(address)) return
      tell(
        'trusted-hops',
        `too many checks came from the private address ${address}, and \`trustedHops\` is ${trustedHops}`,
        HOPS,
      )
    },
    seeLookupCap(perHourMax) {
      const fix = 'if they were consumers, raise `limits.lookupsPerHourMax`'
      tell('lookup-cap', `${perHourMax} address lookups were made in an hour, and the next was refused`, fix)
    },
    seeOutside(pathname) {
      if (!widgetPath.test(pathname)) return
      const fix = `set \`path\` to what this process gets, and \`publicPath\` and the element's \`endpoint\` to what browsers see`
      tell('mount-path', `a request for ${pathname} came to the proxy, which is mounted at ${path}`, fix)
    },
    seeRefused(status) {
      const what = status === 429 ? 'a rate limit' : 'CSRF protection, a firewall or a login'
      const message = `a write of the page was refused with ${status} before it came to the proxy`
      tell('mount-fronted', message, `exempt ${path} from ${what}: the proxy checks origins and limits itself`)
    },
    seeForeign(foreign, { origin }) {
      if ('mode' in foreign) {
        const here = foreign.mode === 'test' ? 'live' : 'test'
        tell(
          'mixed-modes',
          `a check made in ${foreign.mode} mode came to this mount, which is in ${here} mode, and was refused`,
          MODES,
        )
      } else {
        tell('other-host', `a check begun at ${foreign.origin} came to ${origin} and was refused`, ORIGINS)
      }
    },
    seeStart: () => tell('foreign-start', 'a page brought a start that this mount did not make', STARTS),
    requireVersion(headers) {
      const theirs = readVersion(headers.get(WIDGET_VERSION_HEADER))
      if (theirs === undefined || !areTooFarApart(theirs, VERSION)) return
      const message = `the page's widget is version ${theirs}, the proxy ${VERSION}`
      tell('versions-apart', message, RELEASE)
      throw new Refusal('misconfigured', { message: `${message}: ${RELEASE}` })
    },
    found: () => [...found.values()],
  }
}
