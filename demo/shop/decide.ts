import { readAccountStatus } from '../../contract/account-status.ts'
import type { ReceivedReport } from '../../contract/credit-report.ts'

/** What the lender makes of a report. Invented rules, but the shape of real ones. */
export type Decision = {
  outcome: 'approved' | 'referred'
  openAccounts: number
  /** What the accounts that are not settled cost each month, the mortgage aside. */
  monthlyCommitmentsPence: number
}

const COMMITMENTS_MAX_PENCE = 150_000

/** Decides on the server, from the lender's own copy; what a browser says plays no part. A bureau may leave out anything. */
export function decide(report: ReceivedReport): Decision {
  const running = (report.consumerData?.records ?? [])
    .map((record) => ({ ...record, ...readAccountStatus(record.accountStatus ?? '') }))
    .filter(({ standing }) => standing !== 'settled')
  const monthlyCommitmentsPence = running
    .filter(({ accountType }) => accountType !== 'mortgage')
    .reduce((sum, { payment }) => sum + (payment?.amount ?? 0), 0)
  // A status nobody can read is for a person to look at.
  const isTroubled = running.some(({ standing, isLate }) => isLate || standing === 'unclear')
  const fits = monthlyCommitmentsPence <= COMMITMENTS_MAX_PENCE
  return {
    outcome: fits && !isTroubled ? 'approved' : 'referred',
    openAccounts: running.filter(({ standing }) => standing === 'open').length,
    monthlyCommitmentsPence,
  }
}
