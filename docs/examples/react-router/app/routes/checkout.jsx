import { useEffect, useState } from 'react'

export default function Checkout() {
  const [isComplete, setComplete] = useState(false)
  useEffect(() => {
    import('credit-report-widget')
  }, [])
  return (
    <main>
      <title>Checkout</title>
      <h1>Checkout</h1>
      <credit-report-widget endpoint="/credit-reports" oncredit-report-complete={() => setComplete(true)} />
      {isComplete && <p>Thank you, your order can go on.</p>}
    </main>
  )
}
