import { expect, test } from 'vitest'
import { type BenchResult, holds, writeResults, writeTable } from './bench-results.mjs'

const row = {
  name: 'script',
  value: 1_312,
  unit: 'B',
  against: 'a budget of',
  floor: 1_500,
  ratio: 1_312 / 1_500,
  limit: 1,
}
const result: BenchResult = { rows: [row], date: '2026-11-15', commit: 'abc', machine: '2 × arm64' }
const later = { ...result, date: '2026-11-16', rows: [{ ...row, name: 'another script' }] }

test('a line tells the figure, what it is measured against, the ratio and whether its limit holds', () => {
  expect(writeTable({ device: result })).toContain(
    '| device | script | 1,312 B | a budget of 1,500 B | 0.87 | ≤ 1 | holds |',
  )
})

test('a part measured again replaces its own lines and leaves the others as they were', () => {
  const parts = ['device', 'service']
  const first = writeResults('', parts, { device: result, service: result })
  const second = writeResults(first, parts, { device: later })
  expect(second.split('\n').filter((line) => line.startsWith('| service'))).toEqual(
    first.split('\n').filter((line) => line.startsWith('| service')),
  )
  expect(second.match(/^\| device .*$/gm)).toEqual([
    '| device | another script | 1,312 B | a budget of 1,500 B | 0.87 | ≤ 1 | holds |',
    '| device | 2026-11-16 | abc | 2 × arm64 |',
  ])
  expect(writeResults(second, parts, {})).toBe(second)
})

test('a part that no longer exists leaves no lines behind', () => {
  const first = writeResults('', ['device', 'service'], { device: result, service: result })
  expect(writeResults(first, ['device'], {})).not.toContain('service')
})

test.each([
  ['no limit', null, 'most', 9, true],
  ['at most, just there', 1.3, 'most', 1.3, true],
  ['at most, crossed', 1.3, 'most', 1.31, false],
  ['at least, just there', 0.5, 'least', 0.5, true],
  ['at least, not reached', 0.5, 'least', 0.49, false],
  ['no ratio at all', 1, 'most', Number.NaN, false],
] as const)('%s', (_name, limit, limitIs, ratio, expected) => {
  expect(holds({ ...row, limit, limitIs, ratio })).toBe(expected)
})
