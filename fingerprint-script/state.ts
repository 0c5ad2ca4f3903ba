// For other code on the page (the widget's loader, a lender's diagnostics) to read:
//
//   document.__deviceFingerprint            absent: no copy of the script has run yet
//   document.__deviceFingerprint.state      see below
//   document.__deviceFingerprint.sessionId  '' until a session is held; to be trusted while the state is `ready`
//   document.__deviceFingerprint()          tries again after `blocked` or `timeout`, otherwise harmless
//   document.__deviceFingerprint('')        asks for another session, because another person goes on
//   `devicefingerprint` on `document`       fires after each change of state or session
//
//              ┌────────── asked again, tab shown, back online ──────────┐
//              ▼                                                         │
//          loading ◀─▶ ready ⟲ a fresh session every half hour           │
//              ├─────▶ blocked   could not leave the browser, or refused ┤  may still become ready
//              └─────▶ timeout   slow or failing until every try was used┘

type DeviceFingerprintState = 'loading' | 'ready' | 'blocked' | 'timeout'

export type DeviceFingerprint = {
  /**
   * Called without an argument by a second copy of the script, with an id by the answer to the script-tag transport.
   */
  (sessionId?: string): void
  state: DeviceFingerprintState
  sessionId: string
}

/**
 * A name on `document`, not enumerable: no new global, and code that lists the document's properties does not see it.
 */
export type MarkedDocument = Document & { __deviceFingerprint?: DeviceFingerprint }

/** Sets the state and says so. `ready` is always news: it comes with another session. */
export function tell(marker: DeviceFingerprint, state: DeviceFingerprintState): void {
  if (marker.state === state && state !== 'ready') return
  marker.state = state
  // Not `new Event`: old libraries put a constructor of their own under that name.
  const event = document.createEvent('Event')
  event.initEvent('devicefingerprint')
  document.dispatchEvent(event)
}
