// What can be said about one account record, and the order in which a person wants to see them.
import { trailingDigits } from '../../contract/account-number.ts'
import type { AccountRecord } from '../../contract/credit-report.ts'
import type { Money } from '../../contract/money.ts'
import { readDate } from './dates.ts'
import { plainWords } from './phrases.ts'

/** A record as a bureau may really send it: whatever is missing is shown as not reported. */
export type Account = { readonly [field in keyof AccountRecord]?: AccountRecord[field] | undefined }

const SETTLED = /\b(settled|closed|satisfied|cleared|paid (off|up|in full))\b/
const LATE =
  /\b(arrears?|default(ed)?|late|missed|overdue|delinquen\w*|repossess\w*|(written|charged) off|debt management|insolven\w*|bankrupt\w*)\b/
const NEGATED = /\b(no|not|never|without)( in| any)? \w+/g

export function isSettled({ accountStatus }: Account): boolean {
  return SETTLED.test(affirmed(accountStatus))
}

/** True when the status says that payments went wrong; a satisfied default is both late and settled. */
export function isLate({ accountStatus }: Account): boolean {
  return LATE.test(affirmed(accountStatus))
}

// "no arrears" says nothing about arrears, so what is denied is taken out before looking.
function affirmed(status = ''): string {
  return plainWords(status).replace(NEGATED, '')
}

export function isMortgage({ accountType = '' }: Account): boolean {
  return plainWords(accountType).includes('mortgage')
}

/** The kind of agreement this check is for: the consumer looks for it first. */
export function isVehicleFinance({ accountType = '' }: Account): boolean {
  return /hire purchase|\bhp\b|\bpcp\b|contract purchase|conditional sale/.test(plainWords(accountType))
}

/** The digits of the account number that are not masked; empty when there are none. */
export function endingOf({ accountNumber = '' }: Account): string {
  return trailingDigits(accountNumber)
}

export type Repaid = { repaid: Money; start: Money; percent: number }

/** How far an open agreement is paid, where that means something: a card has no number of payments to count towards. */
export function repaidOf(account: Account): Repaid | undefined {
  const { startBalance: start, balance, numberOfPayments } = account
  if (!start || !balance || start.currency !== balance.currency || !numberOfPayments || isSettled(account))
    return undefined
  if (start.amount <= 0 || balance.amount < 0 || balance.amount > start.amount) return undefined
  const amount = start.amount - balance.amount
  return { repaid: { amount, currency: start.currency }, start, percent: (100 * amount) / start.amount }
}

/** Vehicle finance first, then what is owed most, then the newest. */
export function inReadingOrder(accounts: readonly Account[]): Account[] {
  return accounts
    .map((account) => ({
      account,
      rank: isVehicleFinance(account) ? 0 : 1,
      owed: account.balance?.amount ?? 0,
      startMs: readDate(account.startDate) ?? 0,
    }))
    .sort((a, b) => a.rank - b.rank || b.owed - a.owed || b.startMs - a.startMs)
    .map(({ account }) => account)
}
