import { expect, test } from 'vitest'
import { type BenchResult, holds, writeResults, writeTable } from './bench-results.mjs'

const row = {
  name: 'script',
  value: 1_312,
  unit: 'B',
  against: 'a budget of',
  floor: 1_500,
  ratio: 1_312 / 1_500,
  target: { goal: 0.8, guard: 1 },
}
const result: BenchResult = { rows: [row], date: '2026-11-15', commit: 'abc', machine: '2 × arm64' }
const later = { ...result, date: '2026-11-16', rows: [{ ...row, name: 'another script' }] }

test('a line has the figure, what it is measured against, the ratio, its goal and its guard', () => {
  expect(writeTable({ device: result })).toContain(
    '| device | script | 1,312 B | a budget of 1,500 B | 0.87 | ≤ 0.8 | ≤ 1 | goal missed |',
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
    '| device | another script | 1,312 B | a budget of 1,500 B | 0.87 | ≤ 0.8 | ≤ 1 | goal missed |',
    '| device | 2026-11-16 | abc | 2 × arm64 |',
  ])
  expect(writeResults(second, parts, {})).toBe(second)
})

test('a part that no longer exists leaves no lines behind', () => {
  const first = writeResults('', ['device', 'service'], { device: result, service: result })
  expect(writeResults(first, ['device'], {})).not.toContain('service')
})

test.each([
  ['no target', null, 9, ''],
  ['at most, the goal', { goal: 1.1, guard: 1.3 }, 1.1, 'goal met'],
  ['at most, the guard', { goal: 1.1, guard: 1.3 }, 1.3, 'goal missed'],
  ['at most, crossed', { goal: 1.1, guard: 1.3 }, 1.31, 'CROSSED'],
  ['at least, the goal', { goal: 0.7, guard: 0.5, is: 'least' }, 0.7, 'goal met'],
  ['at least, the guard', { goal: 0.7, guard: 0.5, is: 'least' }, 0.5, 'goal missed'],
  ['at least, not reached', { goal: 0.7, guard: 0.5, is: 'least' }, 0.49, 'CROSSED'],
  ['no ratio at all', { goal: 1, guard: 1 }, Number.NaN, 'CROSSED'],
] as const)('%s', (_name, target, ratio, verdict) => {
  const measured = { ...row, target, ratio }
  expect(holds(measured)).toBe(verdict !== 'CROSSED')
  expect(writeTable({ device: { ...result, rows: [measured] } }).endsWith(`| ${verdict} |`)).toBe(true)
})
