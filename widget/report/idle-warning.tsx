// A report that is left open is locked: someone else may sit down in front of it.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Words } from './words.ts'

/** Asks whether anyone is there before the report is locked. Any key or touch is an answer. */
export function IdleWarning({ words, onGone }: { words: Words; onGone: () => void }) {
  const [isShown, setShown] = useState(false)
  const dialog = useRef<HTMLDialogElement>(null)
  const gone = useRef(onGone)
  gone.current = onGone
  useEffect(
    () => watchIdle({ onWarn: () => setShown(true), onBack: () => setShown(false), onGone: () => gone.current() }),
    [],
  )
  useEffect(() => {
    if (isShown) dialog.current?.showModal()
  }, [isShown])
  if (!isShown) return null
  return (
    <dialog class="report-idle" ref={dialog} aria-label={words.stillThere}>
      <strong class="report-heading">{words.stillThere}</strong>
      <p>{words.lockingSoon}</p>
      {/* The press itself is the touch that keeps it open. */}
      <button type="button" class="button" part="button">
        {words.keepOpen}
      </button>
    </dialog>
  )
}

const LOCK_AFTER_MS = 10 * 60_000
const WARN_BEFORE_MS = 60_000

/** Moving the mouse is no sign of reading: a desk is enough. */
const TOUCHES = ['pointerdown', 'keydown', 'wheel', 'touchstart']

type IdleWatch = {
  onWarn: () => void
  /** Touched after the warning: there is nothing to warn of any more. */
  onBack: () => void
  onGone: () => void
}

/** Watches the page until it has been left alone for too long; the returned function ends it. */
export function watchIdle({ onWarn, onBack, onGone }: IdleWatch): () => void {
  const ended = new AbortController()
  const { signal } = ended
  let touchedAtMs = Date.now()
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
    if (!isDue && isWarned) onBack()
    isWarned = isDue
    timer = setTimeout(look, LOCK_AFTER_MS - (isDue ? 0 : WARN_BEFORE_MS) - idleMs)
  }
  const touch = () => {
    // A device that wakes up after its time is not given more of it by the touch that woke it.
    if (Date.now() - touchedAtMs >= LOCK_AFTER_MS) return look()
    touchedAtMs = Date.now()
    if (isWarned) look()
  }
  for (const type of TOUCHES) addEventListener(type, touch, { signal, capture: true, passive: true })
  document.addEventListener('visibilitychange', look, { signal })
  signal.addEventListener('abort', () => clearTimeout(timer))
  look()
  return () => ended.abort()
}
