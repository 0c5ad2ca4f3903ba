import { expect, test } from 'vitest'
import { accountsOf } from '../../testing/report-samples.ts'
import { addBalances } from './balances.ts'

const owing = (accountType: string, amount: number, currency = 'GBP') => ({
  accountType,
  balance: { amount, currency },
})
const pounds = (amount: number) => ({ amount, currency: 'GBP' })

test('balances add up in whole pence, mortgages apart', () => {
  const accounts = accountsOf([
    owing('credit-card', 10),
    owing('mortgage', 1_000_000),
    owing('hire-purchase', 31),
    owing('second-mortgage', 5),
  ])
  expect(addBalances(accounts)).toMatchObject({ owed: [pounds(41)], mortgages: [pounds(1_000_005)] })
  expect(accounts[0]?.record.balance?.amount).toBe(10)
})

test('currencies are never added together, and the largest comes first', () => {
  const { owed } = addBalances(accountsOf([owing('loan', 5), owing('loan', 7, 'EUR'), owing('card', 1)]))
  expect(owed).toEqual([{ amount: 7, currency: 'EUR' }, pounds(6)])
})

test('what is not owed stays out: nothing, credit, and balances that are not reported', () => {
  const { owed, unreported } = addBalances(
    accountsOf([
      owing('loan', 0),
      owing('loan', -500),
      { accountType: 'loan' },
      { accountType: 'loan', accountStatus: 'settled' },
    ]),
  )
  expect(owed).toEqual([])
  expect(unreported).toBe(1)
})

test('what the regular payments leave out is counted: accounts in default or of unclear status, and open ones without a payment', () => {
  const paying = { payment: pounds(100) }
  const statuses = ['open', 'default', 'XX', 'settled'].map((accountStatus) => ({ ...paying, accountStatus }))
  expect(addBalances(accountsOf([...statuses, { accountStatus: 'open' }]))).toMatchObject({
    payments: [pounds(100)],
    leftOut: 2,
    unpriced: 1,
  })
})
