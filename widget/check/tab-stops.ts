// Tab inside the element. The focus trap of a dialog sees one focused element, ours, and takes any Tab in it for its
// last: so only a Tab that leaves the element leaves its shadow root.

const STOPS = 'a[href], button, input, select, textarea, summary'

function findStops(root: ShadowRoot): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>(STOPS)].filter(
    (stop) => stop.tabIndex >= 0 && !stop.matches(':disabled, [inert] *') && stop.checkVisibility?.() !== false,
  )
}

export function keepTabs(root: ShadowRoot, signal: AbortSignal): void {
  const keepUnlessLeaving = (event: KeyboardEvent) => {
    if (event.key !== 'Tab') return
    // Of what a page put into a slot, the slot.
    const from = event.composedPath().find((node): node is Node => node instanceof Node && root.contains(node))
    const towards = event.shiftKey ? Node.DOCUMENT_POSITION_PRECEDING : Node.DOCUMENT_POSITION_FOLLOWING
    if (from && findStops(root).some((stop) => from.compareDocumentPosition(stop) & towards)) event.stopPropagation()
  }
  root.addEventListener('keydown', keepUnlessLeaving as EventListener, { signal })
}

/** A trap's Shift+Tab focuses the element itself, by a script. */
export function findLastStop(root: ShadowRoot): HTMLElement | undefined {
  const cause = window.event
  return cause instanceof KeyboardEvent && cause.key === 'Tab' && cause.shiftKey ? findStops(root).at(-1) : undefined
}
