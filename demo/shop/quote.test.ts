import { expect, test } from 'vitest'
import { type Plan, quote } from './quote.ts'

const plan: Plan = { pricePence: 1_849_500, depositPence: 200_000, finalPence: 712_500, months: 48, aprPercent: 8.9 }

test('without interest the payments are what is left, shared out', () => {
  const free = quote({ ...plan, aprPercent: 0 })
  expect(free.monthlyPence).toBe(Math.ceil((1_649_500 - 712_500) / 48))
})

test('the monthly payments and the final one pay back exactly what was borrowed', () => {
  const { monthlyPence, borrowedPence } = quote(plan)
  const rate = 1.089 ** (1 / 12) - 1
  let owed = borrowedPence
  for (let month = 0; month < plan.months; month++) owed = owed * (1 + rate) - monthlyPence
  expect(owed - plan.finalPence).toBeLessThanOrEqual(0)
  expect(owed - plan.finalPence).toBeGreaterThan(-plan.months * 2)
})

test('the parts add up to the whole', () => {
  const { borrowedPence, creditChargePence, totalPence } = quote(plan)
  expect(borrowedPence + creditChargePence + plan.depositPence).toBe(totalPence)
})

test('a larger deposit makes each month cheaper', () => {
  expect(quote({ ...plan, depositPence: 400_000 }).monthlyPence).toBeLessThan(quote(plan).monthlyPence)
})
