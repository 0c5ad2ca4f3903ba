// What a careful friend would point out. Only what the data says, never a judgement of the person.
import { plainWords } from '../../contract/plain-words.ts'
import type { Account } from './accounts.ts'
import { type CompanySearches, mostWithin } from './searches.ts'

export type Concern = {
  kind: 'late' | 'twins' | 'repeated'
  company: string
  /** The account it is about, or the first of several; none for searches. */
  account?: Account
  /** How many accounts or searches. */
  count: number
  /** When the accounts began, or when the searches were made; what is not reported is left out. */
  datesMs: number[]
}

const REPEAT_WINDOW_MS = 30 * 86_400_000
const DIGITS_TO_MATCH = 3

export function findConcerns(accounts: readonly Account[], searches: readonly CompanySearches[]): Concern[] {
  return [
    ...accounts.filter(({ status }) => status.isLate).map((account) => about('late', [account])),
    ...findTwins(accounts).map((twins) => about('twins', twins)),
    ...searches
      .map(({ company, datesMs }): Concern => {
        const within = mostWithin(datesMs, REPEAT_WINDOW_MS)
        return { kind: 'repeated', company, count: within.length, datesMs: within }
      })
      // Searches without a name need not be one company's.
      .filter(({ company, count }) => company && count > 1),
  ]
}

function about(kind: Concern['kind'], accounts: Group): Concern {
  const [account] = accounts
  const datesMs = accounts.flatMap(({ startMs }) => (startMs === undefined ? [] : [startMs]))
  return { kind, company: account.record.companyName, account, count: accounts.length, datesMs }
}

/** Records of one lender that end in the same digits: what several bureaus know is one record already, so these were not joined. */
function findTwins(accounts: readonly Account[]): Group[] {
  const numbered = accounts.filter(({ ending }) => ending.length >= DIGITS_TO_MATCH)
  // Digits first: few accounts share them, and comparing names is slow.
  const twins = alike(numbered, ({ ending }) => ending).flatMap((group) => alike(group, lenderOf))
  // Two lenders without a name need not be one.
  return twins.filter(([account]) => lenderOf(account))
}

type Group = [Account, ...Account[]]

/** The accounts of which there is more than one to a key. */
function alike(accounts: readonly Account[], keyOf: (account: Account) => string): Group[] {
  const groups = new Map<string, Group>()
  for (const account of accounts) {
    const group = groups.get(keyOf(account))
    if (group) group.push(account)
    else groups.set(keyOf(account), [account])
  }
  return [...groups.values()].filter((group) => group.length > 1)
}

/** `ACME Loans Ltd.` and `Acme Loans (UK) Limited` are the same lender. */
function lenderOf({ record }: Account): string {
  return plainWords(record.companyName)
    .replace(/[^\p{L}\p{N} ]/gu, '')
    .replace(/\b(ltd|limited|plc|uk)\b/g, '')
    .replace(/ /g, '')
}
