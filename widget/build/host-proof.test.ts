// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeHostProof } from './host-proof.ts'

/** A library's error on a page that has added to every object. */
async function runOnOddPage(code: string): Promise<unknown> {
  const { answer } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  const { bind } = Function.prototype
  Object.defineProperty(Object.prototype, 'added', { value: 1, enumerable: true, configurable: true })
  // As MooTools has it: what the call brings along is dropped.
  Function.prototype.bind = function (this: (...all: unknown[]) => unknown, bound: unknown, values: unknown) {
    return () => this.apply(bound, [values])
  }
  try {
    return answer()
  } finally {
    Function.prototype.bind = bind
    Reflect.deleteProperty(Object.prototype, 'added')
  }
}

const rows: [string, string, unknown][] = [
  [
    'keys',
    'export function answer() { const keys = []; for (const key in { own: 1 }) keys.push(key); return keys }',
    ['own'],
  ],
  ['a loop without declaration', 'export function answer() { let k, s = ""; for(k in {a:1,b:2})s+=k; return s }', 'ab'],
  [
    'a loop over a list of expressions',
    'export function answer() { let p, s = ""; for(let k in p={},{a:p})s+=k; return s }',
    'a',
  ],
  ['a bound method', 'export function answer() { return ((...all) => all.join("")).bind(null, "a")("b") }', 'ab'],
  ['a loop over nothing', 'export function answer() { for (const key in null) return key; return "none" }', 'none'],
]

test.each(rows)('%s means what it means on a plain page', async (_name, code, expected) => {
  expect(await runOnOddPage(makeHostProof(code))).toEqual(expected)
})

test.each(rows.filter(([name]) => name !== 'a loop over nothing'))(
  '%s would not without it',
  async (_name, code, expected) => {
    expect(await runOnOddPage(code)).not.toEqual(expected)
  },
)

test('the widget does without what old libraries replace', () => {
  const sources = ['widget', 'contract'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  const shipped = sources.filter((file) => /\.tsx?$/.test(file) && !/\.test\.|\/build\/|\/openapi\//.test(file))
  // Prototype: `Array.from` without its mapping function, `entries` that gives values. MooTools: `Date.parse` that
  // gives a Date.
  const replaced = /\bArray\.from\b|\bDate\.parse\b|\.entries\(\)/
  expect(shipped.filter((file) => replaced.test(readFileSync(file, 'utf8')))).toEqual([])
  expect(shipped.length).toBeGreaterThan(100)
})

test.each([
  'node_modules/preact/dist/preact.mjs',
  'node_modules/preact/hooks/dist/hooks.mjs',
  'node_modules/preact/jsx-runtime/dist/jsxRuntime.mjs',
  'node_modules/@preact/signals/dist/signals.mjs',
  'node_modules/@preact/signals-core/dist/signals-core.mjs',
])('nothing is left in %s', (file) => {
  const proof = makeHostProof(readFileSync(file, 'utf8'))
  expect(makeHostProof(proof)).toBe(proof)
  // Prototype and MooTools replace it.
  expect(proof).not.toContain('.bind(')
})
