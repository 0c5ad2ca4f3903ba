// Asks the service for a session and keeps it fresh.
//
//   POST {address}/sessions ─────────────▶ session
//      │    slow, 5xx, rubbish: again after 0.3, 0.6, 1.2 … seconds, from the fourth try on in turns with the tag
//      ▼    failed at once (the page's CSP, a blocker): the tag straight away
//   <script src="{address}?m=1"> ────────▶ session without signals, which the service marks as unprofiled
//
// After TRIES_MAX requests it stays silent until something changes: the tab is shown, the network returns, it is asked again.
import { deliver } from './deliver.ts'
import { FIRST_DELAY_MS, FIRST_TIMEOUT_MS, FRESH_MS, INSTANT_MS, LATER_TIMEOUT_MS, TRIES_MAX } from './limits.ts'
import { collect } from './sources.ts'
import { type DeviceFingerprint, tell } from './state.ts'
import { addTag, post } from './transport.ts'

/** `address` is where the script came from; `nonce` is the one its tag carried, for the tag this may have to add. */
export function keepSession(address: string, nonce: string): void {
  const marker = ((sessionId) => (sessionId ? accept(sessionId) : wake())) as DeviceFingerprint
  let acceptedAtMs = 0
  /** Requests made in this round of asking; 0 between rounds. */
  let tries = 0
  let instantFailures = 0

  marker.state = 'loading'
  marker.sessionId = ''
  // Without a prototype, a page that extends Object.prototype cannot add to the descriptor.
  Object.defineProperty(document, '__deviceFingerprint', { __proto__: null, value: marker } as PropertyDescriptor)
  addEventListener('pageshow', wake)
  addEventListener('visibilitychange', wake)
  addEventListener('online', wake)
  // A page rendered ahead of time may never be seen. It is hidden until it is, so `visibilitychange` starts it.
  if (!(document as { prerendering?: boolean }).prerendering) ask()

  function wake(): void {
    if (marker.sessionId) deliver(marker.sessionId)
    const isFresh = marker.state === 'ready' && Date.now() - acceptedAtMs < FRESH_MS
    if (!tries && !isFresh && !document.hidden) ask()
  }

  function ask(): void {
    instantFailures = 0
    // As long as a session is held, renewing it is nobody's business.
    if (marker.state !== 'ready') tell(marker, 'loading')
    attempt(false)
  }

  function accept(sessionId: string): void {
    tries = 0
    acceptedAtMs = Date.now()
    marker.sessionId = sessionId
    tell(marker, 'ready')
    deliver(sessionId)
    setTimeout(wake, FRESH_MS)
  }

  function attempt(byTag: boolean): void {
    const startedAtMs = Date.now()
    const limitMs = tries++ ? LATER_TIMEOUT_MS : FIRST_TIMEOUT_MS
    let isSettled = false
    try {
      // A new address for each tag: a browser lets a second request for the same one wait until the first is answered.
      const cancel = byTag
        ? addTag(`${address}?m=1&${tries}`, nonce, fail)
        : post(`${address}/sessions`, collect(), accept, fail)
      setTimeout(cancel, limitMs)
    } catch {
      fail(0)
    }

    /** `status` is 0 when there was no answer. */
    function fail(status: number): void {
      // The session may have come by a request that had been given up.
      if (isSettled || !tries) return
      isSettled = true
      const isInstant = !status && Date.now() - startedAtMs < INSTANT_MS
      const isRefused = refusal.test(`${status}`)
      const isOver = isRefused || tries >= TRIES_MAX
      instantFailures = isInstant ? instantFailures + 1 : 0
      if (isRefused || instantFailures > 1) tell(marker, 'blocked')
      else if (isOver) tell(marker, 'timeout')

      if (isOver) tries = 0
      else if (isInstant && !byTag) attempt(true)
      else setTimeout(retry, FIRST_DELAY_MS * 2 ** (tries - 1) * (Math.random() + 0.5), tries > 2 && !byTag)
    }
  }

  function retry(byTag: boolean): void {
    if (tries) attempt(byTag)
  }
}

/** 4xx: the service has understood and will not change its mind. A time-out and "too many" are worth another try. */
const refusal = /^4(?!08|29)/
