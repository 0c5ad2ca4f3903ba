import { expect, test } from 'vitest'
import { plainWords } from './plain-words.ts'

test('one spelling for every way a type is written', () => {
  expect(new Set(['hire-purchase', 'HIRE_PURCHASE', 'hirePurchase', ' Hire  purchase '].map(plainWords))).toEqual(
    new Set(['hire purchase']),
  )
})
