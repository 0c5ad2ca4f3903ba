import { expect, test } from 'vitest'
import { NAME_LENGTH_MAX } from '../contract/limits.ts'
import { foldName } from './fold-name.ts'

test.each([
  ['Ní Dhomhnaill', 'nidhomhnaill'],
  ['NI DHOMHNAILL', 'nidhomhnaill'],
  ['ní-dhomhnaill', 'nidhomhnaill'],
  ['O’Brien', 'obrien'],
  ['van der Berg 2', 'vanderberg2'],
  ['ﬁnch', 'finch'],
  ['Weiß', 'weiss'],
  ['WEISS', 'weiss'],
  ['Łukasz', 'lukasz'],
  ['Sørensen', 'sorensen'],
  ['Ægir Þórðarson', 'aegirthordarson'],
  [' ', ''],
])('%s is folded to %s', (name, folded) => {
  expect(foldName(name)).toBe(folded)
})

test('four times the longest name is read, and nothing behind it: normalising costs more than its input', () => {
  const longest = 'n'.repeat(4 * NAME_LENGTH_MAX)
  expect(foldName(longest)).toBe(longest)
  expect(foldName(`${longest}ame`)).toBe(longest)
})
