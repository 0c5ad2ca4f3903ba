// Reads a report loosely: bureaus leave out, null or misspell whatever they like, and a consumer has a right to the rest. Everything
// below this file is typed and safe; an empty string or an absent value is shown as not reported.
import type { Money } from '../../contract/money.ts'

export type ShownReport = {
  person: ShownName & { dateOfBirth: string }
  residencies: ShownResidency[]
  records: ShownRecord[]
  searches: ShownSearches[]
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
  /** What this agency says otherwise than the record; undefined and empty where it agrees. */
  accountStatus: string
  payment: Money | undefined
  startBalance: Money | undefined
  balance: Money | undefined
}

export type ShownSearches = { companyName: string; dates: string[] }

/** As many as a slow phone reads in one task. */
const RECORDS_PER_STEP = 125

/** Yields where the page may take a tap before it goes on. */
export function* readReport(report: unknown): Generator<void, ShownReport> {
  const person = own(report, 'person')
  const records: ShownRecord[] = []
  for (const record of list(own(report, 'consumerData'), 'records')) {
    if (records.length % RECORDS_PER_STEP === RECORDS_PER_STEP - 1) yield
    records.push(readRecord(record))
  }
  return {
    person: { ...readName(person), dateOfBirth: stringAt(person, 'dateOfBirth') },
    residencies: list(report, 'residencies').map(readResidency),
    records,
    searches: list(own(report, 'previousSearches'), 'providers').map((provider) => ({
      companyName: stringAt(provider, 'companyName'),
      dates: list(provider, 'records').map((search) => stringAt(search, 'date')),
    })),
  }
}

function readName(from: unknown): ShownName {
  return {
    title: stringAt(from, 'title'),
    firstName: stringAt(from, 'firstName'),
    lastName: stringAt(from, 'lastName'),
  }
}

export function fullName({ title, firstName, lastName }: ShownName): string {
  return [title, firstName, lastName].filter(Boolean).join(' ')
}

function readResidency(residency: unknown): ShownResidency {
  const address = own(residency, 'address')
  const lines = list(address, 'lines').map(asString).filter(Boolean)
  const current = own(residency, 'isCurrent')
  return {
    lines: lines.length > 0 ? lines : [stringAt(address, 'addressLine1')].filter(Boolean),
    years: count(residency, 'yearsAtAddress'),
    months: count(residency, 'monthsAtAddress'),
    isCurrent: typeof current === 'boolean' ? current : undefined,
  }
}

export function readRecord(record: unknown): ShownRecord {
  return {
    ...readName(record),
    accountNumber: stringAt(record, 'accountNumber'),
    accountType: stringAt(record, 'accountType'),
    accountStatus: stringAt(record, 'accountStatus'),
    companyType: stringAt(record, 'companyType'),
    companyName: stringAt(record, 'companyName'),
    numberOfPayments: count(record, 'numberOfPayments'),
    repaymentPeriod: stringAt(record, 'repaymentPeriod'),
    payment: money(record, 'payment'),
    startBalance: money(record, 'startBalance'),
    balance: money(record, 'balance'),
    startDate: stringAt(record, 'startDate'),
    bureaus: list(record, 'bureaus').map(readBureau),
  }
}

function readBureau(bureau: unknown): ShownBureau {
  const differs = own(bureau, 'differs')
  return {
    id: stringAt(bureau, 'id'),
    ref: stringAt(bureau, 'ref'),
    accountStatus: stringAt(differs, 'accountStatus'),
    payment: money(differs, 'payment'),
    startBalance: money(differs, 'startBalance'),
    balance: money(differs, 'balance'),
  }
}

// A page that has added to Object.prototype supplies no missing field.
function own(from: unknown, name: string): unknown {
  return typeof from === 'object' && from !== null && Object.hasOwn(from, name) ? Reflect.get(from, name) : undefined
}

function list(from: unknown, name: string): unknown[] {
  const items = own(from, name)
  // What is no entry at all is none that could be shown.
  return Array.isArray(items) ? items.filter((item) => item !== null && item !== undefined) : []
}

function stringAt(from: unknown, name: string): string {
  return asString(own(from, name))
}

function asString(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
}

function count(from: unknown, name: string): number | undefined {
  const value = own(from, name)
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

/** Whole pence and their currency, or nothing: half an amount would be a wrong one. */
function money(from: unknown, name: string): Money | undefined {
  const value = own(from, name)
  const amount = own(value, 'amount')
  const currency = stringAt(value, 'currency')
  return typeof amount === 'number' && Number.isSafeInteger(amount) && currency ? { amount, currency } : undefined
}
