import { expect, test } from 'vitest'
import { areTooFarApart } from './versions.ts'

test.each([
  ['the same', '1.2.3', '1.2.3', false],
  ['one minor apart', '1.2.3', '1.9.0', false],
  ['one major apart', '1.9.9', '2.0.0', false],
  ['one major apart, the other way round', '2.0.0-beta.1', '1.9.9', false],
  ['two majors apart', '1.9.9', '3.0.0', true],
  ['two majors apart, the other way round', '3.0.0', '1.9.9', true],
  ['counted, not compared as text', '9.0.0', '10.0.0', false],
  ['one that is run from its sources', 'source', '9.0.0', false],
  ['one that does not say', '', '9.0.0', false],
])('%s', (_name, one, other, expected) => {
  expect(areTooFarApart(one, other)).toBe(expected)
})
