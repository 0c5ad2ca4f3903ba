// Everything the page says about a report, worked out once.
import type { Agency } from '../../contract/credit-report.ts'
import { type Account, GROUPS, type Group, groupOf, inReadingOrder, isSettled, readAccounts } from './accounts.ts'
import { addBalances, type Balances } from './balances.ts'
import { isDifferent, type Mark, marksOf, type Sources, sourcesOf } from './bureaus.ts'
import { type Concerns, findConcerns } from './concerns.ts'
import { ukDay } from './dates.ts'
import type { ShownReport } from './read-report.ts'
import { type CompanySearches, countInLastYear, groupSearches } from './searches.ts'
import { type Kinds, kindsOf } from './shares.ts'
import { drawTimeLine, type TimeLine } from './time-line.ts'

export type Read = {
  /** In the order they are read in. */
  accounts: Account[]
  /** Those that have an account. */
  groups: { group: Group; accounts: Account[] }[]
  searches: CompanySearches[]
  sources: Sources
  /** Each agency's view of each account. */
  marks: ReadonlyMap<Account, Mark[]>
  /** Accounts on which the agencies do not agree. */
  differing: Account[]
  balances: Balances
  concerns: Concerns
  kinds: Kinds
  timeLine: TimeLine | undefined
  recentSearches: number
}

/** As many as a slow phone reads in one task. */
const ACCOUNTS_PER_STEP = 100

/**
 * Yields where the page may take a tap before it goes on. `agencies` is what each had to say, where the lender's server
 * says.
 */
export function* readAll(
  report: ShownReport,
  agencies: readonly Agency[] | undefined,
  nowMs: number,
): Generator<void, Read> {
  const found: Account[] = []
  for (let first = 0; first < report.records.length; first += ACCOUNTS_PER_STEP) {
    found.push(...readAccounts(report.records.slice(first, first + ACCOUNTS_PER_STEP)))
    yield
  }
  const searches = groupSearches(report.searches)
  const concerns = findConcerns(found, searches, nowMs)
  yield
  const others = found.filter((account) => groupOf(account) !== 'late')
  const accounts = [...concerns.late, ...inReadingOrder(others)]
  const groups = GROUPS.map((group) => ({ group, accounts: accounts.filter((account) => groupOf(account) === group) }))
  yield
  const sources = sourcesOf(agencies, report.records)
  const marks = new Map(accounts.map((account) => [account, marksOf(account.record, sources)]))
  yield
  const balances = addBalances(accounts)
  yield
  const kinds = kindsOf(accounts)
  yield
  const timeLine = drawTimeLine({ accounts, searches, residencies: report.residencies }, ukDay(nowMs))
  yield
  return {
    accounts,
    groups: groups.filter(({ accounts }) => accounts.length > 0),
    searches,
    sources,
    marks,
    differing: accounts.filter((account) => isDifferent(marks.get(account) ?? [])),
    balances,
    concerns,
    kinds,
    timeLine,
    recentSearches: countInLastYear(searches, nowMs),
  }
}

/** No accounts and no searches. */
export function isEmpty({ accounts, searches }: Read): boolean {
  return accounts.length + searches.length === 0
}

/** Every account is settled, and none says that money is owed all the same. */
export function isAllSettled({ accounts, balances }: Read): boolean {
  return accounts.length > 0 && accounts.every(isSettled) && balances.owed.length + balances.mortgages.length === 0
}
