import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readProblems, writeProblems } from './problems.ts'

test('problems survive the journey through a message', () => {
  const problems = [
    { path: 'firstName', expected: 'is required' },
    { path: 'addresses[0].ukAddress.postcode', expected: 'must be a UK postcode' },
    { path: '', expected: 'must be an object' },
  ]
  expect(writeProblems(problems)).toBe(
    'firstName: is required; addresses[0].ukAddress.postcode: must be a UK postcode; body: must be an object',
  )
  expect(readProblems(writeProblems(problems))).toEqual(problems)
})

test('a message that lists no problems reads as none', () => {
  expect(readProblems('Something else went wrong.')).toEqual([])
  fc.assert(fc.property(fc.string(), (message) => Array.isArray(readProblems(message))))
})

test('a flood of problems is cut to the first eight', () => {
  const flood = Array.from({ length: 50 }, (_, index) => ({ path: `bureaus[${index}]`, expected: 'is unknown' }))
  expect(readProblems(writeProblems(flood))).toHaveLength(8)
})
