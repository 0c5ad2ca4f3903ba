import { type ComponentChildren, h } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useFrame } from '../frame.ts'

/** The heading of a screen. Takes focus when the screen appears, so that its change is noticed and read. */
export function Heading({ children }: { children: ComponentChildren }) {
  const { headingLevel, mayFocus } = useFrame()
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    if (mayFocus()) heading.current?.focus()
  }, [])
  return h(`h${headingLevel}`, { class: 'heading', part: 'heading', tabIndex: -1, ref: heading }, children)
}
