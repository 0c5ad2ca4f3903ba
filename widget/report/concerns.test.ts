import { expect, test } from 'vitest'
import type { AccountRecord } from '../../contract/credit-report.ts'
import { accountsOf } from '../../testing/report-samples.ts'
import { findConcerns } from './concerns.ts'
import { groupSearches } from './searches.ts'

const NOW_MS = Date.UTC(2026, 10, 15, 9)

function find(records: Partial<AccountRecord>[], searches: { [company: string]: string[] } = {}) {
  const providers = Object.entries(searches).map(([companyName, dates]) => ({ companyName, dates }))
  const { late, defaults, searched } = findConcerns(accountsOf(records), groupSearches(providers), NOW_MS)
  return {
    defaults: defaults.map(({ record }) => record.companyName),
    late: late.map(({ record }) => record.companyName),
    searched: searched.map(({ company, datesMs }) => [company, datesMs.length]),
  }
}

const account = (companyName: string, accountStatus: string, amount = 100) => ({
  companyName,
  accountStatus,
  balance: { amount, currency: 'GBP' },
})

const nothing = { defaults: [], late: [], searched: [] }

test.each<[string, Partial<AccountRecord>[], { [company: string]: string[] }]>([
  ['accounts that are paid', [account('A', 'open'), account('B', 'settled')], {}],
  ['a default that is satisfied', [account('A', 'Default (satisfied)')], {}],
  ['two searches of eighteen months ago', [], { A: ['2025-04-20', '2025-05-08'] }],
  ['a search of 91 days ago', [], { A: ['2026-08-16'] }],
  ['a search without a date', [], { A: [''] }],
  [
    'a recent search by a lender of theirs',
    [account('ACME Loans Ltd.', 'open')],
    { 'Acme Loans (UK)': ['2026-11-01'] },
  ],
])('%s needs no attention', (_what, records, searches) => {
  expect(find(records, searches)).toEqual(nothing)
})

test('defaults come before late payments, the largest balance first', () => {
  const records = [
    account('Late', 'in arrears', 900),
    account('Small default', 'default', 10),
    account('Fine', 'open', 5_000),
    account('Large default', '8', 500),
  ]
  const { late, defaults } = find(records)
  expect(late).toEqual(['Large default', 'Small default', 'Late'])
  expect(defaults).toEqual(['Large default', 'Small default'])
})

test('a default that only one agency tells is one', () => {
  const bureaus = [{ id: 'experian', ref: '1', differs: { accountStatus: 'default' } }]
  expect(find([{ ...account('A', 'in arrears'), bureaus }])).toMatchObject({ late: ['A'], defaults: [] })
  expect(find([{ ...account('A', 'open'), bureaus }])).toMatchObject({ late: ['A'], defaults: ['A'] })
})

test('a recent search by a company without an account here is named with its recent dates alone', () => {
  expect(find([], { Unknown: ['2026-11-01', '2026-08-17', '2024-01-01', ''], Old: ['2024-01-01'] }).searched).toEqual([
    ['Unknown', 2],
  ])
})
