// As much of a report as the lender shows its consumers.
import { readAccountStatus } from '../../contract/account-status.ts'
import type { ReceivedReport } from '../../contract/credit-report.ts'
import type { ReportSummary } from '../../contract/tenant-proxy.ts'
import type { Settings } from '../settings.ts'

type Exposed = { creditReport?: ReceivedReport; summary?: ReportSummary }

export function exposeReport(
  report: ReceivedReport,
  settings: Pick<Settings, 'exposeReport'>,
  match: string | undefined,
): Exposed {
  const how = settings.exposeReport ?? (match === undefined ? 'full' : 'matched')
  // Only a plain yes is one: a service that says nothing has matched nothing.
  if (how === 'matched') return match === 'matched' ? { creditReport: report } : { summary: summarise(report) }
  if (how === 'full') return { creditReport: report }
  return how === 'summary' ? { summary: summarise(report) } : {}
}

function summarise({ consumerData, previousSearches }: ReceivedReport): ReportSummary {
  const standings = listed(consumerData?.records).map((record) => {
    const status: unknown = record?.accountStatus
    return readAccountStatus(typeof status === 'string' ? status : '').standing
  })
  return {
    openAccounts: standings.filter((standing) => standing === 'open').length,
    settledAccounts: standings.filter((standing) => standing === 'settled').length,
    searches: listed(previousSearches?.providers).reduce((count, each) => count + listed(each?.records).length, 0),
  }
}

/** A report is not checked field by field: what should be a list may be anything. */
function listed<Item>(items: readonly Item[] | null | undefined): readonly (Item | null)[] {
  return Array.isArray(items) ? items : []
}
