// The one meaning of what somebody has to pay each month: the figure a report shows is the figure a lender's rules decide by.
import { readAccountStatus } from './account-status.ts'
import type { Money } from './money.ts'

type Priced = {
  accountStatus?: string | null | undefined
  payment?: { [Key in keyof Money]?: Money[Key] | null | undefined } | null | undefined
}

/** What the open accounts take each month, mortgages too: one sum for each currency, largest first. */
export function addMonthlyPayments(records: readonly Priced[]): Money[] {
  const sums = new Map<string, number>()
  for (const { accountStatus, payment } of records) {
    const { amount, currency } = payment ?? {}
    // Money in the consumer's favour is no payment.
    if (!amount || amount < 0 || !currency || readAccountStatus(accountStatus).standing !== 'open') continue
    sums.set(currency, (sums.get(currency) ?? 0) + amount)
  }
  return [...sums].map(([currency, amount]) => ({ amount, currency })).sort((a, b) => b.amount - a.amount)
}
