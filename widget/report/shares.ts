// The parts of a sum, for a stacked bar and its list. An account has one colour and pattern wherever it is drawn.
import type { Money } from '../../contract/money.ts'
import { type Account, inReadingOrder, isOpen } from './accounts.ts'

/** A number for each of the first accounts; the rest share one, and so do mortgages. */
export type Kind = 1 | 2 | 3 | 4 | 5 | 'others' | 'mortgage'
const NUMBERED = [1, 2, 3, 4, 5] as const
const KINDS: readonly Kind[] = [...NUMBERED, 'others', 'mortgage']

export type Part = {
  kind: Kind
  accounts: Account[]
  money: Money
  /** Of the whole, 0 to 1. */
  share: number
}

export type Kinds = ReadonlyMap<Account, Kind>

/** Of every account that is owed on or paid. */
export function kindsOf(accounts: readonly Account[]): Kinds {
  const shown = inReadingOrder(accounts).filter((account) => owedOn(account) || paidOn(account))
  const others = shown.filter(({ isMortgage }) => !isMortgage)
  const kindOf = (index: number): Kind => NUMBERED[index] ?? 'others'
  return new Map([
    ...others.map((account, index) => [account, kindOf(index)] as const),
    ...shown.filter(({ isMortgage }) => isMortgage).map((account) => [account, 'mortgage'] as const),
  ])
}

/** Money in the consumer's favour is no debt. */
export function owedOn({ record }: Account): Money | undefined {
  return record.balance && record.balance.amount > 0 ? record.balance : undefined
}

export function paidOn(account: Account): Money | undefined {
  const { payment } = account.record
  return payment && payment.amount > 0 && isOpen(account) ? payment : undefined
}

/**
 * A part for each kind. Other currencies than that of `whole` cannot be drawn to the same length, and are left to the
 * rows.
 */
export function splitSum(
  whole: Money | undefined,
  kinds: Kinds,
  moneyOf: (account: Account) => Money | undefined,
): Part[] {
  if (!whole) return []
  const parts = new Map<Kind, Part>()
  for (const [account, kind] of kinds) {
    const money = moneyOf(account)
    if (money?.currency !== whole.currency) continue
    const part = parts.get(kind) ?? { kind, accounts: [], money: { ...whole, amount: 0 }, share: 0 }
    part.accounts.push(account)
    part.money.amount += money.amount
    part.share = part.money.amount / whole.amount
    parts.set(kind, part)
  }
  return KINDS.flatMap((kind) => parts.get(kind) ?? [])
}
