import { expect, test } from 'vitest'
import type { CreditReport } from '../contract/credit-report.ts'
import { sampleReport } from '../contract/samples.ts'
import { exposeReport } from './current.ts'

function reportWith(...statuses: string[]): CreditReport {
  const [record] = sampleReport.consumerData.records
  if (!record) throw new Error('the sample has an account')
  return {
    ...sampleReport,
    consumerData: { records: statuses.map((accountStatus) => ({ ...record, accountStatus })) },
  }
}

test.each([
  [['open', 'settled'], 1, 1],
  [['unsettled', 'paid in full', 'not settled', 'cleared'], 2, 2],
  [['default', 'XX', ''], 0, 0],
])('of accounts that are %j, %i are open and %i settled', (statuses, openAccounts, settledAccounts) => {
  expect(exposeReport(reportWith(...statuses), { exposeReport: 'summary' })).toMatchObject({
    summary: { openAccounts, settledAccounts },
  })
})

test('a report in another form than expected is counted as far as it can be', () => {
  const odd: object = {
    consumerData: { records: [{ accountStatus: 7 }, null] },
    previousSearches: { providers: 'none' },
  }
  expect(exposeReport(odd, { exposeReport: 'summary' })).toEqual({
    summary: { openAccounts: 0, settledAccounts: 0, searches: 0 },
  })
})
