// What is owed and what is paid each month, added up in whole pence. Currencies are never added together.
import type { Money } from '../../contract/money.ts'
import { addMonthlyPayments } from '../../contract/monthly-payments.ts'
import { type Account, isOpen, isSettled } from './accounts.ts'

export type Balance = {
  /** The type of the accounts as the wire spells it. */
  type: string
  accounts: number
  balance: Money
}

export type Balances = {
  /** Everything but mortgages, largest first. */
  types: Balance[]
  /** Apart, because one mortgage would flatten every other bar. */
  mortgages: Balance[]
  /** Of everything but mortgages, one for each currency. */
  totals: Balance[]
  /** Accounts not settled that report no balance, so the totals leave them out. */
  unreported: number
  /** What the open accounts take each month, one for each currency. */
  payments: Money[]
  /** Open accounts that report no payment. */
  unpriced: number
}

export function addBalances(accounts: readonly Account[]): Balances {
  const mortgages = accounts.filter(({ isMortgage }) => isMortgage)
  const others = accounts.filter(({ isMortgage }) => !isMortgage)
  const open = accounts.filter(isOpen)
  return {
    types: addBalancesBy(others, ({ type }) => type),
    mortgages: addBalancesBy(mortgages, ({ type }) => type),
    totals: addBalancesBy(others),
    unreported: accounts.filter((account) => !account.record.balance && !isSettled(account)).length,
    payments: addMonthlyPayments(accounts.map(({ record }) => record)),
    unpriced: open.filter(({ record }) => !record.payment).length,
  }
}

/** One sum for each key and currency, largest first. Money in the consumer's favour is no debt and stays out. */
function addBalancesBy(accounts: readonly Account[], keyOf: (account: Account) => string = () => ''): Balance[] {
  const sums = new Map<string, Balance>()
  for (const account of accounts) {
    const money = account.record.balance
    if (!money || money.amount <= 0) continue
    const key = `${keyOf(account)} ${money.currency}`
    const sum = sums.get(key) ?? { type: account.record.accountType, accounts: 0, balance: { ...money, amount: 0 } }
    sums.set(key, sum)
    sum.accounts += 1
    sum.balance.amount += money.amount
  }
  return [...sums.values()].sort((a, b) => b.balance.amount - a.balance.amount)
}

/** The length of a sum's bar, in per cent of the longest in its currency. `balances` come largest first. */
export function barLength({ balance }: Balance, balances: readonly Balance[]): number {
  const longest = balances.find((other) => other.balance.currency === balance.currency)?.balance ?? balance
  return (100 * balance.amount) / longest.amount
}
