// Diagnoses, from an answer below a mount, what stands in front of it. The page's `diagnose()` and the server's doctor
// both use this.

export type SeenAnswer = {
  asked: 'read' | 'write'
  /** The path that was asked for. */
  path: string
  status: number
  /** The address that a redirect led to; null for no redirect, empty for one that the browser hides. */
  redirectedTo: string | null
  isHtml: boolean
  /** The body as JSON; undefined where it is none. */
  json: unknown
  /** The nonce sent with a read. A write has none. */
  nonce?: string
}

export type MountFinding = {
  /** Stable, for a test or a search. */
  code: string
  problem: string
  fix: string
}

/** The body of a write that changes nothing: the proxy refuses it by name, anything in front refuses it otherwise. */
export const HARMLESS_WRITE = {}
/** As the form writes, and as a code is sent, which shops often limit by a rule of its own. */
export const HARMLESS_PATHS = ['/steps', '/none/otp-challenge']

const MISCONFIGURED =
  "Its log (the event `misconfigured`) and `await proxy.doctor()` on the lender's server say what to change."
const ODD =
  "Look at the lender's server log: something in front of the proxy answers in its place, or rewrites its answers."
const LOGIN = /log-?in|sign-?in|auth|sso/i

type Mount = {
  endpoint: string
  /** True for a code of the proxy's. A parameter, so that the page's doctor needs no list of its own. */
  isOwnCode: (code: string) => boolean
}

/** The fault, in words for the lender's developer; null when the proxy answered as it should. */
export function judgeAnswer(seen: SeenAnswer, { endpoint, isOwnCode }: Mount): MountFinding | null {
  const { asked, path, status } = seen
  const line = `${asked === 'read' ? 'GET' : 'POST'} ${path}`
  const found = (code: string, problem: string, fix: string) => ({ code, problem: `${line} ${problem}`, fix })
  const through = `Let ${endpoint}/* through to the tenant proxy; it protects itself.`
  if (seen.redirectedTo !== null && !addsSlash(seen)) return judgeRedirect(seen, endpoint, found)
  const own = ownCode(seen.json, isOwnCode)
  if (own !== null) return judgeRefusal(own, seen, endpoint, found)
  if (asked === 'write') {
    if (status === 429) return found('proxy-limited', 'was answered 429 by a limit in front of the proxy.', through)
    if (status >= 400 && status < 500)
      return found(
        'proxy-write-refused',
        `was refused with ${status} by something in front of the proxy, such as CSRF protection, a firewall or a login.`,
        `Exempt ${endpoint}/* from it: the proxy checks the origin of every write itself.`,
      )
  } else {
    if (status === 401 || status === 403)
      return found('proxy-guarded', `was refused with ${status}, probably by a login in front of the proxy.`, through)
    if (status === 404)
      return found(
        'proxy-not-mounted',
        'is 404: nothing is mounted there.',
        `Mount createTenantProxy() at ${endpoint}, or change the endpoint attribute to where it is mounted.`,
      )
    if (status === 200 && isAnswer(seen.json)) {
      if (nonceOf(seen.json) === seen.nonce) return null
      return found(
        'proxy-cached',
        'answered what another request was answered: a cache or a service worker keeps it, or the proxy is older than the widget.',
        `Let ${endpoint}/* through to the tenant proxy each time, and serve widget.js from that proxy.`,
      )
    }
  }
  if (status === 200 && seen.isHtml)
    return found(
      'proxy-page',
      'was answered with a page: a fallback for pages, or a login, stands before the proxy.',
      `Mount the proxy before what answers every path with a page, and let ${endpoint}/* through.`,
    )
  return found('proxy-odd-answer', `was answered ${status} with something that is not the proxy's.`, ODD)
}

type Found = (code: string, problem: string, fix: string) => MountFinding

/** The proxy's own refusals, by their code. */
function judgeRefusal(
  { code, message }: { code: string; message: string },
  { asked, status }: SeenAnswer,
  endpoint: string,
  found: Found,
): MountFinding | null {
  switch (code) {
    case 'misconfigured':
      return {
        code: 'proxy-misconfigured',
        problem: `The proxy at ${endpoint} refuses every check: ${message}`,
        fix: MISCONFIGURED,
      }
    case 'insufficient-funds':
      return found(
        'wallet-empty',
        'is refused by the proxy itself: the wallet at the service does not pay for a report.',
        'Top the wallet up; the proxy asks again every 15 seconds.',
      )
    case 'unavailable':
      return found('service-away', 'is refused by the proxy itself: the service gives it no answer.', MISCONFIGURED)
    case 'unauthorized':
      return found('proxy-guarded', 'was refused by a login in front of the proxy.', `Let ${endpoint}/* through to it.`)
    case 'forbidden':
      return found(
        'page-refused',
        'is refused by the proxy, which takes this page for another site: it gets another host than the browser sees.',
        'Let the reverse proxy pass `Host` on as it came, or set the option `origins`.',
      )
    case 'not-found':
      return found(
        'proxy-not-mounted',
        'is 404: the proxy answers, but is mounted at another path.',
        `Set \`path\` to what the server gets, and \`publicPath\` to ${endpoint}.`,
      )
    // As it refuses the harmless writes.
    case 'credit-report-not-found':
    case 'validation-error':
    case 'rate-limited':
      if (asked === 'write') return null
  }
  return found('proxy-odd-answer', `was answered ${status} (${code}).`, ODD)
}

function judgeRedirect({ redirectedTo, path }: SeenAnswer, endpoint: string, found: Found): MountFinding {
  const to = redirectedTo && URL.canParse(redirectedTo) ? new URL(redirectedTo) : null
  if (to?.pathname.endsWith(path) && to.pathname !== path)
    return found(
      'proxy-prefixed',
      `is redirected to ${to.pathname}: a locale or another prefix is put before it.`,
      `Exempt ${endpoint}/* from that redirect, or mount the proxy with the prefix and name it in the endpoint attribute.`,
    )
  if (to === null || LOGIN.test(to.host + to.pathname))
    return found(
      'proxy-guarded',
      `is redirected${to ? ` to ${to.origin}${to.pathname}` : ''}, probably by a login in front of the proxy.`,
      `Let ${endpoint}/* through to the tenant proxy; it protects itself.`,
    )
  return found(
    'proxy-redirected',
    `is redirected to ${to.origin}${to.pathname}.`,
    `Let ${endpoint}/* through to the tenant proxy without a redirect.`,
  )
}

/** The widget follows that for a read, and writes with the slash from then on. */
function addsSlash({ redirectedTo, path, asked }: SeenAnswer): boolean {
  return asked === 'read' && !!redirectedTo && new URL(redirectedTo).pathname === `${path}/`
}

/** A code of the proxy and its message; null for the answer of anything else. */
function ownCode(json: unknown, isOwnCode: Mount['isOwnCode']): { code: string; message: string } | null {
  const { code, message }: { code?: unknown; message?: unknown } = Object(json)
  return typeof code === 'string' && typeof message === 'string' && isOwnCode(code) ? { code, message } : null
}

function isAnswer(json: unknown): boolean {
  const { meta, data }: { meta?: unknown; data?: unknown } = Object(json)
  return typeof Object(meta).test === 'boolean' && typeof Object(data).status === 'string'
}

function nonceOf(json: unknown): unknown {
  return Object(Object(json).meta).nonce
}
