// The facts about one account record, and the order in which a person wants to see the records.
import { trailingDigits } from '../../contract/account-number.ts'
import { type AccountStatus, readAccountStatus } from '../../contract/account-status.ts'
import type { Money } from '../../contract/money.ts'
import { plainWords } from '../../contract/plain-words.ts'
import { readDate } from './dates.ts'
import type { ShownRecord } from './read-report.ts'
import { remember } from './remember.ts'

/** A record and what it means, worked out once: hundreds of accounts are asked many times each. */
export type Account = {
  record: ShownRecord
  /** The type in plain words, to compare. */
  type: string
  isMortgage: boolean
  /** The kind of agreement this check is for: the consumer looks for it first. */
  isVehicleFinance: boolean
  status: AccountStatus
  /** The status, of any agency, that says payments went wrong; empty where none does. */
  lateAs: string
  /** The digits of the account number that are not masked; empty when there are none. */
  ending: string
  startMs: number | undefined
}

const VEHICLE_FINANCE = /hire purchase|\bhp\b|\bpcp\b|contract purchase|conditional sale/

export function readAccounts(records: readonly ShownRecord[]): Account[] {
  // Few types and statuses, many accounts.
  const kindOf = remember(readType)
  const statusOf = remember(readAccountStatus)
  const isLate = (status: string) => statusOf(status).isLate
  return records.map((record) => ({
    record,
    lateAs: [record, ...record.bureaus].find(({ accountStatus }) => isLate(accountStatus))?.accountStatus ?? '',
    ...kindOf(record.accountType),
    status: statusOf(record.accountStatus),
    ending: trailingDigits(record.accountNumber),
    startMs: readDate(record.startDate),
  }))
}

function readType(code: string) {
  const type = plainWords(code)
  return { type, isMortgage: type.includes('mortgage'), isVehicleFinance: VEHICLE_FINANCE.test(type) }
}

export function isSettled({ status }: Account): boolean {
  return status.standing === 'settled'
}

export function isOpen({ status }: Account): boolean {
  return status.standing === 'open'
}

/** By what there is to do about an account, the most pressing first. */
export const GROUPS = ['late', 'open', 'unclear', 'settled'] as const
export type Group = (typeof GROUPS)[number]

/**
 * `unclear`: ended with nothing late, or a status that says nothing this page knows. A settled account needs nothing
 * any more.
 */
export function groupOf(account: Account): Group {
  if (isSettled(account)) return 'settled'
  if (account.lateAs) return 'late'
  return isOpen(account) ? 'open' : 'unclear'
}

type Repaid = { share: number; start: Money }

/** The repaid share of an agreement, where that means something: a card has no number of payments to count towards. */
export function repaidOf(account: Account): Repaid | undefined {
  const { startBalance: start, balance, numberOfPayments } = account.record
  if (!start || !balance || start.currency !== balance.currency || !numberOfPayments || isSettled(account))
    return undefined
  if (start.amount <= 0 || balance.amount < 0 || balance.amount > start.amount) return undefined
  return { share: 1 - balance.amount / start.amount, start }
}

/** Vehicle finance first and mortgages last, then what is owed most, then the newest. */
export function inReadingOrder(accounts: readonly Account[]): Account[] {
  return [...accounts].sort(
    (a, b) =>
      Number(b.isVehicleFinance) - Number(a.isVehicleFinance) ||
      Number(a.isMortgage) - Number(b.isMortgage) ||
      owedOn(b) - owedOn(a) ||
      (b.startMs ?? 0) - (a.startMs ?? 0),
  )
}

function owedOn({ record }: Account): number {
  return record.balance?.amount ?? 0
}
