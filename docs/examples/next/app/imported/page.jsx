import { CreditCheck } from './credit-check'

export default function Checkout() {
  return (
    <main>
      <h1>Checkout</h1>
      <CreditCheck />
    </main>
  )
}
