// Sums of what is owed and regularly paid, added up in whole pence. Currencies are never added together.
import type { Money } from '../../contract/money.ts'
import { addRegularPayments } from '../../contract/regular-payments.ts'
import { type Account, isOpen, isSettled } from './accounts.ts'

export type Balances = {
  /** Of everything but mortgages, one for each currency, largest first. */
  owed: Money[]
  /** Apart, because one mortgage would hide everything else. */
  mortgages: Money[]
  /** Accounts not settled that report no balance, so the sums leave them out. */
  unreported: number
  /** The regular payments of the open accounts, one sum for each currency. */
  payments: Money[]
  /** Open accounts that report no payment. */
  unpriced: number
  /** Accounts that are neither open nor settled: their payments are not in the sum. */
  leftOut: number
}

export function addBalances(accounts: readonly Account[]): Balances {
  const open = accounts.filter(isOpen)
  return {
    owed: sumOf(accounts.filter(({ isMortgage }) => !isMortgage)),
    mortgages: sumOf(accounts.filter(({ isMortgage }) => isMortgage)),
    unreported: accounts.filter((account) => !account.record.balance && !isSettled(account)).length,
    payments: addRegularPayments(accounts.map(({ record }) => record)),
    unpriced: open.filter(({ record }) => !record.payment).length,
    leftOut: accounts.filter((account) => !isOpen(account) && !isSettled(account)).length,
  }
}

/** Money in the consumer's favour is no debt and stays out. */
function sumOf(accounts: readonly Account[]): Money[] {
  const sums = new Map<string, number>()
  for (const { record } of accounts) {
    const { amount = 0, currency = '' } = record.balance ?? {}
    if (amount > 0) sums.set(currency, (sums.get(currency) ?? 0) + amount)
  }
  return [...sums].map(([currency, amount]) => ({ amount, currency })).sort((a, b) => b.amount - a.amount)
}
