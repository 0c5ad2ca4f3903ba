import { expect, test } from 'vitest'
import { sampleAccount, sampleReport } from '../../testing/report-samples.ts'
import { finish } from '../../testing/tasks.ts'
import { readReport } from './read-report.ts'

const unreadable = (report: unknown) => finish(readReport(report)).unreadable

test('nothing of an ordinary report is unreadable', () => {
  expect(unreadable(sampleReport([sampleAccount()]))).toBe(0)
})

test.each<[string, object]>([
  ['missing', {}],
  ['null', { person: null, residencies: null, consumerData: null, previousSearches: { providers: [null] } }],
])('what is %s was not there to be read', (_what, report) => {
  expect(unreadable(report)).toBe(0)
})

test.each<[string, object, number]>([
  ['a list that is none', { consumerData: { records: 'none' } }, 1],
  ['a part that is none', { consumerData: 7, previousSearches: true }, 2],
  ['an account that is a word', { consumerData: { records: ['x', sampleAccount()] } }, 1],
  ['an amount in pounds and pence', { consumerData: { records: [{ balance: { amount: 12.5, currency: 'GBP' } }] } }, 1],
  ['an amount without a currency', { consumerData: { records: [{ payment: { amount: 12 } }] } }, 1],
  ['a name that is an object', { person: { firstName: {} } }, 1],
  ['a number of payments that is a word', { consumerData: { records: [{ numberOfPayments: 'many' }] } }, 1],
])('%s is counted', (_what, report, expected) => {
  expect(unreadable(report)).toBe(expected)
})

test('what can be read beside it is kept', () => {
  const [record] = finish(
    readReport({ consumerData: { records: ['x', { companyName: 'Acme', balance: { amount: 'lots' } }] } }),
  ).records
  expect(record).toMatchObject({ companyName: 'Acme', balance: undefined })
})
