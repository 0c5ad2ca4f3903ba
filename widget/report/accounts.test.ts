import { describe, expect, test } from 'vitest'
import type { AccountRecord } from '../../contract/credit-report.ts'
import { accountsOf, sampleAccount } from '../../testing/report-samples.ts'
import { type Account, groupOf, inReadingOrder, repaidOf } from './accounts.ts'

function read(record: Partial<AccountRecord>): Account {
  const [account] = accountsOf([record])
  if (!account) throw new Error('one record in, one account out')
  return account
}

test.each([
  ['hire-purchase', true],
  ['PCP', true],
  ['hp', true],
  ['personal-contract-purchase', true],
  ['conditionalSale', true],
  ['mortgage', false],
  ['hpx', false],
])('%s is vehicle finance: %s', (accountType, isVehicleFinance) => {
  expect(read({ accountType })).toMatchObject({ isVehicleFinance })
})

test('of a record with nothing in it nothing is known, not even that it is open', () => {
  expect(read({})).toMatchObject({
    type: '',
    isMortgage: false,
    isVehicleFinance: false,
    status: { standing: 'unclear', isLate: false },
    ending: '',
    startMs: undefined,
  })
})

describe('how far an agreement is repaid', () => {
  const pounds = (amount: number) => ({ amount, currency: 'GBP' })
  const rows: [what: string, changes: Partial<Record<keyof AccountRecord, unknown>>, repaid: number | undefined][] = [
    ['a quarter', { startBalance: pounds(400), balance: pounds(300) }, 0.25],
    ['nothing yet', { startBalance: pounds(400), balance: pounds(400) }, 0],
    ['all of it', { startBalance: pounds(400), balance: pounds(0) }, 1],
    ['a debt that grew is not said to be repaid', { startBalance: pounds(400), balance: pounds(401) }, undefined],
    ['nor one in credit', { startBalance: pounds(400), balance: pounds(-1) }, undefined],
    ['nor one that began with nothing', { startBalance: pounds(0), balance: pounds(0) }, undefined],
    ['nor one whose start is not reported', { startBalance: undefined }, undefined],
    ['nor one whose balance is not reported', { balance: undefined }, undefined],
    ['nor two currencies', { startBalance: { amount: 400, currency: 'EUR' }, balance: pounds(300) }, undefined],
    ['nor a card, which has no number of payments', { numberOfPayments: 0 }, undefined],
    ['nor a settled one: its status says it', { accountStatus: 'settled', balance: pounds(0) }, undefined],
  ]
  test.each(rows)('%s', (_what, changes, repaid) => {
    const account = read({ ...sampleAccount(), ...(changes as Partial<AccountRecord>) })
    expect(repaidOf(account)?.share).toBe(repaid)
  })
})

test.each([
  ['open', 'open'],
  ['up to date', 'open'],
  ['in arrears', 'late'],
  ['default', 'late'],
  ['repossession', 'late'],
  ['settled', 'settled'],
  ['default satisfied', 'settled'],
  ['voluntary termination', 'unclear'],
  ['XX', 'unclear'],
  ['', 'unclear'],
])('an account whose status is “%s” is among the %s', (accountStatus, group) => {
  expect(groupOf(read({ accountStatus }))).toBe(group)
})

test('an account that one agency calls late is among the late', () => {
  const bureaus = [{ id: 'experian', ref: '1', differs: { accountStatus: 'in arrears' } }]
  expect(groupOf(read({ accountStatus: 'open', bureaus }))).toBe('late')
  expect(groupOf(read({ accountStatus: 'settled', bureaus }))).toBe('settled')
})

test('vehicle finance comes first and mortgages last, then what is owed most, then the newest', () => {
  const money = (amount: number) => ({ amount, currency: 'GBP' })
  const accounts = accountsOf([
    { companyName: 'small card', accountType: 'credit-card', balance: money(5) },
    { companyName: 'mortgage', accountType: 'mortgage', balance: money(900) },
    { companyName: 'old car', accountType: 'hire-purchase', balance: money(1), startDate: '2020-01-01' },
    { companyName: 'new car', accountType: 'pcp', balance: money(1), startDate: '2024-01-01' },
    { companyName: 'unknown card', accountType: 'credit-card' },
  ])
  const before = [...accounts]
  expect(inReadingOrder(accounts).map(({ record }) => record.companyName)).toEqual([
    'new car',
    'old car',
    'small card',
    'unknown card',
    'mortgage',
  ])
  expect(accounts).toEqual(before)
})
