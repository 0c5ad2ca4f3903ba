// Invented accounts at invented lenders. No company below exists; none may be added that does.
import { maskAccountNumber } from '../../../contract/account-number.ts'
import type { Money } from '../../../contract/money.ts'
import type { BureauRecord } from '../providers.ts'
import type { Random } from './synthetic-random.ts'

/** The day every synthetic report is drawn up. Fixed, so that a report never changes with the date it is looked at. */
export const REFERENCE_MONTH = monthOf('2026-01-01')

type AccountKind = 'hire-purchase' | 'credit-card' | 'mortgage'

export type AccountPlan = {
  kind: AccountKind
  status: 'open' | 'settled'
  /** Tells accounts of one kind apart: each takes another lender. */
  ordinal: number
}

type Holder = {
  name: Pick<BureauRecord, 'title' | 'firstName' | 'lastName'>
  /** Months for which the consumer has been old enough to borrow. */
  monthsOfCredit: number
}

/** The account as its lender knows it. */
export type Account = Omit<BureauRecord, 'ref'>

export function inventAccount(plan: AccountPlan, { name, monthsOfCredit }: Holder, random: Random): Account {
  const kind = KINDS[plan.kind]
  const terms = kind.invent(random)
  const startedAgoMonths = terms.ageMonths + (plan.status === 'settled' ? SETTLED_AGO_MONTHS : 0)
  const openForMonths = Math.max(1, Math.min(startedAgoMonths, monthsOfCredit))
  const account: Account = {
    firstName: name.firstName,
    lastName: name.lastName,
    accountNumber: maskAccountNumber(random.digits(kind.numberLength)),
    accountType: plan.kind,
    accountStatus: plan.status,
    companyType: kind.companyType,
    companyName: kind.lenders[(plan.ordinal + random.pick([0, 2])) % kind.lenders.length] ?? kind.lenders[0],
    numberOfPayments: terms.payments,
    repaymentPeriod: terms.payments,
    payment: pounds(terms.paymentPence),
    startBalance: pounds(terms.startPence),
    balance: pounds(plan.status === 'settled' ? 0 : kind.balancePence(terms, openForMonths)),
    startDate: `${writeMonth(REFERENCE_MONTH - openForMonths)}-${String(random.between(1, 28)).padStart(2, '0')}`,
  }
  if (name.title !== undefined) account.title = name.title
  return account
}

/** The account as a bureau knows it: under a name of its own, with what was last reported as owed. */
export function recordOf(account: Account, ref: string, balance: Money): BureauRecord {
  return { ref, ...account, balance }
}

type Terms = { payments: number; paymentPence: number; startPence: number }
type Kind = {
  companyType: string
  /** An even number: two accounts of one kind never share a lender. */
  lenders: readonly [string, ...string[]]
  numberLength: number
  invent(random: Random): Terms & { ageMonths: number }
  /** The balance after so many months; never zero, because the account is open. */
  balancePence(terms: Terms, openForMonths: number): number
}

const SETTLED_AGO_MONTHS = 36

const KINDS: { [kind in AccountKind]: Kind } = {
  'hire-purchase': {
    companyType: 'finance-house',
    lenders: [
      'Larkfield Motor Finance',
      'Harrow & Pell Motor Credit',
      'Merrowdown Car Finance',
      'Tidewell Vehicle Finance',
    ],
    numberLength: 8,
    invent(random) {
      const payments = random.pick([36, 48, 60])
      const paymentPence = random.between(14_900, 42_900)
      return { payments, paymentPence, startPence: paymentPence * payments, ageMonths: random.between(6, payments - 6) }
    },
    balancePence: ({ payments, paymentPence }, openForMonths) => paymentPence * Math.max(1, payments - openForMonths),
  },
  'credit-card': {
    companyType: 'bank',
    lenders: ['Brackenbury Bank', 'Fennimore Card Services', 'Silverbeck Bank', 'Ottercombe Cards'],
    numberLength: 16,
    invent: (random) => ({
      payments: 0,
      paymentPence: random.between(500, 12_000),
      startPence: 0,
      ageMonths: random.between(8, 110),
    }),
    // A minimum payment is about a fortieth of what is owed.
    balancePence: ({ paymentPence }) => paymentPence * 40,
  },
  mortgage: {
    companyType: 'building-society',
    lenders: [
      'Oakhollow Building Society',
      'Wexcombe Mortgages',
      'Pennistone Home Loans',
      'Lindale Vale Building Society',
    ],
    numberLength: 10,
    invent(random) {
      const payments = random.pick([240, 300, 360])
      const startPence = random.between(95_000, 340_000) * 100
      // Interest is about as much again as the loan over its life.
      return {
        payments,
        startPence,
        paymentPence: Math.round((startPence * 1.9) / payments),
        ageMonths: random.between(14, 120),
      }
    },
    balancePence: ({ payments, startPence }, openForMonths) =>
      startPence - Math.floor((startPence * openForMonths) / (payments * 2)),
  },
}

/** `2026-01-…` as a count of months, so that months can be added and compared. */
export function monthOf(date: string): number {
  return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1
}

export function writeMonth(month: number): string {
  return `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`
}

function pounds(amount: number) {
  return { amount, currency: 'GBP' }
}
