import { expect, test } from 'vitest'
import type { CreditReport } from '../../contract/credit-report.ts'
import { sampleReport } from '../../contract/samples.ts'
import { exposeReport } from './expose-report.ts'

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
  expect(exposeReport(reportWith(...statuses), { exposeReport: 'summary' }, undefined)).toMatchObject({
    summary: { openAccounts, settledAccounts },
  })
})

test('a report in another form than expected is counted as far as it can be', () => {
  const odd: object = {
    consumerData: { records: [{ accountStatus: 7 }, null] },
    previousSearches: { providers: 'none' },
  }
  expect(exposeReport(odd, { exposeReport: 'summary' }, undefined)).toEqual({
    summary: { openAccounts: 0, settledAccounts: 0, searches: 0 },
  })
})

test.each([
  [undefined, undefined, 'creditReport'],
  [undefined, 'matched', 'creditReport'],
  [undefined, 'not-matched', 'summary'],
  [undefined, 'unknown', 'summary'],
  [undefined, 'a-newer-word', 'summary'],
  ['matched', undefined, 'summary'],
  ['matched', 'matched', 'creditReport'],
  ['matched', 'unknown', 'summary'],
  ['full', 'not-matched', 'creditReport'],
  ['none', 'matched', undefined],
] as const)('with exposeReport %s, a number that is %s gives the browser the %s', (exposure, match, expected) => {
  const exposed = exposeReport(sampleReport, { exposeReport: exposure }, match)
  expect(Object.keys(exposed)).toEqual(expected === undefined ? [] : [expected])
})
