import { useEffect, useRef, useState } from 'react'

// From your customer's account.
const known = { email: 'sam@example.com' }

export default function Checkout() {
  const element = useRef(null)
  const [isComplete, setComplete] = useState(false)
  useEffect(() => {
    import('credit-report-widget')
    // By the ref: when React hydrates a custom element, it skips listeners and properties in the JSX.
    element.current.prefill = known
    const listening = new AbortController()
    element.current.addEventListener('credit-report-complete', () => setComplete(true), { signal: listening.signal })
    return () => listening.abort()
  }, [])
  return (
    <main>
      <title>Checkout</title>
      <h1>Checkout</h1>
      <credit-report-widget ref={element} endpoint="/credit-reports" />
      {isComplete && <p>Thank you, your order can go on.</p>}
    </main>
  )
}
