// The arithmetic of a personal contract purchase: equal monthly payments, and one optional payment at the end.

export type Plan = { pricePence: number; depositPence: number; finalPence: number; months: number; aprPercent: number }

type Quote = {
  borrowedPence: number
  monthlyPence: number
  creditChargePence: number
  /** Deposit, every monthly payment and the final one. */
  totalPence: number
}

/** The price of a plan. The monthly payment is rounded up, so that the lender is never short of a penny. */
export function quote({ pricePence, depositPence, finalPence, months, aprPercent }: Plan): Quote {
  const borrowedPence = pricePence - depositPence
  // An annual rate says what a year of compounding adds up to.
  const rate = (1 + aprPercent / 100) ** (1 / 12) - 1
  const finalToday = finalPence / (1 + rate) ** months
  const owedByPayments = borrowedPence - finalToday
  const monthlyPence = Math.ceil(
    rate === 0 ? owedByPayments / months : (owedByPayments * rate) / (1 - (1 + rate) ** -months),
  )
  const paidPence = monthlyPence * months + finalPence
  return {
    borrowedPence,
    monthlyPence,
    creditChargePence: paidPence - borrowedPence,
    totalPence: paidPence + depositPence,
  }
}
