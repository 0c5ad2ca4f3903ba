// What is owed, added up in whole pence. Currencies are never added together.
import type { Money } from '../../contract/money.ts'
import { type Account, isSettled } from './accounts.ts'

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
  /** Open accounts that report no balance, so the totals leave them out. */
  unreported: number
}

export function addBalances(accounts: readonly Account[]): Balances {
  const mortgages = accounts.filter(({ isMortgage }) => isMortgage)
  const others = accounts.filter(({ isMortgage }) => !isMortgage)
  return {
    types: addBy(others, ({ type }) => type),
    mortgages: addBy(mortgages, ({ type }) => type),
    totals: addBy(others, () => ''),
    unreported: accounts.filter((account) => !account.record.balance && !isSettled(account)).length,
  }
}

/** One sum for each key and currency, largest first. Money in the consumer's favour is no debt and stays out. */
function addBy(accounts: readonly Account[], keyOf: (account: Account) => string): Balance[] {
  const sums = new Map<string, Balance>()
  for (const account of accounts) {
    const { accountType: type, balance } = account.record
    if (!balance || balance.amount <= 0) continue
    const key = `${keyOf(account)} ${balance.currency}`
    const sum = sums.get(key) ?? { type, accounts: 0, balance: { ...balance, amount: 0 } }
    sums.set(key, sum)
    sum.accounts += 1
    sum.balance.amount += balance.amount
  }
  return [...sums.values()].sort((a, b) => b.balance.amount - a.balance.amount)
}

/** The length of a sum's bar, in per cent of the longest in its currency. `balances` come largest first. */
export function barLength({ balance }: Balance, balances: readonly Balance[]): number {
  const longest = balances.find((other) => other.balance.currency === balance.currency)?.balance ?? balance
  return (100 * balance.amount) / longest.amount
}
