// The report itself, as both sides read it. Account types and statuses may be any word, because each bureau has its
// own.
import * as z from 'zod/mini'
import { Money } from './money.ts'

/** The bureaus of a fresh installation; a service may be configured with others. */
export const BUREAUS = ['equifax', 'experian', 'transunion'] as const

const optionalString = z.optional(z.string())

export const Person = z.object({
  title: optionalString,
  firstName: z.string(),
  lastName: z.string(),
  dateOfBirth: z.string(),
})
export type Person = z.infer<typeof Person>

export const ReportedUkAddress = z.object({
  subBuildingName: optionalString,
  buildingName: optionalString,
  buildingNumber: optionalString,
  thoroughfare: optionalString,
  district: optionalString,
  townOrCity: optionalString,
  county: optionalString,
  country: optionalString,
  postcode: optionalString,
})
export type ReportedUkAddress = z.infer<typeof ReportedUkAddress>

export const ReportedAddress = z.object({
  type: z.string(),
  ukAddress: ReportedUkAddress,
  /** The whole address as one string. */
  addressLine1: z.string(),
  /** The address as it would be printed, a line each. */
  lines: z.array(z.string()),
})
export type ReportedAddress = z.infer<typeof ReportedAddress>

export const Residency = z.object({
  addressId: z.string(),
  address: ReportedAddress,
  yearsAtAddress: z.int(),
  monthsAtAddress: z.int(),
  isCurrent: z.boolean(),
})
export type Residency = z.infer<typeof Residency>

/** One bureau's values of an account, where they differ from the record. */
export const AccountDifference = z.object({
  accountStatus: optionalString,
  numberOfPayments: z.optional(z.int()),
  repaymentPeriod: z.optional(z.int()),
  payment: z.optional(Money),
  startBalance: z.optional(Money),
  balance: z.optional(Money),
})
export type AccountDifference = z.infer<typeof AccountDifference>

/** A bureau that knows the account, and its reference there. */
export const BureauReference = z.object({
  id: z.string(),
  ref: z.string(),
  /** Absent where it agrees with the record, which follows the first bureau. */
  differs: z.optional(AccountDifference),
})
export type BureauReference = z.infer<typeof BureauReference>

export const AccountRecord = z.object({
  title: optionalString,
  firstName: z.string(),
  lastName: z.string(),
  /** Masked: only trailing digits are visible. */
  accountNumber: z.string(),
  /** Open-ended: `hire-purchase`, `credit-card`, `mortgage`, or whatever a bureau says. */
  accountType: z.string(),
  /** Open-ended: `open`, `settled`, or whatever a bureau says. */
  accountStatus: z.string(),
  companyType: z.string(),
  companyName: z.string(),
  numberOfPayments: z.int(),
  repaymentPeriod: z.int(),
  payment: Money,
  startBalance: Money,
  balance: Money,
  startDate: z.string(),
  bureaus: z.array(BureauReference),
})
export type AccountRecord = z.infer<typeof AccountRecord>

export const ConsumerData = z.object({ records: z.array(AccountRecord) })
export type ConsumerData = z.infer<typeof ConsumerData>

export const Search = z.object({ date: z.string() })
export type Search = z.infer<typeof Search>

export const SearchProvider = z.object({
  companyName: z.string(),
  records: z.array(Search),
})
export type SearchProvider = z.infer<typeof SearchProvider>

export const PreviousSearches = z.object({ providers: z.array(SearchProvider) })
export type PreviousSearches = z.infer<typeof PreviousSearches>

export const CreditReport = z.object({
  person: Person,
  residencies: z.array(Residency),
  consumerData: ConsumerData,
  previousSearches: PreviousSearches,
  /** Present when the bureau was simulated outside test mode: nothing in this report is about anybody. */
  simulated: z.optional(z.literal(true)),
})
export type CreditReport = z.infer<typeof CreditReport>

/**
 * The answer of one agency: its file, that it has none, or nothing. `unavailable`: it was asked and gave no usable
 * answer.
 * `not-asked`: it has been failing, so it was left out.
 */
export const AGENCY_STATUSES = ['answered', 'no-file', 'unavailable', 'not-asked'] as const
export type AgencyStatus = (typeof AGENCY_STATUSES)[number]

/** The answer of one agency of the request. */
export type AgencyAnswer = { id: string; status: AgencyStatus }

/** One agency of the request, as a reader takes it: statuses are open-ended. */
export const Agency = z.object({ id: z.string(), status: z.string() })
export type Agency = z.infer<typeof Agency>

/** Beside every report, and wherever a completed one is described. */
export const agencies = { agencies: z.optional(z.array(Agency)) }

/** The mobile number belongs to the person, or not. `unknown` is not "no": the provider could not tell. */
export const MATCHES = ['matched', 'not-matched', 'unknown'] as const
export type Match = (typeof MATCHES)[number]

/**
 * Beside every report, where the installation has a match provider. A string to readers: a newer service may know more.
 */
export const match = { match: z.optional(z.string()) }

/** Agencies that did their part: their file is in the report, or they said that they have none. */
export function isDelivered({ status }: Agency): boolean {
  return status === 'answered' || status === 'no-file'
}

/** The same with anything in it missing or null. */
type Loose<Value> = Value extends readonly (infer Item)[]
  ? Loose<Item>[]
  : Value extends object
    ? { [Key in keyof Value]?: Loose<Value[Key]> | null | undefined }
    : Value

/**
 * A report as readers take it: bureaus leave out what they like, and a report that was paid for is not refused for it.
 */
export type ReceivedReport = Loose<CreditReport>
export const ReceivedReport = z.custom<ReceivedReport>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
)
