import { readAccountStatus } from '../../contract/account-status.ts'
import type { ReceivedReport } from '../../contract/credit-report.ts'
import { addRegularPayments } from '../../contract/regular-payments.ts'

/** The lender's decision on a report. Invented rules, but the shape of real ones. */
export type Decision = {
  /** Declined: the agencies have nothing to go by. */
  outcome: 'approved' | 'referred' | 'declined'
  openAccounts: number
  /** The figure in pounds that the consumer reads in the report. */
  monthlyCommitmentsPence: number
}

const COMMITMENTS_MAX_PENCE = 300_000

/**
 * Decides on the server, from the report that the service gave; what a browser says plays no part. A bureau may leave
 * out anything.
 */
export function decide(report: ReceivedReport): Decision {
  const records = report.consumerData?.records ?? []
  const running = records
    .map(({ accountStatus }) => readAccountStatus(accountStatus))
    .filter(({ standing }) => standing !== 'settled')
  const monthly = addRegularPayments(records).find(({ currency }) => currency === 'GBP')
  const monthlyCommitmentsPence = monthly?.amount ?? 0
  // An unreadable status is for a person to look at.
  const isTroubled = running.some(({ standing, isLate }) => isLate || standing === 'unclear')
  const fits = monthlyCommitmentsPence <= COMMITMENTS_MAX_PENCE
  return {
    outcome: records.length === 0 ? 'declined' : fits && !isTroubled ? 'approved' : 'referred',
    openAccounts: running.filter(({ standing }) => standing === 'open').length,
    monthlyCommitmentsPence,
  }
}
