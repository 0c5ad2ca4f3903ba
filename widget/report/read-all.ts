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

const ACCOUNTS_PER_STEP = 100

/** In steps, so that hundreds of accounts never hold up a tap. */
export function* readInSteps(report: ShownReport): Generator<void, Read> {
  const accounts: Account[] = []
  for (let read = 0; read < report.records.length; read += ACCOUNTS_PER_STEP) {
    accounts.push(...readAccounts(report.records.slice(read, read + ACCOUNTS_PER_STEP)))
    yield
  }
  const searches = groupSearches(report.searches)
  const balances = addBalances(accounts)
  yield
  return { accounts, searches, balances, concerns: findConcerns(accounts, searches) }
}

export function readAll(report: ShownReport): Read {
  const steps = readInSteps(report)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
