// What a bureau sends, checked before anything of it is believed.
import * as z from 'zod/mini'
import { maskAccountNumber } from '../../contract/account-number.ts'
import { CalendarDate } from '../../contract/date-of-birth.ts'
import type { GenerateRequest } from '../../contract/generate.ts'
import { requiredText, text } from '../../contract/text.ts'
import type { BureauAnswer } from './providers.ts'

const TEXT_LENGTH_MAX = 200
const ACCOUNTS_MAX = 1_000
const SEARCHES_MAX = 1_000
const ADDRESSES_MAX = 100
/** Larger than any debt of one person, and far from where adding up whole numbers goes wrong. */
const PENCE_MAX = 1_000_000_000_000
const COUNT_MAX = 10_000

const word = requiredText(TEXT_LENGTH_MAX)
const count = z.int().check(z.minimum(0), z.maximum(COUNT_MAX))
const Amount = z.object({
  amount: z.int().check(z.minimum(-PENCE_MAX), z.maximum(PENCE_MAX)),
  currency: z.string().check(z.regex(/^[A-Z]{3}$/)),
})

const Account = z.object({
  ref: word,
  title: z.optional(text(TEXT_LENGTH_MAX)),
  firstName: word,
  lastName: word,
  accountNumber: word,
  accountType: word,
  accountStatus: word,
  companyType: word,
  companyName: word,
  numberOfPayments: count,
  repaymentPeriod: count,
  payment: Amount,
  startBalance: Amount,
  balance: Amount,
  startDate: CalendarDate,
})

const Search = z.object({
  companyName: word,
  records: z.array(z.object({ date: z.iso.datetime() })).check(z.maxLength(SEARCHES_MAX)),
})

export const BureauFile = z.object({
  /** Our own, given back. */
  reference: z.string(),
  /** Whose file this is. */
  person: z.object({ firstName: word, lastName: word, dateOfBirth: CalendarDate }),
  accounts: z.array(Account).check(z.maxLength(ACCOUNTS_MAX)),
  searches: z.array(Search).check(z.maxLength(SEARCHES_MAX)),
  monthsAtAddresses: z.optional(z.array(count).check(z.maxLength(ADDRESSES_MAX))),
})
export type BureauFile = z.infer<typeof BureauFile>

/** False for a file that answers another question or describes somebody else. */
export function isAbout(
  { reference, person }: BureauFile,
  consumer: Pick<GenerateRequest, 'lastName' | 'dateOfBirth'>,
  creditReportId: string,
): boolean {
  // First names are left out: bureaus know Sam as Samuel, Samantha or S.
  return (
    reference === creditReportId &&
    person.dateOfBirth === consumer.dateOfBirth &&
    foldName(person.lastName) === foldName(consumer.lastName)
  )
}

export function toBureauAnswer(bureau: string, { accounts, searches, monthsAtAddresses }: BureauFile): BureauAnswer {
  return {
    bureau,
    records: accounts.map(({ title, accountNumber, ...account }) => ({
      ...account,
      ...(title ? { title } : {}),
      // Whatever a bureau shows, no more than the trailing digits go any further.
      accountNumber: maskAccountNumber(accountNumber),
    })),
    searches,
    ...(monthsAtAddresses ? { monthsAtAddresses } : {}),
  }
}

/** `Ní Dhomhnaill`, `NI DHOMHNAILL` and `ní-dhomhnaill` are one name. */
function foldName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()
}
