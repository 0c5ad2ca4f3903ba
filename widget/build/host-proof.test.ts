// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeHostProof } from './host-proof.ts'

const bind = Function.prototype.bind

/** What a library says on a page that has added to every object and replaced `bind`. */
async function runOnOddPage(code: string): Promise<unknown> {
  const { answer } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  Object.defineProperty(Object.prototype, 'added', { value: 1, enumerable: true, configurable: true })
  Function.prototype.bind = () => () => 'the page’s own'
  try {
    return answer()
  } finally {
    Reflect.deleteProperty(Object.prototype, 'added')
    Function.prototype.bind = bind
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
  ['a loop over nothing', 'export function answer() { for (const key in null) return key; return "none" }', 'none'],
  [
    'bind',
    'export function answer() { return function (...all) { return [this.x, ...all] }.bind({ x: 1 }, 2)(3) }',
    [1, 2, 3],
  ],
  ['bind of a member', 'const o = { f() { return this.x } }; export const answer = () => o.f.bind({ x: 4 })()', 4],
  ['bind of an expression in brackets', 'export const answer = () => ((x) => x).bind(null, 5)()', 5],
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
  // Prototype: `Array.from` without its mapping function, `entries` that gives values. MooTools: `Date.parse` that gives a Date.
  const replaced = /\bArray\.from\b|\bDate\.parse\b|\.entries\(\)/
  expect(shipped.filter((file) => replaced.test(readFileSync(file, 'utf8')))).toEqual([])
  expect(shipped.length).toBeGreaterThan(100)
})

test.each([
  'node_modules/preact/dist/preact.mjs',
  'node_modules/preact/hooks/dist/hooks.mjs',
  'node_modules/@preact/signals/dist/signals.mjs',
  'node_modules/@preact/signals-core/dist/signals-core.mjs',
  'node_modules/zod/v4/core/util.js',
])('nothing is left in %s', (file) => {
  const proof = makeHostProof(readFileSync(file, 'utf8'))
  expect(makeHostProof(proof)).toBe(proof)
})
