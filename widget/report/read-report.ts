// Reads a report loosely: bureaus leave out, null or misspell whatever they like, and a consumer has a right to the
// rest. Everything below this file is typed and safe; an empty string or an absent value is shown as not reported. What
// is there and cannot be read is counted, so that the page can say so.
import type { Money } from '../../contract/money.ts'

export type ShownReport = {
  person: ShownName & { dateOfBirth: string }
  residencies: ShownResidency[]
  records: ShownRecord[]
  searches: ShownSearches[]
  /** Details that are there in a form this page does not know. */
  unreadable: number
}

export type ShownName = { title: string; firstName: string; lastName: string }

export type ShownResidency = {
  lines: string[]
  /** Undefined when not reported, as are the months. */
  years: number | undefined
  months: number | undefined
  isCurrent: boolean | undefined
}

export type ShownRecord = ShownName & {
  accountNumber: string
  accountType: string
  accountStatus: string
  companyType: string
  companyName: string
  numberOfPayments: number | undefined
  /** As it was reported, with its unit where there is one. */
  repaymentPeriod: string
  payment: Money | undefined
  startBalance: Money | undefined
  balance: Money | undefined
  startDate: string
  bureaus: ShownBureau[]
}

export type ShownBureau = {
  id: string
  ref: string
  /** The fields in which this agency differs from the record; undefined and empty where it agrees. */
  accountStatus: string
  payment: Money | undefined
  startBalance: Money | undefined
  balance: Money | undefined
}

export type ShownSearches = { companyName: string; dates: string[] }

/** As many as a slow phone reads in one task. */
const RECORDS_PER_STEP = 40

type Tally = { unreadable: number }

/** Yields where the page may take a tap before it goes on. */
export function* readReport(report: unknown): Generator<void, ShownReport> {
  const tally = { unreadable: 0 }
  const person = objectAt(report, 'person', tally)
  const records: ShownRecord[] = []
  for (const record of list(objectAt(report, 'consumerData', tally), 'records', tally)) {
    if (records.length % RECORDS_PER_STEP === RECORDS_PER_STEP - 1) yield
    records.push(readRecord(record, tally))
  }
  const residencies = list(report, 'residencies', tally).map((residency) => readResidency(residency, tally))
  const providers = list(objectAt(report, 'previousSearches', tally), 'providers', tally)
  const searches = providers.map((provider) => ({
    companyName: stringAt(provider, 'companyName', tally),
    dates: list(provider, 'records', tally).map((search) => stringAt(search, 'date', tally)),
  }))
  return {
    person: { ...readName(person, tally), dateOfBirth: stringAt(person, 'dateOfBirth', tally) },
    residencies,
    records,
    searches,
    ...tally,
  }
}

function readName(from: unknown, tally: Tally): ShownName {
  return {
    title: stringAt(from, 'title', tally),
    firstName: stringAt(from, 'firstName', tally),
    lastName: stringAt(from, 'lastName', tally),
  }
}

export function fullName({ title, firstName, lastName }: ShownName): string {
  return [title, firstName, lastName].filter(Boolean).join(' ')
}

function readResidency(residency: unknown, tally: Tally): ShownResidency {
  const address = objectAt(residency, 'address', tally)
  const given = own(address, 'lines')
  const lines = (Array.isArray(given) ? given : []).map(asString).filter(Boolean)
  const current = own(residency, 'isCurrent')
  return {
    lines: lines.length > 0 ? lines : [stringAt(address, 'addressLine1', tally)].filter(Boolean),
    years: count(residency, 'yearsAtAddress', tally),
    months: count(residency, 'monthsAtAddress', tally),
    isCurrent: typeof current === 'boolean' ? current : undefined,
  }
}

export function readRecord(record: unknown, tally: Tally = { unreadable: 0 }): ShownRecord {
  return {
    ...readName(record, tally),
    accountNumber: stringAt(record, 'accountNumber', tally),
    accountType: stringAt(record, 'accountType', tally),
    accountStatus: stringAt(record, 'accountStatus', tally),
    companyType: stringAt(record, 'companyType', tally),
    companyName: stringAt(record, 'companyName', tally),
    numberOfPayments: count(record, 'numberOfPayments', tally),
    repaymentPeriod: stringAt(record, 'repaymentPeriod', tally),
    payment: money(record, 'payment', tally),
    startBalance: money(record, 'startBalance', tally),
    balance: money(record, 'balance', tally),
    startDate: stringAt(record, 'startDate', tally),
    bureaus: list(record, 'bureaus', tally).map((bureau) => readBureau(bureau, tally)),
  }
}

function readBureau(bureau: unknown, tally: Tally): ShownBureau {
  const differs = objectAt(bureau, 'differs', tally)
  return {
    id: stringAt(bureau, 'id', tally),
    ref: stringAt(bureau, 'ref', tally),
    accountStatus: stringAt(differs, 'accountStatus', tally),
    payment: money(differs, 'payment', tally),
    startBalance: money(differs, 'startBalance', tally),
    balance: money(differs, 'balance', tally),
  }
}

// A page that has added to Object.prototype supplies no missing field.
function own(from: unknown, name: string): unknown {
  return typeof from === 'object' && from !== null && Object.hasOwn(from, name) ? Reflect.get(from, name) : undefined
}

/** Counts a value that is there and was not read. */
function check(value: unknown, isRead: boolean, tally: Tally): void {
  if (!isRead && value !== undefined && value !== null) tally.unreadable += 1
}

function objectAt(from: unknown, name: string, tally: Tally): unknown {
  const value = own(from, name)
  check(value, typeof value === 'object', tally)
  return value
}

/** The entries that are objects; the others say nothing that could be shown. */
function list(from: unknown, name: string, tally: Tally): unknown[] {
  const items = own(from, name)
  check(items, Array.isArray(items), tally)
  if (!Array.isArray(items)) return []
  return items.filter((item) => {
    check(item, typeof item === 'object', tally)
    return typeof item === 'object' && item !== null
  })
}

function stringAt(from: unknown, name: string, tally: Tally): string {
  const value = own(from, name)
  check(value, typeof value === 'string' || typeof value === 'number', tally)
  return asString(value)
}

function asString(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
}

function count(from: unknown, name: string, tally: Tally): number | undefined {
  const value = own(from, name)
  const isCount = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
  check(value, isCount, tally)
  return isCount ? value : undefined
}

/** Whole pence and their currency, or nothing: half an amount would be a wrong one. */
function money(from: unknown, name: string, tally: Tally): Money | undefined {
  const value = own(from, name)
  const amount = own(value, 'amount')
  const currency = asString(own(value, 'currency'))
  const isMoney = typeof amount === 'number' && Number.isSafeInteger(amount) && currency !== ''
  check(value, isMoney, tally)
  return isMoney ? { amount, currency } : undefined
}
