'use client'

// With the import: your bundler splits the widget, and your components hear its events.
import { useEffect, useRef, useState } from 'react'

export function CreditCheck() {
  const element = useRef(null)
  const [isComplete, setComplete] = useState(false)
  useEffect(() => {
    import('credit-report-widget')
    const listening = new AbortController()
    element.current?.addEventListener('credit-report-complete', () => setComplete(true), { signal: listening.signal })
    return () => listening.abort()
  }, [])
  return (
    <>
      <credit-report-widget ref={element} endpoint="/credit-reports" />
      {isComplete && <p>Thank you, your order can go on.</p>}
    </>
  )
}
