'use client'

// With the import: your bundler splits the widget, and your components hear its events.
import { useEffect, useRef, useState } from 'react'

/** `known`: what you know of this customer. */
export function CreditCheck({ known }) {
  const element = useRef(null)
  const [isComplete, setComplete] = useState(false)
  useEffect(() => {
    import('credit-report-widget')
    // By the ref: when React hydrates a custom element, it skips listeners and properties in the JSX.
    element.current.prefill = known
    const listening = new AbortController()
    element.current.addEventListener('credit-report-complete', () => setComplete(true), { signal: listening.signal })
    return () => listening.abort()
  }, [known])
  return (
    <>
      <credit-report-widget ref={element} endpoint="/credit-reports" />
      {isComplete && <p>Thank you, your order can go on.</p>}
    </>
  )
}
