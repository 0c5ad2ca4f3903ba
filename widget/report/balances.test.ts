import { expect, test } from 'vitest'
import { accountsOf } from '../../testing/report-samples.ts'
import { addBalances, barLength } from './balances.ts'

const owing = (accountType: string, amount: number, currency = 'GBP') => ({
  accountType,
  balance: { amount, currency },
})

test('types add up in whole pence, largest first, mortgages apart', () => {
  const { types, mortgages, totals } = addBalances(
    accountsOf([
      owing('credit-card', 10),
      owing('mortgage', 1_000_000),
      owing('CREDIT_CARD', 20),
      owing('hire-purchase', 31),
      owing('second-mortgage', 5),
    ]),
  )
  expect(types.map(({ type, accounts, balance }) => [type, accounts, balance.amount])).toEqual([
    ['hire-purchase', 1, 31],
    ['credit-card', 2, 30],
  ])
  expect(mortgages.map(({ balance }) => balance.amount)).toEqual([1_000_000, 5])
  expect(totals.map(({ balance, accounts }) => [accounts, balance.amount])).toEqual([[3, 61]])
})

test('currencies are never added together', () => {
  const { types, totals } = addBalances(accountsOf([owing('loan', 5), owing('loan', 7, 'EUR'), owing('card', 1)]))
  expect(types).toHaveLength(3)
  expect(totals.map(({ balance }) => balance)).toEqual([
    { amount: 7, currency: 'EUR' },
    { amount: 6, currency: 'GBP' },
  ])
})

test('what is not owed stays out: nothing, credit, and balances that are not reported', () => {
  const { types, unreported } = addBalances(
    accountsOf([
      owing('loan', 0),
      owing('loan', -500),
      { accountType: 'loan' },
      { accountType: 'loan', accountStatus: 'settled' },
    ]),
  )
  expect(types).toEqual([])
  expect(unreported).toBe(1)
})

test('adding up leaves the report as it was', () => {
  const record = owing('loan', 5)
  addBalances(accountsOf([record, owing('loan', 7)]))
  expect(record.balance.amount).toBe(5)
})

test('a bar is measured against the largest in its own currency', () => {
  const { types } = addBalances(accountsOf([owing('a', 200), owing('b', 50), owing('c', 9, 'JPY')]))
  expect(types.map((row) => barLength(row, types))).toEqual([100, 25, 100])
})
