import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { read, readProblems, writeProblems } from './problems.ts'

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

test.each([
  ['a number that is too small', z.int().check(z.minimum(0)), -1, 'must be at least 0'],
  ['a number that is too large', z.number().check(z.maximum(9)), 10, 'must be at most 9'],
  ['an empty text', z.string().check(z.minLength(1)), '', 'must have at least 1 character'],
  ['a long text', z.string().check(z.maxLength(2)), 'abc', 'must have at most 2 characters'],
  ['an empty list', z.array(z.string()).check(z.minLength(1)), [], 'must have at least 1 item'],
  ['a long list', z.array(z.string()).check(z.maxLength(0)), ['a'], 'must have at most 0 items'],
])('%s is refused with what is counted', (_name, schema, value, expected) => {
  expect(read(schema, value)).toEqual({ ok: false, problems: [{ path: '', expected }] })
})
