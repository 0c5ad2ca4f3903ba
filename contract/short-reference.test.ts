import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { readShortReference, shortReference, spacedReference } from './short-reference.ts'

test('it is eight characters that cannot be taken for one another', () => {
  for (const id of ['', 'report-1', '0b7f6a52-93c1-4a3e-8d0f-5a8e2f1c9b77'])
    expect(shortReference(id)).toMatch(/^[A-HJ-NP-Z2-9]{8}$/)
})

test('it stays the same: a lender may have written it down', () => {
  expect(shortReference('report-1')).toBe('VLBVGUDZ')
  expect(spacedReference('report-1')).toBe('VLBV GUDZ')
})

test.each([
  ['VLBVGUDZ', 'VLBVGUDZ'],
  [' vlbv gudz ', 'VLBVGUDZ'],
  ['VLBV-GUDZ', 'VLBVGUDZ'],
  ['VLBV GUD', null],
  ['VLBV GUDZ2', null],
  ['VLBV GUD0', null],
  ['VLBV GUDI', null],
  ['', null],
])('%j is read as %j', (typed, expected) => {
  expect(readShortReference(typed)).toBe(expected)
})

test('a hundred thousand ids have a hundred thousand references, but for what chance allows', () => {
  const ids = [
    ...Array.from({ length: 50_000 }, () => randomUUID()),
    ...Array.from({ length: 50_000 }, (_, index) => `report-${index}`),
  ]
  const references = new Set(ids.map(shortReference))
  // Of 2^40, a pair is expected in 200 runs.
  expect(references.size).toBeGreaterThan(ids.length - 3)
})
