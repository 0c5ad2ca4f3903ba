import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createCompiler } from './compiler.ts'
import { findMutants } from './find-mutants.ts'
import { tryMutants } from './try-mutants.ts'

const SAMPLE = 'prove/mutations/sample.ts'
const UNTESTED = 'prove/mutations/sample-untested.ts'
const TESTS = ['prove/mutations/sample.release.test.ts', 'prove/mutations/sample-untested.release.test.ts']

test('a whole test kills, one that cannot fail lets live, and a mutant that never ends is ended', async () => {
  const code = readFileSync(SAMPLE, 'utf8')
  const endless = { file: SAMPLE, line: 8, source: '', change: 'endless', code: code.replace('left -= 1', 'left -= 0') }
  // The last killed mutant must not speak for a file whose tests notice nothing.
  const mutants = [
    endless,
    ...findMutants(SAMPLE, code).filter(({ line }) => line === 3),
    ...findMutants(UNTESTED, readFileSync(UNTESTED, 'utf8')),
  ]
  const verdicts = await tryMutants({ tests: TESTS, mutants, patienceMs: 3_000 })
  expect(verdicts.map(({ mutant, outcome }) => [mutant.change, outcome])).toEqual([
    ['endless', 'timed out'],
    ['years >= 18 → undefined', 'killed'],
    ['>= → >', 'killed'],
    ['18 → 0', 'killed'],
    ['text.length > 9 → undefined', 'survived'],
    ['> → >=', 'survived'],
    ['9 → 10', 'survived'],
  ])
  expect(readFileSync(SAMPLE, 'utf8')).toBe(code)
})

test('the compiler refuses what has the wrong type, and nothing else', async () => {
  const compiler = createCompiler()
  try {
    const mutants = findMutants(UNTESTED, readFileSync(UNTESTED, 'utf8'))
    const refused = []
    for (const mutant of mutants) refused.push([mutant.change, await compiler.refuses(mutant)])
    expect(refused).toEqual([
      ['text.length > 9 → undefined', true],
      ['> → >=', false],
      ['9 → 10', false],
    ])
  } finally {
    compiler.close()
  }
})
