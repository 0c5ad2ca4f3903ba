// A report that is left open is locked: someone else may sit down in front of it.
import { useEffect, useRef, useState } from 'preact/hooks'
import { Link } from '../form/link.tsx'
import type { Words } from './words.ts'

type IdleWarningProps = {
  words: Words
  /** Until when it can be opened again; after that, what locks it closes it. */
  opensUntilMs: number
  onPrint: () => void
  /** Someone is still reading. */
  onSeen: () => void
  onGone: () => void
}

/** Asks whether anyone is there before the report is locked, or closed for good. Any key or touch gives more time. */
export function IdleWarning({ words, opensUntilMs, onPrint, onSeen, onGone }: IdleWarningProps) {
  const [isShown, setShown] = useState(false)
  const dialog = useRef<HTMLDialogElement>(null)
  const tell = useRef({ onSeen, onGone })
  tell.current = { onSeen, onGone }
  useEffect(
    () =>
      watchIdle({
        onWarn: () => setShown(true),
        onSeen: () => tell.current.onSeen(),
        onGone: () => tell.current.onGone(),
      }),
    [],
  )
  useEffect(() => {
    if (isShown) dialog.current?.showModal()
  }, [isShown])
  if (!isShown) return null
  const hide = () => setShown(false)
  const printFirst = () => {
    hide()
    onPrint()
  }
  const opensAgain = opensUntilMs > Date.now() + WARN_BEFORE_MS
  return (
    <dialog class="report-idle card" ref={dialog} aria-label={words.stillThere} onClose={hide}>
      <strong class="report-heading">{words.stillThere}</strong>
      <p>{opensAgain ? words.lockingSoon : words.closingSoon}</p>
      <button type="button" class="button" part="button" onClick={hide}>
        {words.keepOpen}
      </button>
      <Link onClick={printFirst}>{words.print}</Link>
    </dialog>
  )
}

const LOCK_AFTER_MS = 10 * 60_000
const WARN_BEFORE_MS = 60_000
/** With the time until the lock it stays below the quarter of an hour in which a report can be opened again. */
const SEEN_EVERY_MS = 4 * 60_000

/** Moving the mouse is no sign of reading: a desk is enough. */
const TOUCHES = ['pointerdown', 'keydown', 'wheel', 'touchstart']

type IdleWatch = {
  onWarn: () => void
  /** Now and then while the page is used. */
  onSeen: () => void
  onGone: () => void
}

/** Watches the page until it has been left alone for too long; the returned function ends it. */
export function watchIdle({ onWarn, onSeen, onGone }: IdleWatch): () => void {
  const ended = new AbortController()
  const { signal } = ended
  let touchedAtMs = Date.now()
  let seenAtMs = touchedAtMs
  let isWarned = false
  let timer: ReturnType<typeof setTimeout> | undefined

  // By the clock, not by the timer: a timer stands still while the device sleeps.
  const look = () => {
    clearTimeout(timer)
    const idleMs = Date.now() - touchedAtMs
    if (idleMs >= LOCK_AFTER_MS) {
      ended.abort()
      return onGone()
    }
    const isDue = idleMs >= LOCK_AFTER_MS - WARN_BEFORE_MS
    if (isDue && !isWarned) onWarn()
    isWarned = isDue
    timer = setTimeout(look, LOCK_AFTER_MS - (isDue ? 0 : WARN_BEFORE_MS) - idleMs)
  }
  const touch = () => {
    // A device that wakes up after its time is not given more of it by the touch that woke it.
    if (Date.now() - touchedAtMs >= LOCK_AFTER_MS) return look()
    touchedAtMs = Date.now()
    if (isWarned) look()
    if (touchedAtMs - seenAtMs < SEEN_EVERY_MS) return
    seenAtMs = touchedAtMs
    onSeen()
  }
  for (const type of TOUCHES) addEventListener(type, touch, { signal, capture: true, passive: true })
  document.addEventListener('visibilitychange', look, { signal })
  signal.addEventListener('abort', () => clearTimeout(timer))
  look()
  return () => ended.abort()
}
