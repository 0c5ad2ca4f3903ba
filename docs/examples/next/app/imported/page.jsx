import { CreditCheck } from './credit-check'

// From your customer's account.
const known = { email: 'sam@example.com' }

export default function Checkout() {
  return (
    <main>
      <h1>Checkout</h1>
      <CreditCheck known={known} />
    </main>
  )
}
