import { expect, test } from 'vitest'
import { firstIdAt, isId, newId } from './new-id.ts'

test.each([
  ['a moment of this century', 1_800_000_000_000, '01a3185c-5000'],
  ['the last millisecond that fits', 0xffff_ffff_ffff, 'ffffffff-ffff'],
  ['the first', 0, '00000000-0000'],
  ['half a millisecond later', 0.5, '00000000-0000'],
  ['a time before it', -1, '00000000-0000'],
])('ids of %s begin with it', (_when, timeMs, first) => {
  expect(firstIdAt(timeMs)).toBe(first)
  expect(newId(timeMs).startsWith(`${first}-7`)).toBe(true)
})

test('an id is a UUID of version 7, never the same twice, and later ones are larger', () => {
  const nowMs = 1_800_000_000_000
  const ids = Array.from({ length: 100 }, () => newId(nowMs))
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(new Set(ids).size).toBe(100)
  for (const id of ids) expect([firstIdAt(nowMs) < id, id < firstIdAt(nowMs + 1)]).toEqual([true, true])
})

test.each([
  ['one of ours', newId(0), true],
  ['a UUID of another version', '3f2504e0-4f89-41d3-9a0c-0305e82c3301', true],
  ['capitals', '3F2504E0-4F89-41D3-9A0C-0305E82C3301', false],
  ['one too short', newId(0).slice(1), false],
  ['one with something behind it', `${newId(0)}0`, false],
  ['nothing', '', false],
])('%s could be an id of ours: %s', (_what, value, expected) => {
  expect(isId(value)).toBe(expected)
})
