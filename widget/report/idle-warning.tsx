import { useEffect, useRef, useState } from 'preact/hooks'
import { watchIdle } from './idle-watch.ts'
import type { Words } from './words.ts'

/** Asks whether anyone is there before the report closes by itself. Any key or touch is an answer. */
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
      <p>{words.closingSoon}</p>
      {/* The press itself is the touch that keeps it open. */}
      <button type="button" class="button" part="button">
        {words.keepOpen}
      </button>
    </dialog>
  )
}
