import type { CreditReport } from '../contract/credit-report.ts'
import type { ReportSummary } from '../contract/tenant-proxy.ts'
import type { Settings } from './settings.ts'

type Exposed = { creditReport?: CreditReport; summary?: ReportSummary }

/** As much of the report as the lender shows its consumers. */
export function exposeReport(report: CreditReport, how: Settings['exposeReport']): Exposed {
  if (how === 'full') return { creditReport: report }
  return how === 'summary' ? { summary: summarise(report) } : {}
}

// Bureaus word it freely; these are the words for an account that is over.
const over = /settled|closed|satisfied/i

function summarise({ consumerData, previousSearches }: CreditReport): ReportSummary {
  const settledAccounts = consumerData.records.filter(({ accountStatus }) => over.test(accountStatus)).length
  return {
    openAccounts: consumerData.records.length - settledAccounts,
    settledAccounts,
    searches: previousSearches.providers.reduce((count, { records }) => count + records.length, 0),
  }
}
