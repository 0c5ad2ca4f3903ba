// The one meaning of the regular payments of a report: the figure a consumer reads is the figure a lender's rules
// decide by.
import { readAccountStatus } from './account-status.ts'
import type { Money } from './money.ts'

type Priced = {
  accountStatus?: string | null | undefined
  payment?: { [Key in keyof Money]?: Money[Key] | null | undefined } | null | undefined
}

/**
 * The regular payments of the open accounts, mortgages included: one sum for each currency, largest first. Agencies do
 * not say whether a payment is weekly or monthly, so it is no sum for a month.
 */
export function addRegularPayments(records: readonly Priced[]): Money[] {
  const sums = new Map<string, number>()
  for (const { accountStatus, payment } of records) {
    const { amount, currency } = payment ?? {}
    // Money in the consumer's favour is no payment.
    if (!amount || amount < 0 || !currency || readAccountStatus(accountStatus).standing !== 'open') continue
    sums.set(currency, (sums.get(currency) ?? 0) + amount)
  }
  return [...sums].map(([currency, amount]) => ({ amount, currency })).sort((a, b) => b.amount - a.amount)
}
