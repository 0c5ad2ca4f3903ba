// Everything the page says about a report, worked out once.
import { type Account, readAccounts } from './accounts.ts'
import { addBalances, type Balances } from './balances.ts'
import { type Concern, findConcerns } from './concerns.ts'
import type { ShownReport } from './read-report.ts'
import { type CompanySearches, groupSearches } from './searches.ts'

export type Read = {
  accounts: Account[]
  searches: CompanySearches[]
  balances: Balances
  concerns: Concern[]
}

export function readAll(report: ShownReport): Read {
  const accounts = readAccounts(report.records)
  const searches = groupSearches(report.searches)
  return { accounts, searches, balances: addBalances(accounts), concerns: findConcerns(accounts, searches) }
}
