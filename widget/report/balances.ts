// What is owed, added up in whole pence. Currencies are never added together.
import type { Money } from '../../contract/money.ts'
import { type Account, isMortgage, isSettled } from './accounts.ts'
import { plainWords } from './phrases.ts'

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
  const mortgages = accounts.filter(isMortgage)
  const others = accounts.filter((account) => !isMortgage(account))
  return {
    types: addBy(others, typeOf),
    mortgages: addBy(mortgages, typeOf),
    totals: addBy(others, () => ''),
    unreported: accounts.filter((account) => !account.balance && !isSettled(account)).length,
  }
}

function typeOf({ accountType = '' }: Account): string {
  return plainWords(accountType)
}

/** One sum for each key and currency, largest first. Money in the consumer's favour is no debt and stays out. */
function addBy(accounts: readonly Account[], keyOf: (account: Account) => string): Balance[] {
  const sums = new Map<string, Balance>()
  for (const account of accounts) {
    const { accountType: type = '', balance } = account
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
