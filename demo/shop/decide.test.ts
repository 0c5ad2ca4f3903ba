import { expect, test } from 'vitest'
import type { AccountRecord, CreditReport } from '../../contract/credit-report.ts'
import { sampleReport } from '../../contract/samples.ts'
import { type Decision, decide } from './decide.ts'

const [account] = sampleReport.consumerData.records
const record = (change: Partial<AccountRecord>): AccountRecord => ({ ...(account as AccountRecord), ...change })
const pounds = (amount: number) => ({ amount: amount * 100, currency: 'GBP' })
const reportOf = (...records: AccountRecord[]): CreditReport => ({ ...sampleReport, consumerData: { records } })

const rows: [name: string, report: CreditReport, expected: Decision][] = [
  [
    'with no account there is nothing to go by',
    reportOf(),
    { outcome: 'declined', openAccounts: 0, monthlyCommitmentsPence: 0 },
  ],
  [
    'payments up to the limit are fine',
    reportOf(record({ payment: pounds(1_000) }), record({ payment: pounds(2_000) })),
    { outcome: 'approved', openAccounts: 2, monthlyCommitmentsPence: 300_000 },
  ],
  [
    'a penny over it goes to a person',
    reportOf(record({ payment: { amount: 300_001, currency: 'GBP' } })),
    { outcome: 'referred', openAccounts: 1, monthlyCommitmentsPence: 300_001 },
  ],
  [
    'a mortgage is paid each month too, as the report has it',
    reportOf(record({ accountType: 'mortgage', payment: pounds(2_000) })),
    { outcome: 'approved', openAccounts: 1, monthlyCommitmentsPence: 200_000 },
  ],
  [
    'what is settled counts for nothing',
    reportOf(record({ accountStatus: 'settled', payment: pounds(9_000) })),
    { outcome: 'approved', openAccounts: 0, monthlyCommitmentsPence: 0 },
  ],
  [
    'arrears go to a person',
    reportOf(record({ accountStatus: 'in arrears', payment: pounds(1) })),
    { outcome: 'referred', openAccounts: 1, monthlyCommitmentsPence: 100 },
  ],
  [
    'what is paid in full counts for nothing either',
    reportOf(record({ accountStatus: 'Paid in full', payment: pounds(9_000) })),
    { outcome: 'approved', openAccounts: 0, monthlyCommitmentsPence: 0 },
  ],
  [
    'an unreadable status goes to a person, and is no open account',
    reportOf(record({ accountStatus: 'XX', payment: pounds(1) })),
    { outcome: 'referred', openAccounts: 0, monthlyCommitmentsPence: 0 },
  ],
]

test.each(rows)('%s', (_name, report, expected) => {
  expect(decide(report)).toEqual(expected)
})
