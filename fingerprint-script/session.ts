// Asks the service for a session and keeps it fresh.
//
//   POST {address}/sessions ─────────────▶ session
//      │    slow, 5xx, rubbish: again after 0.3 seconds
//      ▼    never left the browser (offline, a blocker, the page's CSP): again at once
//   POST {address}/sessions ─────────────▶ session
//      ▼    likewise after 0.6 seconds or at once, from here on in turns and each time after twice as long
//   <script src="{address}?m=1"> ────────▶ session without signals, which the service marks as unprofiled
//
// After TRIES_MAX requests it stays silent until something changes: the tab is shown, the network returns, it is asked
// again.
import { deliver } from './deliver.ts'
import {
  FIRST_DELAY_MS,
  FIRST_TIMEOUT_MS,
  FRESH_MS,
  GOOD_MS,
  LATER_TIMEOUT_MS,
  QUICK_TRIES,
  RENEW_AGAIN_MS,
  TRIES_MAX,
} from './limits.ts'
import { collect } from './sources.ts'
import { type DeviceFingerprint, tell } from './state.ts'

/** Events that show a person is present; assistive technology sends a click alone. */
const TOUCHES = ['pointerdown', 'keydown', 'click']

/**
 * `address` is where the script came from; `nonce` is the one its tag carried, for the tag this may have to add. One
 * that `waits` reads and sends nothing before the person first touches the page.
 */
export function keepSession(address: string, nonce: string, waits: boolean): void {
  const marker = ((sessionId) => {
    if (sessionId) return accept(sessionId)
    // Old enough to be replaced at once: a session belongs to one person, and now there is another.
    if (sessionId === '') acceptedAtMs = 0
    wake()
  }) as DeviceFingerprint
  let acceptedAtMs = 0
  /** Requests made in this round of asking; 0 between rounds. */
  let tries = 0
  /** The number of the last tries that never left the browser. */
  let unsent = 0

  marker.sessionId = ''
  // Without a prototype, a page that extends Object.prototype cannot add to the descriptor.
  Object.defineProperty(document, '__deviceFingerprint', { __proto__: null, value: marker } as PropertyDescriptor)
  // Before all the rest, which is done while the request is on its way.
  // A page rendered ahead of time may never be seen. It is hidden until it is, so `visibilitychange` starts it.
  if (!waits && !(document as { prerendering?: boolean }).prerendering) attempt(false)
  // A page's stand-in for XMLHttpRequest may have answered by now.
  if (!marker.sessionId) tell(marker, 'loading')
  addEventListener('pageshow', wake)
  addEventListener('visibilitychange', wake)
  addEventListener('online', wake)
  if (waits) for (const type of TOUCHES) addEventListener(type, start, true)

  function start(): void {
    waits = false
    for (const type of TOUCHES) removeEventListener(type, start, true)
    wake()
  }

  function wake(): void {
    if (marker.sessionId) deliver(marker.sessionId)
    if (!waits && !tries && !isYoungerThan(FRESH_MS) && !document.hidden) ask()
  }

  function isYoungerThan(ageMs: number): boolean {
    return Date.now() - acceptedAtMs < ageMs
  }

  function ask(): void {
    unsent = 0
    // While a good session is held, renewing it changes no state, and neither does a failed renewal.
    if (!isYoungerThan(GOOD_MS)) tell(marker, 'loading')
    attempt(false)
  }

  function accept(sessionId: string): void {
    // A request that was given up may still be answered; one session is enough.
    if (!tries) return
    tries = 0
    acceptedAtMs = Date.now()
    marker.sessionId = sessionId
    tell(marker, 'ready')
    deliver(sessionId)
    setTimeout(wake, FRESH_MS)
  }

  function attempt(byTag: boolean): void {
    const limitMs = tries++ ? LATER_TIMEOUT_MS : FIRST_TIMEOUT_MS
    let isSettled = false
    try {
      // A new address for each tag: a browser lets a second request for the same one wait until the first is answered.
      const cancel = byTag
        ? addTag(`${address}?m=1&${tries}`, nonce, fail)
        : post(`${address}/sessions`, collect(), accept, fail)
      setTimeout(() => {
        fail()
        cancel()
      }, limitMs)
    } catch {
      fail(0)
    }

    /** `status` is 0 when the request came to nothing, absent when time ran out. */
    function fail(status?: number): void {
      if (isSettled || !tries) return
      isSettled = true
      unsent = status === 0 ? unsent + 1 : 0
      const isRefused = refusal.test(`${status}`)
      const isOver = isRefused || tries >= TRIES_MAX
      if (isYoungerThan(GOOD_MS)) {
        if (isOver) setTimeout(wake, RENEW_AGAIN_MS)
      } else if (isRefused || unsent > QUICK_TRIES) tell(marker, 'blocked')
      else if (isOver) tell(marker, 'timeout')

      const delayMs = FIRST_DELAY_MS * 2 ** (tries - 1) * (Math.random() + 0.5)
      if (isOver) tries = 0
      else setTimeout(retry, unsent && tries <= QUICK_TRIES ? 0 : delayMs, tries > 1 && !byTag)
    }
  }

  function retry(byTag: boolean): void {
    if (tries) attempt(byTag)
  }
}

/** 4xx: the service has understood and will not change its mind. A time-out and "too many" are worth another try. */
const refusal = /^4(?!08|29)/

// The two ways to the service. Each throws when the page forbids it outright, and returns what ends it.
type Fail = (status: number) => void
type Cancel = () => void

// XMLHttpRequest because pages patch `fetch` more often; a text body, no listeners on the upload and no credentials, so
// that no preflight is needed and any origin may be answered.
function post(address: string, body: string, accept: (sessionId: string) => void, fail: Fail): Cancel {
  const request = new XMLHttpRequest()
  request.open('POST', address)
  request.onloadend = () => {
    // The answer is the bare id. An error or a captive portal's page does not look like one.
    if (/^[\w-]{32}$/.test(request.responseText)) accept(request.responseText)
    else fail(request.status)
  }
  request.send(body)
  return () => request.abort()
}

/** The answer calls the page's marker itself, before the tag reports that it has loaded. */
function addTag(address: string, nonce: string, fail: Fail): Cancel {
  const tag = document.createElement('script')
  tag.onload = tag.onerror = () => {
    tag.remove()
    fail(0)
  }
  tag.nonce = nonce
  tag.src = address
  document.head.appendChild(tag)
  return () => tag.remove()
}
