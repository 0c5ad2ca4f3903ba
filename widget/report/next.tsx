import { useEffect, useRef, useState } from 'preact/hooks'

export type NextProps = {
  /** The words of a button that leads on; null or empty for none. */
  label: string | null
  onNext: () => void
}

/**
 * Where the reader goes from here, above and at the end of the report. A node can be in one slot only, so the slot is at whichever end
 * is in sight; the button, where the lender has put nothing into the slot, is at both.
 */
export function useNext(next: NextProps) {
  const [isAtEnd, setAtEnd] = useState(false)
  const top = useRef<HTMLDivElement>(null)
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const place = end.current
    if (!place) return
    const watch = new IntersectionObserver(([entry]) => {
      if (!entry) return
      const { boundingClientRect, isIntersecting } = entry
      // Whoever has scrolled past the end has it behind them, and no need of it above.
      const isPast = isIntersecting || boundingClientRect.top < 0
      // What stands above keeps its room, or everything below would jump.
      if (top.current && isPast) top.current.style.minBlockSize = `${top.current.offsetHeight}px`
      setAtEnd(isPast)
    })
    watch.observe(place)
    return () => watch.disconnect()
  }, [])
  const draw = (hasSlot: boolean) => (hasSlot ? <NextSlot {...next} /> : <NextButton {...next} />)
  return {
    top: (
      <div class="report-onward" ref={top}>
        {draw(!isAtEnd)}
      </div>
    ),
    // Never empty: what has no height is never in sight.
    end: (
      <div class="report-onward" ref={end}>
        {draw(isAtEnd)}
      </div>
    ),
  }
}

function NextSlot(next: NextProps) {
  return (
    <slot name="report-next">
      <NextButton {...next} />
    </slot>
  )
}

function NextButton({ label, onNext }: NextProps) {
  if (!label) return null
  return (
    <button type="button" class="button" part="button" onClick={onNext}>
      {label}
    </button>
  )
}
