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
      if (place.parentElement?.querySelector('template')) {
        // More is to be drawn above the end, which may be in sight only until then: looked at again in the next frame.
        watch.unobserve(place)
        watch.observe(place)
        return
      }
      const { boundingClientRect, isIntersecting } = entry
      // A reader who has scrolled past the end does not need it above.
      const isPast = isIntersecting || boundingClientRect.top < 0
      // What stands above keeps its room, or everything below would jump.
      if (top.current && isPast) top.current.style.minBlockSize = `${top.current.offsetHeight}px`
      setAtEnd(isPast)
    })
    watch.observe(place)
    return () => watch.disconnect()
  }, [])
  return {
    top: (
      <div class="report-onward" ref={top}>
        <NextSlot {...next} isHere={!isAtEnd} />
      </div>
    ),
    // Never empty: what has no height is never in sight.
    end: (
      <div class="report-onward" ref={end}>
        <NextSlot {...next} isHere={isAtEnd} />
      </div>
    ),
  }
}

/** Only its name changes, never the button in it: a press whose button is replaced under the finger is lost. */
function NextSlot({ label, onNext, isHere }: NextProps & { isHere: boolean }) {
  return (
    <slot name={isHere ? 'report-next' : 'report-next-elsewhere'}>
      {label && (
        <button type="button" class="button" part="button" onClick={onNext}>
          {label}
        </button>
      )}
    </slot>
  )
}
