// What can be said about one account record, and the order in which a person wants to see them.
import { trailingDigits } from '../../contract/account-number.ts'
import type { Money } from '../../contract/money.ts'
import type { LooseRecord } from '../build/reading.ts'
import { readDate } from './dates.ts'
import { plainWords } from './phrases.ts'
import { remember } from './remember.ts'

/** A record and what it means, worked out once: hundreds of accounts are asked many times each. */
export type Account = {
  record: LooseRecord
  /** The type in plain words, to compare. */
  type: string
  isMortgage: boolean
  /** The kind of agreement this check is for: the consumer looks for it first. */
  isVehicleFinance: boolean
  isSettled: boolean
  /** The status says that payments went wrong; a satisfied default is both late and settled. */
  isLate: boolean
  /** The digits of the account number that are not masked; empty when there are none. */
  ending: string
  startMs: number | undefined
}

const VEHICLE_FINANCE = /hire purchase|\bhp\b|\bpcp\b|contract purchase|conditional sale/
const SETTLED = /\b(settled|closed|satisfied|cleared|paid (off|up|in full))\b/
const LATE =
  /\b(arrears?|default(ed)?|late|missed|overdue|delinquen\w*|repossess\w*|(written|charged) off|debt management|insolven\w*|bankrupt\w*)\b/
// "no arrears" says nothing about arrears, so what is denied is taken out before looking.
const DENIED = /\b(no|not|never|without)( in| any)? \w+/g

export function readAccounts(records: readonly LooseRecord[]): Account[] {
  // Few types and statuses, many accounts.
  const kindOf = remember(readType)
  const stateOf = remember(readStatus)
  return records.map((record) => ({
    record,
    ...kindOf(record.accountType ?? ''),
    ...stateOf(record.accountStatus ?? ''),
    ending: trailingDigits(record.accountNumber ?? ''),
    startMs: readDate(record.startDate),
  }))
}

function readType(code: string) {
  const type = plainWords(code)
  return { type, isMortgage: type.includes('mortgage'), isVehicleFinance: VEHICLE_FINANCE.test(type) }
}

function readStatus(code: string) {
  const status = plainWords(code).replace(DENIED, '')
  return { isSettled: SETTLED.test(status), isLate: LATE.test(status) }
}

export type Repaid = { repaid: Money; start: Money; percent: number }

/** How far an open agreement is paid, where that means something: a card has no number of payments to count towards. */
export function repaidOf({ record, isSettled }: Account): Repaid | undefined {
  const { startBalance: start, balance, numberOfPayments } = record
  if (!start || !balance || start.currency !== balance.currency || !numberOfPayments || isSettled) return undefined
  if (start.amount <= 0 || balance.amount < 0 || balance.amount > start.amount) return undefined
  const amount = start.amount - balance.amount
  return { repaid: { amount, currency: start.currency }, start, percent: (100 * amount) / start.amount }
}

/** Vehicle finance first, then what is owed most, then the newest. */
export function inReadingOrder(accounts: readonly Account[]): Account[] {
  return [...accounts].sort(
    (a, b) =>
      Number(b.isVehicleFinance) - Number(a.isVehicleFinance) ||
      owedOn(b) - owedOn(a) ||
      (b.startMs ?? 0) - (a.startMs ?? 0),
  )
}

function owedOn({ record }: Account): number {
  return record.balance?.amount ?? 0
}
