import { describe, expect, test } from 'vitest'
import type { AccountRecord } from '../../contract/credit-report.ts'
import { accountsOf } from '../../testing/report-samples.ts'
import { findConcerns } from './concerns.ts'
import { groupSearches } from './searches.ts'

const kinds = (records: Partial<AccountRecord>[], searches: { [company: string]: string[] } = {}) => {
  const providers = Object.entries(searches).map(([companyName, dates]) => ({ companyName, dates }))
  return findConcerns(accountsOf(records), groupSearches(providers)).map(({ kind, company, count }) => [
    kind,
    company,
    count,
  ])
}

test('an ordinary report raises nothing', () => {
  expect(
    kinds(
      [
        { companyName: 'A', accountNumber: '****1111', accountStatus: 'open' },
        { companyName: 'A', accountNumber: '****2222', accountStatus: 'settled' },
        { companyName: 'B', accountNumber: '****1111', accountStatus: 'open' },
      ],
      { C: ['2026-01-01'], D: ['2026-01-01', '2026-03-01'] },
    ),
  ).toEqual([])
})

test('searches without a name are not taken for one company’s', () => {
  expect(kinds([], { '': ['2026-01-01', '2026-01-02'] })).toEqual([])
})

test('a late status is pointed out, whatever else it says', () => {
  expect(kinds([{ companyName: 'A', accountStatus: 'Default (satisfied)' }])).toEqual([['late', 'A', 1]])
})

describe('records that look like one account', () => {
  const rows: [what: string, first: Partial<AccountRecord>, second: Partial<AccountRecord>, alike: boolean][] = [
    [
      'one lender, same ending',
      { companyName: 'Acme', accountNumber: '**777' },
      { companyName: 'Acme', accountNumber: '*777' },
      true,
    ],
    [
      'the name written another way',
      { companyName: 'ACME Loans Ltd.', accountNumber: '*7777' },
      { companyName: 'Acme Loans (UK) Limited', accountNumber: '*7777' },
      true,
    ],
    [
      'another lender',
      { companyName: 'Acme', accountNumber: '*7777' },
      { companyName: 'Apex', accountNumber: '*7777' },
      false,
    ],
    [
      'too few digits to tell',
      { companyName: 'Acme', accountNumber: '****77' },
      { companyName: 'Acme', accountNumber: '****77' },
      false,
    ],
    [
      'no digits at all',
      { companyName: 'Acme', accountNumber: '****' },
      { companyName: 'Acme', accountNumber: '****' },
      false,
    ],
  ]
  test.each(rows)('%s', (_what, first, second, alike) => {
    expect(kinds([first, second]).length > 0).toBe(alike)
  })

  test('three of them are one concern', () => {
    const record = { companyName: 'Acme', accountNumber: '****7777' }
    expect(kinds([record, record, record])).toEqual([['twins', 'Acme', 3]])
  })

  test('a lender without a name is no match for another without a name', () => {
    const record = { companyName: '', accountNumber: '****7777' }
    expect(kinds([record, record])).toEqual([])
  })
})

test('several searches by one company within thirty days are counted', () => {
  expect(kinds([], { Acme: ['2026-01-01', '2026-01-31', '2026-01-15', '2026-06-01'] })).toEqual([
    ['repeated', 'Acme', 3],
  ])
})
