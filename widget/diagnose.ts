// The doctor: `await document.querySelector('credit-report-widget').diagnose()`. Looks at the page the way a support
// engineer would and says what to change. A chunk of its own, for developers only.
import {
  type MountFinding as Diagnosis,
  HARMLESS_PATHS,
  HARMLESS_WRITE,
  judgeAnswer,
  type SeenAnswer,
} from '../contract/mount-answers.ts'
import { NONCE_PARAMETER } from '../contract/proxy-path.ts'

export type { MountFinding as Diagnosis } from '../contract/mount-answers.ts'

type DiagnoseOptions = {
  endpoint: string
  fingerprintSrc: string | null
  /** The page's nonce where the element carries it, and where the widget's script came from. */
  pageNonce: string
  scriptSrc: string
  /** Said where a chunk is missing. */
  chunkBlocked: Diagnosis
  element: HTMLElement
}

const CLOCK_TOLERATED_MS = 120_000
const REPORTS_WAIT_MS = 300
const TIMEOUT_MS = 10_000

/** Everything found, the worst first; empty when all is well. */
export async function diagnose(options: DiagnoseOptions): Promise<Diagnosis[]> {
  const { endpoint, element, chunkBlocked } = options
  const check = await import('./check/index.tsx').catch(() => null)
  const found = await Promise.all([
    check ? examineProxy(check, endpoint) : [chunkBlocked],
    check ? examineFingerprint(check, options) : [],
    examinePolicy(),
    examinePage(element),
    examineRecorders(),
  ])
  return found.flat()
}

type CheckChunk = typeof import('./check/index.tsx')

async function examineProxy(
  { proxyUrl, randomKey, versionHeaders, isKnown }: CheckChunk,
  endpoint: string,
): Promise<Diagnosis[]> {
  const nonce = randomKey()
  const mount = { endpoint, isOwnCode: isKnown }
  const url = proxyUrl(endpoint, `/current?${NONCE_PARAMETER}=${nonce}`)
  if (!url)
    return [
      {
        code: 'endpoint-not-same-origin',
        problem: `endpoint="${endpoint}" is on another origin, and personal details are only sent to the page's own.`,
        fix: 'Mount the tenant proxy on this site and give its path, for example endpoint="/credit-reports".',
      },
    ]
  const read = await ask(url, { headers: versionHeaders })
  if (!read)
    return [
      {
        code: 'proxy-unreachable',
        problem: `GET ${url.pathname} got no answer.`,
        fix: "Is the lender's server running, and does the page's Content-Security-Policy allow connect-src 'self'?",
      },
    ]
  const clock = examineClock(read.date)
  const found = judgeAnswer({ asked: 'read', nonce, ...read }, mount)
  if (found) return [...clock, found]
  const body = new Blob([JSON.stringify(HARMLESS_WRITE)], { type: 'application/json' })
  for (const path of HARMLESS_PATHS) {
    const writeTo = proxyUrl(endpoint, path + (read.redirectedTo ? '/' : ''))
    const write = writeTo && (await ask(writeTo, { method: 'POST', body }))
    const refused = write && judgeAnswer({ asked: 'write', ...write }, mount)
    if (refused) return [...clock, refused]
  }
  return clock
}

/** Redirects are followed, to say where they lead; to another origin the browser does not tell. Null for no answer. */
async function ask(url: URL, init: RequestInit): Promise<(Seen & { date: string | null }) | null> {
  const send = (redirect: RequestRedirect) =>
    fetch(url, { cache: 'no-store', redirect, signal: AbortSignal.timeout(TIMEOUT_MS), ...init }).catch(() => null)
  const response = (await send(init.method ? 'manual' : 'follow')) ?? (await send('manual'))
  if (!response || (response.type === 'error' && !response.status)) return null
  const isAway = response.type === 'opaqueredirect'
  return {
    path: url.pathname,
    status: response.status,
    redirectedTo: isAway ? '' : response.redirected ? response.url : null,
    isHtml: /html/.test(response.headers.get('Content-Type') ?? ''),
    json: await response.json().catch(() => undefined),
    date: response.headers.get('Date'),
  }
}

type Seen = Omit<SeenAnswer, 'asked' | 'nonce'>

function examineClock(date: string | null): Diagnosis[] {
  const offMs = date ? Date.now() - new Date(date).getTime() : 0
  if (!(Math.abs(offMs) > CLOCK_TOLERATED_MS)) return []
  return [
    {
      code: 'clock-off',
      problem: `This device's clock is ${Math.round(Math.abs(offMs) / 60_000)} minutes ${offMs > 0 ? 'ahead' : 'behind'}.`,
      fix: 'Nothing breaks: the widget counts in time left, not in clock time. Times it shows follow this clock, though.',
    },
  ]
}

async function examineFingerprint(
  { FINGERPRINT_TAG, readMarker, isTrustedSource }: CheckChunk,
  { fingerprintSrc: src, pageNonce, scriptSrc }: DiagnoseOptions,
): Promise<Diagnosis[]> {
  const marker = readMarker()
  const tags = document.querySelectorAll(`${FINGERPRINT_TAG}:not([data-credit-report-widget])`)
  const found: Diagnosis[] = []
  if (src && !isTrustedSource(src, pageNonce, scriptSrc))
    found.push({
      code: 'fingerprint-src-refused',
      problem: `fingerprint-src="${src}" is not used: the element does not carry the page's nonce, and the address is not below the path that widget.js came from.`,
      fix: 'Put the tag of the fingerprint script into the page, or add the nonce of the widget’s script to the element: nonce="…".',
    })
  if (tags.length > 1)
    found.push({
      code: 'fingerprint-twice',
      problem: `The page has ${tags.length} tags for the fingerprint script.`,
      fix: 'Harmless, but one is enough.',
    })
  if (tags.length === 0)
    found.push({
      code: 'fingerprint-no-tag',
      problem: `The page has no tag for the fingerprint script${src ? ', only the fingerprint-src attribute' : ''}; the widget brings it late, and only from an address the page stands behind.`,
      fix: 'Put <script async src="{service}/v1/fingerprints/device"></script> into the head: the earlier it runs, the sooner a check can start.',
    })
  if (!marker)
    found.push({
      code: 'fingerprint-not-run',
      problem: 'No fingerprint script has run on this page.',
      fix: "Is its address right, does script-src allow it, and is an ad blocker on? Under require-trusted-types-for 'script' only the page's own tag can bring it.",
    })
  else if (marker.state === 'blocked' || marker.state === 'timeout')
    found.push({
      code: `fingerprint-${marker.state}`,
      problem: `The fingerprint script ran, and could not reach its service (${marker.state}).`,
      fix: "Allow the service's origin in connect-src, and check that the service is up.",
    })
  return found
}

/** The requests that the page's policy has blocked so far, where the browser remembers it. */
async function examinePolicy(): Promise<Diagnosis[]> {
  if (!('ReportingObserver' in globalThis)) return []
  const reports = await new Promise<unknown[]>((resolve) => {
    const observer = new ReportingObserver(resolve, { types: ['csp-violation'], buffered: true })
    observer.observe()
    setTimeout(() => {
      observer.disconnect()
      resolve([])
    }, REPORTS_WAIT_MS)
  })
  const blocked = reports.map((report) => {
    const body: unknown = Reflect.get(Object(report), 'body')
    return `${Reflect.get(Object(body), 'effectiveDirective')} blocks ${Reflect.get(Object(body), 'blockedURL')}`
  })
  return [...new Set(blocked)].map((what) => ({
    code: 'policy-blocks',
    problem: `Content-Security-Policy: ${what}.`,
    fix: "The widget itself needs script-src 'self' and connect-src 'self' only; the fingerprint script needs its service in both.",
  }))
}

async function examinePage(element: HTMLElement): Promise<Diagnosis[]> {
  const found: Diagnosis[] = []
  const scripts = document.querySelectorAll('script[src*="/widget.js"]')
  if (scripts.length > 1)
    found.push({
      code: 'widget-twice',
      problem: `The page loads the widget ${scripts.length} times; the first copy is used.`,
      fix: 'Remove the other tags, so that it is clear which version runs.',
    })
  if (!isSecureContext)
    found.push({
      code: 'not-secure',
      problem: 'This page is not served over https.',
      fix: 'Serve it over https: browsers neither fill in text-message codes nor keep secure cookies otherwise.',
    })
  if (element.closest('form') && element.hasAttribute('required') && !element.getAttribute('name'))
    found.push({
      code: 'no-name',
      problem: 'The element is required in a form, but has no name, so the form never gets the reference.',
      fix: 'Add name="creditReportId" or another name your server reads.',
    })
  const has = (slot: string) => element.querySelector(`:scope > [slot="${slot}"]`) !== null
  const search = element.getAttribute('search')
  if (search !== 'soft' && search !== 'hard' && !has('search-notice'))
    found.push({
      code: 'search-not-said',
      problem: 'The page does not say which kind of search is made, so consumers read nothing about who can see it.',
      fix: 'Add search="soft" or search="hard", as your agencies record it.',
    })
  if (!element.getAttribute('privacy-url') && !has('privacy'))
    found.push({
      code: 'no-privacy-notice',
      problem: 'Nothing above “Agree” leads to your privacy notice.',
      fix: 'Add privacy-url="/privacy", or your own words in slot="privacy".',
    })
  return found
}

/** Session recorders by the globals they bring, and whether the element carries their mark (`screens/app.tsx`). */
const RECORDERS: { [name: string]: { globals: readonly string[]; isMarked: boolean; isRrweb?: true } } = {
  Amplitude: { globals: ['amplitude', 'sessionReplay'], isMarked: true, isRrweb: true },
  Clarity: { globals: ['clarity'], isMarked: true },
  Contentsquare: { globals: ['_uxa', 'CS_CONF'], isMarked: true },
  Datadog: { globals: ['DD_RUM'], isMarked: true },
  Dynatrace: { globals: ['dtrum'], isMarked: true },
  FullStory: { globals: ['FS'], isMarked: true },
  Hotjar: { globals: ['hj'], isMarked: true },
  LogRocket: { globals: ['LogRocket', '_LRLogger'], isMarked: true },
  Mixpanel: { globals: ['mixpanel'], isMarked: true, isRrweb: true },
  'New Relic': { globals: ['NREUM'], isMarked: true, isRrweb: true },
  OpenReplay: { globals: ['__OPENREPLAY__'], isMarked: true },
  PostHog: { globals: ['posthog'], isMarked: true, isRrweb: true },
  Sentry: { globals: ['__SENTRY__'], isMarked: true, isRrweb: true },
  Smartlook: { globals: ['smartlook'], isMarked: true },
  Heap: { globals: ['heap'], isMarked: false },
  Inspectlet: { globals: ['__insp'], isMarked: false },
  'Lucky Orange': { globals: ['LOQ', '__lo_site_id'], isMarked: false },
  Mouseflow: { globals: ['mouseflow', '_mfq'], isMarked: false },
  Pendo: { globals: ['pendo'], isMarked: false },
  'Quantum Metric': { globals: ['QuantumMetricAPI'], isMarked: false },
}

async function examineRecorders(): Promise<Diagnosis[]> {
  // rrweb leaves this on what it wraps, so those that are only there to count or to report errors are not named.
  const isRrweb = Reflect.has(Element.prototype.attachShadow, '__rrweb_original__')
  const seen = Object.entries(RECORDERS).filter(
    ([, recorder]) => (isRrweb || !recorder.isRrweb) && recorder.globals.some(isLibrary),
  )
  const named = (isMarked: boolean) => seen.filter(([, each]) => each.isMarked === isMarked).map(([name]) => name)
  const marked = named(true)
  if (isRrweb && !seen.some(([, each]) => each.isRrweb)) marked.push('a recorder built on rrweb')
  const unmarked = named(false)
  const found: Diagnosis[] = []
  if (unmarked.length > 0)
    found.push({
      code: 'recorder-unmarked',
      problem: `A session recorder without a mark on the widget is on this page: ${unmarked.join(', ')}.`,
      fix: 'Block the element in its settings, or put its block class on the element: block, do not mask.',
    })
  if (marked.length > 0)
    found.push({
      code: 'recorder-marked',
      problem: `A session recorder is on this page: ${marked.join(', ')}. By default it leaves the widget out.`,
      fix: 'If your settings give its block class another name, put that name on the element; then watch one recording of a check.',
    })
  return found
}

/** An element with this id is a global too. */
function isLibrary(name: string): boolean {
  const value: unknown = Reflect.get(window, name)
  return (typeof value === 'object' || typeof value === 'function') && value !== null && !(value instanceof Element)
}
