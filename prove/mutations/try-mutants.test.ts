import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findMutants } from './find-mutants.ts'
import { tryMutants } from './try-mutants.ts'

const SAMPLE = 'prove/mutations/sample.ts'
// The first has vitest to start and counts as the slower: the other is asked first, with what the first said of the mutant before.
const TESTS = ['prove/mutations/sample.test.ts', 'prove/mutations/sample-idle.test.ts']

test('a whole test kills, one that cannot fail lets live, and a mutant that never ends is ended', async () => {
  const code = readFileSync(SAMPLE, 'utf8')
  const endless = {
    file: SAMPLE,
    line: 12,
    source: '',
    change: 'endless',
    code: code.replace('left -= 1', 'left -= 0'),
  }
  const mutants = [...findMutants(SAMPLE, code).filter(({ line }) => line < 10), endless]
  const verdicts = await tryMutants({ tests: TESTS, mutants, patienceMs: 3_000 })
  expect(verdicts.map(({ mutant, outcome }) => [mutant.line, mutant.change, outcome])).toEqual([
    [3, 'years >= 18 → undefined', 'killed'],
    [3, '>= → >', 'killed'],
    [3, '18 → 0', 'killed'],
    [7, 'text.length > 9 → undefined', 'survived'],
    [7, '> → >=', 'survived'],
    [7, '9 → 10', 'survived'],
    [12, 'endless', 'timed out'],
  ])
  expect(readFileSync(SAMPLE, 'utf8')).toBe(code)
}, 120_000)
