import { expect, test } from 'vitest'
import { describeSlowest, readBrowserRun, readUnitRun } from './slowest-files.mjs'

test('names the three slowest files, the slowest first', () => {
  const files: [string, number][] = [
    ['quick.test.ts', 0.2],
    ['slow.test.ts', 9.04],
    ['slower.test.ts', 12],
    ['middling.test.ts', 3.5],
  ]
  expect(describeSlowest(files)).toBe('slower.test.ts 12.0 s, slow.test.ts 9.0 s, middling.test.ts 3.5 s')
})

test('reads what Vitest writes', () => {
  const testResults = [{ name: '/project/kit/seal.test.ts', startTime: 1_000, endTime: 3_500 }]
  expect(readUnitRun({ testResults }, '/project/')).toEqual([['kit/seal.test.ts', 2.5]])
})

test('reads what Playwright writes, with tests inside groups and tries that were repeated', () => {
  const specs = [{ tests: [{ results: [{ duration: 1_000 }, { duration: 500 }] }] }]
  const suites = [{ file: 'widget.spec.ts', specs, suites: [{ file: 'widget.spec.ts', specs }] }]
  expect(readBrowserRun({ suites })).toEqual([['e2e/widget.spec.ts', 3]])
})
