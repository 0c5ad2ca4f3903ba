// What the element listens to while it is in the page, and what it keeps from the page.
import { dropSecondPress } from './second-press.ts'
import type { Session } from './session.ts'

// What a person types is never the page's own, so neither its shortcuts nor careless recorders get to see it. Tab and Escape pass: a
// dialog around the element needs them. A script that listens while capturing still sees everything.
const PRIVATE_EVENTS = ['keydown', 'keyup', 'keypress', 'beforeinput', 'input', 'paste', 'copy', 'cut']

export function listen(root: ShadowRoot, session: Session, signal: AbortSignal): void {
  for (const type of PRIVATE_EVENTS) root.addEventListener(type, keepPrivate, { signal })
  // A click alone is how assistive technology presses.
  for (const type of ['input', 'pointerdown', 'keydown', 'click'])
    root.addEventListener(type, session.touch, { signal })
  dropSecondPress(root, signal)
  const sync = () => document.visibilityState === 'visible' && session.sync()
  document.addEventListener('visibilitychange', sync, { signal })
  window.addEventListener('pageshow', sync, { signal })
  window.addEventListener('online', sync, { signal })
  // The browser may keep the page (bfcache) and show it to the next person who presses Back.
  window.addEventListener('pagehide', () => session.send({ type: 'leave' }), { signal })
}

function keepPrivate(event: Event): void {
  if (!(event instanceof KeyboardEvent && (event.key === 'Tab' || event.key === 'Escape'))) event.stopPropagation()
}
