// Credit files of people who do not exist. The same input gives the same file, today and in ten years.
import type { SearchProvider } from '../../../contract/credit-report.ts'
import type { GenerateRequest } from '../../../contract/generate.ts'
import type { Money } from '../../../contract/money.ts'
import { SCENARIOS, type Scenario } from '../../../contract/tenant-proxy.ts'
import type { BureauAnswer, BureauRecord } from '../providers.ts'
import {
  type Account,
  type AccountPlan,
  inventAccount,
  monthOf,
  REFERENCE_MONTH,
  recordOf,
  writeMonth,
} from './synthetic-accounts.ts'
import { createRandom } from './synthetic-random.ts'

type Consumer = Pick<GenerateRequest, 'bureaus' | 'title' | 'firstName' | 'lastName' | 'dateOfBirth' | 'addresses'>

/** The scenario a test-mode e-mail address asks for: all before the `@`, in any case. */
export function scenarioOf(email: string | undefined): Scenario {
  const prefix = email?.slice(0, Math.max(0, email.indexOf('@'))).toLowerCase()
  return SCENARIOS.find((scenario) => scenario === prefix) ?? 'default'
}

/** The invented answer of each bureau of the request about this consumer. Together they hold the whole scenario. */
export function simulateBureaus(consumer: Consumer, scenario: Scenario): BureauAnswer[] {
  const life = inventLife(consumer, scenario)
  return consumer.bureaus.map((bureau) => answerOf(bureau, consumer, life))
}

/** The invented answer of one bureau about this consumer. */
export function simulateBureau(bureau: string, consumer: Consumer, scenario: Scenario): BureauAnswer {
  return answerOf(bureau, consumer, inventLife(consumer, scenario))
}

/** Everything there is to know about a person; each bureau knows some of it. */
type Life = {
  person: string
  accounts: readonly Account[]
  searches: readonly SearchProvider[]
  monthsAtAddresses: number[]
}

function inventLife(consumer: Consumer, scenario: Scenario): Life {
  const person = seedOf(consumer, scenario)
  const holder = {
    name: nameOf(consumer),
    monthsOfCredit: REFERENCE_MONTH - (monthOf(consumer.dateOfBirth) + ADULT_AFTER_MONTHS),
  }
  return {
    person,
    accounts: ACCOUNTS[scenario].map((plan, index) =>
      inventAccount(plan, holder, createRandom(`${person}|account ${index}`)),
    ),
    searches: scenario === 'test001' ? [] : inventSearches(person),
    monthsAtAddresses: inventStays(consumer, person),
  }
}

function answerOf(
  bureau: string,
  consumer: Consumer,
  { person, accounts, searches, monthsAtAddresses }: Life,
): BureauAnswer {
  // By name, so that the order of the request decides who is believed and nothing else.
  const asked = [...new Set([...consumer.bureaus, bureau])].sort()
  const position = asked.indexOf(bureau)
  const holds = coverage(position, asked.length)
  const isLate = position % 2 === 1
  const records: BureauRecord[] = []
  accounts.forEach((account, index) => {
    if (!holds(index)) return
    const ref = referenceOf(bureau, `${person}|${bureau}|${index}`)
    records.push(recordOf(account, ref, isLate ? balanceLastMonth(account) : account.balance))
  })
  const known = searches.filter((_search, index) => holds(index))
  if (accounts.length + searches.length === 0) return { bureau, noFile: true, records, searches: known }
  return { bureau, records, searches: known, monthsAtAddresses }
}

const ADULT_AFTER_MONTHS = 18 * 12 + 1

const openHirePurchase: AccountPlan = { kind: 'hire-purchase', status: 'open', ordinal: 0 }
const openCard: AccountPlan = { kind: 'credit-card', status: 'open', ordinal: 0 }
const openMortgage: AccountPlan = { kind: 'mortgage', status: 'open', ordinal: 0 }

/** The accounts of each scenario. */
const ACCOUNTS: { [scenario in Scenario]: readonly AccountPlan[] } = {
  test001: [],
  test002: [openHirePurchase],
  test003: [openHirePurchase, openCard, openMortgage],
  test004: [
    { ...openHirePurchase, status: 'settled' },
    { ...openCard, status: 'settled' },
  ],
  default: [openHirePurchase, openCard, openMortgage, { ...openHirePurchase, ordinal: 1 }],
}

/**
 * The accounts of a person that a bureau knows. They differ, and yet nothing is missing, whichever bureaus are asked:
 *
 *     account 0, 3, …   every bureau asked
 *     account 1, 4, …   one of them
 *     account 2, 5, …   all but one (when only one is asked, that one)
 */
function coverage(position: number, asked: number): (index: number) => boolean {
  return (index) => {
    const isTheOne = index % asked === position
    if (index % 3 === 1) return isTheOne
    if (index % 3 === 2) return asked === 1 || !isTheOne
    return true
  }
}

/** Lenders tell bureaus on different days, so every other one still shows what was owed before the last payment. */
function balanceLastMonth({ accountStatus, balance, payment, startBalance }: Account): Money {
  if (accountStatus === 'settled') return balance
  const paid = startBalance.amount > 0 ? Math.min(payment.amount, startBalance.amount - balance.amount) : payment.amount
  return { amount: balance.amount + paid, currency: balance.currency }
}

const SEARCHERS = [
  'Larkfield Motor Finance',
  'Quillbrook Insurance',
  'Dunmallow Retail Credit',
  'Ashlark Mobile',
  'Tarnside Energy',
  'Corbel & Finch Lettings',
] as const

const SEARCH_COMPANIES = 3

function inventSearches(person: string): SearchProvider[] {
  const random = createRandom(`${person}|searches`)
  const first = random.between(0, SEARCHERS.length - 1)
  return Array.from({ length: SEARCH_COMPANIES }, (_, index) => ({
    companyName: SEARCHERS[(first + index) % SEARCHERS.length] ?? SEARCHERS[0],
    records: Array.from({ length: random.between(1, 2) }, () => ({
      date: `${writeMonth(REFERENCE_MONTH - random.between(1, 12))}-${two(random.between(1, 28))}T${two(random.between(8, 19))}:${two(random.between(0, 59))}:00.000Z`,
    })),
  }))
}

function inventStays(consumer: Consumer, person: string): number[] {
  const random = createRandom(`${person}|stays`)
  let monthsOfLife = Math.max(0, REFERENCE_MONTH - monthOf(consumer.dateOfBirth))
  return consumer.addresses.map(() => {
    const months = Math.min(random.between(5, 140), monthsOfLife)
    monthsOfLife -= months
    return months
  })
}

function nameOf({ title, firstName, lastName }: Consumer) {
  return title ? { title, firstName, lastName } : { firstName, lastName }
}

function referenceOf(bureau: string, seed: string): string {
  return `${bureau.slice(0, 3).toUpperCase()}-${createRandom(seed).digits(10)}`
}

/**
 * A person is a name, a birthday and a postcode: another session, device or telephone does not change a credit file.
 */
function seedOf(consumer: Consumer, scenario: Scenario): string {
  const postcode = consumer.addresses[0]?.ukAddress.postcode ?? ''
  return [consumer.firstName, consumer.lastName, consumer.dateOfBirth, postcode, scenario].join('|').toLowerCase()
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
