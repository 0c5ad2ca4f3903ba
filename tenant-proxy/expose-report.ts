import { readAccountStatus } from '../contract/account-status.ts'
import type { CreditReport } from '../contract/credit-report.ts'
import type { ReportSummary } from '../contract/tenant-proxy.ts'
import type { Settings } from './settings.ts'

type Exposed = { creditReport?: CreditReport; bureaus?: string[]; summary?: ReportSummary }

/** As much of the report as the lender shows its consumers. */
export function exposeReport(
  report: CreditReport,
  { exposeReport: how, bureaus }: Pick<Settings, 'exposeReport' | 'bureaus'>,
): Exposed {
  if (how === 'full') return { creditReport: report, bureaus: [...bureaus] }
  return how === 'summary' ? { summary: summarise(report) } : {}
}

function summarise({ consumerData, previousSearches }: CreditReport): ReportSummary {
  const standings = consumerData.records.map(({ accountStatus }) => readAccountStatus(accountStatus).standing)
  return {
    openAccounts: standings.filter((standing) => standing === 'open').length,
    settledAccounts: standings.filter((standing) => standing === 'settled').length,
    searches: previousSearches.providers.reduce((count, { records }) => count + records.length, 0),
  }
}
