// Hands the session to the page: calls `window.service.deviceFingerprint({ sessionId })`, whenever the page gets round
// to registering it. Each function is called once per session.
import { FIRST_LOOK_MS, LAST_LOOK_MS, LOOK_BACKOFF } from './limits.ts'

type Callback = (answer: { sessionId: string }) => void
type Service = { deviceFingerprint?: unknown }

const page = window as unknown as { service: Service | null | undefined }

let sessionId = ''
let called: unknown[] = []
let watched: Service | null = null
let nextLook: ReturnType<typeof setTimeout> | undefined

export function deliver(newSessionId: string): void {
  if (newSessionId !== sessionId) called = []
  sessionId = newSessionId
  clearTimeout(nextLook)
  look(FIRST_LOOK_MS)
}

function look(nextMs: number): void {
  // First of all, so that nothing a page has done to its objects ends the looking.
  if (nextMs < LAST_LOOK_MS) nextLook = setTimeout(look, nextMs, nextMs * LOOK_BACKOFF)
  try {
    if (page.service == null) page.service = {}
    offer(page.service)
    if (page.service !== watched) watch(page.service)
  } catch {
    // Frozen, sealed, a string, a getter that throws: it stays as it is, and the next look may find better.
  }
}

function offer(service: Service): void {
  const callback = service.deviceFingerprint
  if (typeof callback !== 'function' || called.indexOf(callback) >= 0) return
  called.push(callback)
  // In a task of its own: the page has finished what it was doing, and what the callback throws keeps the page's file
  // and line.
  setTimeout(() => (callback as Callback).call(service, { sessionId }))
}

/** Turns the property into one that notices a function being registered; it reads and lists as before. */
function watch(service: Service): void {
  let registered = service.deviceFingerprint
  // Without a prototype, a page that extends Object.prototype cannot add to the descriptor.
  Object.defineProperty(service, 'deviceFingerprint', {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get: () => registered,
    set: (callback) => {
      registered = callback
      offer(service)
    },
  } as PropertyDescriptor)
  watched = service
}
