// What a careful friend would point out. Only what the data says, never a judgement of the person.
import { type Account, endingOf, isLate } from './accounts.ts'
import { plainWords } from './phrases.ts'
import { type CompanySearches, mostWithin } from './searches.ts'

export type Concern = {
  kind: 'late' | 'twins' | 'repeated'
  company: string | undefined
  /** The account it is about, or the first of several; none for searches. */
  account?: Account
  /** How many accounts or searches. */
  count: number
}

const REPEAT_WINDOW_MS = 30 * 86_400_000
const DIGITS_TO_MATCH = 3

export function findConcerns(accounts: readonly Account[], searches: readonly CompanySearches[]): Concern[] {
  return [
    ...accounts.filter(isLate).map((account) => about('late', [account])),
    ...findTwins(accounts).map((twins) => about('twins', twins)),
    ...searches
      .map(
        ({ company, datesMs }): Concern => ({
          kind: 'repeated',
          company,
          count: mostWithin(datesMs, REPEAT_WINDOW_MS),
        }),
      )
      .filter(({ count }) => count > 1),
  ]
}

function about(kind: Concern['kind'], accounts: [Account, ...Account[]]): Concern {
  const [account] = accounts
  return { kind, company: account.companyName, account, count: accounts.length }
}

/** Records of one lender that end in the same digits: what several bureaus know is one record already, so these were not joined. */
function findTwins(accounts: readonly Account[]): [Account, ...Account[]][] {
  const groups = new Map<string, [Account, ...Account[]]>()
  for (const account of accounts) {
    const lender = lenderKey(account)
    const ending = endingOf(account)
    if (!lender || ending.length < DIGITS_TO_MATCH) continue
    const key = `${lender} ${ending}`
    const group = groups.get(key)
    if (group) group.push(account)
    else groups.set(key, [account])
  }
  return [...groups.values()].filter((group) => group.length > 1)
}

/** `ACME Loans Ltd.` and `Acme Loans (UK) Limited` are the same lender. */
function lenderKey({ companyName = '' }: Account): string {
  return plainWords(companyName)
    .replace(/[^\p{L}\p{N} ]/gu, '')
    .replace(/\b(ltd|limited|plc|uk)\b/g, '')
    .replace(/ /g, '')
}
