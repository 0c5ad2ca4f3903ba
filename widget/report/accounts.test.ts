import { describe, expect, test } from 'vitest'
import type { LooseRecord } from '../build/reading.ts'
import { type Account, inReadingOrder, readAccounts, repaidOf } from './accounts.ts'
import { sampleAccount } from './preview/samples.ts'

function read(record: LooseRecord): Account {
  const [account] = readAccounts([record])
  if (!account) throw new Error('one record in, one account out')
  return account
}

describe('what a status means', () => {
  const rows: [status: string, isSettled: boolean, isLate: boolean][] = [
    ['open', false, false],
    ['active', false, false],
    ['settled', true, false],
    ['SETTLED', true, false],
    ['Paid in full', true, false],
    ['partially-settled', true, false],
    ['unsettled', false, false],
    ['not settled', false, false],
    ['part paid', false, false],
    ['arrears', false, true],
    ['in-arrears', false, true],
    ['2 payments late', false, true],
    ['default', false, true],
    ['defaultSatisfied', true, true],
    ['Default, not satisfied', false, true],
    ['no arrears', false, false],
    ['never late', false, false],
    ['open - not in default', false, false],
    ['written-off', false, true],
    ['debt_management', false, true],
    ['related account', false, false],
    ['', false, false],
  ]
  test.each(rows)('%j: settled %s, late %s', (accountStatus, isSettled, isLate) => {
    expect(read({ accountStatus })).toMatchObject({ isSettled, isLate })
  })
})

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

test('a record with nothing in it is an open account of which nothing is known', () => {
  expect(read({})).toEqual({
    record: {},
    type: '',
    isMortgage: false,
    isVehicleFinance: false,
    isSettled: false,
    isLate: false,
    ending: '',
    startMs: undefined,
  })
})

describe('how far an agreement is repaid', () => {
  const pounds = (amount: number) => ({ amount, currency: 'GBP' })
  const rows: [what: string, changes: Partial<LooseRecord>, percent: number | undefined][] = [
    ['a quarter', { startBalance: pounds(400), balance: pounds(300) }, 25],
    ['nothing yet', { startBalance: pounds(400), balance: pounds(400) }, 0],
    ['all of it', { startBalance: pounds(400), balance: pounds(0) }, 100],
    ['a debt that grew has no bar', { startBalance: pounds(400), balance: pounds(401) }, undefined],
    ['nor one in credit', { startBalance: pounds(400), balance: pounds(-1) }, undefined],
    ['nor one that began with nothing', { startBalance: pounds(0), balance: pounds(0) }, undefined],
    ['nor one whose start is not reported', { startBalance: undefined }, undefined],
    ['nor one whose balance is not reported', { balance: undefined }, undefined],
    ['nor two currencies', { startBalance: { amount: 400, currency: 'EUR' }, balance: pounds(300) }, undefined],
    ['nor a card, which has no number of payments', { numberOfPayments: 0 }, undefined],
    ['nor a settled one: its status says it', { accountStatus: 'settled', balance: pounds(0) }, undefined],
  ]
  test.each(rows)('%s', (_what, changes, percent) => {
    expect(repaidOf(read({ ...sampleAccount(), ...changes }))?.percent).toBe(percent)
  })
})

test('vehicle finance comes first, then what is owed most, then the newest', () => {
  const money = (amount: number) => ({ amount, currency: 'GBP' })
  const accounts = readAccounts([
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
    'mortgage',
    'small card',
    'unknown card',
  ])
  expect(accounts).toEqual(before)
})
