// The bureaus over HTTP: POST {url}/bureaus/{bureau}/searches. What they send is checked before anything of it is
// believed.
import * as z from 'zod/mini'
import { maskAccountNumber } from '../../../contract/account-number.ts'
import { boundedString, requiredString } from '../../../contract/bounded-string.ts'
import { CalendarDate } from '../../../contract/date-of-birth.ts'
import { foldName } from '../../../kit/fold-name.ts'
import type { Log } from '../../../service/log.ts'
import { type BureauConsumer, describeConsumer } from '../../../service/providers/consumer.ts'
import { type BureauAnswer, type BureauProvider, ProviderUnavailable } from '../../../service/providers/providers.ts'
import { ExchangeFailed, expectBody } from '../exchange.ts'
import { createProviderClient, type ProviderClient } from '../provider-client.ts'

/** Time limit of one bureau, its retry included. */
const BUREAU_TIMEOUT_MS = 8_000

type HttpBureauOptions = {
  url: string
  token: string
  bureaus: readonly string[]
  log: Log
  /** @default BUREAU_TIMEOUT_MS */
  timeoutMs?: number
}

export function createHttpBureau({
  url,
  token,
  bureaus,
  log,
  timeoutMs = BUREAU_TIMEOUT_MS,
}: HttpBureauOptions): BureauProvider {
  // A client each, because a circuit each: one bureau's bad day must not close the others.
  const clients = new Map(bureaus.map((bureau): [string, ProviderClient] => [bureau, clientOf(bureau)]))

  function clientOf(bureau: string): ProviderClient {
    const headers = { Authorization: `Bearer ${token}` }
    return createProviderClient({ provider: bureau, url, headers, timeoutMs, log })
  }

  return {
    async query(bureau, consumer, creditReportId, signal): Promise<BureauAnswer> {
      const client = clients.get(bureau)
      if (!client) throw new ProviderUnavailable(bureau, 'rejected')
      return client.post({
        path: `/bureaus/${encodeURIComponent(bureau)}/searches`,
        // A repeated search leaves one mark on the consumer's file, not two.
        headers: { 'Idempotency-Key': `${creditReportId}-${bureau}` },
        repeatable: true,
        body: JSON.stringify({ reference: creditReportId, ...describeConsumer('bureau', consumer) }),
        signal,
        read(answer) {
          const file = expectBody(BureauBody, answer)
          if ('file' in file) return noFileOf(bureau, file, creditReportId)
          if (!isAbout(file, consumer, creditReportId)) throw new ExchangeFailed('wrong-person')
          return toBureauAnswer(bureau, file)
        },
      })
    },
  }
}

const STRING_LENGTH_MAX = 200
const ACCOUNTS_MAX = 1_000
const SEARCHES_MAX = 1_000
const ADDRESSES_MAX = 100
/** Larger than any debt of one person, and far from where adding up whole numbers goes wrong. */
const PENCE_MAX = 1_000_000_000_000
const COUNT_MAX = 10_000

const word = requiredString(STRING_LENGTH_MAX)
const count = z.int().check(z.minimum(0), z.maximum(COUNT_MAX))
const Amount = z.object({
  amount: z.int().check(z.minimum(-PENCE_MAX), z.maximum(PENCE_MAX)),
  currency: z.string().check(z.regex(/^[A-Z]{3}$/)),
})

const Account = z.object({
  ref: word,
  title: z.optional(boundedString(STRING_LENGTH_MAX)),
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

/** Said in so many words: an empty list alone is a file with nothing in it, and a 404 may be a wrong address. */
const NoFile = z.object({ reference: z.string(), file: z.literal('none') })

const BureauFile = z.object({
  /** Our own, given back. */
  reference: z.string(),
  /** The person of this file. */
  person: z.object({ firstName: word, lastName: word, dateOfBirth: CalendarDate }),
  accounts: z.array(Account).check(z.maxLength(ACCOUNTS_MAX)),
  searches: z.array(Search).check(z.maxLength(SEARCHES_MAX)),
  monthsAtAddresses: z.optional(z.array(count).check(z.maxLength(ADDRESSES_MAX))),
})
type BureauFile = z.infer<typeof BureauFile>

const BureauBody = z.union([NoFile, BureauFile])

/** False for a file that answers another request or describes another person. */
function isAbout({ reference, person }: BureauFile, consumer: BureauConsumer, creditReportId: string): boolean {
  // First names are left out: bureaus know Sam as Samuel, Samantha or S.
  return (
    reference === creditReportId &&
    person.dateOfBirth === consumer.dateOfBirth &&
    foldName(person.lastName) === foldName(consumer.lastName)
  )
}

function noFileOf(bureau: string, { reference }: z.infer<typeof NoFile>, creditReportId: string): BureauAnswer {
  if (reference !== creditReportId) throw new ExchangeFailed('wrong-person')
  return { bureau, noFile: true, records: [], searches: [] }
}

function toBureauAnswer(bureau: string, { accounts, searches, monthsAtAddresses }: BureauFile): BureauAnswer {
  return {
    bureau,
    records: accounts.map(({ title, accountNumber, ...account }) => ({
      ...account,
      ...(title ? { title } : {}),
      // Only the trailing digits are passed on, whatever a bureau shows.
      accountNumber: maskAccountNumber(accountNumber),
    })),
    searches,
    ...(monthsAtAddresses ? { monthsAtAddresses } : {}),
  }
}
