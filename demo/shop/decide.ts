import type { CreditReport } from '../../contract/credit-report.ts'

/** What the lender makes of a report. Invented rules, but the shape of real ones. */
export type Decision = {
  outcome: 'approved' | 'referred'
  openAccounts: number
  /** What the open accounts cost each month, the mortgage aside. */
  monthlyCommitmentsPence: number
}

const COMMITMENTS_MAX_PENCE = 150_000
const troubled = /arrears|default|insolven/i

/** Decides on the server, from the lender's own copy; what a browser says plays no part. */
export function decide(report: CreditReport): Decision {
  const open = report.consumerData.records.filter(({ accountStatus }) => accountStatus !== 'settled')
  const monthlyCommitmentsPence = open
    .filter(({ accountType }) => accountType !== 'mortgage')
    .reduce((sum, { payment }) => sum + payment.amount, 0)
  const isTroubled = open.some(({ accountStatus }) => troubled.test(accountStatus))
  const fits = monthlyCommitmentsPence <= COMMITMENTS_MAX_PENCE
  return {
    outcome: fits && !isTroubled ? 'approved' : 'referred',
    openAccounts: open.length,
    monthlyCommitmentsPence,
  }
}
