import { expect, test } from 'vitest'
import type { AccountRecord } from '../../contract/credit-report.ts'
import { accountsOf } from '../../testing/report-samples.ts'
import { kindsOf, owedOn, paidOn, splitSum } from './shares.ts'

const pounds = (amount: number) => ({ amount, currency: 'GBP' })

function record(companyName: string, balance: number, more: Partial<AccountRecord> = {}): Partial<AccountRecord> {
  return { companyName, accountStatus: 'open', accountType: 'credit-card', balance: pounds(balance), ...more }
}

const namesOf = (parts: ReturnType<typeof splitSum>) =>
  parts.map(({ kind, accounts, money, share }) => [
    kind,
    accounts.map(({ record }) => record.companyName).join(),
    money.amount,
    Number(share.toFixed(3)),
  ])

test('a part for each account, the largest first, and mortgages last under one kind', () => {
  const accounts = accountsOf([
    record('Home', 9_000, { accountType: 'mortgage' }),
    record('Small', 100),
    record('Large', 300),
    record('Second home', 1_000, { accountType: 'mortgage' }),
  ])
  expect(namesOf(splitSum(pounds(400), kindsOf(accounts), owedOn))).toEqual([
    [1, 'Large', 300, 0.75],
    [2, 'Small', 100, 0.25],
    ['mortgage', 'Home,Second home', 10_000, 25],
  ])
})

test('the first five have a kind of their own, the others share one', () => {
  const accounts = accountsOf([7, 6, 5, 4, 3, 2, 1].map((pence) => record(`A${pence}`, pence)))
  expect(namesOf(splitSum(pounds(28), kindsOf(accounts), owedOn)).map(([kind, names]) => [kind, names])).toEqual([
    [1, 'A7'],
    [2, 'A6'],
    [3, 'A5'],
    [4, 'A4'],
    [5, 'A3'],
    ['others', 'A2,A1'],
  ])
})

test('an account has one kind in both sums', () => {
  const accounts = accountsOf([
    record('Card', 900, { payment: pounds(10) }),
    record('Loan', 100, { payment: pounds(90) }),
    record('Nothing owed', 0, { payment: pounds(5) }),
  ])
  const kinds = kindsOf(accounts)
  expect(namesOf(splitSum(pounds(105), kinds, paidOn)).map(([kind, name]) => [kind, name])).toEqual([
    [1, 'Card'],
    [2, 'Loan'],
    [3, 'Nothing owed'],
  ])
})

test.each<[string, Partial<AccountRecord>]>([
  ['nothing owed', { balance: pounds(0) }],
  ['money in the consumer’s favour', { balance: pounds(-5) }],
  ['another currency', { balance: { amount: 5, currency: 'EUR' } }],
])('%s is no part of what is owed', (_what, change) => {
  const accounts = accountsOf([record('Card', 10), { ...record('Other', 0), ...change }])
  expect(splitSum(pounds(10), kindsOf(accounts), owedOn)).toHaveLength(1)
})

test('only what is open is paid', () => {
  const accounts = accountsOf(
    ['open', 'settled', 'default'].map((accountStatus) => record('A', 1, { accountStatus, payment: pounds(1) })),
  )
  expect(accounts.map((account) => paidOn(account)?.amount)).toEqual([1, undefined, undefined])
})

test('of no sum there are no parts', () => {
  expect(splitSum(undefined, kindsOf(accountsOf([record('Card', 10)])), owedOn)).toEqual([])
})
