// Waits for the device fingerprint script and brings it when the page did not.
//
// Two ways the session id can arrive, and both are listened to:
//   the callback   `window.service.deviceFingerprint({ sessionId })`, as every version of the script calls it; a
// function the page
//                  registered there first keeps being called
//   the marker     `document.__deviceFingerprint` and the `devicefingerprint` event, which also say when it fails and
// when the id is renewed
import { ownUrl } from '../own-url.ts'

export type Fingerprint = {
  /** Inserts the script at `src` unless the page has brought its own. */
  ensure(src: string): void
  /** A session id to send now; null when none came in time. */
  sessionId(): Promise<string | null>
  /** Another person goes on: a session belongs to one. */
  renew(): void
}

/** The value of `document.__deviceFingerprint`. */
type FingerprintMarker = {
  (sessionId?: ''): void
  state: 'loading' | 'ready' | 'blocked' | 'timeout'
  sessionId: string
}

/** A tag for the script, wherever the service is. */
export const FINGERPRINT_TAG = 'script[src*="/v1/fingerprints/device"]'

const EVENT = 'devicefingerprint'
const PATIENCE_MS = 10_000
/** After a refusal the script may still find another way. */
const PATIENCE_ONCE_BLOCKED_MS = 3_000

/** `nonce` is the page's own, for the script that may be inserted; empty for none. */
export function createFingerprint(signal: AbortSignal, nonce = ''): Fingerprint {
  let delivered = ''
  let refused = false
  let inserted = false
  let ensured = ''
  // Not an EventTarget: pages built on Prototype.js or MooTools have no `Event` to construct.
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }

  document.addEventListener(EVENT, tell, { signal })
  receive((sessionId) => {
    delivered = sessionId
    tell()
  }, signal)

  function insert(src: string): void {
    if (inserted || signal.aborted || readMarker() || delivered) return
    inserted = true
    const script = document.createElement('script')
    const fail = () => {
      refused = true
      tell()
    }
    script.async = true
    if (nonce) script.nonce = nonce
    // So that the doctor can tell it from a tag of the page's own.
    script.dataset.creditReportWidget = ''
    script.addEventListener('error', fail)
    try {
      script.src = ownUrl(src).href
      document.head.append(script)
    } catch {
      // The page demands Trusted Types: only its own markup may bring scripts.
      fail()
    }
  }

  return {
    ensure(src) {
      ensured = src
      // An async script of the page may still be on its way; once the page has loaded, it has come or failed.
      if (document.readyState === 'complete' || !document.querySelector(FINGERPRINT_TAG)) insert(src)
      else window.addEventListener('load', () => insert(src), { once: true, signal })
    },
    sessionId() {
      const marker = readMarker()
      if (marker && marker.state !== 'ready' && marker.state !== 'loading') marker()
      if (refused) {
        // A file that failed to load may load now; a consumer who had to reload would lose every answer.
        refused = inserted = false
        insert(ensured)
      }
      return new Promise((resolve) => {
        const settle = (sessionId: string | null) => {
          clearTimeout(timer)
          listeners.delete(look)
          resolve(sessionId)
        }
        let timer = setTimeout(settle, PATIENCE_MS, null)
        let blocked = false
        const look = () => {
          const now = readMarker()
          const sessionId = now?.state === 'ready' ? now.sessionId : delivered
          if (sessionId) return settle(sessionId)
          if (blocked || !(refused || now?.state === 'blocked' || now?.state === 'timeout')) return
          blocked = true
          clearTimeout(timer)
          timer = setTimeout(settle, PATIENCE_ONCE_BLOCKED_MS, null)
        }
        listeners.add(look)
        signal.addEventListener('abort', () => settle(null))
        look()
      })
    },
    renew() {
      const marker = readMarker()
      // A script without a marker cannot be asked for another session.
      if (!marker) return
      delivered = ''
      marker('')
    },
  }
}

/** The script's state of itself; null when none has run on this page. */
export function readMarker(): FingerprintMarker | null {
  const marker: unknown = Reflect.get(document, '__deviceFingerprint')
  return isMarker(marker) ? marker : null
}

function isMarker(value: unknown): value is FingerprintMarker {
  return typeof value === 'function' && 'state' in value && 'sessionId' in value
}

// One function for all elements of the page: each adding its own would leave a growing chain behind.
const receivers = new Set<(sessionId: string) => void>()
let giveBack = () => {}

function receive(deliver: (sessionId: string) => void, signal: AbortSignal): void {
  if (receivers.size === 0) giveBack = chainCallback()
  receivers.add(deliver)
  signal.addEventListener('abort', () => {
    receivers.delete(deliver)
    if (receivers.size === 0) giveBack()
  })
}

/** Puts our function where the script will call it, in front of the page's own; returns how to undo that. */
function chainCallback(): () => void {
  const service = openService()
  const before = service?.deviceFingerprint
  const ours = (answer: unknown) => {
    const sessionId: unknown = typeof answer === 'object' && answer ? Reflect.get(answer, 'sessionId') : null
    if (typeof sessionId === 'string' && sessionId) for (const deliver of receivers) deliver(sessionId)
    if (typeof before === 'function') before.call(service, answer)
  }
  // A frozen object keeps its own function; the marker will do.
  if (!service || !Reflect.set(service, 'deviceFingerprint', ours)) return () => {}
  return () => {
    if (service.deviceFingerprint !== ours) return
    if (before === undefined) Reflect.deleteProperty(service, 'deviceFingerprint')
    else Reflect.set(service, 'deviceFingerprint', before)
  }
}

type Service = { deviceFingerprint?: unknown }

/** `window.service`, made when absent; null when the page uses the name for something else. */
function openService(): Service | null {
  const existing: unknown = Reflect.get(window, 'service')
  if (existing === undefined || existing === null) {
    const made: Service = {}
    return Reflect.set(window, 'service', made) ? made : null
  }
  return typeof existing === 'object' || typeof existing === 'function' ? existing : null
}
