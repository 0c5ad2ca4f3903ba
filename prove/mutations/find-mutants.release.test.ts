import { expect, test } from 'vitest'
import { findMutants } from './find-mutants.ts'

const changesIn = (code: string) => findMutants('sample.ts', code).map(({ change }) => change)

const rows: [name: string, code: string, changes: string[]][] = [
  ['a comparison', 'const a = b < c', ['< → <=']],
  ['both operators of a chain', 'const a = b && c ?? d'.replace('&& c', '+ c'), ['?? → &&', '+ → -']],
  ['a sum of texts is left alone', "const a = b + 'x'", []],
  ['a condition, both ways', 'if (a) b()', ['a → true', 'a → false', 'b() → ;']],
  ['a choice, both ways', 'const a = b ? c : d', ['b → true', 'b → false']],
  ['a negation', 'const a = !b', ['! → nothing']],
  ['true and false', 'const a = [true, false]', ['true → false', 'false → true']],
  ['a count gets one more', 'const a = 3', ['3 → 4']],
  ['an amount becomes none', 'const a = 1_000', ['1_000 → 0']],
  ['an answer', 'function a() { return b }', ['b → undefined']],
  ['nothing as an answer is left alone', 'function a() { return undefined }', []],
  ['no as an answer becomes yes', 'function a() { return false }', ['false → true']],
  ['an arrow’s answer', 'const a = () => b', ['b → (undefined)']],
  ['a line of the log is left alone', "parts.log.warn('a')", []],
  ['a statement that throws', 'function a() { throw b }', ['throw b → ;']],
  ['conditions in SQL', 'const a = `SELECT 1 WHERE b >= ? AND c <> ?`', ['>= → >', 'AND → OR', '<> → =']],
  ['other text is left alone', "const a = 'b >= c AND d'", []],
  ['types are left alone', 'type A = 1 | true; const a: 1 = b as 2', []],
  ['what is cast is not', 'const a = (b < c) as boolean', ['< → <=']],
]
test.each(rows)('%s', (_name, code, changes) => {
  expect(changesIn(code)).toEqual(changes)
})

test('a mutant is the whole file with one change, named by its line', () => {
  const code = '// “outside ASCII”\nconst a = 1\nconst b = a > 2\n'
  const [, second] = findMutants('sample.ts', code)
  expect(second).toEqual({
    file: 'sample.ts',
    line: 3,
    source: 'const b = a > 2',
    change: '> → >=',
    code: '// “outside ASCII”\nconst a = 1\nconst b = a >= 2\n',
  })
})

test('a file that is no TypeScript is refused', () => {
  expect(() => findMutants('sample.ts', 'const = 1')).toThrow('sample.ts cannot be parsed')
})
